import { setTimeout as pause } from 'node:timers/promises'

/** Longer than any test that speaks of today takes. */
const longestMs = 40_000

/**
 * Lets a day end first that is about to end in one of these zones, so that what a test calls today stays today until it
 * is over. Called in a hook before each of them: it waits within a minute of midnight, and never otherwise.
 */
export async function clearOfMidnight(...zones: readonly ('UTC' | 'Asia/Taipei')[]): Promise<void> {
  const offsets = zones.map((zone) => (zone === 'UTC' ? 0 : 8 * 3_600_000))
  const left = offsets.map((offset) => 86_400_000 - ((Date.now() + offset) % 86_400_000))
  const soonest = Math.min(...left)
  if (soonest <= longestMs) await pause(soonest + 50)
}
