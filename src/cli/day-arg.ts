import { isDay } from '../domain/calendar.ts'
import { type Day, dayAfter, dayOf } from '../domain/day.ts'
import { Problem } from '../kit/problem.ts'

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

/** Further apart two clocks are not a matter of drift (1-tenant-api, Authentication, refuses a request beyond it). */
const mostSkewSeconds = 300

/**
 * What to warn of where the platform's clock is another than this machine's: which days the words would be there. Nothing
 * where they agree, where the platform tells no time, and where every day was said by its date.
 */
export function clockWarning(
  { skew, now, zone }: { readonly skew: number | undefined; readonly now: number; readonly zone: string },
  words: readonly string[],
): string | undefined {
  if (skew === undefined || Math.abs(skew) <= mostSkewSeconds) return undefined
  if (words.length > 0 && !words.some(isRelativeDay)) return undefined
  const theirs = now - skew * 1000
  const moment = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  const said = words.filter(isRelativeDay).map((word) => {
    const [here, there] = [dayFrom(word, now, zone), dayFrom(word, theirs, zone)]
    return `"${word.toLowerCase()}" was ${here === there ? `${here}, as it is there` : `${here}, and is ${there} there`}`
  })
  const advice = said.length === 0 ? '' : `; ${said.join('; ')}: a day is sure by its date`
  return `The platform's clock says ${moment(theirs)} UTC, this machine's ${moment(now)}${advice}. "countroom doctor" compares them`
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
