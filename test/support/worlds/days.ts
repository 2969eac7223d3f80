import { setTimeout as pause } from 'node:timers/promises'

/** Longer than any test that depends on the current day, also on a busy machine: the longest takes 10 s on an idle one. */
const longestMs = 120_000

/**
 * Waits for the end of a day that ends within two minutes in one of these zones, so that "today" stays the same during a
 * test. Called in a hook before each test; at other times it returns at once.
 */
export async function clearOfMidnight(...zones: readonly ('UTC' | 'Asia/Taipei')[]): Promise<void> {
  const offsets = zones.map((zone) => (zone === 'UTC' ? 0 : 8 * 3_600_000))
  const left = offsets.map((offset) => 86_400_000 - ((Date.now() + offset) % 86_400_000))
  const soonest = Math.min(...left)
  if (soonest <= longestMs) await pause(soonest + 50)
}
