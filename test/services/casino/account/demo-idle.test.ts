import { describe, expect, test } from 'vitest'
import { logIntoConsole } from '../../../../src/services/casino/account/demo-idle.ts'
import { createLimitProfile, setLimits, setPlan } from '../../../../src/services/casino/admin/index.ts'
import { aPlayer, aRound, aTenant, refuses, type TestTenant } from '../../../support/worlds/people.ts'
import { testWorld } from '../../../support/worlds/world.ts'

async function aDemo(): Promise<TestTenant & { sandbox: TestTenant }> {
  const tenant = await aTenant(await testWorld(), { plan: 'free', tables: ['BAC-01'] })
  await aPlayer(tenant, { username: 'amy' })
  return tenant
}

const statuses = async ({ client }: TestTenant) =>
  new Set((await client.tables({})).tables.map((table) => table.status))
const bets = (tenant: TestTenant) => aRound(tenant, { slips: [{ username: 'amy', bets: { B: '10' } }] })

describe('a demo tenant’s tables', () => {
  test('pause after 14 days without a Console login or a bet: they stay enabled and take no bets', async () => {
    const tenant = await aDemo()
    tenant.world.clock.add('14d')
    tenant.world.clock.add('-1ms')
    expect(await statuses(tenant)).toEqual(new Set(['open']))
    tenant.world.clock.add('1ms')
    expect(await statuses(tenant)).toEqual(new Set(['maintenance']))
    expect(await tenant.client.account({})).toMatchObject({ tablesUsed: 1, state: 'FREE' })
    const { tables } = await tenant.client.tables({})
    expect(tables.find((table) => table.tableId === 'BAC-01')?.enabled).toBe(true)
    await refuses('BETTING_CLOSED', bets(tenant))
    await tenant.client.launch({ body: { username: 'amy', table: 'BAC-01' } })
  })

  test('return with a login, and a bet keeps them from pausing', async () => {
    const tenant = await aDemo()
    tenant.world.clock.add('15d')
    await logIntoConsole(tenant.world.casino, tenant.code.toLowerCase())
    expect(await statuses(tenant)).toEqual(new Set(['open']))
    tenant.world.clock.add('13d')
    await bets(tenant)
    tenant.world.clock.add('13d')
    expect(await statuses(tenant)).toEqual(new Set(['open']))
    tenant.world.clock.add('1d')
    expect(await statuses(tenant)).toEqual(new Set(['maintenance']))
  })

  test('pause in spite of a round without bets', async () => {
    const tenant = await aDemo()
    tenant.world.clock.add('13d')
    await aRound(tenant, { slips: [] })
    tenant.world.clock.add('1d')
    expect(await statuses(tenant)).toEqual(new Set(['maintenance']))
  })

  test('pause in a sandbox too, and nowhere on the paid plan', async () => {
    const tenant = await aTenant(await testWorld())
    tenant.world.clock.add('100d')
    expect(await statuses(tenant)).toEqual(new Set(['open']))
    expect(await statuses(tenant.sandbox)).toEqual(new Set(['maintenance']))
    await setPlan(tenant.world.casino, tenant.code, 'free')
    expect(await statuses(tenant)).toEqual(new Set(['maintenance']))
  })

  test('pause later, or never, if the platform sets it', async () => {
    const tenant = await aDemo()
    const set = async (idle_days: number | null) =>
      (await setLimits(tenant.world.casino, tenant.code, { idle_days })).limits.idleDays
    expect(await set(20)).toBe(20)
    tenant.world.clock.add('16d')
    expect(await statuses(tenant)).toEqual(new Set(['open']))
    tenant.world.clock.add('4d')
    expect(await statuses(tenant)).toEqual(new Set(['maintenance']))
    expect(await set(0)).toBe(null)
    expect(await statuses(tenant)).toEqual(new Set(['open']))
    expect(await set(null)).toBe(14)
  })
})

test('a demo tenant’s bets are not limited by a profile of its own', async () => {
  const tenant = await aDemo()
  const limits = { name: 'high', game: 'baccarat', currency: 'USD', min: '50', max: '100' }
  const { id: limitProfileId } = await createLimitProfile(tenant.world.casino, tenant.code, limits)
  await tenant.client.updatePlayer({ body: { username: 'amy', limitProfileId } })
  await bets(tenant)
  await setPlan(tenant.world.casino, tenant.code, 'paid')
  await refuses('BET_REFUSED', bets(tenant))
})
