/** Texts of times, amounts and counts. */

/** Returns a time as `2026-03-01 12:00:05`, in UTC. */
export function timeText(iso: string | null | undefined): string {
  return iso ? iso.slice(0, 19).replace('T', ' ') : '–'
}

/** Returns how far a time is from another, such as `in 5 min` or `2 h ago`. */
export function distanceText(iso: string, now: number): string {
  const ms = Date.parse(iso) - now
  const text = durationText(Math.abs(ms))
  return ms >= 0 ? `in ${text}` : `${text} ago`
}

/** Returns a duration in its largest unit. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/** Returns a count with its noun. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/** Returns a decimal text with separators between its thousands. It stays a text: an amount is never a float. */
export function amountText(amount: string | null | undefined): string {
  if (amount === null || amount === undefined) return '–'
  const [whole = '', fraction] = String(amount).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Returns a code such as `partially_paid` or `statusChanged` as words. */
export function words(code: string): string {
  return code.replaceAll('_', ' ').replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** Returns the end of a long id, which distinguishes it from similar ones. */
export function shortId(id: string): string {
  return id.length <= 12 ? id : `…${id.slice(-8)}`
}

/** Returns JSON with line breaks; other text unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Returns half of an amount: whole units if it has more than one. Every coin has at least 6 decimals. */
export function halfOf(amount: number): string {
  const text = amount.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 18 })
  const [whole = '0', given = ''] = text.split('.')
  if (BigInt(whole) > 1n) return String(BigInt(whole) / 2n)
  const fraction = given.padEnd(6, '0')
  const half = String(BigInt(whole + fraction) / 2n || 1n).padStart(fraction.length, '0')
  return `0.${half}`.replace(/0+$/, '')
}
