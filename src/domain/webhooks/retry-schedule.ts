/** Status of a delivery after an attempt, by the schedule of its channel. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Retry schedule of a channel. */
export interface Schedule {
  /** Waits between attempts. */
  readonly waitsMs: readonly number[]
  /** Default maximum number of attempts. */
  readonly attempts: number
  /** True if status 410 ends the delivery. */
  readonly endsAtGone: boolean
}

/** Maximum number of attempts a merchant can set. */
export const maxIpnAttempts = 20

/** Schedule of each channel. */
export const schedules = {
  /**
   * Ten attempts in about two days, so that a receiver that was down for a night still gets the event. Our decision;
   * the document names none.
   */
  'tenant-webhook': {
    waitsMs: [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour],
    attempts: 10,
    endsAtGone: true,
  },
  /**
   * Exponential backoff, ten attempts by default (2-payment-gateway-api, Events). Each wait is three times the previous
   * one, up to a day: about 27 hours in total. The document retries every response but 2xx.
   */
  'merchant-ipn': {
    waitsMs: Array.from({ length: maxIpnAttempts - 1 }, (_, i) => Math.min(10 * second * 3 ** i, 24 * hour)),
    attempts: 10,
    endsAtGone: false,
  },
} as const satisfies Record<string, Schedule>

export type Channel = keyof typeof schedules

/** Subjects of a gateway callback; a platform webhook is a kind of its own. */
export const ipnKinds = ['payment', 'payout', 'conversion', 'transfer', 'subscription', 'test'] as const
export type CallbackKind = 'webhook' | (typeof ipnKinds)[number]

/** Maximum share by which a wait is lengthened, so that failed deliveries do not retry all at once. */
const jitter = 0.2

/** Result of an attempt: with a response, or without. */
export type Answer =
  | { readonly status: number; readonly retryAfterMs?: number | undefined }
  | { readonly status: null; readonly reason: string }

export type NextState =
  | { readonly status: 'delivered' }
  | { readonly status: 'pending'; readonly waitMs: number }
  | { readonly status: 'failed'; readonly because: 'gone' | 'given-up' }

/**
 * Returns the status after an attempt. Any 2xx delivers; 410 fails it where the schedule says so; everything else is
 * retried. Retry-After can lengthen a wait, up to the schedule's longest. `attempt` is the number of
 * the attempt, from 1; `chance` is from 0 up to 1.
 */
export function afterAttempt(
  schedule: Schedule,
  attempt: number,
  answer: Answer,
  chance: number,
  maxAttempts: number = schedule.attempts,
): NextState {
  if (answer.status !== null && answer.status >= 200 && answer.status <= 299) return { status: 'delivered' }
  if (answer.status === 410 && schedule.endsAtGone) return { status: 'failed', because: 'gone' }
  const wait = attempt < maxAttempts ? schedule.waitsMs[attempt - 1] : undefined
  if (wait === undefined) return { status: 'failed', because: 'given-up' }
  const longest = Math.max(...schedule.waitsMs)
  const retryAfter = answer.status === null ? 0 : Math.min(answer.retryAfterMs ?? 0, longest)
  return { status: 'pending', waitMs: Math.max(wait, retryAfter) + Math.floor(wait * jitter * chance) }
}
