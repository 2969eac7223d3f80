/** Delays and locks after wrong passwords and codes. The figures are ours: the documents give none. */

export const credentials = ['password', 'code'] as const
/** Secret that is guessed: a console user's password, or the 2FA code that verifies payouts. */
export type Credential = (typeof credentials)[number]

export const counters = ['pair', 'user', 'merchant', 'address'] as const
/** Key by which failures are counted: a user at one address, and user, address and account by themselves. */
export type Counter = (typeof counters)[number]

interface Limits {
  /** Failures without a delay. */
  readonly free: number
  /** Maximum delay. Delays begin at 1 second and double with each failure. */
  readonly longestMs: number
  /** Failures after which the counter is locked until the console unlocks it; `null` for never. */
  readonly lockedAt: number | null
}

const minuteMs = 60_000

/**
 * Limits per credential and counter. Passwords lock only a user at one address, so that an attacker elsewhere cannot
 * lock the user out. A wrong code means that key and password are already known, so codes lock the whole account too.
 */
export const limits = {
  password: {
    pair: { free: 5, longestMs: 15 * minuteMs, lockedAt: 20 },
    user: { free: 20, longestMs: minuteMs, lockedAt: null },
    merchant: { free: 100, longestMs: minuteMs, lockedAt: null },
    address: { free: 50, longestMs: minuteMs, lockedAt: null },
  },
  // A batch accepts ten wrong codes, which must not delay the next batch.
  code: {
    pair: { free: 10, longestMs: 15 * minuteMs, lockedAt: 30 },
    user: { free: 20, longestMs: 15 * minuteMs, lockedAt: null },
    merchant: { free: 20, longestMs: 15 * minuteMs, lockedAt: 100 },
    address: { free: 50, longestMs: minuteMs, lockedAt: null },
  },
} as const satisfies Record<Credential, Record<Counter, Limits>>

/** Failures are forgotten after this long without another one, unless they have locked a counter. */
export const failureMemoryMs = 24 * 60 * minuteMs
/** Time a user counts as known at an address after a successful login from it. */
export const knownMs = 30 * 24 * 60 * minuteMs

/** Stored state of a counter. */
export interface Attempts {
  readonly failures: number
  readonly lastFailureAt: number | null
}

export type Standing =
  | { readonly kind: 'open' }
  | { readonly kind: 'waiting'; readonly waitMs: number }
  | { readonly kind: 'locked' }

/** Returns whether a counter allows another attempt at that moment. */
export function standingOf(credential: Credential, counter: Counter, attempts: Attempts, now: number): Standing {
  const { free, longestMs, lockedAt }: Limits = limits[credential][counter]
  const { failures, lastFailureAt } = attempts
  if (lockedAt !== null && failures >= lockedAt) return { kind: 'locked' }
  if (failures <= free || lastFailureAt === null) return { kind: 'open' }
  const delayMs = Math.min(longestMs, 1000 * 2 ** Math.min(failures - free - 1, 30))
  // A clock that was set back must not extend the delay.
  const waitMs = Math.min(lastFailureAt, now) + delayMs - now
  return waitMs > 0 ? { kind: 'waiting', waitMs } : { kind: 'open' }
}

/** Returns the failures that still count at a moment. Old ones are forgotten; a lock never expires. */
export function countedFailures(credential: Credential, counter: Counter, attempts: Attempts, now: number): number {
  const { failures, lastFailureAt } = attempts
  if (standingOf(credential, counter, attempts, now).kind === 'locked') return failures
  return lastFailureAt !== null && lastFailureAt + failureMemoryMs <= now ? 0 : failures
}
