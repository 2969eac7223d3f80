/** What becomes of a delivery after an attempt, by the schedule of its channel. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How patiently a kind of mail is sent. */
export interface Schedule {
  /** The waits between attempts; after the last one's attempt it is given up. */
  readonly waitsMs: readonly number[]
}

/** Every kind of mail there is, with its schedule. */
export const schedules = {
  /** Ten attempts in about two days: a receiver that was down over a weekend's night still hears of it. Our decision; the document shows none. */
  'tenant-webhook': {
    waitsMs: [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour],
  },
} as const satisfies Record<string, Schedule>

export type Channel = keyof typeof schedules

/** By how much a wait may be longer than the schedule says, so that what failed together does not come back together. */
const jitter = 0.2

/** How one attempt ended: with an answer, or without. */
export type Answer =
  | { readonly status: number; readonly retryAfterMs?: number | undefined }
  | { readonly status: null; readonly reason: string }

export type Fate =
  | { readonly state: 'delivered' }
  | { readonly state: 'owed'; readonly waitMs: number }
  | { readonly state: 'dead'; readonly because: 'gone' | 'given-up' }

/**
 * Any 2xx acknowledges. 410 says that it will never be wanted, and is believed. Everything else is tried again: later
 * than the receiver asks for by Retry-After where that is later than the schedule's wait, though never later than the
 * schedule's longest. `tries` counts the attempts of this schedule, the last one included; `chance` is from 0 up to 1.
 */
export function afterAttempt(schedule: Schedule, tries: number, answer: Answer, chance: number): Fate {
  if (answer.status !== null && answer.status >= 200 && answer.status <= 299) return { state: 'delivered' }
  if (answer.status === 410) return { state: 'dead', because: 'gone' }
  const wait = schedule.waitsMs[tries - 1]
  if (wait === undefined) return { state: 'dead', because: 'given-up' }
  const longest = Math.max(...schedule.waitsMs)
  const asked = answer.status === null ? 0 : Math.min(answer.retryAfterMs ?? 0, longest)
  return { state: 'owed', waitMs: Math.max(wait, asked) + Math.floor(wait * jitter * chance) }
}
