import type { Day } from '../../domain/time/day.ts'

/** Formats of figures and days on report pages. */

const decimal = /^(-?)([0-9]+)([.][0-9]+)?$/

/** The true minus sign. Only pages have it: files and JSON keep the hyphen, which programs read. */
export const minus = '\u2212'

/** Groups the digits of a decimal text: `-1234567.5` as `−1,234,567.50`. An amount with decimals has at least two. Other text is unchanged. */
export function amountText(text: string): string {
  const parts = decimal.exec(text)
  if (!parts) return text
  const [, sign = '', whole = '', fraction = ''] = parts
  return (sign && minus) + whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction === '' ? '' : fraction.padEnd(3, '0'))
}

/**
 * Returns the format of a column. All its amounts get as many decimals as the longest one, so that their decimal points
 * are aligned.
 */
export function columnFormat(column: readonly (string | null)[]): (text: string) => string {
  const decimalsOf = (shown: string) => Math.max(0, (/[.][0-9]+$/.exec(shown)?.[0].length ?? 0) - 1)
  const decimals = column.reduce((most, text) => Math.max(most, decimalsOf(amountText(text ?? ''))), 0)
  return (text) => {
    const shown = amountText(text)
    if (decimals === 0 || !decimal.test(text)) return shown
    return shown + (shown.includes('.') ? '' : '.') + '0'.repeat(decimals - decimalsOf(shown))
  }
}

/** Returns the format of each of these columns, by its key. */
export function columnFormats<Key extends string>(
  rows: readonly Readonly<Record<Key, string | null>>[],
  keys: readonly Key[],
): Record<Key, (text: string) => string> {
  const formats = keys.map((key) => [key, columnFormat(rows.map((row) => row[key]))])
  return Object.fromEntries(formats) as Record<Key, (text: string) => string>
}

/** Returns a formatted amount with its sign, also a plus. */
export const signed = (shown: string): string => (shown.startsWith(minus) ? shown : `+${shown}`)

/** Returns an amount with the other sign: what players won is what the house lost. */
export function houseView(text: string): string {
  if (!decimal.test(text) || /^-?[0.]+$/.test(text)) return text
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}

/** Writes the negative amounts within a sentence with the true minus sign. */
export const sentence = (text: string): string => text.replace(/(?<=^|[\s(])-(?=[0-9])/g, minus)

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
