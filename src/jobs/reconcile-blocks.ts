import type { DayResult } from './reconcile-shape.ts'
import { isProof, verdictText } from './reconcile-words.ts'

/** A reconciled day for a person at a terminal: the verdict first, then what differs, then which slips, then what to do. */
export type Block =
  | { readonly kind: 'verdict'; readonly verdict: DayResult['verdict']; readonly text: string }
  | { readonly kind: 'list'; readonly title: string; readonly lines: readonly string[]; readonly isNumbered: boolean }
  | {
      readonly kind: 'table'
      readonly title: string
      readonly columns: readonly BlockColumn[]
      readonly rows: readonly object[]
      /** How many rows there are beyond these. */
      readonly more: number
    }

export interface BlockColumn {
  readonly key: string
  readonly title?: string
  readonly kind?: 'amount' | 'count'
  readonly whole?: true
}

/** What a person reads of each list before the rest is left to the files. */
const mostRows = 40

export function dayBlocks(day: DayResult): Block[] {
  const shown = shownSlips(day)
  const withoutFields = shown.filter(({ fields }) => fields.length === 0)
  const lists: [title: string, lines: readonly string[], isNumbered: boolean][] = [
    ['Against a conclusion', day.reasons.map(({ message }) => message), false],
    ['What accounts for it', day.explanations.map(({ message }) => message), false],
    ['Next', day.next, true],
    ['Slips to look at', withoutFields.map(slipLine), false],
  ]
  const [against, accounts, next, named] = lists.map(([title, lines, isNumbered]): Block[] => {
    const more = lines.length > mostRows ? [`and ${lines.length - mostRows} more`] : []
    return lines.length === 0
      ? []
      : [{ kind: 'list', title, lines: [...lines.slice(0, mostRows), ...more], isNumbered }]
  })
  return [
    { kind: 'verdict', verdict: day.verdict, text: verdictText(day) },
    ...(against ?? []),
    ...table('Differences', differenceColumns, day.differences.map(toDifferenceRow)),
    ...(accounts ?? []),
    ...table('Slips concerned', slipColumns, shown.flatMap(toSlipRows)),
    ...(named ?? []),
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

const slipColumns: readonly BlockColumn[] = [
  { key: 'finding' },
  { key: 'slipId', title: 'slip', whole: true },
  { key: 'rev', kind: 'count' },
  { key: 'player' },
  { key: 'field' },
  { key: 'platform', kind: 'amount' },
  { key: 'book', kind: 'amount' },
]

const rangeColumns: readonly BlockColumn[] = [
  { key: 'date', whole: true },
  { key: 'verdict' },
  { key: 'hours', kind: 'count' },
  { key: 'compared', title: 'players', kind: 'count' },
  { key: 'differing', title: 'differ', kind: 'count' },
  { key: 'platformSlips', title: 'slips', kind: 'count' },
  { key: 'bookSlips', title: 'in book', kind: 'count' },
  { key: 'reasons' },
]

/** One line per day of a range. */
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
  return [{ kind: 'table', title, columns, rows: rows.slice(0, mostRows), more: Math.max(0, rows.length - mostRows) }]
}

const toDifferenceRow = (each: DayResult['differences'][number]) => ({
  ...each,
  difference: each.difference ?? 'no number',
  doubt: each.certain ? '' : 'in doubt',
})

/** Where something was proven, that; what was only supposed is left to the files then. */
function shownSlips(day: DayResult): DayResult['slips'] {
  const proven = day.slips.filter(({ finding }) => isProof(finding) || finding === 'newer-than-book')
  return proven.length > 0 ? proven : day.slips
}

/** A row per field that differs. */
function toSlipRows(slip: DayResult['slips'][number]): object[] {
  return slip.fields.map((each) => ({ ...slip, ...each, platform: each.platform ?? '-', book: each.book ?? '-' }))
}

/** A slip of which no fields can be set side by side. What makes it a candidate was said with the causes. */
function slipLine({ slipId, rev, player, finding, note }: DayResult['slips'][number]): string {
  const about = finding === 'contradiction' && note !== null ? `: ${note}` : ''
  return `${slipId} revision ${rev} of ${player}${about}`
}
