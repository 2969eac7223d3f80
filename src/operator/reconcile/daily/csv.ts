import { fieldText } from '../../../domain/reconcile/daily.ts'
import { withoutFormula } from '../../../domain/spreadsheet-formula.ts'
import type { Reconciled } from './reconcile-day.ts'

const columns = [
  'date',
  'timezone',
  'verdict',
  'player',
  'currency',
  'field',
  'platform',
  'book',
  'difference',
  'match',
] as const

/**
 * Every figure compared, equal or not, as CSV: UTF-8, RFC 4180, lines ended by LF, the columns in this order. One row per
 * day, player and field, so that the proof itself can be checked, not only the differences. Nothing of the run is in it:
 * the same figures give the same bytes.
 */
export async function reconciliationCsv(days: readonly Reconciled[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const records = days.flatMap(({ result, lines }) =>
    lines.flatMap((line) =>
      line.fields.map(({ field, platformText, book, difference, matches }) => [
        result.date,
        result.timezone,
        result.verdict,
        withoutFormula(line.username),
        withoutFormula(line.currency ?? ''),
        field,
        numberCell(platformText),
        fieldText(field, book),
        difference === null ? '' : fieldText(field, difference),
        matches ? 'yes' : 'no',
      ]),
    ),
  )
  return stringify([[...columns], ...records])
}

/** A number keeps its minus sign; what the platform gave in place of one is text. */
function numberCell(text: string): string {
  return /^-?[0-9]+([.][0-9]+)?$/.test(text) ? text : withoutFormula(text)
}
