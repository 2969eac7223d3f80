import { type Bucket, fullBucket, type RateLimit, refilled, takeToken } from '../../../domain/rate-limit.ts'

/** A request for one token of a bucket. */
export interface TokenRequest {
  readonly key: string
  readonly limit: RateLimit
}

/** Token buckets in memory. A restart resets them, which costs less than a write per request. */
export interface Limiter {
  /** Takes one token of every bucket, or none of any. */
  take(claims: readonly TokenRequest[]): {
    /** Milliseconds to wait; 0 when they were taken. */
    readonly waitMs: number
    /** Current state of the buckets. */
    readonly left: readonly { readonly limit: RateLimit; readonly bucket: Bucket }[]
  }
}

/** Maximum number of buckets; full ones are dropped first. */
const maxBuckets = 50_000

export function createLimiter(now: () => number): Limiter {
  const buckets = new Map<string, { bucket: Bucket; limit: RateLimit }>()

  function drop(at: number): void {
    for (const [key, { bucket, limit }] of buckets)
      if (refilled(bucket, limit, at).level >= limit.burst * 1000) buckets.delete(key)
    for (const key of buckets.keys()) {
      if (buckets.size < maxBuckets / 2) return
      buckets.delete(key)
    }
  }

  return {
    take(claims) {
      const at = now()
      if (buckets.size > maxBuckets) drop(at)
      const results = claims.map(({ key, limit }) => ({
        key,
        limit,
        ...takeToken(buckets.get(key)?.bucket ?? fullBucket(limit, at), limit, at),
      }))
      const waitMs = Math.max(0, ...results.map((each) => each.waitMs))
      if (waitMs === 0) for (const { key, limit, bucket } of results) buckets.set(key, { bucket, limit })
      return { waitMs, left: results }
    },
  }
}

const perMinute = (count: number, burst: number): RateLimit => ({ perSecond: count / 60, burst })

/** Sustained rates and bursts. The document gives none; these are ours. */
export const rates = {
  apiKey: { perSecond: 50, burst: 100 },
  agentToken: { perSecond: 50, burst: 100 },
  customerText: { perSecond: 5, burst: 20 },
  widgetConfig: perMinute(120, 60),
  widgetRoom: perMinute(30, 15),
  widgetRoomsOfTenant: perMinute(600, 600),
  widgetMessage: perMinute(60, 10),
  widgetCall: { perSecond: 5, burst: 30 },
  widgetRead: { perSecond: 2, burst: 10 },
  streamConnect: perMinute(30, 10),
  uploadStart: { perSecond: 30 / 3600, burst: 10 },
  chunk: { perSecond: 20, burst: 40 },
  failedKey: perMinute(20, 10),
} as const satisfies Record<string, RateLimit>

/** Returns the remaining rates as the draft-standard RateLimit header fields. */
export function rateFields(left: readonly { readonly limit: RateLimit; readonly bucket: Bucket }[]) {
  const named = left.map(({ limit, bucket: { level } }) => {
    const name = Object.entries(rates).find(([, rate]) => rate === limit)?.[0] ?? 'calls'
    const seconds = (tokens: number) => Math.ceil(tokens / limit.perSecond)
    return {
      policy: `"${name}";q=${limit.burst};w=${seconds(limit.burst)}`,
      rate: `"${name}";r=${Math.floor(level / 1000)};t=${seconds(limit.burst - level / 1000)}`,
    }
  })
  return {
    'ratelimit-policy': named.map(({ policy }) => policy).join(', '),
    ratelimit: named.map(({ rate }) => rate).join(', '),
  }
}
