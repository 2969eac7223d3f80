/** UTC calendar arithmetic for statements, usage and the tenant ledger. */

export const dayMs = 86_400_000

/** Returns whether a text is an existing day `YYYY-MM-DD`: not the 30th of February. */
export function isDay(text: string): boolean {
  const at = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(at) && utcDayOf(at) === text
}

const isoMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.]\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** Parses an ISO 8601 time with a zone; `undefined` for other text and for times that do not exist. */
export function momentIn(text: string): number | undefined {
  // Date.parse alone reads the 30th of February as the 2nd of March, and hour 24 as the next day.
  const isThere = isoMoment.test(text) && isDay(text.slice(0, 10)) && text.slice(11, 13) !== '24'
  const at = isThere ? Date.parse(text) : Number.NaN
  // The zone offset may move it out of the four-digit years.
  const year = new Date(at).getUTCFullYear()
  return year >= 0 && year <= 9999 ? at : undefined
}

/** Returns the UTC day of a moment as `YYYY-MM-DD`. */
export function utcDayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Returns the first moment of a moment's UTC day. */
export function startOfUtcDay(at: number): number {
  return Math.floor(at / dayMs) * dayMs
}

/** Returns the first moment of the month `offset` months from a moment's month. */
export function startOfMonth(at: number, offset = 0): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1)
}

/** Returns the number of days in a moment's month. */
export function daysInMonth(at: number): number {
  return Math.round((startOfMonth(at, 1) - startOfMonth(at)) / dayMs)
}

/** Returns the same day and time `months` earlier; the last day of that month if the day does not exist. */
export function monthsBefore(at: number, months: number): number {
  const target = startOfMonth(at, -months)
  const day = Math.min(new Date(at).getUTCDate(), daysInMonth(target))
  return target + (day - 1) * dayMs + (at - startOfUtcDay(at))
}
