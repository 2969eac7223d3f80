import { expect, test } from 'vitest'
import { aClock, testWorld } from '../../../support/worlds/world.ts'

test('a clock that is set back does not lock an address out', async () => {
  const time = aClock()
  const world = await testWorld({ rateLimits: true, time })
  /** The number of accepted requests, of more than a burst. */
  const answered = async () => {
    let count = 0
    for (let i = 0; i < 402; i++) {
      const { status } = await world.server.inject({ method: 'GET', path: '/v1/status', headers: {} })
      if (status === 200) count++
    }
    return count
  }
  expect(await answered()).toBe(400)
  await world.clock.set(time.now() - 30 * 86_400_000)
  expect(await answered()).toBe(400)
})
