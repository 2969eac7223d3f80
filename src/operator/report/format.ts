import type { Day } from '../../domain/time/day.ts'

/** Formats of figures and days on report pages. */

/** Groups the digits of a decimal text: `-1234567.5` as `-1,234,567.5`. Other text is unchanged. */
export function amountText(text: string): string {
  const parts = /^(-?)([0-9]+)([.][0-9]+)?$/.exec(text)
  if (!parts) return text
  const [, sign = '', whole = '', fraction = ''] = parts
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ',') + fraction
}

// A day has no time zone: noon UTC is on that date.
const noonOf = (day: Day) => new Date(`${day}T12:00:00.000Z`)
const words = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options })
  return (day: Day) => format.format(noonOf(day))
}

/** `Tuesday 10 March 2026` */
export const longDayText = words({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
/** `Tue, 10 Mar 2026` */
export const dayText = words({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
/** `10 Mar` */
export const shortDayText = words({ day: 'numeric', month: 'short' })

/** Formats a time in UTC and in the time zone. */
export function bothClocks(moment: string, zone: string): string {
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'shortOffset',
  }).format(new Date(moment))
  return `${moment} (${local})`
}
