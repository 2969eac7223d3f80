import { withoutFormula } from '../../../domain/spreadsheet-formula.ts'
import { csvOf } from '../../../kit/csv-text.ts'
import type { ComparedTransfer } from './reconcile.ts'

const columns = [
  'line',
  'txnId',
  'result',
  'player',
  'dir',
  'amount',
  'currency',
  'time',
  'platformPlayer',
  'platformDir',
  'platformAmount',
  'platformTime',
  'differs',
  'message',
] as const

/** Writes every transfer and its result as CSV: UTF-8, RFC 4180, LF line endings, fixed column order. */
export async function transfersCsv(transfers: readonly ComparedTransfer[]): Promise<string> {
  const records = transfers.map((each) => [
    each.line ?? '',
    withoutFormula(each.txnId),
    each.result,
    withoutFormula(each.player),
    each.dir,
    each.amount,
    withoutFormula(each.currency),
    each.at ?? '',
    withoutFormula(each.platform?.player ?? ''),
    each.platform?.dir ?? '',
    each.platform?.amount ?? '',
    each.platform?.at ?? '',
    each.differences.map(({ field }) => field).join(' '),
    withoutFormula(each.message),
  ])
  return csvOf([[...columns], ...records])
}
