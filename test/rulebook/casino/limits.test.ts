import { describe, expect, test } from 'vitest'
import { createKey, rotateKey, setAllowlist } from '../../../src/services/casino/admin/index.ts'
import { aTenant } from '../../support/worlds/people.ts'
import { testWorld } from '../../support/worlds/world.ts'
import { ask, verdictOf } from './casino.ts'
import { patterns } from './fields.ts'
import * as book from './limits.ts'

describe('request rate', () => {
  test.each(book.requestRates)(
    '$plan: $burst at once, then $perSecond a second',
    async ({ plan, perSecond, burst }) => {
      const world = await testWorld({ rateLimits: true })
      const live = await aTenant(world, { plan: plan === 'free' ? 'free' : 'paid' })
      const tenant = plan === 'sandbox' ? live.sandbox : live
      const passing = async (count: number) => {
        let passed = 0
        for (let i = 0; i < count; i++) if ((await ask(tenant, 'GET /tables')).status === 200) passed++
        return passed
      }
      expect(await passing(burst + 2)).toBe(burst)
      world.clock.add('1s')
      expect(await passing(perSecond + 2)).toBe(perSecond)
      world.clock.add(`${1000 / perSecond}ms`)
      expect(await passing(2)).toBe(1)
      world.clock.add('10s')
      expect(await passing(burst + 2)).toBe(burst)
      // The other keys of the tenant share the bucket, and an invalid signature takes no token from it.
      world.clock.add('10s')
      const other = { ...tenant, key: await createKey(world.casino, tenant.code) }
      for (let i = 0; i < 5; i++) await ask(tenant, 'GET /tables', {}, { secret: 'wrong' })
      for (let i = 0; i < burst; i++) expect((await ask(i % 2 ? tenant : other, 'GET /tables')).status).toBe(200)
      expect((await ask(other, 'GET /tables')).status).toBe(429)
    },
  )
})

describe('one request', () => {
  test.each([-1, 0, 1])('a body of the limit and %i bytes', async (more) => {
    const tenant = await aTenant(await testWorld())
    const empty = JSON.stringify({ username: 'amy', more: '' })
    const body = JSON.stringify({ username: 'amy', more: 'x'.repeat(book.bodyBytes + more - empty.length) })
    expect(Buffer.byteLength(body)).toBe(book.bodyBytes + more)
    expect(verdictOf(await ask(tenant, 'POST /player/launch', {}, { body }))).toBe(
      more > 0 ? 'PAYLOAD_TOO_LARGE' : 'ok',
    )
  })

  const window = book.timestampWindowSeconds
  test.each([-window - 1, -window, -window + 1, 0, window - 1, window, window + 1])(
    'a timestamp %i seconds off',
    async (off) => {
      const world = await testWorld()
      const tenant = await aTenant(world)
      const timestamp = String(Math.floor(world.casino.machineNow() / 1000) + off)
      const answer = await ask(tenant, 'GET /tables', {}, { timestamp })
      expect(verdictOf(answer)).toBe(Math.abs(off) > window ? 'UNAUTHORIZED' : 'ok')
    },
  )

  test.each(patterns.timestamp.refuses)('a timestamp of "%s"', async (timestamp) => {
    const tenant = await aTenant(await testWorld())
    expect(verdictOf(await ask(tenant, 'GET /tables', {}, { timestamp }))).toBe('UNAUTHORIZED')
  })

  test.each([
    ...patterns.nonce.accepts.map((nonce) => ({ nonce, verdict: 'ok' })),
    ...patterns.nonce.refuses.map((nonce) => ({ nonce, verdict: 'UNAUTHORIZED' })),
  ])('a nonce of $nonce: $verdict', async ({ nonce, verdict }) => {
    const tenant = await aTenant(await testWorld())
    expect(verdictOf(await ask(tenant, 'GET /tables', {}, { nonce }))).toBe(verdict)
  })

  test.each([-1, 0, 1])('a nonce again after 600 and %i seconds', async (more) => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    const nonce = 'n'.repeat(book.nonce.shortest)
    expect(verdictOf(await ask(tenant, 'GET /tables', {}, { nonce }))).toBe('ok')
    world.clock.add(`${book.nonce.repeatsAfterSeconds + more}s`)
    const again = verdictOf(await ask(tenant, 'GET /tables', {}, { nonce }))
    // At exactly this second both are right: 600 seconds are over, or not yet.
    if (more !== 0) expect(again).toBe(more < 0 ? 'UNAUTHORIZED' : 'ok')
  })

  test('a nonce of a request with an invalid signature may be used', async () => {
    const tenant = await aTenant(await testWorld())
    const nonce = 'n'.repeat(16)
    await ask(tenant, 'GET /tables', {}, { nonce, secret: 'wrong' })
    expect(verdictOf(await ask(tenant, 'GET /tables', {}, { nonce }))).toBe('ok')
  })
})

describe('keys and addresses', () => {
  test('ten keys an environment; a rotated one works for 24 hours', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    for (const { code } of [tenant, tenant.sandbox]) {
      for (let count = 1; count < book.apiKeys.perEnvironment; count++) await createKey(world.casino, code)
      await expect(createKey(world.casino, code)).rejects.toThrow()
    }
    const other = await aTenant(world)
    await rotateKey(world.casino, other.key.apiKey)
    world.clock.add(`${book.apiKeys.rotatedHours * 3600 - 1}s`)
    expect(verdictOf(await ask(other, 'GET /tables'))).toBe('ok')
    world.clock.add('2s')
    expect(verdictOf(await ask(other, 'GET /tables'))).toBe('UNAUTHORIZED')
  })

  test('100 entries in an allowlist', async () => {
    const world = await testWorld()
    const { code } = await aTenant(world)
    const entries = (count: number) => Array.from({ length: count }, (_, i) => `198.51.100.${i}`)
    await setAllowlist(world.casino, code, entries(book.allowlist.entries))
    await expect(setAllowlist(world.casino, code, entries(book.allowlist.entries + 1))).rejects.toThrow()
  })

  test.each(book.allowlists)('$entry', async ({ entry, inside, outside }) => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    await setAllowlist(world.casino, tenant.code, [entry])
    for (const [addresses, verdict] of [
      [inside, 'ok'],
      [outside, 'IP_NOT_ALLOWED'],
    ] as const)
      for (const address of addresses)
        expect(verdictOf(await ask(tenant, 'GET /tables', {}, { address })), address).toBe(verdict)
  })
})
