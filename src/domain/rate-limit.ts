/** A token bucket: it fills at a steady rate up to a burst, and every request takes one token or has to wait. */

export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

/**
 * Level of a bucket at a moment, in thousandths of a token. At a whole number per second it gains a whole number each
 * millisecond, so no rounding accumulates.
 */
export interface Bucket {
  readonly level: number
  readonly at: number
}

const token = 1000

/** Returns a full bucket. */
export function fullBucket(limit: RateLimit, at: number): Bucket {
  return { level: limit.burst * token, at }
}

/** A bucket this far ahead was not written by a process with a slightly fast clock: the world's clock was set back. */
const movedClockMs = 60_000

/** Returns a stored bucket; a full one if there is none, or if the clock was set back since it was stored. */
export function storedBucket(stored: Bucket | undefined, limit: RateLimit, at: number): Bucket {
  return stored && stored.at - at < movedClockMs ? stored : fullBucket(limit, at)
}

/** Returns the bucket refilled to a later moment. A clock that was set back changes nothing. */
export function refilled(bucket: Bucket, limit: RateLimit, at: number): Bucket {
  const gained = Math.max(0, at - bucket.at) * limit.perSecond
  return { level: Math.min(limit.burst * token, bucket.level + gained), at: Math.max(at, bucket.at) }
}

/** Takes a token. Returns the bucket and the milliseconds until the next token is available; 0 when one was taken. */
export function takeToken(bucket: Bucket, limit: RateLimit, at: number): { bucket: Bucket; waitMs: number } {
  const now = refilled(bucket, limit, at)
  if (now.level >= token) return { bucket: { ...now, level: now.level - token }, waitMs: 0 }
  // Counted from the bucket's own time, which is ahead of a clock that was set back.
  return { bucket: now, waitMs: now.at - at + Math.ceil((token - now.level) / limit.perSecond) }
}
