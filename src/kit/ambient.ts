import { createHmac, randomBytes } from 'node:crypto'
import { ulid, ulidBytes } from './ids.ts'

/** Sources of time, randomness and ids. Chosen in `world` and nowhere else. */
export interface Ambient {
  /** Epoch milliseconds. */
  now(): number
  /** Returns `size` random bytes. */
  random(size: number): Uint8Array
  /** Returns a new ULID: 26 upper-case characters. Ids of one source sort in the order they were made. */
  id(): string
}

/** Ambient of a real run: this machine's clock and the kernel's random bytes. */
export function realAmbient(now: () => number = Date.now): Ambient {
  const random = blocksOf(randomBytes)
  return { now, random, id: risingIds(now, random) }
}

const blockSize = 4096

/**
 * Reads random bytes from the kernel in large blocks and returns slices of them. Two bytes cost as much as thousands.
 */
function blocksOf(fill: (size: number) => Buffer): (size: number) => Uint8Array {
  let block: Buffer = Buffer.alloc(0)
  return (size) => {
    if (size > blockSize / 4) return fill(size)
    if (block.length < size) block = fill(blockSize)
    const bytes = block.subarray(0, size)
    block = block.subarray(size)
    return bytes
  }
}

/**
 * Start of the ids of a seeded source, 2026-01-01T00:00:00Z. Their time part counts ids, not milliseconds, so that runs
 * repeat.
 */
const seededEpoch = Date.UTC(2026, 0, 1)

/**
 * Returns a source that gives the same bytes and ids for the same seed. `run` numbers the openings of a world: each
 * opening gets its own stream, so that it does not repeat the ids of the first one. `branch` is another stream of a run.
 */
export function seededAmbient(
  seed: number | string,
  options: { now: () => number; run?: number; branch?: string },
): Ambient {
  const random = seededBytes(`${seed}/${options.run ?? 0}${options.branch ?? ''}`)
  let count = seededEpoch + (options.run ?? 0) * 10_000_000
  return { now: options.now, random, id: () => ulid(count++, random(ulidBytes)) }
}

/**
 * Returns a stream of bytes derived from a key: HMAC-SHA256 in counter mode. For repeatable runs, not for secrets that
 * matter.
 */
export function seededBytes(key: string): (size: number) => Uint8Array {
  let block = Buffer.alloc(0)
  let counter = 0
  return (size) => {
    while (block.length < size) {
      block = Buffer.concat([block, createHmac('sha256', key).update(String(counter++)).digest()])
    }
    const bytes = block.subarray(0, size)
    block = block.subarray(size)
    return bytes
  }
}

/** Makes ULIDs that never decrease, even when the clock is set back: the time part stays at the latest moment seen. */
function risingIds(now: () => number, random: (size: number) => Uint8Array): () => string {
  let latest = 0
  return () => {
    latest = Math.max(latest, now())
    return ulid(latest, random(ulidBytes))
  }
}
