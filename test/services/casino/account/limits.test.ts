import { describe, expect, test } from 'vitest'
import { setLimits, setTenantState, topUp } from '../../../../src/services/casino/admin/index.ts'
import { aTenant } from '../../../support/worlds/people.ts'
import { aClock, testWorld } from '../../../support/worlds/world.ts'

/** The limits of each plan (1-tenant-api, Limits), and the platform's changes to them per tenant. */

const own = {
  rate_per_second: 7,
  rate_burst: 9,
  tables_quota: 5,
  players_limit: 60,
  online_limit: 12,
  viewers_limit: 4,
  view_minutes: 45,
  idle_days: 20,
}
const none = Object.fromEntries(Object.keys(own).map((column) => [column, null]))

describe('the limits of a tenant', () => {
  test('on the free plan are those of the demo, each replaced by its own if it has one', async () => {
    const world = await testWorld()
    const { code } = await aTenant(world, { plan: 'free' })
    const set = async (change: object) => (await setLimits(world.casino, code, change)).limits
    const demo = {
      rate: { perSecond: 5, burst: 10 },
      tables: 2,
      players: 50,
      online: 10,
      viewers: 3,
      viewMinutes: 30,
      idleDays: 14,
      isDemo: true,
    }
    expect(await set({})).toMatchObject(demo)
    const changed = {
      rate: { perSecond: 7, burst: 9 },
      tables: 5,
      players: 60,
      online: 12,
      viewers: 4,
      viewMinutes: 45,
      idleDays: 20,
      isDemo: true,
    }
    expect(await set(own)).toMatchObject(changed)
    // 0 minutes of viewing and 0 idle days lift the limit; 0 as a count allows none.
    expect(await set({ view_minutes: 0, idle_days: 0, viewers_limit: 0, day_bets_limited: 0 })).toMatchObject({
      ...changed,
      viewers: 0,
      viewMinutes: null,
      idleDays: null,
      isDemo: false,
    })
    expect(await set({ ...none, day_bets_limited: null })).toMatchObject(demo)
    expect(await set({ view_minutes: 1, idle_days: 1, day_bets_limited: 1 })).toMatchObject({
      viewMinutes: 1,
      idleDays: 1,
      isDemo: true,
    })
  })

  test('on the paid plan are only the rate, with any demo limits', async () => {
    const world = await testWorld()
    const { code } = await aTenant(world)
    const paid = {
      tables: null,
      players: null,
      online: null,
      viewers: null,
      viewMinutes: null,
      idleDays: null,
      isDemo: false,
    }
    const set = async (change: object) => (await setLimits(world.casino, code, change)).limits
    expect(await set({})).toMatchObject({ ...paid, rate: { perSecond: 100, burst: 200 } })
    const demoOnly = { ...own, day_bets_limited: 1 }
    expect(await set(demoOnly)).toMatchObject({ ...paid, rate: { perSecond: 7, burst: 9 } })
  })
})

test('only a live tenant on the paid plan that is neither suspended nor closed is billed for its tables', async () => {
  const world = await testWorld({ time: aClock('2026-03-10T12:00:00.000Z') })
  const tableDays = async ({ client }: Pick<Awaited<ReturnType<typeof aTenant>>, 'client'>) =>
    (await client.usage({ query: { from: '2026-03-10', to: '2026-03-10' } })).days[0]?.tableDays
  const paid = await aTenant(world, { tables: ['BAC-01'] })
  await paid.sandbox.client.enableTable({ body: { tableId: 'BAC-01' } })
  expect([await tableDays(paid), await tableDays(paid.sandbox)]).toEqual([1, 0])
  expect(await tableDays(await aTenant(world, { plan: 'free', tables: ['BAC-01'] }))).toBe(0)
  await topUp(world.casino, paid.code, '100', 'r')
  await setTenantState(world.casino, paid.code, 'SUSPENDED')
  await world.clock.advance(Date.parse('2026-03-11T00:00:00Z'))
  await setTenantState(world.casino, paid.code, 'ENABLED')
  expect(await paid.client.account({})).toMatchObject({ balanceUsd: '100', state: 'PAID' })
})
