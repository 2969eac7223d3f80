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

/** How many faults of a file are told one by one. */
const mostFaults = 50

/**
 * The operator's ledger from a CSV file with a header: `txnId`, `username`, `dir`, `amount`, `currency` and, where it is
 * known, `time`. `dir` is in or deposit, out or withdraw, or adjust, whose amount may be below zero. Other columns are left
 * alone: it is the operator's own export. INVALID_FILE tells every fault with its line.
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
        `there are ${cells.length} cells under ${head.length} titles${cells.length > head.length ? ': is there a comma in an amount?' : ''}`,
      )
    const before = lines.get(transfer.txnId)
    if (before === undefined) lines.set(transfer.txnId, line)
    else wrong.push(`the txnId stands in line ${before} already`)
    for (const message of wrong) faults.push({ line, message })
    return transfer
  })
  if (faults.length === 0) return transfers
  const told = faults.slice(0, mostFaults).map(({ line, message }) => `Line ${line}: ${message}`)
  const more = faults.length > mostFaults ? `; and ${faults.length - mostFaults} more` : ''
  throw new Problem('INVALID_FILE', `${told.join('; ')}${more}`, {
    problems: faults.slice(0, 1000),
    count: faults.length,
  })
}

/** A file without rows is held to its header too; a column that is read must stand there just once. */
function checkHeader(header: readonly string[] | undefined): void {
  if (header === undefined)
    throw new Problem('INVALID_FILE', `The ledger is empty: it needs a line with ${needed.join(', ')}`)
  const lacking = needed.filter((name) => !header.includes(name))
  const doubled = [...needed, 'time'].filter((name) => header.filter((each) => each === name).length > 1)
  const wrong = [
    ...(lacking.length > 0
      ? [
          `The ledger has no column ${lacking.map((name) => `"${name}"`).join(', ')}; it needs ${needed.join(', ')}, and may have time`,
        ]
      : []),
    ...doubled.map((name) => `the column ${name} stands twice`),
  ]
  if (wrong.length > 0) throw new Problem('INVALID_FILE', wrong.join('; '), { lacking, doubled })
}

function rowOf(record: Record<string, string>, line: number): { transfer: LedgerTransfer; wrong: string[] } {
  const { txnId = '', username = '', dir: said = '', amount: written = '', currency = '', time = '' } = record
  const dir = dirs[said.toLowerCase()]
  const amount = unitsOf(written.replace(/^\+(?=[0-9])/, ''), playerScale)
  const at = momentOf(time)
  const wrong = [
    ...(/^[A-Za-z0-9_.:-]{1,64}$/.test(txnId) ? [] : [`${shown(txnId)} is no txnId`]),
    ...(usernamePattern.test(username) ? [] : [`${shown(username)} is no username`]),
    ...(dir === undefined ? [`${shown(said)} is neither in, out nor adjust`] : []),
    ...(amount !== null && written.length <= 21 && (amount > 0n || (dir === 'adjust' && amount < 0n))
      ? []
      : [amountFault(written, dir === 'adjust')]),
    ...(/^[A-Za-z]{3,5}$/.test(currency) ? [] : [`${shown(currency)} is no currency`]),
    ...(at === undefined ? [`${shown(time)} is no moment with its zone, such as 2026-03-01T08:00:00Z`] : []),
  ]
  return {
    transfer: { txnId, username, dir: dir ?? 'in', amount: amount ?? 0n, currency, at: at ?? null, line },
    wrong,
  }
}

/** What is wrong with an amount, and what to write instead. An adjustment has a sign of its own. */
function amountFault(written: string, isSigned: boolean): string {
  const needed = `${shown(written)} is no amount${isSigned ? ' other than 0' : ' above 0'}`
  if (written === '') return 'the amount is missing'
  const advice = amountAdvice(isSigned ? written.replace(/^[+-]/, '') : written)
  return `${needed} with at most 4 decimals: it ${isSigned ? advice.replace('not above zero', 'zero') : advice}`
}

/** A moment; null where none is written, undefined where what is written is none. */
function momentOf(text: string): number | null | undefined {
  if (text === '') return null
  const isMoment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)
  const at = isMoment && isDay(text.slice(0, 10)) ? Date.parse(text.replace(' ', 'T').replace(',', '.')) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
