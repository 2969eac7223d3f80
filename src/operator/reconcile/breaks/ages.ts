import type { BreakView } from './schema.ts'

/** Returns the age of the oldest open break, and the IDs of those that have been open for longer than the limit. */
export function openOlderThan(
  breaks: readonly Pick<BreakView, 'id' | 'ageMs'>[],
  limitMs: number | undefined,
): { oldestMs: number | null; ids: string[] } {
  const ages = breaks.flatMap(({ ageMs }) => ageMs ?? [])
  return {
    // Not Math.max(...ages): a book can have more breaks than a call may have arguments.
    oldestMs: ages.reduce<number | null>((oldest, age) => Math.max(oldest ?? age, age), null),
    ids:
      limitMs === undefined ? [] : breaks.flatMap(({ id, ageMs }) => (ageMs !== null && ageMs > limitMs ? [id] : [])),
  }
}
