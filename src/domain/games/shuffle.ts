/** Orders in which every one is as likely as every other, from a stream of bytes that is handed in. */
import assert from 'node:assert/strict'

/** So many bytes of chance. A seeded stream gives the same order again. */
export type Bytes = (size: number) => Uint8Array

/** A draw of 2 in 65,536 at worst is passed over, so a stream that never gives a fair one is broken, not unlucky. */
const mostDraws = 1000

/** A whole number from 0 to `below - 1`, each equally likely: draws above the last whole multiple are passed over, not folded in. */
export function drawBelow(below: number, bytes: Bytes): number {
  assert(Number.isInteger(below) && below >= 1 && below <= 65_536, 'a draw is among 1 to 65,536')
  const fair = 65_536 - (65_536 % below)
  for (let draws = 0; draws < mostDraws; draws++) {
    const [high = 0, low = 0] = bytes(2)
    const drawn = high * 256 + low
    if (drawn < fair) return drawn % below
  }
  assert.fail('the stream of bytes gave no fair draw')
}

/** The same items in a new order, by Fisher and Yates. The list handed in stays as it is. */
export function shuffled<T>(items: readonly T[], bytes: Bytes): T[] {
  const order = [...items]
  // One block for all draws: asking the kernel for two bytes 415 times takes longer than the shuffle itself.
  const pairs = inBlocks(2 * Math.max(1, items.length), bytes)
  for (let last = order.length - 1; last > 0; last--) {
    const chosen = drawBelow(last + 1, pairs)
    // Both places are within the list, so what is read is there: T may itself include undefined.
    const moved = order[last] as T
    order[last] = order[chosen] as T
    order[chosen] = moved
  }
  return order
}

/** The same stream, asked for in blocks. What is left of the last block is thrown away with it. */
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
