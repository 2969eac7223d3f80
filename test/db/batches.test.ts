import { expect, test } from 'vitest'
import { createBatches, type TakeItems } from '../../src/db/batches.ts'

/** Batches whose work starts when the test allows it. */
function heldBatches(maxSize: number) {
  const begun: { take: TakeItems<number>; done: PromiseWithResolvers<string[]> }[] = []
  const add = createBatches<number, string>(maxSize, (take) => {
    const done = Promise.withResolvers<string[]>()
    begun.push({ take, done })
    return done.promise
  })
  return { add, begun }
}

test('items join a batch until its work starts', async () => {
  const { add, begun } = heldBatches(10)
  const first = [add(1), add(2)]
  await expect.poll(() => begun.length).toBe(1)
  first.push(add(3))
  expect(begun[0]?.take()).toEqual([1, 2, 3])
  const fourth = add(4)
  await expect.poll(() => begun.length).toBe(2)
  // A transaction that is repeated gets the same items again.
  expect(begun[0]?.take()).toEqual([1, 2, 3])
  expect(begun[1]?.take()).toEqual([4])
  begun[1]?.done.resolve(['d'])
  begun[0]?.done.resolve(['a', 'b', 'c'])
  expect(await Promise.all([...first, fourth])).toEqual(['a', 'b', 'c', 'd'])
})

test('a full batch is closed, and a failed one fails only its own items', async () => {
  const { add, begun } = heldBatches(2)
  const results = Promise.allSettled([add(1), add(2), add(3)])
  await expect.poll(() => begun.length).toBe(2)
  expect(begun.map(({ take }) => take())).toEqual([[1, 2], [3]])
  begun[0]?.done.reject(new Error('the disk is full'))
  begun[1]?.done.resolve(['c'])
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})
