import { fieldText } from '../../../domain/reconcile/daily.ts'
import { withoutFormula } from '../../../domain/spreadsheet-formula.ts'
import { csvOf } from '../../../kit/csv-text.ts'
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
 * Writes every compared figure as CSV, equal or not: UTF-8, RFC 4180, LF line endings, fixed column order. One row per day,
 * player and figure, so that the proof itself can be checked. It has no data of the run: the same figures give the same
 * bytes.
 */
export async function reconciliationCsv(days: readonly Reconciled[]): Promise<string> {
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
  return csvOf([[...columns], ...records])
}

/** Numbers keep their minus sign; other text of the platform is escaped. */
function numberCell(text: string): string {
  return /^-?[0-9]+([.][0-9]+)?$/.test(text) ? text : withoutFormula(text)
}
