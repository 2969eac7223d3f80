import { describe, expect, test } from 'vitest'
import { logIntoConsole } from '../../../src/services/casino/account/demo-idle.ts'
import { aPlayer, aRound, aTenant } from '../../support/worlds/people.ts'
import { aClock, type TestWorld, testWorld } from '../../support/worlds/world.ts'
import { ask } from './casino.ts'
import * as book from './limits.ts'

const dayMs = 86_400_000
const start = Date.parse('2026-03-10T12:00:00.000Z')

/** A tenant of the plan with a player, and a check that its tables are open. */
async function aDemo(world: TestWorld, plan: 'free' | 'sandbox' | 'paid') {
  const live = await aTenant(world, { plan: plan === 'free' ? 'free' : 'paid', tables: ['BAC-01'] })
  const tenant = plan === 'sandbox' ? live.sandbox : live
  if (plan === 'sandbox') await tenant.client.enableTable({ body: { tableId: 'BAC-01' } })
  await aPlayer(tenant, { username: 'amy' })
  const statuses = async () => {
    const { body } = await ask(tenant, 'GET /tables')
    return [...new Set(body.data.tables.map(({ status }: { status: string }) => status))]
  }
  return { ...tenant, statuses }
}

describe('tables pause after 14 days without a Console login or a bet', () => {
  test.each(book.pauses)(
    '$plan, $last at hour $atHour, $days days and $seconds seconds later: $status',
    async (row) => {
      const time = aClock('2026-03-10T12:00:00.000Z')
      const world = await testWorld({ time })
      const demo = await aDemo(world, row.plan)
      const goTo = (ms: number) => time.add(`${start + ms - time.now()}ms`)
      const actions = {
        login: () => logIntoConsole(world.casino, demo.code),
        bet: () => bet(),
        nothing: async () => {},
      }
      const bet = () => aRound(demo, { slips: [{ username: 'amy', bets: { B: '1' } }] })
      goTo(row.atHour * 3_600_000)
      await actions[row.last]()
      goTo(row.atHour * 3_600_000 + row.days * dayMs + row.seconds * 1000)
      expect(await demo.statuses()).toEqual([row.status])
      if (row.status === 'maintenance') {
        await expect(bet()).rejects.toMatchObject({ code: 'BETTING_CLOSED' })
        await logIntoConsole(world.casino, demo.code)
        expect(await demo.statuses()).toEqual(['open'])
        await bet()
      }
    },
  )
})
