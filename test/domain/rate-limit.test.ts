import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fullBucket, refilled, storedBucket, takeToken } from '../../src/domain/rate-limit.ts'

const free = { perSecond: 5, burst: 10 }

/** Sends a request at each time in turn; returns the waits. */
function waits(moments: readonly number[], limit = free) {
  let bucket = fullBucket(limit, moments[0] ?? 0)
  return moments.map((at) => {
    const taken = takeToken(bucket, limit, at)
    bucket = taken.bucket
    return taken.waitMs
  })
}

test('a burst is allowed and the next request waits for one token', () => {
  expect(waits(Array(11).fill(1000))).toEqual([...Array(10).fill(0), 200])
})

test('a request after the wait is allowed, a millisecond earlier not', () => {
  const burst = Array<number>(10).fill(1000)
  expect(waits([...burst, 1199]).at(-1)).toBe(1)
  expect(waits([...burst, 1200]).at(-1)).toBe(0)
})

test('a bucket never holds more than the burst, after any time without use', () => {
  expect(waits([...Array(10).fill(0), ...Array(11).fill(1e12)]).slice(10)).toEqual([...Array(10).fill(0), 200])
})

test('a rejected request costs no token', () => {
  expect(waits([...Array(10).fill(0), 0, 0, 0, 200])).toEqual([...Array(10).fill(0), 200, 200, 200, 0])
})

test('a clock that steps back neither fills the bucket nor empties it', () => {
  const empty = { level: 0, at: 5000 }
  expect(refilled(empty, free, 4000)).toEqual(empty)
  expect(takeToken(empty, free, 4000)).toEqual({ bucket: empty, waitMs: 1200 })
  expect(takeToken(empty, free, 5200).waitMs).toBe(0)
})

test('a bucket is full before the first request, and after its clock was set back by a minute', () => {
  const stored = { level: 7, at: 100_000 }
  expect(storedBucket(undefined, free, 5)).toEqual({ level: 10_000, at: 5 })
  expect(storedBucket(stored, free, 200_000)).toEqual(stored)
  // A process whose clock is slightly ahead wrote it.
  expect(storedBucket(stored, free, 40_001)).toEqual(stored)
  expect(storedBucket(stored, free, 40_000)).toEqual({ level: 10_000, at: 40_000 })
})

test('over any time at most the burst plus the refill is allowed', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 200 }), (gaps, perSecond, burst) => {
      let at = 0
      const moments = gaps.map((gap) => (at += gap))
      const given = waits(moments, { perSecond, burst }).filter((wait) => wait === 0).length
      const elapsed = at - (moments[0] ?? 0)
      expect(given).toBeLessThanOrEqual(burst + (elapsed * perSecond) / 1000)
    }),
  )
})

test('a caller that waits as long as stated always gets the token', () => {
  const bucket = fc.record({ level: fc.integer({ min: 0, max: 999 }), at: fc.constant(0) })
  fc.assert(
    fc.property(bucket, fc.integer({ min: 1, max: 1000 }), (had, perSecond) => {
      const limit = { perSecond, burst: 10 }
      const { waitMs, bucket: after } = takeToken(had, limit, 0)
      expect(waitMs).toBeGreaterThan(0)
      expect(takeToken(after, limit, waitMs).waitMs).toBe(0)
      expect(takeToken(after, limit, waitMs - 1).waitMs).toBe(1)
    }),
  )
})

test('a token has 1,000 parts: at 999 the next one is a part away', () => {
  const limit = { perSecond: 1, burst: 10 }
  expect(takeToken({ level: 999, at: 0 }, limit, 0)).toMatchObject({ waitMs: 1, bucket: { level: 999 } })
  expect(takeToken({ level: 1000, at: 0 }, limit, 0)).toMatchObject({ waitMs: 0, bucket: { level: 0 } })
  expect(fullBucket(limit, 5)).toEqual({ level: 10_000, at: 5 })
})
