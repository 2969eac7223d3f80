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

/** Whether a text can be such a day: known before anybody is asked what day it is. */
export function checkDay(text: string): void {
  if (!/^(today|yesterday)$/i.test(text) && !isDay(text)) throw notDay(text)
}

function notDay(text: string): Problem {
  return new Problem(
    'INVALID_PARAMETER',
    `"${text.slice(0, 40)}" is no day: say YYYY-MM-DD, today or yesterday, a day that the calendar has`,
    { remoteCode: null },
  )
}
