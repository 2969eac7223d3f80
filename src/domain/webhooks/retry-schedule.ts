/** What becomes of a delivery after an attempt, by the schedule of its channel. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How patiently a kind of mail is sent. */
export interface Schedule {
  /** The waits between attempts, as many as there can be. */
  readonly waitsMs: readonly number[]
  /** After how many attempts it is given up, where nothing else was said. */
  readonly attempts: number
  /** Whether 410 is taken for a no for ever. */
  readonly endsAtGone: boolean
}

/** How many attempts a merchant may ask for. */
export const mostIpnAttempts = 20

/** Every kind of mail there is, with its schedule. */
export const schedules = {
  /** Ten attempts in about two days: a receiver that was down over a weekend's night still hears of it. Our decision; the document shows none. */
  'tenant-webhook': {
    waitsMs: [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour],
    attempts: 10,
    endsAtGone: true,
  },
  /**
   * Exponential back-off, ten attempts unless the merchant set another number (2-payment-gateway-api, Events): each wait is
   * three times the one before, up to a day. Ten attempts take about 27 hours. The document retries every answer but 2xx.
   */
  'merchant-ipn': {
    waitsMs: Array.from({ length: mostIpnAttempts - 1 }, (_, i) => Math.min(10 * second * 3 ** i, 24 * hour)),
    attempts: 10,
    endsAtGone: false,
  },
} as const satisfies Record<string, Schedule>

export type Channel = keyof typeof schedules

/** What a callback of the gateway can be about; a webhook of the platform is one kind of its own. */
export const ipnKinds = ['payment', 'payout', 'conversion', 'transfer', 'subscription', 'test'] as const
export type CallbackKind = 'webhook' | (typeof ipnKinds)[number]

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
 * Any 2xx acknowledges. 410 says that it will never be wanted, and is believed where the schedule says so. Everything else
 * is tried again: later than the receiver asks for by Retry-After where that is later than the schedule's wait, though
 * never later than the schedule's longest. `tries` counts the attempts of this schedule, the last one included; `chance`
 * is from 0 up to 1; `most` is after how many it is given up.
 */
export function afterAttempt(
  schedule: Schedule,
  tries: number,
  answer: Answer,
  chance: number,
  most: number = schedule.attempts,
): Fate {
  if (answer.status !== null && answer.status >= 200 && answer.status <= 299) return { state: 'delivered' }
  if (answer.status === 410 && schedule.endsAtGone) return { state: 'dead', because: 'gone' }
  const wait = tries < most ? schedule.waitsMs[tries - 1] : undefined
  if (wait === undefined) return { state: 'dead', because: 'given-up' }
  const longest = Math.max(...schedule.waitsMs)
  const asked = answer.status === null ? 0 : Math.min(answer.retryAfterMs ?? 0, longest)
  return { state: 'owed', waitMs: Math.max(wait, asked) + Math.floor(wait * jitter * chance) }
}
