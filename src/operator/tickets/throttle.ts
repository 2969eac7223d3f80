import { fullBucket, type RateLimit, takeToken } from '../../domain/rate-limit.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import type { Transport } from '../../http/contract/wire-types.ts'

/** Slightly below the limit of our own chat; the document has no limit. */
const usual: RateLimit = { perSecond: 45, burst: 90 }

/** Allows a burst and then this rate, so that many tickets can be changed without 429 responses. */
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
