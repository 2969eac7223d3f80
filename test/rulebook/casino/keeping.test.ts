import { describe, expect, test } from 'vitest'
import { setLimits, topUp } from '../../../src/casino/console.ts'
import { allBets, aPlayer, aRound, aTenant } from '../../support/people.ts'
import { aClock, testWorld } from '../../support/world.ts'
import { shared } from '../shared.ts'
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
  const tenant = shared(
    async (world) => {
      const made = await aTenant(world, { code: 'LONG' })
      await topUp(world.casino, made.code, '100', 'first')
      const start = Date.parse('2024-01-15T12:00:00.000Z')
      await world.clock.set(start)
      return made
    },
    { time: aClock('2024-01-15T12:00:00.000Z') },
  )

  test('the last 24 months, newest first, each from the 1st of the next month', async () => {
    const { world, client } = tenant()
    const periods = async () => (await client.statements({})).statements.map(({ period }) => period)
    await world.clock.advance(Date.parse('2024-01-31T23:59:59.000Z'))
    expect(await periods()).toEqual([])
    await world.clock.advance(Date.parse('2024-02-01T00:00:00.000Z'))
    expect(await periods()).toEqual(['2024-01'])
    await world.clock.set(Date.parse('2026-03-01T00:00:00.000Z'))
    await world.settle()
    const told = await periods()
    expect(told).toHaveLength(book.statements)
    expect(told).toEqual(told.toSorted().toReversed())
    expect([told[0], told.at(-1)]).toEqual(['2026-02', '2024-03'])
    const { statements } = await client.statements({})
    for (const [i, { openingUsd }] of statements.slice(0, -1).entries())
      expect(openingUsd).toBe(statements[i + 1]?.closingUsd)
  })

  test('usage is of UTC days, both ends among them', async () => {
    const ask_ = (from: string, to: string) => ask(tenant(), 'GET /account/usage', { from, to })
    const { body } = await ask_('2026-02-26', '2026-03-01')
    expect(body.data.days.map(({ day }: { day: string }) => day)).toEqual([
      ...['2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01'],
    ])
    expect((await ask_('2026-03-02', '2026-03-01')).body.error?.code ?? 'no days').toMatch(/INVALID_PARAMETER|no days/)
  })
})
