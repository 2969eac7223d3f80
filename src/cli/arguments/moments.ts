import { isDay } from '../../domain/time/calendar.ts'
import { durationMs } from '../../kit/duration.ts'
import { Problem } from '../../kit/problem.ts'

export { durationMs }

/** Parses a time with its zone. A local time without zone is rejected: it would mean another moment on another machine. `orElse` names other accepted forms. */
export function momentFrom(text: string, orElse = ''): number {
  const isIso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}([.]\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
  const at = isIso && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new Problem(
      'INVALID_USAGE',
      `Expected ${orElse}a time such as 2026-03-01T00:00:00Z, or a day in UTC; received ${text}`,
    )
  return at
}

/** Rejects invalid times. The text itself is sent, because a service rounds the end of a day in its own way. */
export function checkMoments(...texts: readonly (string | undefined)[]): void {
  for (const text of texts) if (text !== undefined) momentFrom(text)
}

/** Parses a duration flag to milliseconds. */
export function durationOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = durationMs(text)
  if (ms !== undefined) return ms
  throw new Problem('INVALID_USAGE', `--${flag} must be a duration such as 90s, 10m or 1h30m; received ${text}`, {
    flag,
  })
}
