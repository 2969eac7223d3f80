import { limitsOf } from '../../../domain/account/plan-limits.ts'
import { byField, compare, type DayField, type ReportedPlayer } from '../../../domain/reconcile/daily.ts'
import { dayEnd, dayStart } from '../../../domain/time/day.ts'
import type { SummaryItem } from '../../../services/casino/api/schemas/index.ts'
import { amountOf } from '../../bets/slip-versions.ts'
import { checkPosition, type PositionCheck } from '../../bets/sync/position.ts'
import { bookDoubts, readBook } from './book-side.ts'
import { reasonsOf } from './doubts.ts'
import { inquire, withTail } from './investigate.ts'
import { concluded, uncompared } from './result.ts'
import type { AskPosition, ComparedDay, DayOrder, Reconciled, Reconciling } from './types.ts'

export type { Platform } from './compare-records.ts'
export type { DayOrder, Reconciled, Reconciling, Tenancy } from './types.ts'

/**
 * Compares the platform's summary of a day with the book's highest revisions. If figures differ or the book is inconsistent, the
 * platform's records are read again to name the slips.
 */
export async function reconcileDay(
  work: Reconciling,
  order: DayOrder,
  askPosition: AskPosition = positionOnce(work),
): Promise<Reconciled> {
  const { date, tenant } = order
  const span = { from: dayStart(date, tenant.timezone), to: dayEnd(date, tenant.timezone) }
  work.onStep?.('reading the book')
  // The book first: slips settled between the two reads are then after the book's cursor, where they are searched.
  const booked = await readBook(work.book, span)
  const doubts = bookDoubts(booked.state, tenant)
  if (doubts.length > 0) return uncompared(order, span, booked, doubts)
  work.onStep?.('reading the summary')
  const options = work.signal ? { signal: work.signal } : {}
  const summary = await work.platform.summary({ query: { date } }, options)
  const { plan } = await work.platform.account({}, options)
  const reported = summary.players.map(toReportedPlayer)
  const lines = compare(reported, [...booked.players.values()])
  const day: ComparedDay = { order, span, booked, reported, lines, now: work.now() }
  const position = await askPosition(limitsOf(plan, tenant.environment).retentionDays)
  const facts = { reportedDate: summary.date, reportedZone: summary.timezone, plan, position }
  const reasons = reasonsOf(day, facts)
  const inquiry = await inquire(work, day, reasons)
  return concluded(day, facts, withTail(reasons, day, inquiry), inquiry)
}

/** Reconciles several days in order, each with its own verdict. A signal ends it early. */
export async function reconcileDays(
  work: Reconciling,
  orders: readonly DayOrder[],
  onDay?: (done: number, last: Reconciled) => void,
): Promise<Reconciled[]> {
  const days: Reconciled[] = []
  const askPosition = positionOnce(work)
  for (const order of orders) {
    work.signal?.throwIfAborted()
    const day = await reconcileDay(work, order, askPosition)
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
