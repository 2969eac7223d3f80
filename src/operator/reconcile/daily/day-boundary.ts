import { latestOf, type SlipHistory } from '../../../domain/bets/slip-history.ts'
import {
  type BookedPlayer,
  compare,
  type DayFigures,
  plus,
  type ReportedPlayer,
} from '../../../domain/reconcile/daily.ts'
import {
  contributionOf,
  type DayRule,
  isSameRule,
  isUnknownChange,
  leastDeviation,
  rulesToTry,
  ruleText,
} from '../../../domain/reconcile/day-rules.ts'
import { type Day, dayEnd, dayStart } from '../../../domain/time/day.ts'
import { momentText } from '../../../kit/moment.ts'
import { piecesOf } from '../../../kit/pieces.ts'
import { headlessSlips, type Span, slipsOf, slipsSettled } from '../../bets/slips-by-day.ts'
import type { Book } from '../../book/book.ts'
import { hoursText } from './messages.ts'
import type { DayResult } from './schema.ts'

/** Figures of a day by other rules: which of them are the platform's. */

/** The book's figures of a day by one rule. */
export interface RuledDay {
  readonly rule: DayRule
  readonly span: Span
  readonly players: ReadonlyMap<string, BookedPlayer>
  readonly slips: number
  /** True if what a revision changed is unknown, because the one before it is not in the book. */
  readonly isUnknown: boolean
}

const spanOf = (date: Day, zone: string): Span => ({ from: dayStart(date, zone), to: dayEnd(date, zone) })

/** Counts a day by several rules, in one pass over the slips. */
export function countDay(book: Book, date: Day, rules: readonly DayRule[]): Promise<RuledDay[]> {
  const days = rules.map((rule) => ({
    rule,
    span: spanOf(date, rule.zone),
    players: new Map<string, BookedPlayer>(),
    slips: 0,
    isUnknown: false,
  }))
  const whole = {
    from: days.reduce((first, { span }) => Math.min(first, span.from), Number.POSITIVE_INFINITY),
    to: days.reduce((last, { span }) => Math.max(last, span.to), 0),
  }
  const count = (slip: SlipHistory) => {
    for (const day of days) {
      const { from, to } = day.span
      if (day.rule.basis === 'each-revision' && isUnknownChange(slip, from, to)) day.isUnknown = true
      const figures = contributionOf(slip, day.rule.basis, from, to)
      if (figures === null || latestOf(slip).isOnsite) continue
      day.slips += 1
      add(day.players, slip, figures)
    }
  }
  return book.store.read(async (reader) => {
    const seen = new Set<string>()
    for await (const slips of slipsSettled(reader, whole))
      for (const slip of slips) {
        seen.add(slip.slipId)
        count(slip)
      }
    for await (const slips of headlessSlips(reader, whole.from))
      for (const slip of slips) if (!seen.has(slip.slipId)) seen.add(slip.slipId) && count(slip)
    const revised = await reader.q
      .selectFrom('book_revisions')
      .select('slip_id')
      .distinct()
      .where('settled_at', '>=', whole.from)
      .where('settled_at', '<', whole.to)
      .where('rev', '>', 1)
      .execute()
    const others = revised.flatMap(({ slip_id }) => (seen.has(slip_id) ? [] : [slip_id]))
    for (const some of piecesOf(others, 1000)) for (const slip of await slipsOf(reader, some)) count(slip)
    return days
  })
}

function add(players: Map<string, BookedPlayer>, slip: SlipHistory, figures: DayFigures): void {
  const { player, username, currency } = latestOf(slip)
  const known = players.get(player)
  players.set(player, {
    player,
    username: known?.username ?? username,
    currency: known?.currency || currency,
    figures: known ? plus(known.figures, figures) : figures,
  })
}

export interface BoundaryOptions {
  readonly date: Day
  readonly timezone: string
  /** Rule that the day was compared by. */
  readonly used: DayRule
  readonly reported: readonly ReportedPlayer[]
  /** Time zone that the summary names. */
  readonly reportedZone: string
  /** The book has everything settled between these. */
  readonly covered: Span
}

/** Counts a day that does not balance by every rule, and names those that give the platform's figures. */
export async function searchBoundary(
  book: Book,
  options: BoundaryOptions,
): Promise<NonNullable<DayResult['boundary']>> {
  const { date, timezone, used, reported, covered } = options
  const days = await countDay(book, date, rulesToTry([timezone, 'UTC', options.reportedZone, used.zone]))
  const candidates = days.map(({ rule, span, players, slips, isUnknown }) => {
    const isCovered = span.from >= covered.from && span.to <= covered.to
    const lines = compare(reported, [...players.values()])
    const differing = lines.filter((line) => !line.matches).length
    return {
      rule,
      basis: rule.basis,
      timezone: rule.zone,
      start: momentText(span.from),
      end: momentText(span.to),
      hours: (span.to - span.from) / 3_600_000,
      slips,
      differing,
      matches: differing === 0 && isCovered && !isUnknown,
      isComplete: isCovered && !isUnknown,
      used: isSameRule(rule, used),
    }
  })
  const matching = candidates.filter(({ matches }) => matches)
  const best = leastDeviation(
    matching.map(({ rule }) => rule),
    timezone,
  )
  return {
    candidates: candidates.map(({ rule: _, ...candidate }) => candidate),
    match: best === null ? null : { basis: best.basis, timezone: best.zone },
    message: boundaryText(
      matching.map(({ rule }) => rule),
      best,
      used,
      candidates.find(({ rule }) => best !== null && isSameRule(rule, best))?.hours ?? 0,
    ),
  }
}

function boundaryText(matching: readonly DayRule[], best: DayRule | null, used: DayRule, hours: number): string {
  if (matching.length === 0) return 'no other day boundary gives the figures of the platform'
  if (best === null)
    return `every figure is the platform's if slips count ${matching.map(ruleText).join(', or ')}; another day must show which`
  const others = matching.filter((rule) => !isSameRule(rule, best))
  const also =
    others.length > 0 ? `; so do ${others.map(ruleText).join(', and ')}, which differ more from the document` : ''
  return `every figure is the platform's if slips count ${ruleText(best)} (${hoursText(hours)}), not ${ruleText(used)}${also}`
}
