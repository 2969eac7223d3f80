import assert from 'node:assert/strict'
import type { ReplyBytes } from '../contract/wire-types.ts'

/** Sizes of the memory that is kept for the next response, in bytes. */
const smallest = 16 * 1024
const largestKept = 4 * 1024 * 1024
/** Number of responses that are usually in use at the same time: one arrives, and the bytes of two pages of bets are being stored. */
const maxKept = 3

const spare: Buffer[] = []
const nothing = Buffer.alloc(0)

/**
 * The bytes of a response that is arriving. Their memory is used again: copying a page of bets into new memory takes 0.28 ms of
 * CPU time, and 0.02 ms into memory that was used before.
 */
export class ReceivedBytes implements ReplyBytes {
  #size = 0
  #bytes: Buffer | undefined
  #isReleased = false

  get size(): number {
    return this.#size
  }

  /** Adds a part. One that arrives after the release is ignored. */
  add(part: Uint8Array): void {
    if (this.#isReleased) return
    const bytes = this.#withRoomFor(part.length)
    bytes.set(part, this.#size)
    this.#size += part.length
  }

  /** The bytes that have arrived, not copied. Throws after the release: the memory may have the bytes of another response. */
  get all(): Buffer {
    assert(!this.#isReleased, 'the bytes of a response are read after their release')
    return this.#bytes?.subarray(0, this.#size) ?? nothing
  }

  text(): string {
    return this.all.toString()
  }

  /** Gives the memory back. */
  release(): void {
    const bytes = this.#bytes
    this.#isReleased = true
    this.#bytes = undefined
    if (bytes && bytes.length <= largestKept && spare.length < maxKept) spare.push(bytes)
  }

  #withRoomFor(length: number): Buffer {
    const held = this.#bytes ?? spare.pop()
    if (held && this.#size + length <= held.length) {
      this.#bytes = held
      return held
    }
    const larger = Buffer.allocUnsafeSlow(Math.max(smallest, 2 * (this.#size + length)))
    if (this.#bytes) larger.set(this.#bytes.subarray(0, this.#size))
    this.#bytes = larger
    return larger
  }
}
