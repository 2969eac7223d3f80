import { fullBucket, type RateLimit, refilled, takeToken } from '../../domain/rate-limit.ts'
import type { Transport } from '../contract/wire-types.ts'
import type { Sleep } from './sleep.ts'

export interface ThrottleOptions {
  readonly limit: RateLimit
  /** Milliseconds, of any clock that does not jump. */
  readonly now: () => number
  readonly sleep: Sleep
  /** Adapts to servers that do not state their limit: a 429 halves the rate, which grows back with every response. */
  readonly adapts?: boolean
}

/**
 * Sends a burst at once and then no more than the rate, with the token bucket that our servers use. Requests are not
 * spaced evenly, because that would slow down short runs.
 */
export function throttled(
  transport: Transport,
  { limit: maxRate, now, sleep, adapts = false }: ThrottleOptions,
): Transport {
  let limit = maxRate
  let bucket = fullBucket(limit, now())
  return async (request) => {
    for (;;) {
      const result = takeToken(bucket, limit, now())
      bucket = result.bucket
      if (result.waitMs <= 0) break
      await sleep(result.waitMs, request.signal)
    }
    const reply = await transport(request)
    if (!adapts) return reply
    if (reply.status === 429) {
      limit = { ...limit, perSecond: Math.min(maxRate.perSecond, Math.max(slowest, limit.perSecond / 2)) }
      bucket = { ...refilled(bucket, limit, now()), level: 0 }
    } else if (limit.perSecond < maxRate.perSecond)
      limit = { ...limit, perSecond: Math.min(maxRate.perSecond, limit.perSecond * growth) }
    return reply
  }
}

/** The lowest adapted rate: one request every 5 seconds. */
const slowest = 0.2
/** Factor by which the rate grows with every response. After a halving, about 15 responses restore it. */
const growth = 1.05
