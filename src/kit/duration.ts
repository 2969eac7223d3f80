const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const

/** Parses a duration such as `26h`, `90s` or `1h30m` into milliseconds. Returns undefined for any other text. */
export function durationMs(text: string): number | undefined {
  if (!/^(\d{1,9}(d|h|ms|m|s))+$/.test(text)) return undefined
  let total = 0
  for (const [, count, unit] of text.matchAll(/(\d+)(d|h|ms|m|s)/g))
    total += Number(count) * units[unit as keyof typeof units]
  return total
}
