import { describe, expect, test } from 'vitest'
import { createTenant, listTenants } from '../../src/services/casino/admin/index.ts'
import { closeWorld } from '../../src/world/clients/local-world.ts'
import { credentialsOf, demoCode, ensureDemo } from '../../src/world/demo-data.ts'
import { openWorld } from '../../src/world/world.ts'
import { aTenant, clientOf, refuses } from '../support/worlds/people.ts'
import { inFile, inMemory, onPostgres, testWorld } from '../support/worlds/world.ts'

describe.each([inMemory, inFile, onPostgres])('the demo on $name', (on) => {
  test('is a paid operator with its sandbox, four players with 10,000 in both, and every table enabled', async () => {
    const world = await testWorld({ on })
    expect(await ensureDemo(world.casino)).toBe(true)
    const keys = await credentialsOf(world.casino, demoCode)
    expect(keys).toMatchObject({ companyCode: 'DEMO', timezone: 'Asia/Taipei' })
    expect(keys?.live.apiKey).toMatch(/^ek_l_/)
    expect(keys?.sandbox.apiKey).toMatch(/^ek_s_/)
    if (!keys) return
    for (const key of [keys.live, keys.sandbox]) {
      const client = clientOf(world, key)
      expect((await client.tables({})).tables.every((table) => table.enabled)).toBe(true)
      for (const username of ['amy', 'bob', 'cho', 'dee'])
        expect(await client.balance({ query: { username } })).toEqual({ balance: '10000', currency: 'USD' })
      for (const currency of ['TWD', 'EUR', 'JPY'])
        await client.launch({ body: { username: `in-${currency}`, currency } })
    }
    expect(await clientOf(world, keys.live).account({})).toMatchObject({ plan: 'paid', state: 'PAID', tablesUsed: 8 })
  })

  test('is added to an empty world once, and to no other', async () => {
    const world = await testWorld({ on })
    await ensureDemo(world.casino)
    expect(await ensureDemo(world.casino)).toBe(false)
    expect(await listTenants(world.casino)).toHaveLength(2)
    const other = await testWorld({ on })
    await aTenant(other)
    expect(await ensureDemo(other.casino)).toBe(false)
    expect(await credentialsOf(other.casino, demoCode)).toBeUndefined()
  })
})

describe('a world', () => {
  test('has the platform’s tables and bet limits from its first opening, once', async () => {
    const world = await testWorld({ on: inFile })
    const count = async (of: typeof world) =>
      of.store.read(async ({ q }) => [
        (await q.selectFrom('casino_tables').selectAll().execute()).length,
        (await q.selectFrom('casino_limit_profiles').selectAll().execute()).length,
      ])
    expect(await count(world)).toEqual([16, 48])
    expect(await count(await world.reopened())).toEqual([16, 48])
  })

  test('knows its served address, which launch links use', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    const link = async () => (await tenant.client.launch({ body: { username: 'amy' } })).url
    expect(await link()).toMatch(/^http:\/\/127\.0\.0\.1:8787\/Launch/)
    const { url } = await world.server.listen({ port: 0 })
    expect((await link()).startsWith(`${url}/Launch?t=`)).toBe(true)
  })

  test('responds on its reference, and with 404 elsewhere', async () => {
    const world = await testWorld()
    expect((await world.server.inject({ method: 'GET', path: '/docs', headers: {} })).status).toBe(200)
    expect((await world.server.inject({ method: 'GET', path: '/nothing', headers: {} })).status).toBe(404)
  })

  test('can be closed twice, and rejects later requests', async () => {
    const world = await testWorld({ on: inFile })
    await world.close()
    await world.close()
    await refuses(
      'STORE_UNAVAILABLE',
      world.store.read(async () => 1),
    )
  })

  test('whose database went away is closed by a command with a problem of its own, because its work is committed', async () => {
    const world = await testWorld({ on: inFile })
    await world.store.close()
    await refuses('JOBS_NOT_RUN', closeWorld(world))
  })

  test('opened a second time in one process on one file is rejected, and the first continues', async () => {
    const world = await testWorld({ on: inFile })
    await refuses('STORE_IN_USE', openWorld({ db: world.database.url ?? '' }))
    await aTenant(world)
  })

  test('leaves nothing open if it cannot be opened', async () => {
    await refuses('STORE_UNAVAILABLE', openWorld({ db: '/nowhere/at/all/world.db' }))
    await refuses('STORE_URL', openWorld({ db: 'mysql://localhost/x' }))
  })
})

describe('a tenant', () => {
  const order = { code: 'acme', plan: 'paid', timezone: 'UTC', currency: 'usd', currencies: ['twd', 'USD'] } as const

  test('has a code in capitals, a sandbox with that code, and its currencies once each, the primary first', async () => {
    const world = await testWorld()
    expect(await createTenant(world.casino, order)).toMatchObject({ companyCode: 'ACME', timezone: 'UTC' })
    const [live, sandbox] = await listTenants(world.casino)
    expect(live).toMatchObject({ code: 'ACME', currency: 'USD', currencies: '["USD","TWD"]', state: 'PAID' })
    expect(sandbox).toMatchObject({ code: 'ACME-SBX', live_code: 'ACME', environment: 'sandbox', state: 'FREE' })
  })

  test('is created once', async () => {
    const world = await testWorld()
    await createTenant(world.casino, order)
    await refuses('CONFLICT', createTenant(world.casino, { ...order, code: 'Acme' }))
    const many = await Promise.allSettled(
      Array.from({ length: 5 }, () => createTenant(world.casino, { ...order, code: 'B' })),
    )
    expect(many.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  })

  test.each([
    [{ code: '' }, 'INVALID_PARAMETER'],
    [{ code: 'a b' }, 'INVALID_PARAMETER'],
    [{ code: 'X-SBX' }, 'INVALID_PARAMETER'],
    [{ code: 'X'.repeat(32) }, 'INVALID_PARAMETER'],
    [{ timezone: 'Mars/Olympus' }, 'INVALID_PARAMETER'],
    [{ currency: 'US' }, 'INVALID_CURRENCY'],
    [{ currencies: ['DOLLAR'] }, 'INVALID_CURRENCY'],
    [{ languages: ['Klingon'] }, 'INVALID_PARAMETER'],
  ])('with %j is refused', async (wrong, code) => {
    const world = await testWorld()
    await refuses(code, createTenant(world.casino, { ...order, ...wrong }))
    expect(await listTenants(world.casino)).toEqual([])
  })
})
