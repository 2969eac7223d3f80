import { playerScale, unitsOf } from '../../../domain/money.ts'
import { usernamePattern } from '../../../domain/players/player.ts'
import type { LedgerDir, LedgerTransfer } from '../../../domain/reconcile/transfers.ts'
import { isDay } from '../../../domain/time/calendar.ts'
import { amountAdvice } from '../../../domain/wallet/amount-advice.ts'
import { Problem } from '../../../kit/problem.ts'
import { csvTable } from '../../csv/read.ts'

const needed = ['txnId', 'username', 'dir', 'amount', 'currency'] as const

const dirs: Readonly<Record<string, LedgerDir>> = {
  in: 'in',
  deposit: 'in',
  out: 'out',
  withdraw: 'out',
  withdrawal: 'out',
  adjust: 'adjust',
  adjustment: 'adjust',
}

/** Maximum number of errors in the message. */
const maxFaults = 50

/**
 * Reads the operator's ledger from a CSV file with a header: `txnId`, `username`, `dir`, `amount`, `currency` and optionally
 * `time`. `dir` is in or deposit, out or withdraw, or adjust, whose amount may be negative. Other columns are
 * ignored, because it is the operator's own export. INVALID_FILE has every error with its line.
 */
export async function ledgerFromCsv(file: string | Uint8Array): Promise<LedgerTransfer[]> {
  const { head, rows } = await csvTable(file, 'The ledger')
  checkHeader(head.length === 0 ? undefined : head)
  const faults: { line: number; message: string }[] = []
  const lines = new Map<string, number>()
  const transfers = rows.map(({ line, cells }) => {
    const { transfer, wrong } = rowOf(Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ''])), line)
    if (cells.length !== head.length)
      wrong.unshift(
        `${cells.length} cells for ${head.length} columns${cells.length > head.length ? '; does an amount contain a comma?' : ''}`,
      )
    const before = lines.get(transfer.txnId)
    if (before === undefined) lines.set(transfer.txnId, line)
    else wrong.push(`the txnId is already in line ${before}`)
    for (const message of wrong) faults.push({ line, message })
    return transfer
  })
  if (faults.length === 0) return transfers
  const listed = faults.slice(0, maxFaults).map(({ line, message }) => `Line ${line}: ${message}`)
  const more = faults.length > maxFaults ? `; and ${faults.length - maxFaults} more` : ''
  throw new Problem('INVALID_FILE', `${listed.join('; ')}${more}`, {
    problems: faults.slice(0, 1000),
    count: faults.length,
  })
}

/** Checks the header also of a file without rows. Each used column must appear once. */
function checkHeader(header: readonly string[] | undefined): void {
  if (header === undefined)
    throw new Problem('INVALID_FILE', `The ledger is empty; it needs a header with ${needed.join(', ')}`)
  const missing = needed.filter((name) => !header.includes(name))
  const doubled = [...needed, 'time'].filter((name) => header.filter((each) => each === name).length > 1)
  const wrong = [
    ...(missing.length > 0
      ? [
          `The ledger has no column ${missing.map((name) => `"${name}"`).join(', ')}; required: ${needed.join(', ')}; optional: time`,
        ]
      : []),
    ...doubled.map((name) => `the column ${name} appears twice`),
  ]
  if (wrong.length > 0) throw new Problem('INVALID_FILE', wrong.join('; '), { lacking: missing, doubled })
}

function rowOf(record: Record<string, string>, line: number): { transfer: LedgerTransfer; wrong: string[] } {
  const { txnId = '', username = '', dir: direction = '', amount: written = '', currency = '', time = '' } = record
  const dir = dirs[direction.toLowerCase()]
  const amount = unitsOf(written.replace(/^\+(?=[0-9])/, ''), playerScale)
  const at = momentOf(time)
  const wrong = [
    ...(/^[A-Za-z0-9_.:-]{1,64}$/.test(txnId) ? [] : [`${shown(txnId)} is not a valid txnId`]),
    ...(usernamePattern.test(username) ? [] : [`${shown(username)} is not a valid username`]),
    ...(dir === undefined ? [`${shown(direction)} must be in, out or adjust`] : []),
    ...(amount !== null && written.length <= 21 && (amount > 0n || (dir === 'adjust' && amount < 0n))
      ? []
      : [amountFault(written, dir === 'adjust')]),
    ...(/^[A-Za-z]{3,5}$/.test(currency) ? [] : [`${shown(currency)} is not a valid currency`]),
    ...(at === undefined ? [`${shown(time)} must be a time with its zone, such as 2026-03-01T08:00:00Z`] : []),
  ]
  return {
    transfer: { txnId, username, dir: dir ?? 'in', amount: amount ?? 0n, currency, at: at ?? null, line },
    wrong,
  }
}

/** Describes the error of an amount and how to write it. An adjustment is signed. */
function amountFault(written: string, isSigned: boolean): string {
  const needed = `${shown(written)} must be an amount${isSigned ? ' other than 0' : ' above 0'}`
  if (written === '') return 'the amount is missing'
  const advice = amountAdvice(isSigned ? written.replace(/^[+-]/, '') : written)
  return `${needed} with at most 4 decimals: it ${isSigned ? advice.replace('not above zero', 'zero') : advice}`
}

/** Parses a time; null if empty, undefined if invalid. */
function momentOf(text: string): number | null | undefined {
  if (text === '') return null
  const isMoment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)
  const at = isMoment && isDay(text.slice(0, 10)) ? Date.parse(text.replace(' ', 'T').replace(',', '.')) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
