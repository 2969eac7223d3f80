import { type Day, daysBetween } from '../../../domain/time/day.ts'
import { Problem } from '../../../kit/problem.ts'

/** Maximum number of days in a range; a longer one is treated as a typing error. */
const maxDays = 400

/** Returns the days of a range in order. */
export function daysOfRange(from: Day, to: Day): Day[] {
  const days = daysBetween(from, to)
  if (days.length === 0) throw new Problem('INVALID_USAGE', '--to is before --from')
  if (days.length > maxDays) throw new Problem('INVALID_USAGE', `A range has at most ${maxDays} days`)
  return days
}
