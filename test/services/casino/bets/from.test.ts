import fc from 'fast-check'
import { expect, test } from 'vitest'
import { betMinutes } from '../../../../src/db/migrations/world/0108-bet-minutes.ts'
import { allBets, aPlayer, aSlip, aTenant } from '../../../support/worlds/people.ts'
import { aClock, inMemory, onPostgres, testWorld } from '../../../support/worlds/world.ts'

const start = Date.parse('2026-03-15T12:00:00.000Z')
const second = 1000

const step = fc.oneof(
  // Also backwards: the clock of a world may be set to any time.
  { weight: 6, arbitrary: fc.record({ seconds: fc.integer({ min: -150, max: 240 }) }) },
  { weight: 1, arbitrary: fc.record({ change: fc.constantFrom('migrate', 'remove') }) },
)

test.each([
  [inMemory, 20],
  [onPostgres, 3],
])(
  'from starts at the first record settled in its minute or later, at any setting of the clock ($name)',
  async (on, numRuns) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16 }), async (steps) => {
        const world = await testWorld({ on, time: aClock(new Date(start).toISOString()) })
        const tenant = await aTenant(world, { tables: ['BAC-01'] })
        const player = await aPlayer(tenant, { username: 'amy', balance: '100000' })
        let at = start
        for (const each of steps) {
          if ('seconds' in each) {
            at += each.seconds * second
            await world.clock.set(at)
            await aSlip(player)
          } else
            await world.store.write(async ({ q }) => {
              // Without its minutes, as written by a process of an earlier version.
              if (each.change === 'remove') return q.deleteFrom('casino_bet_minutes').execute()
              await q.schema.dropTable('casino_bet_minutes').execute()
              return betMinutes.up(q as never)
            })
        }
        const { items } = await allBets(tenant, { limit: 1000 })
        const moments = items.map((item) => Date.parse(item.settledAt))
        for (const moment of [...moments, ...moments.map((each) => each + 61 * second), start - 3600 * second]) {
          const minute = Math.floor(moment / 60_000) * 60_000
          const first = moments.findIndex((each) => each >= minute)
          const page = await tenant.client.bets({ query: { from: new Date(moment).toISOString(), limit: 1000 } })
          expect(page.items.map((item) => item.recSeq)).toEqual(
            first < 0 ? [] : items.slice(first).map((item) => item.recSeq),
          )
        }
      }),
      { numRuns },
    )
  },
)
