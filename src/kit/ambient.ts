import { createHmac, randomBytes } from 'node:crypto'
import { ulid, ulidBytes } from './ids.ts'

/** What the outside decides: the time, chance, and ids made of both. Chosen in `world` and nowhere else. */
export interface Ambient {
  /** Epoch milliseconds. */
  now(): number
  /** That many random bytes. */
  random(size: number): Uint8Array
  /** A new ULID: 26 upper-case characters, later ones sorting after earlier ones of the same source. */
  id(): string
}

/** The real thing: this machine's clock and the kernel's random bytes. */
export function realAmbient(now: () => number = Date.now): Ambient {
  const random = blocksOf(randomBytes)
  return { now, random, id: risingIds(now, random) }
}

const blockSize = 4096

/** Asks the kernel for many bytes at once and hands them out in pieces: asking for two costs as much as for thousands. */
function blocksOf(fill: (size: number) => Buffer): (size: number) => Uint8Array {
  let block: Buffer = Buffer.alloc(0)
  return (size) => {
    if (size > blockSize / 4) return fill(size)
    if (block.length < size) block = fill(blockSize)
    const taken = block.subarray(0, size)
    block = block.subarray(size)
    return taken
  }
}

/** Where the ids of a seeded source begin, 2026-01-01T00:00:00Z: their time part counts ids, not milliseconds, so that it repeats. */
const seededEpoch = Date.UTC(2026, 0, 1)

/**
 * A source that gives the same bytes and ids again for the same seed. `run` tells apart the times a
 * world was opened: each opening goes on with a stream of its own instead of repeating the first one.
 */
export function seededAmbient(seed: number | string, options: { now: () => number; run?: number }): Ambient {
  const random = seededBytes(`${seed}/${options.run ?? 0}`)
  let count = seededEpoch + (options.run ?? 0) * 10_000_000
  return { now: options.now, random, id: () => ulid(count++, random(ulidBytes)) }
}

/** A stream of bytes from a key: HMAC-SHA256 in counter mode. Good for repeating a run, not for secrets that matter. */
export function seededBytes(key: string): (size: number) => Uint8Array {
  let block = Buffer.alloc(0)
  let counter = 0
  return (size) => {
    while (block.length < size) {
      block = Buffer.concat([block, createHmac('sha256', key).update(String(counter++)).digest()])
    }
    const taken = block.subarray(0, size)
    block = block.subarray(size)
    return taken
  }
}

/** ULIDs that never step back, also when the clock does: the time part stays at the latest moment seen. */
function risingIds(now: () => number, random: (size: number) => Uint8Array): () => string {
  let latest = 0
  return () => {
    latest = Math.max(latest, now())
    return ulid(latest, random(ulidBytes))
  }
}
