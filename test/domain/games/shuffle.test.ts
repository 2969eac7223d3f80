import { describe, expect, test } from 'vitest'
import { type Bytes, drawBelow, shuffled } from '../../../src/domain/games/shuffle.ts'

/** A stream of these bytes, which reports the number of requested ones; zeros after them. */
function aStream(...bytes: readonly number[]) {
  const sizes: number[] = []
  let at = 0
  const stream: Bytes = (size) => {
    sizes.push(size)
    at += size
    return Uint8Array.from({ length: size }, (_, i) => bytes[at - size + i] ?? 0)
  }
  return { stream, sizes }
}

describe('a draw', () => {
  test.each([
    [10, 0, 0, 0],
    [10, 0, 7, 7],
    [10, 0, 10, 0],
    [10, 1, 0, 6],
    // 65,530 is the last multiple of ten: a higher value is drawn again.
    [10, 255, 249, 9],
    [1, 255, 255, 0],
    [2, 255, 255, 1],
    [65_536, 255, 255, 65_535],
    [65_536, 1, 2, 258],
  ])('below %i from the bytes %i and %i is %i', (below, high, low, expected) => {
    const { stream, sizes } = aStream(high, low)
    expect(drawBelow(below, stream)).toBe(expected)
    expect(sizes).toEqual([2])
  })

  test.each([
    [10, 255, 250],
    [3, 255, 255],
    [65_535, 255, 255],
  ])('below %i skips %i and %i, which would favor the lowest', (below, high, low) => {
    const { stream, sizes } = aStream(high, low, 0, 1)
    expect(drawBelow(below, stream)).toBe(1)
    expect(sizes).toEqual([2, 2])
  })

  test.each([0, -1, 1.5, 65_537, Number.NaN])('below %d is invalid', (below) => {
    expect(() => drawBelow(below, aStream().stream)).toThrow(/65,536/)
  })

  test('fails after a thousand rejected draws', () => {
    const { stream, sizes } = aStream(...Array<number>(4000).fill(255))
    expect(() => drawBelow(3, stream)).toThrow(/no usable draw/)
    expect(sizes).toHaveLength(1000)
  })
})

describe('an order', () => {
  test('is made from the end, each place by one draw from the rest', () => {
    // Draws below 4, 3 and 2: 1, 0 and 1.
    const { stream, sizes } = aStream(0, 1, 0, 0, 0, 1)
    expect(shuffled(['a', 'b', 'c', 'd'], stream)).toEqual(['c', 'd', 'a', 'b'])
    expect(sizes).toEqual([8])
  })

  test('requests as many bytes again if draws were skipped', () => {
    const { stream, sizes } = aStream(255, 255, 255, 255, 255, 255, 0, 1, 0, 0)
    expect(shuffled(['a', 'b', 'c'], stream)).toEqual(['c', 'a', 'b'])
    expect(sizes).toEqual([6, 6])
  })

  test('uses all bytes of a block before it requests another', () => {
    const { stream, sizes } = aStream(255, 255, 255, 255, 0, 1, 0, 0)
    expect(shuffled(['a', 'b', 'c'], stream)).toEqual(['c', 'a', 'b'])
    expect(sizes).toEqual([6, 6])
  })

  test('of one item or none uses no random bytes', () => {
    const { stream, sizes } = aStream()
    expect([shuffled([], stream), shuffled(['a'], stream)]).toEqual([[], ['a']])
    expect(sizes).toEqual([])
  })
})
