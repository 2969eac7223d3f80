import { type Bucket, fullBucket, type RateLimit, refilled, takeToken } from '../../domain/rate-limit.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import type { Transport } from '../../http/contract/wire-types.ts'

/**
 * Limits requests to a share of the tenant's rate limit, including bursts, so that the operator's site can use the rest. The share
 * is a token bucket by the same rule as the server's. The API does not return the limit, so a 429 halves the rate, and each
 * success raises it again.
 *
 * Requests are not spaced evenly, because that would slow down a short sync without benefit.
 */
export function sharing(
  transport: Transport,
  options: { readonly limit: RateLimit; readonly now: () => number; readonly sleep: Sleep },
): Transport {
  const { now, sleep } = options
  let limit = options.limit
  let bucket: Bucket = fullBucket(limit, now())
  return async (request) => {
    for (;;) {
      const taken = takeToken(bucket, limit, now())
      bucket = taken.bucket
      if (taken.waitMs === 0) break
      await sleep(taken.waitMs, request.signal)
    }
    const reply = await transport(request)
    if (reply.status === 429) {
      limit = { ...limit, perSecond: Math.min(options.limit.perSecond, Math.max(slowest, limit.perSecond / 2)) }
      bucket = { ...refilled(bucket, limit, now()), level: 0 }
    } else if (limit.perSecond < options.limit.perSecond)
      limit = { ...limit, perSecond: Math.min(options.limit.perSecond, limit.perSecond * growth) }
    return reply
  }
}

/** Minimum rate: one request in five seconds. */
const slowest = 0.2
/** Growth per success. After a halving, about fifteen successes restore the rate. */
const growth = 1.05

/** Returns a share of a rate in percent. The burst is at least one request. */
export function shareOf({ perSecond, burst }: RateLimit, percent: number): RateLimit {
  return { perSecond: (perSecond * percent) / 100, burst: Math.max(1, Math.floor((burst * percent) / 100)) }
}
