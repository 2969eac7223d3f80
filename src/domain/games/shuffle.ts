/** Uniform shuffling from a given stream of random bytes. */
import assert from 'node:assert/strict'

/** Returns `size` random bytes. A seeded stream repeats the same order. */
export type Bytes = (size: number) => Uint8Array

/** Maximum draws. At worst 2 in 65,536 draws are skipped, so a stream that reaches this is broken. */
const maxDraws = 1000

/**
 * Returns a uniform whole number from 0 to `below - 1`. Draws above the last whole multiple are skipped, not folded in.
 */
export function drawBelow(below: number, bytes: Bytes): number {
  assert(Number.isInteger(below) && below >= 1 && below <= 65_536, 'below must be 1 to 65,536')
  const fair = 65_536 - (65_536 % below)
  for (let draws = 0; draws < maxDraws; draws++) {
    const [high = 0, low = 0] = bytes(2)
    const drawn = high * 256 + low
    if (drawn < fair) return drawn % below
  }
  assert.fail('the byte stream gave no usable draw')
}

/** Returns the items in a new order (Fisher–Yates). The given list is not changed. */
export function shuffled<T>(items: readonly T[], bytes: Bytes): T[] {
  const order = [...items]
  // One block for all draws: 415 kernel calls of two bytes take longer than the shuffle itself.
  const pairs = inBlocks(2 * Math.max(1, items.length), bytes)
  for (let last = order.length - 1; last > 0; last--) {
    const chosen = drawBelow(last + 1, pairs)
    // Both indexes are within the list. T may itself include undefined, so no check on the value is possible.
    const moved = order[last] as T
    order[last] = order[chosen] as T
    order[chosen] = moved
  }
  return order
}

/** Returns the same stream, read in blocks. The rest of the last block is discarded. */
function inBlocks(blockSize: number, bytes: Bytes): Bytes {
  let block = new Uint8Array(0)
  let read = 0
  return (size) => {
    if (read + size > block.length) {
      block = Uint8Array.from(bytes(blockSize))
      read = 0
    }
    read += size
    return block.subarray(read - size, read)
  }
}
