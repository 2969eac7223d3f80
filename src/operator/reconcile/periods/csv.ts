import { withoutFormula } from '../../../domain/spreadsheet-formula.ts'
import { csvOf } from '../../../kit/csv-text.ts'
import type { PeriodLine } from './schema.ts'

const columns = [
  'period',
  'state',
  'date',
  'game',
  'table_id',
  'currency',
  'slips',
  'stake',
  'valid_stake',
  'rolling',
  'payout',
  'win_loss',
  'rake',
  'ggr',
] as const

/**
 * Writes the figures of a period by day, game, table and currency as CSV: UTF-8, RFC 4180, LF line endings, fixed column order.
 * The same figures give the same bytes.
 */
export function periodCsv(
  { period, state }: { readonly period: string; readonly state: string },
  lines: readonly PeriodLine[],
): Promise<string> {
  const rows = lines.map((line) => [
    period,
    state,
    line.date,
    withoutFormula(line.game),
    withoutFormula(line.tableId),
    withoutFormula(line.currency),
    line.slips,
    line.stake,
    line.validStake,
    line.rolling,
    line.payout,
    line.winLoss,
    line.rake,
    line.ggr,
  ])
  return csvOf([[...columns], ...rows])
}
