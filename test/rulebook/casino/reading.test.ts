import { describe, expect, test } from 'vitest'
import { setLimits, topUp } from '../../../src/services/casino/admin/index.ts'
import { allBets, aPlayer, aRound, aTenant } from '../../support/worlds/people.ts'
import { aClock, testWorld } from '../../support/worlds/world.ts'
import { ask, verdictOf } from './casino.ts'
import * as book from './limits.ts'

describe('reading', () => {
  test.each([0, 1, 500, 1000, 1001])('GET /bets with limit %i', async (limit) => {
    const tenant = await aTenant(await testWorld())
    const isIn = limit >= book.betsPage.least && limit <= book.betsPage.most
    expect(verdictOf(await ask(tenant, 'GET /bets', { limit }))).toBe(isIn ? 'ok' : 'INVALID_PARAMETER')
  })

  test.each(['1.5', '-1', 'ten', '', ' 5', '1e2'])('GET /bets with limit "%s"', async (limit) => {
    const tenant = await aTenant(await testWorld())
    expect(verdictOf(await ask(tenant, 'GET /bets', { limit }))).toBe('INVALID_PARAMETER')
  })

  test('the default is a page of 500, and a summary of 1,000 players, the largest first or last', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world, { tables: ['BAC-01'] })
    const count = book.summaryPlayers + 1
    const slips = []
    for (let i = 0; i < count; i++) {
      const { username } = await aPlayer(tenant, { balance: '1000' })
      slips.push({ username, bets: { B: String(1 + (i % 7)) } })
    }
    await aRound(tenant, { slips })
    expect((await tenant.client.bets({ query: {} })).items).toHaveLength(book.betsPage.default)
    expect((await allBets(tenant)).items).toHaveLength(count)
    const { players } = await tenant.client.summary({ query: { date: '2026-03-10' } })
    expect(players).toHaveLength(book.summaryPlayers)
    const order = players.map(({ winLoss }) => Number(winLoss))
    expect([order.toSorted((a, b) => a - b), order.toSorted((a, b) => b - a)]).toContainEqual(order)
  })

  test.each(book.transferLookup)('a transfer of March looked up in $month: $found', async ({ month, found }) => {
    const world = await testWorld({ time: aClock('2026-03-01T00:00:00.000Z') })
    const tenant = await aTenant(world)
    const { username } = await aPlayer(tenant, { username: 'amy' })
    const end = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1) - 1000
    world.clock.add(`${end - Date.parse('2026-03-01T00:00:00.000Z')}ms`)
    const look = async (query: object) =>
      verdictOf(await ask(tenant, 'GET /wallet/transfer', { txnId: 'first-amy', ...query }))
    expect(await look({})).toBe(found ? 'ok' : 'TXN_NOT_FOUND')
    expect(await look({ username })).toBe('ok')
  })

  test('bets of the current and the previous month are always kept, those of 7 days on the free plan in whole months', async () => {
    const kept = { free: ['2026-05', '2026-06'], paid: ['2026-03', '2026-04', '2026-05', '2026-06'] }
    for (const plan of ['free', 'paid'] as const) {
      const world = await testWorld({ time: aClock('2026-03-10T12:00:00.000Z') })
      const tenant = await aTenant(world, { plan, tables: ['BAC-01'] })
      await setLimits(world.casino, tenant.code, { idle_days: 0 })
      await topUp(world.casino, tenant.code, '10000', 'all of it')
      await aPlayer(tenant, { username: 'amy' })
      for (const month of ['03', '04', '05', '06']) {
        await world.clock.advance(Date.parse(`2026-${month}-10T12:00:00.000Z`))
        await aRound(tenant, { slips: [{ username: 'amy', bets: { B: '1' } }] })
      }
      await world.clock.advance(Date.parse('2026-06-28T12:00:00.000Z'))
      const { items } = await allBets(tenant, { from: '2026-01-01T00:00:00.000Z' })
      expect(
        items.map(({ settledAt }) => settledAt.slice(0, 7)),
        plan,
      ).toEqual(kept[plan])
    }
  })

  test.each(book.txnIdOfAnotherPlayer)(
    'a txnId of another player on $day is free: $isFree',
    async ({ day, isFree }) => {
      const world = await testWorld({ time: aClock('2026-03-10T12:00:00.000Z') })
      const tenant = await aTenant(world)
      await aPlayer(tenant, { username: 'amy' })
      world.clock.add(`${Date.parse(`${day}T12:00:00.000Z`) - Date.parse('2026-03-10T12:00:00.000Z')}ms`)
      const order = { username: 'bob', txnId: 'first-amy', amount: '1000', currency: 'USD' }
      expect(verdictOf(await ask(tenant, 'POST /wallet/deposit', order))).toBe(isFree ? 'ok' : 'TXN_CONFLICT')
    },
  )
})
