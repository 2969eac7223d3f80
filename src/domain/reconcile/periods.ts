/** Accounting periods: days and months in the tenant's time zone, closed by one person and approved by another. */

import { isDay } from '../time/calendar.ts'
import { type Day, dayAfter, dayEnd, dayStart, daysBetween } from '../time/day.ts'
import { foldName } from '../wallet/approval.ts'

/** `restated`: its figures changed after the close, and the change is undecided. */
export const periodStates = ['open', 'closed', 'approved', 'restated'] as const
export type PeriodState = (typeof periodStates)[number]

/** A period: `2026-03-01` or `2026-03`. */
export interface Period {
  readonly name: string
  readonly days: readonly Day[]
  readonly from: number
  readonly to: number
}

/** Parses a day or a month in a time zone; null for other text. */
export function periodIn(text: string, zone: string): Period | null {
  const days = isDay(text) ? [text] : isMonth(text) ? daysOfMonth(text) : []
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return null
  return { name: text, days, from: dayStart(first, zone), to: dayEnd(last, zone) }
}

export const isMonth = (text: string): boolean => /^[0-9]{4}-[0-9]{2}$/.test(text) && isDay(`${text}-01`)

function daysOfMonth(month: string): Day[] {
  const first = `${month}-01`
  return daysBetween(first, dayAfter(first, 30)).filter((day) => day.startsWith(month))
}

/** Reason why a day of a period is open. */
export type OpenReason =
  | { readonly code: 'NOT_OVER' | 'NOT_RECONCILED' | 'DIFFERENCES' | 'RESTATED' }
  | { readonly code: 'BREAKS_OPEN'; readonly breaks: readonly string[] }

/** Facts about a day of a period. */
export interface DayStanding {
  readonly date: Day
  readonly isOver: boolean
  /** Verdict of the latest run that concluded; null if none did. */
  readonly verdict: 'balanced' | 'differences' | null
  readonly openBreaks: readonly string[]
  /** Number of breaks of the day that a person closed. */
  readonly closedBreaks: number
  /** True if its figures changed after it was reconciled and the change is not accepted. */
  readonly isRestated: boolean
}

/** Returns why a day keeps its period from being closed; empty if it is balanced or its breaks are closed. */
export function openReasons(day: DayStanding): OpenReason[] {
  if (!day.isOver) return [{ code: 'NOT_OVER' }]
  const reasons: OpenReason[] = []
  if (day.verdict === null) reasons.push({ code: 'NOT_RECONCILED' })
  if (day.openBreaks.length > 0) reasons.push({ code: 'BREAKS_OPEN', breaks: day.openBreaks })
  if (day.isRestated) reasons.push({ code: 'RESTATED' })
  // A difference without a break was not recorded, so that it has no decision.
  if (day.verdict === 'differences' && day.openBreaks.length === 0 && day.closedBreaks === 0)
    reasons.push({ code: 'DIFFERENCES' })
  return reasons
}

/** Returns the state of a period that is shown: an undecided change comes first. */
export function shownState(stored: 'open' | 'closed' | 'approved', openChanges: number): PeriodState {
  return stored !== 'open' && openChanges > 0 ? 'restated' : stored
}

export const periodActions = ['closed', 'approved', 'reopened', 'restated'] as const
export type PeriodAction = (typeof periodActions)[number]

/** Returns why a person cannot do this to a period, or null. Closing needs in addition that no day is open. */
export function refusal(
  action: 'close' | 'approve' | 'reopen',
  period: { readonly name: string; readonly state: PeriodState; readonly closedBy: string | null },
  by: string,
): string | null {
  const { name, state, closedBy } = period
  const is = `Period ${name} is ${state}`
  const reopen = `countroom reconcile periods reopen ${name} --reason correction`
  if (action === 'reopen') return state === 'open' ? `${is}; there is nothing to reopen` : null
  if (action === 'close') return state === 'open' ? null : `${is}. To close it again, reopen it first: ${reopen}`
  if (state === 'open') return `${is}. Close it first: countroom reconcile periods close ${name}`
  if (state !== 'closed')
    return state === 'approved'
      ? `${is} already`
      : `${is}: its figures changed after the close. Close its breaks, or reopen it: ${reopen}`
  return closedBy !== null && foldName(closedBy) === foldName(by)
    ? `Period ${name} was closed by ${closedBy}: another person must approve it`
    : null
}
