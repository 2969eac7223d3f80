import { findingNames, isProof, verdictText } from './messages.ts'
import type { DayResult } from './schema.ts'

/** A reconciled day on a terminal: verdict, differences, slips, next steps. */
export type Block =
  | { readonly kind: 'verdict'; readonly verdict: DayResult['verdict']; readonly text: string }
  | { readonly kind: 'list'; readonly title: string; readonly lines: readonly string[]; readonly isNumbered: boolean }
  | {
      readonly kind: 'table'
      readonly title: string
      readonly columns: readonly BlockColumn[]
      readonly rows: readonly object[]
      /** Number of omitted rows. */
      readonly more: number
    }

export interface BlockColumn {
  readonly key: string
  readonly title?: string
  readonly kind?: 'amount' | 'count'
  readonly whole?: true
}

/** Maximum number of rows per list; the files have all. */
const maxRows = 40

export function dayBlocks(day: DayResult): Block[] {
  const lists: [title: string, lines: readonly string[], isNumbered: boolean][] = [
    ['Reasons for an inconclusive result', day.reasons.map(({ message }) => message), false],
    ['Explanations', day.explanations.map(({ message }) => message), false],
    ['Affected slips', shownSlips(day).map(slipText), false],
    ['Next', day.next, true],
  ]
  const [against, accounts, slips, next] = lists.map(([title, lines, isNumbered]): Block[] => {
    const more = lines.length > maxRows ? [`and ${lines.length - maxRows} more`] : []
    return lines.length === 0 ? [] : [{ kind: 'list', title, lines: [...lines.slice(0, maxRows), ...more], isNumbered }]
  })
  return [
    { kind: 'verdict', verdict: day.verdict, text: verdictText(day) },
    ...(day.dayRule.from === 'documented'
      ? []
      : [{ kind: 'list', title: 'Day boundary', lines: [day.dayRule.message], isNumbered: false } as const]),
    ...(against ?? []),
    ...table('Differences', differenceColumns, day.differences.map(toDifferenceRow)),
    ...(accounts ?? []),
    ...(day.boundary === null
      ? []
      : table('The day by other rules', boundaryColumns, day.boundary.candidates.map(toBoundaryRow))),
    ...(slips ?? []),
    ...(next ?? []),
  ]
}

const differenceColumns: readonly BlockColumn[] = [
  { key: 'player' },
  { key: 'currency', title: 'cur' },
  { key: 'field' },
  { key: 'platform', kind: 'amount' },
  { key: 'book', kind: 'amount' },
  { key: 'difference', kind: 'amount' },
  { key: 'doubt', title: '' },
]

const boundaryColumns: readonly BlockColumn[] = [
  { key: 'basis', whole: true },
  { key: 'timezone', whole: true },
  { key: 'hours', kind: 'count' },
  { key: 'slips', kind: 'count' },
  { key: 'differing', title: 'differing', kind: 'count' },
  { key: 'match' },
]

const toBoundaryRow = (each: NonNullable<DayResult['boundary']>['candidates'][number]) => ({
  ...each,
  match: each.matches ? 'yes' : each.isComplete ? 'no' : 'not in the book',
})

const rangeColumns: readonly BlockColumn[] = [
  { key: 'date', whole: true },
  { key: 'verdict' },
  { key: 'hours', kind: 'count' },
  { key: 'compared', title: 'players', kind: 'count' },
  { key: 'differing', title: 'with differences', kind: 'count' },
  { key: 'platformSlips', title: 'slips at platform', kind: 'count' },
  { key: 'bookSlips', title: 'slips in book', kind: 'count' },
  { key: 'reasons' },
]

/** Formats one line per day of a range. */
export function rangeBlock(days: readonly DayResult[]): Block {
  const rows = days.map((day) => ({
    ...day,
    platformSlips: day.platform.slips,
    bookSlips: day.booked.slips,
    reasons: day.reasons.map(({ code }) => code).join(' '),
  }))
  return { kind: 'table', title: '', columns: rangeColumns, rows, more: 0 }
}

function table(title: string, columns: readonly BlockColumn[], rows: readonly object[]): Block[] {
  if (rows.length === 0) return []
  return [{ kind: 'table', title, columns, rows: rows.slice(0, maxRows), more: Math.max(0, rows.length - maxRows) }]
}

const toDifferenceRow = (each: DayResult['differences'][number]) => ({
  ...each,
  difference: each.difference ?? 'not a number',
  doubt: each.certain ? '' : 'in doubt',
})

/** Returns the proven findings; candidates only if there are none. */
function shownSlips(day: DayResult): DayResult['slips'] {
  const proven = day.slips.filter(({ finding }) => isProof(finding) || finding === 'newer-than-book')
  return proven.length > 0 ? proven : day.slips
}

/** Formats a slip as lines, because an ID column would take a third of the screen. */
function slipText({ slipId, rev, player, finding, fields, note }: DayResult['slips'][number]): string {
  const head = `${slipId} revision ${rev} of ${player}: ${findingNames[finding]}`
  if (finding === 'contradiction' && note !== null) return `${head}\n    ${note}`
  const isTwoSided = fields.every(({ platform, book }) => platform !== null && book !== null)
  const lines = isTwoSided
    ? fields.map(({ field, platform, book }) => `${field}: ${platform} at the platform, ${book} in the book`)
    : [fields.map(({ field, platform, book }) => `${field} ${platform ?? book ?? '-'}`).join(', ')]
  return [head, ...lines.filter((line) => line !== '').map((line) => `    ${line}`)].join('\n')
}
