import { describe, expect, test } from 'vitest'
import { setLimits, topUp } from '../../../src/services/casino/admin/index.ts'
import { allBets, aPlayer, aRound, aTenant } from '../../support/worlds/people.ts'
import { aClock, testWorld } from '../../support/worlds/world.ts'
import { ask } from './casino.ts'
import * as book from './limits.ts'

const march = '2026-03-10T12:00:00.000Z'

describe('bets', () => {
  test.each(book.bets)('of March 10 on the plan $plan at $at: $isRead', async ({ plan, at, isRead }) => {
    const time = aClock(march)
    const world = await testWorld({ time })
    const pair = await aTenant(world, { plan: plan === 'free' ? 'free' : 'paid', tables: ['BAC-01'] })
    const tenant = plan === 'sandbox' ? pair.sandbox : pair
    if (plan === 'sandbox') await tenant.client.enableTable({ body: { tableId: 'BAC-01' } })
    if (plan === 'paid') await topUp(world.casino, tenant.code, '10000', 'all of it')
    if (plan !== 'paid') await setLimits(world.casino, tenant.code, { idle_days: 0 })
    await aPlayer(tenant, { username: 'amy' })
    const { roundId } = await aRound(tenant, { slips: [{ username: 'amy', bets: { B: '1' } }] })
    time.add(`${Date.parse(at) - Date.parse(march)}ms`)
    await world.settle()
    const { items } = await allBets(tenant, { from: '2026-01-01T00:00:00.000Z' })
    expect(items.map((each) => each.roundId)).toEqual(isRead ? [roundId] : [])
  })
})

describe('statements and usage', () => {
  test('the last 24 months, newest first, each from the 1st of the next month', async () => {
    const world = await testWorld({ time: aClock('2024-01-15T12:00:00.000Z') })
    const { client, code } = await aTenant(world)
    await topUp(world.casino, code, '100', 'first')
    const periods = async () => (await client.statements({})).statements.map(({ period }) => period)
    await world.clock.advance(Date.parse('2024-01-31T23:59:59.000Z'))
    expect(await periods()).toEqual([])
    await world.clock.advance(Date.parse('2024-02-01T00:00:00.000Z'))
    expect(await periods()).toEqual(['2024-01'])
    await world.clock.set(Date.parse('2026-03-01T00:00:00.000Z'))
    await world.settle()
    const months = await periods()
    expect(months).toHaveLength(book.statements)
    expect(months).toEqual(months.toSorted().toReversed())
    expect([months[0], months.at(-1)]).toEqual(['2026-02', '2024-03'])
    const { statements } = await client.statements({})
    for (const [i, { openingUsd }] of statements.slice(0, -1).entries())
      expect(openingUsd).toBe(statements[i + 1]?.closingUsd)
  })

  test('usage is of UTC days, both ends among them', async () => {
    const world = await testWorld({ time: aClock('2026-02-20T12:00:00.000Z') })
    const made = await aTenant(world)
    await world.clock.advance(Date.parse('2026-03-01T00:00:00.000Z'))
    const ask_ = (from: string, to: string) => ask(made, 'GET /account/usage', { from, to })
    const { body } = await ask_('2026-02-26', '2026-03-01')
    expect(body.data.days.map(({ day }: { day: string }) => day)).toEqual([
      ...['2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01'],
    ])
    expect((await ask_('2026-03-02', '2026-03-01')).body.error?.code ?? 'no days').toMatch(/INVALID_PARAMETER|no days/)
  })
})

describe('the bill', () => {
  test.each(book.tableDays)('a table from $enabled to $disabled', async ({ enabled, disabled, days }) => {
    const world = await testWorld({ time: aClock('2026-03-09T12:00:00.000Z') })
    const { client, code } = await aTenant(world)
    await topUp(world.casino, code, '1000', 'first')
    const goTo = (moment: string) => world.clock.advance(Date.parse(moment))
    const body = { tableId: 'BAC-01' }
    await goTo(enabled)
    await client.enableTable({ body })
    await goTo(disabled)
    await client.disableTable({ body })
    // Disabled and enabled again within the day counts once.
    await client.enableTable({ body })
    await client.disableTable({ body })
    await goTo('2026-03-15T00:00:00.000Z')
    const usage = (await client.usage({ query: { from: '2026-03-09', to: '2026-03-14' } })).days
    const tableDaysByDay = Object.fromEntries(usage.map(({ day, tableDays }) => [day, tableDays]))
    expect(tableDaysByDay).toMatchObject(days)
    expect(usage.reduce((sum, { tableDays }) => sum + tableDays, 0)).toBe(Object.values(days).filter(Boolean).length)
    // Each costs a day's share of USD 100, truncated to the millionth.
    for (const { tableDays, tableFeeUsd } of usage)
      expect(Math.abs(Number(tableFeeUsd) - (tableDays * book.tableMonthUsd) / 31)).toBeLessThan(0.000_001)
  })

  test('the average is of the last 7 days, and the days left are the credit divided by it', async () => {
    const start = Date.parse('2026-03-01T00:00:00.000Z')
    const world = await testWorld({ time: aClock('2026-03-01T00:00:00.000Z') })
    const { client, code } = await aTenant(world)
    await topUp(world.casino, code, '1000', 'first')
    expect(await client.account({})).toMatchObject({ avgDailyUsd7d: '0', daysLeft: null })
    for (const tableId of ['BAC-01', 'DT-01']) await client.enableTable({ body: { tableId } })
    await world.clock.advance(start + 10 * 86_400_000)
    const account = await client.account({})
    const daily = (2 * book.tableMonthUsd) / 31
    expect(Number(account.avgDailyUsd7d)).toBeCloseTo(daily, 4)
    expect(account.daysLeft).toBe(Math.floor((1000 - 10 * daily) / daily))
    for (const tableId of ['BAC-01', 'DT-01']) await client.disableTable({ body: { tableId } })
    // The day of disabling still counts; seven days later it has no effect.
    await world.clock.advance(start + 17 * 86_400_000)
    expect(Number((await client.account({})).avgDailyUsd7d)).toBeCloseTo(daily / 7, 4)
    await world.clock.advance(start + 18 * 86_400_000)
    expect(await client.account({})).toMatchObject({ avgDailyUsd7d: '0', daysLeft: null })
  })
})
