import { fullBucket, type RateLimit, takeToken } from '../../domain/rate-limit.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import type { Transport } from '../../http/contract/wire-types.ts'

/** A little below what our own chat lets a key do; the document names no rate. */
const usual: RateLimit = { perSecond: 45, burst: 90 }

/** Lets a burst through and then no more than the rate, so that many tickets are worked on without being refused for it. */
export function withinRate(
  transport: Transport,
  { now, sleep, limit = usual }: { now: () => number; sleep: Sleep; limit?: RateLimit },
): Transport {
  let bucket = fullBucket(limit, now())
  return async (request) => {
    for (;;) {
      const taken = takeToken(bucket, limit, now())
      bucket = taken.bucket
      if (taken.waitMs <= 0) return transport(request)
      await sleep(taken.waitMs, request.signal)
    }
  }
}
