import { withoutFormula } from '../../../domain/spreadsheet-formula.ts'
import { csvOf } from '../../../kit/csv-text.ts'
import type { ComparedPayout } from './reconcile.ts'

const columns = [
  'line',
  'payoutId',
  'externalId',
  'result',
  'currency',
  'amount',
  'address',
  'status',
  'time',
  'gatewayCurrency',
  'gatewayAmount',
  'gatewayAddress',
  'gatewayStatus',
  'gatewayTime',
  'differs',
  'message',
] as const

/** Writes every payout and its result as CSV: UTF-8, RFC 4180, LF line endings, fixed column order. */
export async function payoutsCsv(payouts: readonly ComparedPayout[]): Promise<string> {
  const records = payouts.map((each) => [
    each.line ?? '',
    withoutFormula(each.payoutId ?? ''),
    withoutFormula(each.externalId ?? ''),
    each.result,
    withoutFormula(each.currency),
    each.amount,
    withoutFormula(each.address ?? ''),
    each.status ?? '',
    each.at ?? '',
    withoutFormula(each.gateway?.currency ?? ''),
    each.gateway?.amount ?? '',
    withoutFormula(each.gateway?.address ?? ''),
    each.gateway?.status ?? '',
    each.gateway?.at ?? '',
    each.differences.map(({ field }) => field).join(' '),
    withoutFormula(each.message),
  ])
  return csvOf([[...columns], ...records])
}
