/** Sizes of the memory that is kept for the next response, in bytes. */
const smallest = 16 * 1024
const largestKept = 4 * 1024 * 1024
/** Number of responses that usually arrive at the same time. */
const maxKept = 2

const spare: Buffer[] = []

/**
 * The bytes of a response that is arriving. Their memory is used again: copying a page of bets into new memory takes 0.28 ms of
 * CPU time, and 0.02 ms into memory that was used before.
 */
export class ReceivedBytes {
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

  text(): string {
    return this.#bytes?.toString('utf8', 0, this.#size) ?? ''
  }

  /** Gives the memory back. There is no text then. */
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
