import { isDay } from '../../../domain/time/calendar.ts'
import { dayAfter, dayOf, dayStart } from '../../../domain/time/day.ts'
import { Problem } from '../../../kit/problem.ts'

/** Maximum number of days of a snooze: a difference must not be hidden forever. */
const longestDays = 92

/**
 * Returns the end of a snooze: the start of a day in the tenant's zone, which a clock change can move from midnight.
 */
export function snoozeEnd(day: string, timezone: string, now: number): number {
  if (!isDay(day))
    throw new Problem('INVALID_USAGE', `--until must be a day (YYYY-MM-DD); received "${day.slice(0, 40)}"`)
  const today = dayOf(now, timezone)
  const last = dayAfter(today, longestDays)
  if (day <= today || day > last)
    throw new Problem('INVALID_USAGE', `--until must be after today and at most ${last}; received ${day}`)
  return dayStart(day, timezone)
}
