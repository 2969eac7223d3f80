import { Problem } from '../kit/problem.ts'

/** A moment from text, with its zone said: a bare local time would mean something else on another machine. */
export function momentFrom(text: string): number {
  const isIso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}([.]\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
  const at = isIso ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new Problem('INVALID_USAGE', `Expected a moment such as 2026-03-01T00:00:00Z, or a day in UTC, not ${text}`)
  return at
}

const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const

/** A duration such as `26h`, `90s` or `1h30m` in milliseconds; nothing when the text is none. */
export function durationMs(text: string): number | undefined {
  if (!/^(\d{1,9}(d|h|ms|m|s))+$/.test(text)) return undefined
  let total = 0
  for (const [, count, unit] of text.matchAll(/(\d+)(d|h|ms|m|s)/g))
    total += Number(count) * units[unit as keyof typeof units]
  return total
}
