import { isDay } from '../../domain/time/calendar.ts'
import { Problem } from '../../kit/problem.ts'

export { durationMs } from '../../kit/duration.ts'

/** A moment from text, with its zone said: a bare local time would mean something else on another machine. `orElse` names what else would do. */
export function momentFrom(text: string, orElse = ''): number {
  const isIso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}([.]\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
  const at = isIso && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new Problem(
      'INVALID_USAGE',
      `Expected ${orElse}a moment such as 2026-03-01T00:00:00Z, or a day in UTC, not ${text}`,
    )
  return at
}

/** Refuses what is no moment, where the text itself goes on: a service reads the end of a day in its own way. */
export function checkMoments(...texts: readonly (string | undefined)[]): void {
  for (const text of texts) if (text !== undefined) momentFrom(text)
}
