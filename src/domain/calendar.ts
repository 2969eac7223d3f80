/** The UTC calendar, in which cursors, statements, usage and the tenant ledger count. */

/** `yyyymm` of a moment. */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7).replace('-', '')
}

/** `YYYY-MM-DD` of a moment. */
export function utcDayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The first moment of the month that lies `offset` months from the one a moment is in. */
export function startOfMonth(at: number, offset = 0): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1)
}

/** The first moment of a `yyyymm`. */
export function startOfNamedMonth(month: string): number {
  return Date.UTC(Number(month.slice(0, 4)), Number(month.slice(4)) - 1, 1)
}

/** The month after a `yyyymm`. */
export function monthAfter(month: string): string {
  return monthOf(startOfMonth(startOfNamedMonth(month), 1))
}

/** How many days the month of a moment has. */
export function daysInMonth(at: number): number {
  return Math.round((startOfMonth(at, 1) - startOfMonth(at)) / dayMs)
}

/** The same day and time a number of months earlier; the last day of the month where that day does not exist. */
export function monthsBefore(at: number, months: number): number {
  const date = new Date(at)
  const target = startOfMonth(at, -months)
  const day = Math.min(date.getUTCDate(), daysInMonth(target))
  return target + (day - 1) * dayMs + (at % dayMs)
}

export const dayMs = 86_400_000

/** The first moment of a UTC day, or `null` when the text is no real date. */
export function startOfUtcDay(day: string): number | null {
  const at = Date.parse(`${day}T00:00:00.000Z`)
  return Number.isNaN(at) || utcDayOf(at) !== day ? null : at
}
