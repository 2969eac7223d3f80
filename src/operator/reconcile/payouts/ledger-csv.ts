import { unitsOf } from '../../../domain/money.ts'
import {
  type LedgerPayout,
  type LedgerPayoutStatus,
  meaningOf,
  payoutScale,
} from '../../../domain/reconcile/payouts.ts'
import { isDay } from '../../../domain/time/calendar.ts'
import { Problem } from '../../../kit/problem.ts'
import { csvTable } from '../../csv/read.ts'
import { refuseFaults } from '../../csv/row-errors.ts'

/** Other spellings of the columns: those of the gateway's payout object and of payout files. */
const aliases: Readonly<Record<string, string>> = { id: 'payout_id', unique_external_id: 'external_id' }
const used = ['payout_id', 'external_id', 'address', 'currency', 'amount', 'status', 'time'] as const

/** Words for a status in addition to those of the gateway. */
const statusWords: Readonly<Record<string, LedgerPayoutStatus | null>> = { '': null, paid: 'paid', pending: 'pending' }

/**
 * Reads the operator's ledger of payouts from a CSV file with a header: `payout_id` or `external_id` or both, `currency`,
 * `amount`, and optionally `address`, `status` and `time`. Other columns are ignored, because it is the operator's own
 * export. INVALID_FILE has every error with its line.
 */
export async function payoutLedgerFromCsv(file: string | Uint8Array): Promise<LedgerPayout[]> {
  const { head: written, rows } = await csvTable(file, 'The ledger')
  const head = written.map((name) => aliases[name] ?? name)
  checkHeader(head)
  const seen = new Map<string, number>()
  const read = rows.map(({ line, cells }) => {
    const { payout, faults } = payoutFrom(Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ''])), line)
    if (cells.length > head.length) faults.unshift('more cells than columns; does an amount contain a comma?')
    const id = payout.payoutId ?? `external ${payout.externalId}`
    const before = seen.get(id)
    if (before !== undefined) faults.push(`the payout is already in line ${before}`)
    else seen.set(id, line)
    return { payout, faults: faults.map((message) => ({ line, message })) }
  })
  refuseFaults(read.flatMap(({ faults }) => faults))
  return read.map(({ payout }) => payout)
}

/** Checks the header also of a file without rows. Each used column must appear once. */
function checkHeader(head: readonly string[]): void {
  const doubled = used.filter((name) => head.filter((each) => each === name).length > 1)
  const missing = [
    ...(head.includes('payout_id') || head.includes('external_id') ? [] : ['payout_id or external_id']),
    ...['currency', 'amount'].filter((name) => !head.includes(name)),
  ]
  const wrong = [
    ...(missing.length > 0
      ? [
          `The ledger has no column ${missing.join(', ')}; required: payout_id or external_id, currency, amount; optional: address, status, time`,
        ]
      : []),
    ...doubled.map((name) => `the column ${name} appears twice`),
  ]
  if (wrong.length > 0) throw new Problem('INVALID_FILE', wrong.join('; '), { lacking: missing, doubled })
}

function payoutFrom(record: Record<string, string>, line: number): { payout: LedgerPayout; faults: string[] } {
  const { payout_id: payoutId = '', external_id: externalId = '', address = '', currency = '', amount = '' } = record
  const { status: word = '', time = '' } = record
  const units = unitsOf(amount.replace(/^\+(?=[0-9])/, ''), payoutScale)
  const lower = word.toLowerCase()
  const status = Object.hasOwn(statusWords, lower) ? statusWords[lower] : meaningOf(lower)
  const at = momentIn(time)
  const faults = [
    payoutId === '' && externalId === '' && 'both payout_id and external_id are missing',
    payoutId !== '' && !/^[0-9A-Za-z_-]{1,64}$/.test(payoutId) && `${shown(payoutId)} is not a payout ID`,
    (units === null || units <= 0n) && `${shown(amount)} must be an amount above 0`,
    !/^[a-z0-9]{2,20}$/i.test(currency) && `${shown(currency)} is not a currency`,
    status === undefined && `${shown(word)} must be paid, pending, failed, or a status of the gateway`,
    at === undefined && `${shown(time)} must be a time with its zone, such as 2026-03-01T08:00:00Z`,
  ].flatMap((message) => (message === false ? [] : [message]))
  const payout: LedgerPayout = {
    payoutId: payoutId === '' ? null : payoutId,
    externalId: externalId === '' ? null : externalId,
    address: address === '' ? null : address,
    currency: currency.toLowerCase(),
    amount: units ?? 0n,
    status: status ?? null,
    at: at ?? null,
    line,
  }
  return { payout, faults }
}

/** Parses a time or a day in UTC; null if empty, undefined if invalid. */
function momentIn(text: string): number | null | undefined {
  if (text === '') return null
  const isMoment = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/.test(text)
  const at = isMoment && isDay(text.slice(0, 10)) ? Date.parse(text.replace(' ', 'T').replace(',', '.')) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
