import { limits, limitsOf, oldestReadableMonth } from '../../../domain/account/plan-limits.ts'
import { compareMonths, cursorOf, monthOf } from '../../../domain/bets/cursor.ts'
import { type Reason, type ReasonCode, repeatedNames } from '../../../domain/reconcile/daily.ts'
import { dayEnd, dayStart, isZone } from '../../../domain/time/day.ts'
import type { BookState, Span } from '../../bets/slips-by-day.ts'
import { bookDoubts } from './book-side.ts'
import type { ComparedDay, DayOptions, PlatformFacts, Tenancy } from './types.ts'

/** Reasons for an inconclusive verdict. */

/** Stands for a missing time: it is not after anything. */
const never = Number.NEGATIVE_INFINITY

export function reasonsOf(day: ComparedDay, facts: PlatformFacts): Reason[] {
  const { options, span, booked, reported } = day
  const { position } = booked.state
  const reasons: Reason[] = []
  const add = (isSo: boolean, code: ReasonCode, doubts: Reason['doubts'] = 'all') => {
    if (isSo) reasons.push({ code, doubts })
  }
  add(facts.reportedDate !== options.date, 'SUMMARY_OF_ANOTHER_DAY')
  add(!isSameDayIn(facts.reportedZone, options, span), 'OTHER_TIMEZONE')
  add(!isOver(coverageOf(day)), 'DAY_NOT_OVER')
  add(facts.position === 'ahead', 'BOOK_AHEAD')
  add(!isReadPast(coverageOf(day)), 'BOOK_BEHIND')
  add((position?.started_from ?? never) > span.from, 'BOOK_BEGINS_LATER')
  add(isBeyondRetention(day, facts), 'RETENTION')
  add(reported.length >= limits.summaryPlayers, 'SUMMARY_FULL', 'unlisted')
  const repeated = repeatedNames(reported)
  add(repeated.length > 0, 'PLAYER_REPEATED', repeated)
  add(booked.headless.length > 0, 'FIRST_REVISION_MISSING', booked.headless)
  add(booked.unreadable.length > 0, 'RECORD_UNREADABLE', booked.unreadable)
  return reasons
}

/** Two names may mean the same zone; the comparison is by the start and end of the day. */
function isSameDayIn(zone: string, { date, tenant }: DayOptions, span: Span): boolean {
  if (zone === tenant.timezone) return true
  return isZone(zone) && dayStart(date, zone) === span.from && dayEnd(date, zone) === span.to
}

/** Facts that decide whether the book has a whole span. */
interface Coverage {
  readonly span: Span
  readonly state: BookState
  readonly now: number
}

const coverageOf = ({ span, booked, now }: ComparedDay): Coverage => ({ span, state: booked.state, now })

/** Returns why slips of a span may be missing in the book, without asking the platform. */
export function coverageReasons(
  coverage: Coverage & { readonly tenant: Tenancy; readonly headless: boolean },
): ReasonCode[] {
  const { span, state, tenant, headless } = coverage
  const whole = bookDoubts(state, tenant).map(({ code }) => code)
  if (whole.length > 0) return whole
  return [
    ...(isOver(coverage) ? [] : (['DAY_NOT_OVER'] as const)),
    ...(isReadPast(coverage) ? [] : (['BOOK_BEHIND'] as const)),
    ...((state.position?.started_from ?? never) > span.from ? (['BOOK_BEGINS_LATER'] as const) : []),
    ...(headless ? (['FIRST_REVISION_MISSING'] as const) : []),
  ]
}

/** By the local clock, or by a later settlement at the platform, which shows that the day is over there. */
function isOver(coverage: Coverage): boolean {
  return coverage.now >= coverage.span.to || hasLater(coverage)
}

/**
 * Returns whether the book has everything settled on the day. Records arrive in write order. So it has once a last page
 * was requested after the day's end, or a later record has arrived.
 */
function isReadPast(coverage: Coverage): boolean {
  return (coverage.state.position?.caught_up_at ?? never) > coverage.span.to || hasLater(coverage)
}

/** Returns whether the book has a record written after the day: a later settlement, or a cursor in a later month. */
function hasLater({ span, state }: Coverage): boolean {
  const cursor = cursorOf(state.position?.cursor ?? '')
  const isInLaterMonth = cursor !== null && compareMonths(cursor.month, monthOf(span.to - 1)) > 0
  return (state.latestAt ?? never) >= span.to || isInLaterMonth
}

export function retentionDays({ options }: ComparedDay, { plan }: PlatformFacts): number {
  return limitsOf(plan, options.tenant.environment).retentionDays
}

function isBeyondRetention(day: ComparedDay, facts: PlatformFacts): boolean {
  const oldest = oldestReadableMonth(day.now, retentionDays(day, facts))
  return compareMonths(monthOf(day.span.from), oldest) < 0
}
