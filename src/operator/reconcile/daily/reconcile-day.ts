import { limitsOf } from '../../../domain/account/plan-limits.ts'
import {
  byField,
  compare,
  type DayField,
  type Reason,
  type ReasonCode,
  type ReportedPlayer,
} from '../../../domain/reconcile/daily.ts'
import { documentedRule, isSameRule, ruleText } from '../../../domain/reconcile/day-rules.ts'
import { dayEnd, dayStart, isZone } from '../../../domain/time/day.ts'
import type { SummaryItem } from '../../../services/casino/api/schemas/index.ts'
import { amountOf } from '../../bets/slip-versions.ts'
import type { Span } from '../../bets/slips-by-day.ts'
import { checkPosition, type PositionCheck } from '../../bets/sync/position.ts'
import type { Book } from '../../book/book.ts'
import { type BookDay, bookDoubts, readBook } from './book-side.ts'
import { explainedByBoundary } from './boundary-explained.ts'
import { countDay, searchBoundary } from './day-boundary.ts'
import { rememberedRule } from './day-rule.ts'
import { reasonsOf } from './doubts.ts'
import { type Investigation, investigate, noInvestigation, withTail } from './investigate.ts'
import { concluded, uncompared } from './result.ts'
import type { DayResult } from './schema.ts'
import type { AskPosition, ComparedDay, DayOptions, PlatformFacts, Reconciled, Reconciling, UsedRule } from './types.ts'

export type { Platform } from './compare-records.ts'
export type { DayOptions, Reconciled, Reconciling, Tenancy } from './types.ts'

/**
 * Compares the platform's summary of a day with the book's highest revisions. If figures differ or the book is inconsistent, the
 * platform's records are read again to name the slips.
 */
export async function reconcileDay(
  work: Reconciling,
  options: DayOptions,
  askPosition: AskPosition = positionOnce(work),
): Promise<Reconciled> {
  const { date, tenant } = options
  work.onStep?.('reading the book')
  const rule = await ruleOf(work.book, options)
  const span = { from: dayStart(date, rule.zone), to: dayEnd(date, rule.zone) }
  // The book first: slips settled between the two reads are then after the book's cursor, where they are searched.
  const booked = await bookedBy(work.book, options, rule, span)
  const doubts = bookDoubts(booked.state, tenant)
  if (doubts.length > 0) return uncompared({ options, rule, span, booked }, doubts)
  work.onStep?.('reading the summary')
  const callOptions = work.signal ? { signal: work.signal } : {}
  const summary = await work.platform.summary({ query: { date } }, callOptions)
  const { plan } = await work.platform.account({}, callOptions)
  const reported = summary.players.map(toReportedPlayer)
  const lines = compare(reported, [...booked.players.values()])
  const day: ComparedDay = { options, rule, span, booked, reported, lines, now: work.now() }
  const position = await askPosition(limitsOf(plan, tenant.environment).retentionDays)
  const facts = { reportedDate: summary.date, reportedZone: summary.timezone, plan, position }
  const reasons = reasonsOf(day, facts)
  const investigation = rule.basis === 'first-settlement' ? await investigate(work, day, reasons) : untraced(rule, day)
  const boundary = await boundaryOf(work, day, facts, reasons, investigation)
  return concluded(day, facts, withTail(reasons, day, investigation), explainedByBoundary(boundary, investigation))
}

/** Returns the given rule, else the remembered one, else the documented. */
async function ruleOf(book: Book, { rule, tenant }: DayOptions): Promise<UsedRule> {
  const documented = documentedRule(tenant.timezone)
  if (rule !== undefined)
    return isSameRule(rule, documented)
      ? { ...documented, from: 'documented', date: null }
      : { ...rule, from: 'given', date: null }
  const known = await book.store.read(rememberedRule)
  return known
    ? { basis: known.basis, zone: known.timezone, from: 'remembered', date: known.date }
    : { ...documented, from: 'documented', date: null }
}

/** Reads the book's figures of a day. Those by another basis are counted apart; the rest of the day is the same. */
async function bookedBy(book: Book, { date }: DayOptions, rule: UsedRule, span: Span): Promise<BookDay> {
  const booked = await readBook(book, span)
  if (rule.basis === 'first-settlement') return booked
  const [counted] = await countDay(book, date, [rule])
  return counted ? { ...booked, players: counted.players, slips: counted.slips } : booked
}

/** By another basis than the documented one, the platform's records of the day do not add up to its figures. */
function untraced(rule: UsedRule, { lines }: ComparedDay): Investigation {
  if (lines.every((line) => line.matches)) return noInvestigation
  const traceNote = `Slips count ${ruleText(rule)}; the records can be read again by the documented rule only: --day-rule documented`
  return { ...noInvestigation, traceState: 'impossible', traceNote }
}

/** Reasons that do not prevent counting a day by other rules. */
const besideBoundary: ReadonlySet<ReasonCode> = new Set(['OTHER_TIMEZONE'])

/** Counts a day that does not balance by every rule, if nothing else explains it or puts its figures in doubt. */
async function boundaryOf(
  work: Reconciling,
  day: ComparedDay,
  facts: PlatformFacts,
  reasons: readonly Reason[],
  { stale }: Investigation,
): Promise<DayResult['boundary']> {
  const differing = day.lines.filter((line) => !line.matches && !stale.has(line.player))
  if (differing.length === 0 || reasons.some(({ code }) => !besideBoundary.has(code))) return null
  work.onStep?.('counting the day by other rules')
  const { position, latestAt } = day.booked.state
  return searchBoundary(work.book, {
    date: day.options.date,
    timezone: day.options.tenant.timezone,
    used: day.rule,
    reported: day.reported,
    reportedZone: isZone(facts.reportedZone) ? facts.reportedZone : day.options.tenant.timezone,
    covered: {
      from: position?.started_from ?? Number.POSITIVE_INFINITY,
      to: Math.max(position?.caught_up_at ?? 0, latestAt ?? 0),
    },
  })
}

/** Reconciles several days in order, each with its own verdict. A signal ends it early. */
export async function reconcileDays(
  work: Reconciling,
  optionsOfDays: readonly DayOptions[],
  onDay?: (done: number, last: Reconciled) => void,
): Promise<Reconciled[]> {
  const days: Reconciled[] = []
  const askPosition = positionOnce(work)
  for (const options of optionsOfDays) {
    work.signal?.throwIfAborted()
    const day = await reconcileDay(work, options, askPosition)
    days.push(day)
    onDay?.(days.length, day)
  }
  return days
}

function positionOnce({ platform, book, now, signal }: Reconciling): AskPosition {
  let known: Promise<PositionCheck> | undefined
  return (retentionDays) => {
    known ??= checkPosition({ platform, book, now: now(), retentionDays, signal })
    return known
  }
}

function toReportedPlayer(item: SummaryItem): ReportedPlayer {
  const texts = byField((field) => String(item[field]))
  const unitsOf = (field: DayField) => (field === 'slips' ? BigInt(item.slips) : amountOf(item[field]))
  return { username: item.username, texts, figures: byField(unitsOf) }
}
