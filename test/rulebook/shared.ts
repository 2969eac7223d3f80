import { afterAll, beforeAll } from 'vitest'
import { type TestWorld, type TestWorldOptions, testWorld } from '../support/worlds/world.ts'

/** Creates the shared state of a file's tests once; the world is closed with the file. */
export function shared<T>(make: (world: TestWorld) => Promise<T>, options: TestWorldOptions = {}): () => T {
  const closing: (() => Promise<void>)[] = []
  const made: T[] = []
  beforeAll(async () => {
    made.push(await make(await testWorld({ ...options, cleanUp: (work) => closing.push(work) })))
  })
  afterAll(async () => {
    for (const close of closing.toReversed()) await close()
  })
  return () => {
    const [one] = made
    if (one === undefined) throw new Error('nothing is shared before the tests of the file run')
    return one
  }
}
