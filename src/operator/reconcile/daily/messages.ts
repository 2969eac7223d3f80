import { type Contradiction, contradictionRules, type SequenceBreak } from '../../../domain/bets/slip-history.ts'
import type { Cause, CauseCode } from '../../../domain/reconcile/break-causes.ts'
import { dayFields, fieldText, type ReasonCode } from '../../../domain/reconcile/daily.ts'
import type { DayResult, ExplanationCode } from './schema.ts'

/** What a reconciled day says in sentences: for the terminal, the page and the JSON alike. */

/** A moment for people: UTC, to the second. */
export function momentText(at: number | string | null): string {
  return at === null ? 'never' : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/** What a reason needs to be told. */
export interface ReasonFacts {
  readonly date: string
  readonly zone: string
  readonly end: number
  readonly companyCode: string
  readonly environment: string
  readonly owner: { readonly company_code: string; readonly environment: string } | undefined
  readonly startedFrom: number | null
  readonly caughtUpAt: number | null
  readonly statedDate: string
  readonly statedZone: string
  readonly statedPlayers: number
  readonly retentionDays: number
  readonly plan: string
  readonly players: readonly string[]
}

const reasonTexts: Readonly<Record<ReasonCode, (facts: ReasonFacts) => string>> = {
  BOOK_OF_ANOTHER: ({ owner, companyCode, environment }) =>
    `The book is of ${owner?.company_code} (${owner?.environment}), not of ${companyCode} (${environment}): name another with --book`,
  BOOK_EMPTY: () => 'Nothing was ever pulled into this book: run "countroom bets sync" first',
  SUMMARY_OF_ANOTHER_DAY: ({ date, statedDate }) => `The platform was asked for ${date} and answered for ${statedDate}`,
  OTHER_TIMEZONE: ({ zone, statedZone }) =>
    `The platform counts the day in ${statedZone}, the profile in ${zone}: correct the profile's timezone`,
  DAY_NOT_OVER: ({ end, zone }) => `The day ends at ${momentText(end)} in ${zone}: slips may still be settled on it`,
  BOOK_AHEAD: () =>
    'The platform does not have the record that the book read last: it was restored from an earlier backup, or is another environment',
  BOOK_BEHIND: ({ end, caughtUpAt }) =>
    `The book was last read to its end at ${momentText(caughtUpAt)}, which is not past the day's end at ${momentText(end)}`,
  BOOK_BEGINS_LATER: ({ startedFrom }) =>
    `The book begins at ${momentText(startedFrom)}, within the day or after it: slips settled before are not in it`,
  RETENTION: ({ plan, retentionDays }) =>
    `On the ${plan} plan the platform keeps bets for about ${retentionDays} days, in whole months: it may have removed some of this day's`,
  SUMMARY_FULL: ({ statedPlayers }) =>
    `The summary lists ${countText(statedPlayers, 'player')}, the most it can: others may have played`,
  PLAYER_REPEATED: ({ players }) => `The summary lists ${players.join(', ')} more than once`,
  FIRST_REVISION_MISSING: ({ players }) =>
    `The book lacks the first settlement of slips of ${players.join(', ')}, which may have been on this day`,
  RECORD_UNREADABLE: ({ players }) => `The book holds records of ${players.join(', ')} that cannot be read`,
}

export function reasonText(code: ReasonCode, facts: ReasonFacts): string {
  return reasonTexts[code](facts)
}

const named = (slips: readonly string[], most = 5): string => {
  const some = slips.slice(0, most).join(', ')
  return slips.length > most ? `${some} and ${(slips.length - most).toLocaleString('en-US')} more` : some
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
    `the summary does not list the player, of whom the book has ${countText(slips.length, 'slip')}`,
  PLAYER_NOT_IN_BOOK: ({ rest }) =>
    `the book has no slip of the player on this day, the platform ${countOf(rest?.slips ?? 0n)} (${restText(rest)})`,
  SUMMARY_CONTRADICTS_ITSELF: () =>
    "the platform's own line does not add up: its payout is not its stake and win/loss together",
  COUNTED_BY_PLACING: ({ slips }) =>
    `it would balance if slips were counted on the day they were placed, which moves ${slipsNamed(slips)}`,
  COUNTED_BY_LAST_SETTLING: ({ slips }) =>
    `it would balance if slips were counted on the day of their latest revision, which moves ${slipsNamed(slips)}`,
  HOLD_IN_PAYOUT: ({ slips }) =>
    `it would balance if the platform's payout included the hold of Niu Niu ${slipsNamed(slips)}`,
  VOIDED_LEFT_OUT: ({ slips }) => `it would balance if the platform did not count voided ${slipsNamed(slips)}`,
  VOIDED_STAKE_COUNTED: ({ slips }) =>
    `it would balance if the platform counted the stake of voided ${slipsNamed(slips)}`,
  ONSITE_COUNTED: ({ slips }) => `it would balance if the platform counted the on-site ${slipsNamed(slips)}`,
  SLIP_CONTRADICTS_ITSELF: ({ slips, field }) =>
    `${oneOf(slips)} contradicts itself in the book, and with the ${field} that the rest of it asks for the day balances`,
  EARLIER_REVISION: ({ slips }) =>
    `it would balance if the platform still counted an earlier revision of ${oneOf(slips)}`,
  SLIP_NOT_COUNTED: ({ slips }) => `it would balance if the platform did not count ${oneOf(slips)}`,
  OTHER_DAYS_SLIP_COUNTED: ({ slips }) => `it would balance if the platform counted ${oneOf(slips)} of another day`,
  SLIPS_NOT_IN_BOOK: ({ rest }) =>
    `the platform counts ${countOf(rest?.slips ?? 0n)} more than the book, with ${restText(rest) || 'no amounts'}`,
  SLIPS_NOT_STATED: ({ rest }) =>
    `the platform counts ${countOf(rest?.slips ?? 0n)} fewer than the book, which leaves ${restText(rest) || 'no amounts'}`,
  FIGURES_DIFFER: ({ rest }) =>
    `the same number of slips on both sides, and ${restText(rest)} between them: a figure of one of the player's slips is wrong on one side`,
}

export function causeText(username: string, cause: Cause): string {
  return `${username}: ${causeTexts[cause.code](cause)}`
}

const traceTexts = {
  BOOK_STALE: (slips: readonly string[]) =>
    `with the newer records of ${slipsNamed(slips)} the figures agree: sync first, then reconcile again`,
  BOOK_WRONG: (slips: readonly string[]) =>
    `the platform's own records add up to its summary: the book is wrong${slips.length > 0 ? ` in ${slipsNamed(slips)}` : ''}`,
  SUMMARY_WRONG: () => "the platform's own records add up to the book's figures and not to its summary",
  RECORDS_DIFFER_FROM_BOTH: () => "the platform's own records add up neither to its summary nor to the book",
} as const

export function traceText(username: string, code: keyof typeof traceTexts, slips: readonly string[] = []): string {
  return `${username}: ${traceTexts[code](slips)}`
}

/** A break in the numbers of a month; `rounds` are those of the slips on either side, by slip. */
export function breakText(each: SequenceBreak, rounds: ReadonlyMap<string, string>): string {
  const { kind, month, from, to, before, after } = each
  const numbers = from === to ? `number ${from}` : `numbers ${from} to ${to}`
  const [one, other] = [rounds.get(before) ?? '?', rounds.get(after) ?? '?']
  const where = one === other ? `within round ${one}` : `between round ${one} and round ${other}`
  if (kind === 'deleted')
    return `${from === to ? `Row ${from} of the book is gone` : `Rows ${from} to ${to} of the book are gone`}, behind slip ${before} and before slip ${after}: no command deletes any`
  if (kind === 'hole')
    return `Of ${month}, ${numbers} never arrived, ${where}, behind slip ${before} and before slip ${after}; holes are allowed, yet a lost record leaves one`
  return kind === 'repeat'
    ? `Of ${month}, ${numbers} arrived twice, with slip ${before} and slip ${after}: one of the two is not the platform's`
    : `Of ${month}, ${numbers} came after a higher one, with slip ${after} behind slip ${before}: numbers never step back within a month`
}

export function contradictionText({ rule, field, found, expected }: Contradiction): string {
  return `${contradictionRules[rule]}: ${field} is ${found}${expected === null ? '' : `, the rest asks for ${expected}`}`
}

/** The one line that says what the day came to. */
export function verdictText(day: DayResult): string {
  const about = `${day.date} in ${day.timezone} (${hoursText(day.hours)})`
  const size = `${countText(day.booked.slips, 'slip')} of ${countText(day.compared, 'player')}`
  if (day.verdict === 'balanced') return `${about} is balanced: ${size}, every figure equal.`
  if (day.verdict === 'cannot-conclude') {
    const figures =
      day.differing > 0
        ? `${countText(day.differing, 'player')} with other figures`
        : day.compared > 0
          ? 'the figures compared are equal'
          : 'nothing was compared'
    return `${about} cannot be concluded: ${countText(day.reasons.length, 'reason')}; ${figures}.`
  }
  const records = new Set(day.slips.filter(({ finding }) => isProof(finding)).map(({ slipId }) => slipId)).size
  const found = [
    ...(day.differing > 0
      ? [`${countText(day.differing, 'player')} with ${countText(day.differences.length, 'figure')} that differ`]
      : []),
    ...(records > 0 ? [`${countText(records, 'slip')} found to be wrong, missing or extra in the book`] : []),
  ].join(', ')
  return `${about} has differences: ${found}${day.stale ? '; the book is stale' : ''}.`
}

/** What was found of a slip, as a label. */
export const findingNames = {
  'missing-in-book': 'missing in the book',
  'extra-in-book': 'extra in the book',
  changed: 'changed',
  'newer-than-book': 'newer than the book',
  contradiction: 'contradicts itself',
  candidate: 'candidate',
} as const satisfies Record<DayResult['slips'][number]['finding'], string>

/** Why a slip is listed, where it does not say so itself. */
export const findingTexts = {
  'missing-in-book': 'The platform has this record, and the book does not',
  'extra-in-book': 'The book has this record, and the platform did not give it again',
  changed: "The platform's record says otherwise than the book's",
  'newer-than-book': 'Written after the last sync',
} as const

export const isProof = (finding: DayResult['slips'][number]['finding']): boolean =>
  finding === 'missing-in-book' || finding === 'extra-in-book' || finding === 'changed'

/** `23 hours`, `24.5 hours`: a day is not always 24. */
export function hoursText(hours: number): string {
  return countText(hours, 'hour')
}

/** What to do about a day, most useful first. Nothing where it is balanced. */
export function nextSteps(day: Omit<DayResult, 'next'>): string[] {
  const codes = new Set<string>(day.reasons.map(({ code }) => code))
  const explained = new Set<ExplanationCode>(day.explanations.map(({ code }) => code))
  const steps: string[] = []
  const add = (isWanted: boolean, step: string) => {
    if (isWanted && day.verdict !== 'balanced') steps.push(step)
  }
  const again = `countroom reconcile daily ${day.date}`
  add(codes.has('BOOK_OF_ANOTHER'), 'Name the right book with --book, or the right profile with --profile')
  add(
    codes.has('OTHER_TIMEZONE'),
    'Correct the profile\'s timezone to the one the platform counts in: "countroom profiles set NAME --timezone ZONE"',
  )
  add(
    codes.has('BOOK_AHEAD'),
    'Read the platform into a book and folder of its own: "countroom bets sync" names the command',
  )
  add(codes.has('DAY_NOT_OVER'), `Wait for the day to end, then sync, then: ${again}`)
  add(
    codes.has('BOOK_EMPTY') || codes.has('BOOK_BEHIND') || explained.has('BOOK_STALE'),
    `Pull the newer records with countroom bets sync, then: ${again}`,
  )
  add(
    codes.has('BOOK_BEGINS_LATER') ||
      codes.has('FIRST_REVISION_MISSING') ||
      (day.verdict === 'differences' && explained.has('BOOK_WRONG')),
    `Pull the day into a fresh book: countroom bets sync --from ${day.start} --book NEW --out DIR, then: ${again} --book NEW`,
  )
  add(
    day.verdict === 'differences' && (explained.has('SUMMARY_WRONG') || explained.has('SUMMARY_CONTRADICTS_ITSELF')),
    'Send the platform this result: its summary contradicts its own records',
  )
  add(codes.has('SUMMARY_FULL'), 'Ask the platform for a complete summary of the day: it lists 1,000 players at most')
  add(codes.has('RETENTION'), 'Keep to the result of the time: the platform can no longer be asked about this day')
  const isUntraced = day.trace.state !== 'complete' && day.trace.state !== 'not-needed'
  add(day.differing > 0 && day.trace.state === 'off', `Let the slips be traced: ${again}, without --no-trace`)
  add(
    day.differing > 0 && isUntraced && day.trace.state !== 'off',
    'The slips could not all be traced: compare the candidates with the rounds they belong to',
  )
  return steps
}
