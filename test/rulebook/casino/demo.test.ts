import { describe, expect, test } from 'vitest'
import { topUp } from '../../../src/services/casino/admin/index.ts'
import { open } from '../../support/browser/browser.ts'
import { anOpenRound, aPlayer, aTenant, type TestTenant } from '../../support/worlds/people.ts'
import { aClock, testWorld } from '../../support/worlds/world.ts'
import { ask, verdictOf } from './casino.ts'
import * as book from './limits.ts'

const day = 86_400_000

/** Returns whether one more player may enter. */
const enters = async (tenant: TestTenant, username: string) =>
  (await open(tenant.world, (await tenant.client.launch({ body: { username } })).url)).status === 200

describe('players online at once', () => {
  test.each([
    { ends: 'a logout', by: (tenant: TestTenant) => tenant.client.logout({ body: { username: 'p-3' } }), frees: 1 },
    {
      ends: 'a lock',
      by: (tenant: TestTenant) => tenant.client.updatePlayer({ body: { username: 'p-3', status: 'locked' } }),
      frees: 1,
    },
    {
      ends: 'just under 60 minutes of idleness',
      by: async ({ world }: TestTenant) => world.clock.add(`${book.session.idleMinutes * 60 - 1}s`),
      frees: 0,
    },
    {
      ends: '60 minutes of idleness',
      by: async ({ world }: TestTenant) => world.clock.add(`${book.session.idleMinutes * 60 + 1}s`),
      frees: book.demo.online,
    },
  ])('$ends frees $frees of the places', async ({ by, frees }) => {
    const tenant = await aTenant(await testWorld(), { plan: 'free' })
    for (let i = 0; i < book.demo.online; i++) expect(await enters(tenant, `p-${i}`)).toBe(true)
    expect(await enters(tenant, 'more')).toBe(false)
    // A player with a session enters again by another link, which replaces the session.
    expect(await enters(tenant, 'p-3')).toBe(true)
    await by(tenant)
    const seen = []
    for (let i = 0; i <= book.demo.online; i++) seen.push(await enters(tenant, `more-${i}`))
    expect(seen.filter(Boolean)).toHaveLength(frees)
  })
})

describe('activity', () => {
  test.each([1, 4, 30, 59])('%i minutes after the entry keeps a session for 60 minutes more', async (minutes) => {
    for (const more of [-1, 1]) {
      const world = await testWorld()
      const tenant = await aTenant(world, { tables: ['BAC-01'] })
      const page = await open(world, (await tenant.client.launch({ body: { username: 'amy' } })).url)
      world.clock.add(`${minutes}m`)
      expect((await page.reload()).status).toBe(200)
      world.clock.add(`${book.session.idleMinutes * 60 + more}s`)
      expect((await page.reload()).status).toBe(more < 0 ? 200 : 401)
    }
  })
})

describe('the demo plan’s limits', () => {
  const bet = (tenant: TestTenant, username: string, amount: string) =>
    anOpenRound(tenant, 'BAC-01', [{ username, bets: { B: amount } }]).then(
      () => true,
      () => false,
    )

  test('apply in a sandbox too: the bets of a day', async () => {
    const { sandbox } = await aTenant(await testWorld())
    await sandbox.client.enableTable({ body: { tableId: 'BAC-01' } })
    for (const username of ['amy', 'bob']) await aPlayer(sandbox, { username, balance: '5000' })
    expect(await bet(sandbox, 'amy', book.dailyBets.USD)).toBe(true)
    expect(await bet(sandbox, 'bob', '1')).toBe(false)
  })

  test('apply after an automatic downgrade: rate, tables, players, bets of a day, readable bets', async () => {
    const time = aClock('2026-03-10T12:00:00.000Z')
    const world = await testWorld({ time, rateLimits: true })
    const tenant = await aTenant(world, { tables: ['BAC-01', 'DT-01', 'HE-01', 'NN-01'] })
    for (let i = 0; i < book.demo.players; i++) await aPlayer(tenant, { username: `p-${i}`, balance: '5000' })
    await topUp(world.casino, tenant.code, '1', 'first')
    await world.clock.advance(Date.parse('2026-03-10T12:00:00.000Z') + 9 * day)
    time.add('1h')
    const account = await tenant.client.account({})
    expect(account).toMatchObject({ state: 'DOWNGRADED', plan: 'free', tablesUsed: 2, tablesQuota: book.demo.tables })
    time.add('1h')
    const free = book.requestRates.find(({ plan }) => plan === 'free')
    let passed = 0
    while ((await ask(tenant, 'GET /tables')).status === 200) passed++
    expect(passed).toBe(free?.burst)
    time.add('1h')
    const launch = await ask(tenant, 'POST /player/launch', { username: 'one-more' })
    const enable = await ask(tenant, 'POST /tables/enable', { tableId: 'NN-01' })
    expect([launch, enable].map(verdictOf)).toEqual(['PLAYER_LIMIT', 'QUOTA_EXCEEDED'])
    expect(await bet(tenant, 'p-1', book.dailyBets.USD)).toBe(true)
    expect(await bet(tenant, 'p-2', '1')).toBe(false)
  })
})
