import { withoutFormula } from '../../../domain/spreadsheet-formula.ts'
import { csvOf } from '../../../kit/csv-text.ts'
import type { SettlementResult } from './schema.ts'

const columns = [
  'date',
  'timezone',
  'slip_id',
  'rev',
  'status',
  'player',
  'currency',
  'game',
  'variant',
  'table_id',
  'round_id',
  'settled_at',
  'bets',
  'code',
  'cards',
  'field',
  'platform',
  'rules',
  'difference',
] as const

/**
 * Writes every figure that the platform settled differently as CSV: UTF-8, RFC 4180, LF line endings, fixed column
 * order. A slip with impossible cards or bets has one row with the field `impossible`. It has no data of the run: the
 * same figures give the same bytes.
 */
export function settlementCsv({ date, timezone, findings }: SettlementResult): Promise<string> {
  const rows = findings.flatMap((each) => {
    const { slipId, rev, status, player, currency, game, variant, tableId, roundId, settledAt, bets, code, cardInfo } =
      each
    const own = [slipId, rev, status, withoutFormula(player), currency, game, variant, tableId, roundId, settledAt]
    const slip = [date, timezone, ...own, bets, code, cardInfo]
    const impossible = each.impossible === null ? [] : [[...slip, 'impossible', '', each.impossible, '']]
    return [
      ...impossible,
      ...each.fields.map(({ field, platform, rules, difference }) => [
        ...slip,
        field,
        platform,
        rules,
        difference ?? '',
      ]),
    ]
  })
  return csvOf([[...columns], ...rows])
}
