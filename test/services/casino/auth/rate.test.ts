import { describe, expect, test } from 'vitest'
import type { NewKey } from '../../../../src/services/casino/admin/index.ts'
import { createKey, setLimits } from '../../../../src/services/casino/admin/index.ts'
import { parseReply, sendRaw } from '../../../support/http/raw.ts'
import { aTenant } from '../../../support/worlds/people.ts'
import { aClock, inFile, inMemory, onPostgres, type TestWorld, testWorld } from '../../../support/worlds/world.ts'

/** Number of concurrent requests that are accepted. */
async function answered(world: TestWorld, key: NewKey, count: number): Promise<number> {
  const replies = await Promise.all(Array.from({ length: count }, () => sendRaw(world, key)))
  for (const reply of replies)
    expect([{ status: 200 }, { status: 429, code: 'RATE_LIMITED' }]).toContainEqual({
      status: reply.status,
      ...(reply.status === 429 ? { code: parseReply(reply).code } : {}),
    })
  return replies.filter((reply) => reply.status === 200).length
}

const limited = (options: Parameters<typeof testWorld>[0] = {}) => testWorld({ rateLimits: true, ...options })

describe.each([inMemory, inFile, onPostgres])('on $name', (on) => {
  test.each([
    ['paid', 'live', 200, 100],
    ['paid', 'sandbox', 40, 20],
    ['free', 'live', 10, 5],
    ['free', 'sandbox', 40, 20],
  ] as const)(
    'a %s tenant can send %s %i requests at once, and then %i per second',
    async (plan, environment, burst, perSecond) => {
      const world = await limited({ on })
      const tenant = await aTenant(world, { plan })
      const { key } = environment === 'live' ? tenant : tenant.sandbox
      expect(await answered(world, key, burst + 15)).toBe(burst)
      world.clock.add('1s')
      expect(await answered(world, key, perSecond + 15)).toBe(perSecond)
      world.clock.add('1h')
      expect(await answered(world, key, burst + 15)).toBe(burst)
    },
  )
})

test('the bucket fills evenly: at 5 per second a token takes 200 ms', async () => {
  const world = await limited()
  const { key } = await aTenant(world, { plan: 'free' })
  expect(await answered(world, key, 11)).toBe(10)
  world.clock.add('199ms')
  expect(await answered(world, key, 1)).toBe(0)
  world.clock.add('1ms')
  expect(await answered(world, key, 2)).toBe(1)
})

test('a rejected request has a Retry-After', async () => {
  const world = await limited()
  const { key } = await aTenant(world, { plan: 'free' })
  await answered(world, key, 10)
  const reply = await sendRaw(world, key)
  expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
})

test('all keys of a tenant share one bucket per environment', async () => {
  const world = await limited()
  const tenant = await aTenant(world, { plan: 'free' })
  const second = await createKey(world.casino, tenant.code)
  expect(await answered(world, tenant.key, 6)).toBe(6)
  expect(await answered(world, second, 6)).toBe(4)
  expect(await answered(world, tenant.sandbox.key, 5)).toBe(5)
})

test('only requests that pass signature verification count', async () => {
  const world = await limited()
  const tenant = await aTenant(world, { plan: 'free' })
  for (let i = 0; i < 30; i++) await sendRaw(world, tenant.key, { secret: 'wrong' })
  for (let i = 0; i < 30; i++) await sendRaw(world, tenant.key, { timestamp: '123456789' })
  expect(await answered(world, tenant.key, 12)).toBe(10)
})

test('a replayed request takes nothing from the tenant it belongs to', async () => {
  const world = await limited()
  const tenant = await aTenant(world, { plan: 'free' })
  const nonce = 'sentAgainAndAgain1'
  for (let i = 0; i < 30; i++) await sendRaw(world, tenant.key, { nonce })
  expect(await answered(world, tenant.key, 12)).toBe(9)
})

test('a request rejected for its content counts', async () => {
  const world = await limited()
  const tenant = await aTenant(world, { plan: 'free' })
  for (let i = 0; i < 6; i++) await sendRaw(world, tenant.key, { url: '/api/tenant/v1/nothing' })
  expect(await answered(world, tenant.key, 12)).toBe(4)
})

test('a request over the rate has used its nonce', async () => {
  const world = await limited()
  const tenant = await aTenant(world, { plan: 'free' })
  await answered(world, tenant.key, 10)
  const nonce = 'overTheRate0000001'
  expect(parseReply(await sendRaw(world, tenant.key, { nonce }))).toMatchObject({ code: 'RATE_LIMITED' })
  world.clock.add('1s')
  expect(parseReply(await sendRaw(world, tenant.key, { nonce }))).toMatchObject({ message: 'nonce already used' })
})

test('the platform can override the rate of one tenant at once, and restore it', async () => {
  const world = await limited()
  const tenant = await aTenant(world, { plan: 'free' })
  await setLimits(world.casino, tenant.code, { rate_per_second: 50, rate_burst: 60 })
  expect(await answered(world, tenant.key, 70)).toBe(60)
  world.clock.add('1s')
  expect(await answered(world, tenant.key, 70)).toBe(50)
  await setLimits(world.casino, tenant.code, { rate_per_second: null, rate_burst: null })
  world.clock.add('1h')
  expect(await answered(world, tenant.key, 70)).toBe(10)
})

test('the bucket lasts across a restart', async () => {
  const world = await limited({ on: inFile })
  const tenant = await aTenant(world, { plan: 'free' })
  await answered(world, tenant.key, 10)
  const again = await world.reopened()
  expect(await answered(again, tenant.key, 3)).toBe(0)
})

test('a clock that is set back does not lock a tenant out', async () => {
  const time = aClock()
  const world = await limited({ time })
  const tenant = await aTenant(world, { plan: 'free' })
  await answered(world, tenant.key, 10)
  await world.clock.set(time.now() - 30 * 86_400_000)
  expect(await answered(world, tenant.key, 12)).toBe(10)
})

test('a clock that is slightly behind grants no additional tokens', async () => {
  const time = aClock()
  const world = await limited({ time })
  const tenant = await aTenant(world, { plan: 'free' })
  await answered(world, tenant.key, 10)
  time.add('-500ms')
  expect(await answered(world, tenant.key, 1)).toBe(0)
  time.add('500ms')
  expect(await answered(world, tenant.key, 1)).toBe(0)
})

test('without rate limits no request is rejected', async () => {
  const world = await testWorld({ rateLimits: false })
  const tenant = await aTenant(world, { plan: 'free' })
  expect(await answered(world, tenant.key, 300)).toBe(300)
})
