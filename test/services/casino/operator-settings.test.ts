import { describe, expect, test } from 'vitest'
import { changeTenant, setSideBets } from '../../../src/services/casino/admin/index.ts'
import { aPlayer, aRound, aTenant, balanceOf, refuses } from '../../support/worlds/people.ts'
import { testWorld } from '../../support/worlds/world.ts'

describe('the side bets of dragon tiger', () => {
  const sideBet = (tableId: string) => ({ tableId, cardInfo: '7HAC', slips: [{ username: 'amy', bets: { TS: '15' } }] })

  test('are at the tables for which the tenant enabled them, and at no other tenant’s', async () => {
    const world = await testWorld()
    const one = await aTenant(world, { tables: ['DT-01', 'DT-02'] })
    const other = await aTenant(world, { tables: ['DT-01', 'DT-02'] })
    for (const tenant of [one, other]) await aPlayer(tenant, { username: 'amy' })
    await setSideBets(world.casino, one.code, 'DT-02', true)
    await setSideBets(world.casino, one.code, 'DT-01', false)
    expect((await aRound(one, sideBet('DT-02'))).revisions[0]?.bets[0]).toMatchObject({ payout: '30' })
    await refuses('BET_REFUSED', aRound(one, sideBet('DT-01')))
    await refuses('BET_REFUSED', aRound(other, sideBet('DT-02')))
    expect((await aRound(other, sideBet('DT-01'))).revisions[0]?.bets[0]).toMatchObject({ payout: '30' })
    await setSideBets(world.casino, one.code, 'DT-02', false)
    await refuses('BET_REFUSED', aRound(one, sideBet('DT-02')))
  })

  test('are of dragon tiger only, at existing tables', async () => {
    const tenant = await aTenant(await testWorld())
    const { casino: app } = tenant.world
    await refuses('CONFLICT', setSideBets(app, tenant.code, 'BAC-01', true))
    await refuses('NOT_FOUND', setSideBets(app, tenant.code, 'DT-99', true))
    await refuses('NOT_FOUND', setSideBets(app, 'NOBODY', 'DT-01', true))
  })
})

describe('an operator’s settings', () => {
  test('decide the currencies of new players; existing ones keep theirs', async () => {
    const tenant = await aTenant(await testWorld(), { currencies: [] })
    const amy = await aPlayer(tenant, { username: 'amy' })
    await refuses('CURRENCY_NOT_ENABLED', aPlayer(tenant, { username: 'bob', currency: 'JPY' }))
    await changeTenant(tenant.world.casino, tenant.code, { currency: 'EUR', currencies: ['jpy'] })
    await aPlayer(tenant, { username: 'bob', currency: 'JPY' })
    await refuses('CURRENCY_NOT_ENABLED', aPlayer(tenant, { username: 'cho', currency: 'USD' }))
    await tenant.client.launch({ body: { username: 'dee' } })
    expect((await tenant.client.player({ query: { username: 'dee' } })).currency).toBe('EUR')
    const more = { username: 'amy', txnId: 'more', amount: '5', currency: 'USD' }
    await tenant.client.deposit({ body: more })
    expect(await balanceOf(amy)).toBe('1005')
    await tenant.sandbox.client.launch({ body: { username: 'dee' } })
    expect((await tenant.sandbox.client.player({ query: { username: 'dee' } })).currency).toBe('EUR')
  })

  test('decide the day of the summary, and omitted ones stay', async () => {
    const tenant = await aTenant(await testWorld(), { tables: ['BAC-01'], languages: ['JPN'] })
    await aPlayer(tenant, { username: 'amy' })
    await aRound(tenant, { slips: [{ username: 'amy', bets: { B: '10' } }] })
    const of = async (date: string) => (await tenant.client.summary({ query: { date } })).players.length
    expect([await of('2026-03-10'), await of('2026-03-11')]).toEqual([1, 0])
    const changed = await changeTenant(tenant.world.casino, tenant.code, { timezone: 'Pacific/Kiritimati' })
    expect(changed).toMatchObject({ currency: 'USD', languages: '["JPN"]' })
    expect([await of('2026-03-10'), await of('2026-03-11')]).toEqual([0, 1])
  })

  test('that are impossible are refused, and change nothing', async () => {
    const tenant = await aTenant(await testWorld())
    const { casino: app } = tenant.world
    await refuses('INVALID_PARAMETER', changeTenant(app, tenant.code, { timezone: 'Mars/Base', currency: 'EUR' }))
    await refuses('INVALID_CURRENCY', changeTenant(app, tenant.code, { currencies: ['U$D'] }))
    await refuses('INVALID_PARAMETER', changeTenant(app, tenant.code, { languages: ['KLINGON'] }))
    await refuses('NOT_FOUND', changeTenant(app, 'NOBODY', { currency: 'EUR' }))
    expect((await changeTenant(app, tenant.code, {})).currencies).toBe('["USD","TWD","EUR"]')
  })
})
