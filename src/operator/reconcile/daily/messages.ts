import { type Contradiction, contradictionRules, type SequenceBreak } from '../../../domain/bets/slip-history.ts'
import type { Cause, CauseCode } from '../../../domain/reconcile/break-causes.ts'
import { dayFields, fieldText, type ReasonCode } from '../../../domain/reconcile/daily.ts'
import { ruleText } from '../../../domain/reconcile/day-rules.ts'
import { dayAfter } from '../../../domain/time/day.ts'
import { secondText } from '../../../kit/moment.ts'
import { quoted } from '../../../kit/shell-quote.ts'
import { countText, grouped } from '../../../kit/text/count-text.ts'
import { hasMatch } from './boundary-explained.ts'
import type { DayResult, ExplanationCode } from './schema.ts'
import type { UsedRule } from './types.ts'

/** Messages of the daily reconciliation, for terminal, page and JSON. */

const timeText = (at: number | string | null): string => (at === null ? 'never' : secondText(at))

/** Returns the command that sets the time zone of the profile. */
const zoneCommand = (profile: string | undefined, zone: string): string =>
  profile === undefined
    ? 'countroom help profiles set'
    : `countroom profiles set ${quoted(profile)} --timezone ${quoted(zone)}`

/** Values used in the messages of reasons. */
export interface ReasonFacts {
  readonly date: string
  readonly zone: string
  /** Remote profile that states the zone. */
  readonly profile?: string | undefined
  readonly end: number
  readonly companyCode: string
  readonly environment: string
  readonly owner: { readonly company_code: string; readonly environment: string } | undefined
  readonly startedFrom: number | null
  readonly caughtUpAt: number | null
  readonly reportedDate: string
  readonly reportedZone: string
  readonly reportedPlayerCount: number
  readonly retentionDays: number
  readonly plan: string
  readonly players: readonly string[]
}

const reasonTexts: Readonly<Record<ReasonCode, (facts: ReasonFacts) => string>> = {
  BOOK_OF_ANOTHER: ({ owner, companyCode, environment }) =>
    `The book belongs to ${owner?.company_code} (${owner?.environment}), not to ${companyCode} (${environment}). Pass another --book`,
  BOOK_EMPTY: () => 'The book is empty. Run first: countroom bets sync --out bets',
  SUMMARY_OF_ANOTHER_DAY: ({ date, reportedDate }) =>
    `The summary of ${date} was requested, but the platform returned ${reportedDate}`,
  OTHER_TIMEZONE: ({ zone, reportedZone, profile }) =>
    `The platform uses the time zone ${reportedZone}, the profile ${zone}. To correct the profile: ${zoneCommand(profile, reportedZone)}`,
  DAY_NOT_OVER: ({ end, zone }) => `The day ends at ${timeText(end)} in ${zone}; more slips may be settled`,
  BOOK_AHEAD: () =>
    'The platform does not have the record that the book read last; it was restored from an earlier backup, or is another environment',
  BOOK_BEHIND: ({ end, caughtUpAt }) =>
    `The book was last up to date at ${timeText(caughtUpAt)}, which is before the end of the day at ${timeText(end)}`,
  BOOK_BEGINS_LATER: ({ startedFrom }) =>
    `The book starts at ${timeText(startedFrom)}, within the day or after it; earlier settlements are missing`,
  RETENTION: ({ plan, retentionDays }) =>
    `On the ${plan} plan the platform keeps bets for about ${retentionDays} days, in whole months; it may have deleted some of this day`,
  SUMMARY_FULL: ({ reportedPlayerCount }) =>
    `The summary lists ${countText(reportedPlayerCount, 'player')}, its maximum; there may be more`,
  PLAYER_REPEATED: ({ players }) => `The summary lists ${players.join(', ')} more than once`,
  FIRST_REVISION_MISSING: ({ players }) =>
    `The book lacks the first settlement of slips of ${players.join(', ')}, which may belong to this day`,
  RECORD_UNREADABLE: ({ players }) => `The book has unreadable records of ${players.join(', ')}`,
}

export function reasonText(code: ReasonCode, facts: ReasonFacts): string {
  return reasonTexts[code](facts)
}

const named = (slips: readonly string[], max = 5): string => {
  const some = slips.slice(0, max).join(', ')
  return slips.length > max ? `${some} and ${grouped(slips.length - max)} more` : some
}
const slipsNamed = (slips: readonly string[]) => `${slips.length === 1 ? 'slip' : 'slips'} ${named(slips)}`
const oneOf = (slips: readonly string[]) =>
  slips.length === 1 ? `slip ${slips[0]}` : `one of the slips ${named(slips)}`

function restText(rest: Cause['rest']): string {
  if (!rest) return ''
  return dayFields
    .filter((field) => field !== 'slips' && rest[field] !== 0n)
    .map((field) => `${field} ${fieldText(field, rest[field])}`)
    .join(', ')
}

const countOf = (units: bigint) => countText(Number(units < 0n ? -units : units), 'slip')

const causeTexts: Readonly<Record<CauseCode, (cause: Cause) => string>> = {
  PLAYER_NOT_STATED: ({ slips }) =>
    `the summary does not list the player, but the book has ${countText(slips.length, 'slip')}`,
  PLAYER_NOT_IN_BOOK: ({ rest }) =>
    `the book has no slip of the player on this day, but the platform has ${countOf(rest?.slips ?? 0n)} (${restText(rest)})`,
  SUMMARY_CONTRADICTS_ITSELF: () =>
    "the platform's figures are inconsistent: the payout is not the sum of stake and win/loss",
  COUNTED_BY_PLACING: ({ slips }) =>
    `would balance if slips counted on the day they were placed, which moves ${slipsNamed(slips)}`,
  COUNTED_BY_LAST_SETTLING: ({ slips }) =>
    `would balance if slips counted on the day of their latest revision, which moves ${slipsNamed(slips)}`,
  HOLD_IN_PAYOUT: ({ slips }) =>
    `would balance if the platform's payout included the hold of Niu Niu ${slipsNamed(slips)}`,
  VOIDED_LEFT_OUT: ({ slips }) => `would balance if the platform did not count voided ${slipsNamed(slips)}`,
  VOIDED_STAKE_COUNTED: ({ slips }) => `would balance if the platform counted the stake of voided ${slipsNamed(slips)}`,
  ONSITE_COUNTED: ({ slips }) => `would balance if the platform counted the on-site ${slipsNamed(slips)}`,
  SLIP_CONTRADICTS_ITSELF: ({ slips, field }) =>
    `${oneOf(slips)} is inconsistent in the book; with the ${field} that its other figures give, the day balances`,
  EARLIER_REVISION: ({ slips }) => `would balance if the platform still counted an earlier revision of ${oneOf(slips)}`,
  SLIP_NOT_COUNTED: ({ slips }) => `would balance if the platform did not count ${oneOf(slips)}`,
  OTHER_DAYS_SLIP_COUNTED: ({ slips }) => `would balance if the platform counted ${oneOf(slips)} of another day`,
  SLIPS_NOT_IN_BOOK: ({ rest }) =>
    `the platform has ${countOf(rest?.slips ?? 0n)} more than the book, with ${restText(rest) || 'no amounts'}`,
  SLIPS_NOT_STATED: ({ rest }) =>
    `the platform has ${countOf(rest?.slips ?? 0n)} fewer than the book, without ${restText(rest) || 'amounts'}`,
  FIGURES_DIFFER: ({ rest }) =>
    `both sides have the same number of slips but differ by ${restText(rest)}: a figure of one slip is wrong on one side`,
}

export function causeText(username: string, cause: Cause): string {
  return `${username}: ${causeTexts[cause.code](cause)}`
}

const traceTexts = {
  BOOK_STALE: (slips: readonly string[]) =>
    `with the newer records of ${slipsNamed(slips)} the figures agree; sync, then reconcile again`,
  BOOK_WRONG: (slips: readonly string[]) =>
    `the platform's records add up to its summary, so the book is wrong${slips.length > 0 ? ` in ${slipsNamed(slips)}` : ''}`,
  SUMMARY_WRONG: () => "the platform's records add up to the book's figures, so its summary is wrong",
  RECORDS_DIFFER_FROM_BOTH: () => "the platform's records add up neither to its summary nor to the book",
} as const

export function traceText(username: string, code: keyof typeof traceTexts, slips: readonly string[] = []): string {
  return `${username}: ${traceTexts[code](slips)}`
}

/** Describes a gap in the numbers of a month; `rounds` are those of the slips on either side. */
export function breakText(each: SequenceBreak, rounds: ReadonlyMap<string, string>): string {
  const { kind, month, from, to, before, after } = each
  const numbers = from === to ? `number ${from}` : `numbers ${from} to ${to}`
  const [one, other] = [rounds.get(before) ?? '?', rounds.get(after) ?? '?']
  const location = one === other ? `within round ${one}` : `between round ${one} and round ${other}`
  if (kind === 'deleted')
    return `${from === to ? `Row ${from} is missing` : `Rows ${from} to ${to} are missing`} after slip ${before} and before slip ${after}: the book was changed outside countroom`
  if (kind === 'hole')
    return `In ${month}, ${numbers} never arrived, ${location}, after slip ${before} and before slip ${after}. Gaps are allowed, but a lost record leaves one too`
  return kind === 'repeat'
    ? `In ${month}, ${numbers} arrived with two slips, ${before} and ${after}: one of them is not from the platform`
    : `In ${month}, ${numbers} arrived after a higher number, slip ${after} after slip ${before}: numbers never decrease within a month`
}

export function contradictionText({ rule, field, actual, expected }: Contradiction): string {
  return `${contradictionRules[rule]}: ${field} is ${actual}${expected === null ? '' : `, expected ${expected}`}`
}

/** Returns the result of the day in one line. */
export function verdictText(day: DayResult): string {
  const about = `${day.date} in ${day.dayRule.timezone} (${hoursText(day.hours)})`
  const size = `${countText(day.booked.slips, 'slip')} of ${countText(day.compared, 'player')}`
  if (day.verdict === 'balanced') return `${about} is balanced: ${size}, every figure equal.`
  if (day.verdict === 'cannot-conclude') {
    const figures =
      day.differing > 0
        ? `${countText(day.differing, 'player')} with differences`
        : day.compared > 0
          ? 'all compared figures are equal'
          : 'nothing was compared'
    return `${about} is inconclusive: ${countText(day.reasons.length, 'reason')}; ${figures}.`
  }
  const records = new Set(day.slips.filter(({ finding }) => isProof(finding)).map(({ slipId }) => slipId)).size
  const summary = [
    ...(day.differing > 0
      ? [`${countText(day.differing, 'player')} with ${countText(day.differences.length, 'differing figure')}`]
      : []),
    ...(records > 0 ? [`${countText(records, 'slip')} wrong, missing or extra in the book`] : []),
  ].join(', ')
  const end = day.stale
    ? '; the book is out of date'
    : hasMatch(day.boundary)
      ? '; no figure differs by another day rule'
      : ''
  return `${about} has differences: ${summary}${end}.`
}

/** Describes the rule of a day; one that is not the documented one with how to leave it. */
export function dayRuleShown({ basis, zone, from, date }: UsedRule, day: string): DayResult['dayRule'] {
  const words = `Slips count ${ruleText({ basis, zone })}`
  const forget = `countroom reconcile daily ${day} --day-rule documented`
  const message =
    from === 'documented'
      ? `${words}, as documented`
      : from === 'given'
        ? `${words}, as given by --day-rule`
        : `${words}, as ${date} showed; remembered in the book. To forget it: ${forget}`
  return { basis, timezone: zone, from, date, message }
}

/** Labels of findings about slips. */
export const findingNames = {
  'missing-in-book': 'missing in the book',
  'extra-in-book': 'extra in the book',
  changed: 'changed',
  'newer-than-book': 'newer than the book',
  contradiction: 'inconsistent',
  candidate: 'candidate',
} as const satisfies Record<DayResult['slips'][number]['finding'], string>

/** Reasons why a slip is listed. */
export const findingTexts = {
  'missing-in-book': 'The platform has this record, but the book does not',
  'extra-in-book': 'The book has this record, but the platform did not return it again',
  changed: 'The record of the platform differs from that of the book',
  'newer-than-book': 'Written after the last sync',
} as const

export const isProof = (finding: DayResult['slips'][number]['finding']): boolean =>
  finding === 'missing-in-book' || finding === 'extra-in-book' || finding === 'changed'

/** Formats `23 hours` or `24.5 hours`, because a day does not always have 24. */
export function hoursText(hours: number): string {
  return countText(hours, 'hour')
}

/** Returns the next steps, most useful first; none for a balanced day. */
export function nextSteps(
  day: Omit<DayResult, 'next'>,
  { profile, reportedZone }: Pick<ReasonFacts, 'profile' | 'reportedZone'>,
): string[] {
  const codes = new Set<string>(day.reasons.map(({ code }) => code))
  const explained = new Set<ExplanationCode>(day.explanations.map(({ code }) => code))
  const steps: string[] = []
  const add = (isNeeded: boolean, step: string) => {
    if (isNeeded && day.verdict !== 'balanced') steps.push(step)
  }
  const again = `countroom reconcile daily ${day.date}`
  const rule = day.boundary?.match
  add(
    rule !== null && rule !== undefined,
    `Reconcile by the rule that gives the platform's figures: ${again} --day-rule ${rule?.basis}@${rule?.timezone}`,
  )
  add(
    hasMatch(day.boundary) && !rule,
    `Reconcile days before it, to see which rule is the platform's: countroom reconcile daily --from ${dayAfter(day.date, -7)} --to ${day.date}`,
  )
  add(codes.has('BOOK_OF_ANOTHER'), 'Pass the right --book or --profile')
  add(
    codes.has('OTHER_TIMEZONE'),
    `Correct the time zone of the profile: ${zoneCommand(profile, reportedZone)}, then run: ${again}`,
  )
  add(
    codes.has('BOOK_AHEAD'),
    'Sync the platform into a new book and folder: countroom bets sync --out bets-new --book book-new.db',
  )
  add(codes.has('DAY_NOT_OVER'), `Wait for the end of the day, sync, then run: ${again}`)
  add(
    codes.has('BOOK_EMPTY') || codes.has('BOOK_BEHIND') || explained.has('BOOK_STALE'),
    `Sync the newer records: countroom bets sync --out bets, then run: ${again}`,
  )
  add(
    codes.has('FIRST_REVISION_MISSING') || (day.verdict === 'differences' && explained.has('BOOK_WRONG')),
    `Read the day again and repair the book: countroom book repair ${day.date} --out bets`,
  )
  add(
    codes.has('BOOK_BEGINS_LATER'),
    `Sync the day into a new book: countroom bets sync --from ${day.start} --book book-new.db --out bets-new, then run: ${again} --book book-new.db`,
  )
  add(
    day.verdict === 'differences' && (explained.has('SUMMARY_WRONG') || explained.has('SUMMARY_CONTRADICTS_ITSELF')),
    'Send this result to the platform: its summary contradicts its records',
  )
  add(
    codes.has('SUMMARY_FULL'),
    'Ask the platform for the full summary of the day; the API lists at most 1,000 players',
  )
  add(codes.has('RETENTION'), 'Keep the earlier result: the platform no longer has all bets of this day')
  const isUntraced = day.trace.state !== 'complete' && day.trace.state !== 'not-needed'
  add(day.differing > 0 && day.trace.state === 'off', `Trace the slips: ${again}, without --no-trace`)
  add(
    day.differing > 0 && isUntraced && day.trace.state !== 'off' && !hasMatch(day.boundary),
    'Not all slips could be traced; compare the candidates with their rounds',
  )
  return steps
}
