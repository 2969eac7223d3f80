/** How wrong passwords and codes slow further attempts down, and when they lock. Figures are ours: the documents show none. */

export const credentials = ['password', 'code'] as const
/** What is guessed: a console user's password, or the 2FA code that verifies payouts. */
export type Credential = (typeof credentials)[number]

export const counters = ['pair', 'user', 'merchant', 'address'] as const
/** By what failures are counted: a user from one address, and each of the three by itself. */
export type Counter = (typeof counters)[number]

interface Limits {
  /** Failures that cost nothing. */
  readonly free: number
  /** The longest delay. Delays begin with a second and double with each failure. */
  readonly longestMs: number
  /** Failures after which the counter is locked until the console unlocks it; `null` for one that never is. */
  readonly lockedAt: number | null
}

const minuteMs = 60_000

/**
 * Only a user from one address is ever locked for passwords: whoever guesses elsewhere cannot keep the user out. A wrong
 * code means that somebody has the key and the password already, so codes lock the account as a whole too.
 */
export const limits = {
  password: {
    pair: { free: 5, longestMs: 15 * minuteMs, lockedAt: 20 },
    user: { free: 20, longestMs: minuteMs, lockedAt: null },
    merchant: { free: 100, longestMs: minuteMs, lockedAt: null },
    address: { free: 50, longestMs: minuteMs, lockedAt: null },
  },
  // A batch takes ten wrong codes, which must not delay the next batch.
  code: {
    pair: { free: 10, longestMs: 15 * minuteMs, lockedAt: 30 },
    user: { free: 20, longestMs: 15 * minuteMs, lockedAt: null },
    merchant: { free: 20, longestMs: 15 * minuteMs, lockedAt: 100 },
    address: { free: 50, longestMs: minuteMs, lockedAt: null },
  },
} as const satisfies Record<Credential, Record<Counter, Limits>>

/** Failures are forgotten after this long without another one, unless they have locked something. */
export const failureMemoryMs = 24 * 60 * minuteMs
/** A user is known at an address for this long after a successful login from it. */
export const knownMs = 30 * 24 * 60 * minuteMs

/** What is remembered of a counter. */
export interface Attempts {
  readonly failures: number
  readonly lastFailureAt: number | null
}

export type Standing =
  | { readonly kind: 'open' }
  | { readonly kind: 'waiting'; readonly waitMs: number }
  | { readonly kind: 'locked' }

/** Whether a counter lets another attempt through at that moment. */
export function standingOf(credential: Credential, counter: Counter, attempts: Attempts, now: number): Standing {
  const { free, longestMs, lockedAt }: Limits = limits[credential][counter]
  const { failures, lastFailureAt } = attempts
  if (lockedAt !== null && failures >= lockedAt) return { kind: 'locked' }
  if (failures <= free || lastFailureAt === null) return { kind: 'open' }
  const delayMs = Math.min(longestMs, 1000 * 2 ** Math.min(failures - free - 1, 30))
  // A clock that was set back must not make anybody wait longer.
  const waitMs = Math.min(lastFailureAt, now) + delayMs - now
  return waitMs > 0 ? { kind: 'waiting', waitMs } : { kind: 'open' }
}

/** The failures that still count at a moment: old ones are forgotten, a lock never by itself. */
export function countedFailures(credential: Credential, counter: Counter, attempts: Attempts, now: number): number {
  const { failures, lastFailureAt } = attempts
  if (standingOf(credential, counter, attempts, now).kind === 'locked') return failures
  return lastFailureAt !== null && lastFailureAt + failureMemoryMs <= now ? 0 : failures
}
