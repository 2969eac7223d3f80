/** A token bucket: it fills at a steady rate up to a burst, and every request takes one token or has to wait. */

export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

/**
 * How full a bucket was at a moment. The level counts thousandths of a token: at a whole number per second
 * a bucket gains a whole number of them each millisecond, and no rounding adds up.
 */
export interface Bucket {
  readonly level: number
  readonly at: number
}

const token = 1000

/** A bucket nobody has taken from. */
export function fullBucket(limit: RateLimit, at: number): Bucket {
  return { level: limit.burst * token, at }
}

/** The bucket as it stands at a later moment. A clock that steps back adds nothing and takes nothing. */
export function refilled(bucket: Bucket, limit: RateLimit, at: number): Bucket {
  const gained = Math.max(0, at - bucket.at) * limit.perSecond
  return { level: Math.min(limit.burst * token, bucket.level + gained), at: Math.max(at, bucket.at) }
}

/** The bucket after one request at that moment, and in how many milliseconds to ask again: 0 when the token was given. */
export function takeToken(bucket: Bucket, limit: RateLimit, at: number): { bucket: Bucket; waitMs: number } {
  const now = refilled(bucket, limit, at)
  if (now.level >= token) return { bucket: { ...now, level: now.level - token }, waitMs: 0 }
  // Counted from the bucket's own moment, which is ahead of a clock that stepped back.
  return { bucket: now, waitMs: now.at - at + Math.ceil((token - now.level) / limit.perSecond) }
}
