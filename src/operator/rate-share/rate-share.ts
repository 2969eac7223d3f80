import { type Bucket, fullBucket, type RateLimit, refilled, takeToken } from '../../domain/rate-limit.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import type { Transport } from '../../http/contract/wire-types.ts'

/**
 * Takes no more than a share of a tenant's request rate, burst included, so that what the operator's site asks meanwhile
 * finds the rest of the bucket. The share is a bucket too, by the rule the server's own is kept by. What the server
 * allows is not told by the API, so a refusal (429) teaches: the rate is halved, and grows back with every answer.
 *
 * Not even spacing: that would make a short sync slow for nobody's good. The burst is there to be used.
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

/** However often it is refused: one request in five seconds. */
const slowest = 0.2
/** With every answer. After a halving it takes about fifteen of them to be back. */
const growth = 1.05

/** A share of a rate, in percent. A burst of less than one request would never let any go. */
export function shareOf({ perSecond, burst }: RateLimit, percent: number): RateLimit {
  return { perSecond: (perSecond * percent) / 100, burst: Math.max(1, Math.floor((burst * percent) / 100)) }
}
