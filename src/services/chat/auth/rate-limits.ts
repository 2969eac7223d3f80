import { createBatches } from '../../../db/batches.ts'
import type { Store, Tx } from '../../../db/store.ts'
import {
  type Bucket,
  fullBucket,
  type RateLimit,
  refilled,
  storedBucket,
  takeToken,
} from '../../../domain/rate-limit.ts'
import { bucketsOf, saveBuckets } from '../queries/buckets.ts'

/** A rate limit that a request uses: it takes one token of the bucket. */
export interface RequestLimit {
  readonly key: string
  readonly limit: RateLimit
}

/** Result of taking tokens from buckets. */
export interface Taken {
  /** Milliseconds to wait; 0 when they were taken. */
  readonly waitMs: number
  /** Current state of the buckets. */
  readonly left: readonly { readonly limit: RateLimit; readonly bucket: Bucket }[]
}

export interface Limiter {
  /** Takes one token of every bucket, or none of any. */
  take(limits: readonly RequestLimit[]): Promise<Taken>
}

/**
 * Opens the token buckets of a database. They are stored only if several processes may serve it, because the number of
 * processes must not multiply the limits. Otherwise they are in memory: a restart resets them, but requests need no
 * write.
 */
export function openLimiter(store: Store, now: () => number): Limiter {
  return store.isShared ? createSharedLimiter(store, now) : createLimiter(now)
}

/** Maximum number of requests whose tokens are taken in one transaction. */
const batchSize = 50

/** Time in which any bucket is full again: a bucket that is older equals a missing one. */
export const bucketMemoryMs = 3_600_000

function createSharedLimiter(store: Store, now: () => number): Limiter {
  const take = createBatches<readonly RequestLimit[], Taken>(batchSize, (requests) =>
    store.write((tx) => takeStored(tx, requests(), now()), { writeGroup: 'chat-rates' }),
  )
  return { take }
}

async function takeStored(tx: Tx, requests: readonly (readonly RequestLimit[])[], at: number): Promise<Taken[]> {
  const keys = new Set(requests.flatMap((limits) => limits.map(({ key }) => key)))
  const buckets = await bucketsOf(tx, [...keys])
  const changed = new Map<string, Bucket>()
  const taken = requests.map((limits) => {
    const results = limits.map(({ key, limit }) => ({
      key,
      limit,
      ...takeToken(storedBucket(buckets.get(key), limit, at), limit, at),
    }))
    return takenOf(results, (key, bucket) => {
      buckets.set(key, bucket)
      changed.set(key, bucket)
    })
  })
  await saveBuckets(tx, changed)
  return taken
}

/** Result of taking a token from one bucket. */
interface TokenResult {
  readonly key: string
  readonly limit: RateLimit
  readonly bucket: Bucket
  readonly waitMs: number
}

/** Keeps the changed buckets of a request if each had a token. */
function takenOf(
  results: readonly TokenResult[],
  keep: (key: string, bucket: Bucket, limit: RateLimit) => void,
): Taken {
  const waitMs = Math.max(0, ...results.map((each) => each.waitMs))
  if (waitMs === 0) for (const { key, bucket, limit } of results) keep(key, bucket, limit)
  return { waitMs, left: results }
}

/** Maximum number of buckets; full ones are dropped first. */
const maxBuckets = 50_000

function createLimiter(now: () => number): Limiter {
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
    async take(limits) {
      const at = now()
      if (buckets.size > maxBuckets) drop(at)
      const results = limits.map(({ key, limit }) => ({
        key,
        limit,
        ...takeToken(buckets.get(key)?.bucket ?? fullBucket(limit, at), limit, at),
      }))
      return takenOf(results, (key, bucket, limit) => buckets.set(key, { bucket, limit }))
    },
  }
}

const perMinute = (count: number, burst: number): RateLimit => ({ perSecond: count / 60, burst })

/** Sustained rates and bursts, chosen by us: the document gives no figures. */
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
  transcript: { perSecond: 3 / 3600, burst: 3 },
  transcriptAddress: { perSecond: 10 / 3600, burst: 10 },
  widgetTicket: { perSecond: 20 / 3600, burst: 5 },
  rating: perMinute(6, 3),
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
