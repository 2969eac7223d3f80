/** Arithmetic on the UTC calendar, in which statements, usage and the tenant ledger count. */

export const dayMs = 86_400_000

/** Whether a text is a day `YYYY-MM-DD` that the calendar has: not the 30th of February. */
export function isDay(text: string): boolean {
  const at = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(at) && utcDayOf(at) === text
}

/** `YYYY-MM-DD` of a moment. */
export function utcDayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The first moment of the UTC day a moment is in. */
export function startOfUtcDay(at: number): number {
  return Math.floor(at / dayMs) * dayMs
}

/** The first moment of the month that lies `offset` months from the one a moment is in. */
export function startOfMonth(at: number, offset = 0): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1)
}

/** How many days the month of a moment has. */
export function daysInMonth(at: number): number {
  return Math.round((startOfMonth(at, 1) - startOfMonth(at)) / dayMs)
}

/** The same day and time a number of months earlier; the last day of the month where that day does not exist. */
export function monthsBefore(at: number, months: number): number {
  const target = startOfMonth(at, -months)
  const day = Math.min(new Date(at).getUTCDate(), daysInMonth(target))
  return target + (day - 1) * dayMs + (at - startOfUtcDay(at))
}
