import { isDay } from '../../domain/time/calendar.ts'
import { type Day, dayAfter, dayOf } from '../../domain/time/day.ts'
import { minuteText } from '../../kit/moment.ts'
import { Problem } from '../../kit/problem.ts'

/** Converts a day argument (`YYYY-MM-DD`, `today`, `yesterday`) to a date; the words are in the given time zone. */
export function dayFrom(text: string, now: number, zone: string): Day {
  const word = text.toLowerCase()
  if (word === 'today') return dayOf(now, zone)
  if (word === 'yesterday') return dayAfter(dayOf(now, zone), -1)
  if (isDay(text)) return text
  throw notDay(text)
}

/** Returns whether a text is a day relative to now, which depends on a clock. */
export const isRelativeDay = (text: string): boolean => /^(today|yesterday)$/i.test(text)

/** Largest clock difference that is accepted without a warning. Beyond it requests are rejected (1-tenant-api, Authentication). */
const maxAheadMs = 300_000

/**
 * Returns the warning that the platform's clock differs from this machine's, with the dates of "today" and "yesterday" at
 * the platform. Undefined if the clocks agree, the platform's time is unknown, or every day was given as a date.
 */
export function clockWarning(
  { aheadMs, now, zone }: { readonly aheadMs: number | undefined; readonly now: number; readonly zone: string },
  words: readonly string[],
): string | undefined {
  if (aheadMs === undefined || Math.abs(aheadMs) <= maxAheadMs) return undefined
  if (words.length > 0 && !words.some(isRelativeDay)) return undefined
  const theirs = now + aheadMs
  const days = words.filter(isRelativeDay).map((word) => `"${word.toLowerCase()}" is ${dayFrom(word, theirs, zone)}`)
  const dayNote = days.length === 0 ? '' : `. At the platform ${days.join(' and ')}`
  return `The platform's clock is at ${minuteText(theirs)}, this machine's at ${minuteText(now)}${dayNote}. To compare the clocks: countroom doctor`
}

/** Returns whether a text can be a day argument, without knowing the current day. */
export function checkDay(text: string): void {
  if (!isRelativeDay(text) && !isDay(text)) throw notDay(text)
}

function notDay(text: string): Problem {
  return new Problem(
    'INVALID_PARAMETER',
    `"${text.slice(0, 40)}" is not a valid day; expected YYYY-MM-DD, today or yesterday`,
    { remoteCode: null },
  )
}
