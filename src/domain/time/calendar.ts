/** Arithmetic on the UTC calendar, in which statements, usage and the tenant ledger count. */

export const dayMs = 86_400_000

/** Whether a text is a day `YYYY-MM-DD` that the calendar has: not the 30th of February. */
export function isDay(text: string): boolean {
  const at = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(at) && utcDayOf(at) === text
}

const isoMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.]\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** The moment of an ISO 8601 text that says its zone; `undefined` where the calendar or the clock has no such moment. */
export function momentIn(text: string): number | undefined {
  // The 30th of February is taken for the 2nd of March by whoever reads only the numbers, and hour 24 for the next day.
  const isThere = isoMoment.test(text) && isDay(text.slice(0, 10)) && text.slice(11, 13) !== '24'
  const at = isThere ? Date.parse(text) : Number.NaN
  // Its zone may carry it out of the years that have four digits.
  const year = new Date(at).getUTCFullYear()
  return year >= 0 && year <= 9999 ? at : undefined
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
