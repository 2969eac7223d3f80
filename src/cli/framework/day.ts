import { isDay } from '../../domain/time/calendar.ts'
import { type Day, dayAfter, dayOf } from '../../domain/time/day.ts'
import { Problem } from '../../kit/problem.ts'

/** A day as it is typed: `YYYY-MM-DD`, `today` or `yesterday`, the last two in a zone. */
export function dayFrom(text: string, now: number, zone: string): Day {
  const word = text.toLowerCase()
  if (word === 'today') return dayOf(now, zone)
  if (word === 'yesterday') return dayAfter(dayOf(now, zone), -1)
  if (isDay(text)) return text
  throw notDay(text)
}

/** Whether a text says a day by how far it is from now, so that it hangs on a clock. */
export const isRelativeDay = (text: string): boolean => /^(today|yesterday)$/i.test(text)

/** Two clocks further apart than this are not a matter of drift: beyond it requests are refused (1-tenant-api, Authentication). */
const mostAheadMs = 300_000

/**
 * The warning that the platform's clock differs from this machine's, with the days that "today" and "yesterday" are by it.
 * Undefined where the clocks agree, where the platform tells no time, and where every day was given by its date.
 */
export function clockWarning(
  { aheadMs, now, zone }: { readonly aheadMs: number | undefined; readonly now: number; readonly zone: string },
  words: readonly string[],
): string | undefined {
  if (aheadMs === undefined || Math.abs(aheadMs) <= mostAheadMs) return undefined
  if (words.length > 0 && !words.some(isRelativeDay)) return undefined
  const theirs = now + aheadMs
  const moment = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  const days = words.filter(isRelativeDay).map((word) => `"${word.toLowerCase()}" is ${dayFrom(word, theirs, zone)}`)
  const told = days.length === 0 ? '' : `; by the platform's, ${days.join(' and ')}`
  return `The platform's clock says ${moment(theirs)} UTC, this machine's ${moment(now)}${told}. "countroom doctor" compares them`
}

/** Whether a text can be such a day: known before anybody is asked what day it is. */
export function checkDay(text: string): void {
  if (!isRelativeDay(text) && !isDay(text)) throw notDay(text)
}

function notDay(text: string): Problem {
  return new Problem(
    'INVALID_PARAMETER',
    `"${text.slice(0, 40)}" is no day: say YYYY-MM-DD, today or yesterday, a day that the calendar has`,
    { remoteCode: null },
  )
}
