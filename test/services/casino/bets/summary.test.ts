import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daySummaries } from '../../../../src/db/migrations/world/0107-day-summaries.ts'
import { noSlips, withSlip } from '../../../../src/domain/bets/slip.ts'
import { formatUnits, parseAmount, playerScale } from '../../../../src/domain/money.ts'
import { dayAfter, dayEnd, dayOf, dayStart } from '../../../../src/domain/time/day.ts'
import { changeTenant } from '../../../../src/services/casino/admin/index.ts'
import type { SummaryItem } from '../../../../src/services/casino/api/schemas/index.ts'
import { casinoJobs } from '../../../../src/services/casino/server/periodic.ts'
import { changeRound, play } from '../../../../src/services/casino/simulator/index.ts'
import { aPlayer, aRound, aTenant, type TestTenant } from '../../../support/worlds/people.ts'
import { aClock, inFile, inMemory, onPostgres, testWorld } from '../../../support/worlds/world.ts'

/** The running sums of a day compared with the sums over its slips. */

const start = '2026-03-27T22:00:00.000Z'

async function aTable({ on = inMemory, timezone = 'Europe/Berlin' } = {}) {
  const world = await testWorld({ on, time: aClock(start) })
  const tenant = await aTenant(world, { timezone, tables: ['BAC-01'] })
  for (const username of ['amy', 'bob', 'Cho']) await aPlayer(tenant, { username, balance: '1000000' })
  const job = casinoJobs(world.casino).find((each) => each.name === 'casino: count past days')
  if (!job) throw new Error('there is no job that counts past days')
  return {
    world,
    tenant,
    job,
    summary: async (date: string) => (await tenant.client.summary({ query: { date } })).players,
  }
}

/** A day's figures from the slips themselves. */
async function added({ world, code }: TestTenant, date: string, timezone: string): Promise<SummaryItem[]> {
  const slips = await world.store.read(({ q }) =>
    q
      .selectFrom('casino_slips')
      .selectAll()
      .where('tenant', '=', code)
      .where('first_settled_at', '>=', dayStart(date, timezone))
      .where('first_settled_at', '<', dayEnd(date, timezone))
      .where('onsite', '=', 0)
      .execute(),
  )
  const items = [...Map.groupBy(slips, (slip) => slip.username)].map(([username, own]) => {
    const sums = own.reduce((total, slip) => {
      if (slip.status === 'placed') throw new Error('a settled slip is not placed')
      return withSlip(total, {
        status: slip.status,
        stake: parseAmount(slip.stake),
        validStake: parseAmount(slip.valid_stake),
        rolling: parseAmount(slip.rolling),
        winLoss: parseAmount(slip.win_loss),
        rake: parseAmount(slip.rake),
      })
    }, noSlips)
    const { slips: count, ...amounts } = sums
    const texts = Object.entries(amounts).map(([field, units]) => [field, formatUnits(units, playerScale)])
    return { username, slips: count, ...Object.fromEntries(texts) } as SummaryItem
  })
  const units = (item: SummaryItem) => parseAmount(item.winLoss)
  return items.sort((a, b) =>
    units(a) === units(b) ? (a.username < b.username ? -1 : 1) : units(a) < units(b) ? 1 : -1,
  )
}

/** Removes all running sums and applies the migration again, as on a world from before it. */
async function withoutSums(world: TestTenant['world']): Promise<void> {
  await world.store.write(async ({ q }) => {
    for (const table of ['casino_summaries', 'casino_summary_players', 'casino_summary_backlogs'])
      await q.schema.dropTable(table).execute()
    await daySummaries.up(q as never)
  })
}

const hour = 3_600_000
const zones = ['Europe/Berlin', 'Europe/Paris', 'Asia/Kathmandu', 'UTC'] as const
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      bets: fc.dictionary(fc.constantFrom('amy', 'bob', 'cho'), fc.integer({ min: 10, max: 5_000 }), { minKeys: 1 }),
      code: fc.constantFrom('5H4S3C5D----', 'KS4H7D2C----'),
      isVoid: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ change: fc.nat(20), to: fc.constantFrom('void', 'banker', 'player') }) },
  // Also backwards: the clock of a world may be set to any time.
  { weight: 3, arbitrary: fc.record({ hours: fc.integer({ min: -30, max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ zone: fc.constantFrom(...zones) }) },
  { weight: 1, arbitrary: fc.record({ upgrade: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.record({ pages: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ read: fc.integer({ min: -1, max: 1 }) }) },
)

test.each([
  [inMemory, 12],
  [onPostgres, 2],
])('the summary of any day is the sum of its slips, after any changes to them ($name)', async (on, numRuns) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
      const { world, tenant, job, summary } = await aTable({ on })
      let [timezone, at]: [string, number] = ['Europe/Berlin', Date.parse(start)]
      const rounds: string[] = []
      const days = new Set([dayOf(at, timezone)])
      for (const each of steps) {
        if ('bets' in each) {
          const slips = Object.entries(each.bets).map(([username, amount]) => ({
            username,
            bets: { B: (amount / 100).toFixed(2) },
          }))
          const result = each.isVoid ? { void: true } : { cardInfo: each.code }
          rounds.push((await aRound(tenant, { slips, ...result })).roundId)
        } else if ('change' in each) {
          const round = rounds[each.change % Math.max(1, rounds.length)]
          const cardInfo = each.to === 'banker' ? '5H4S3C5D----' : 'KS4H7D2C----'
          if (round !== undefined)
            await changeRound(world.casino, round, each.to === 'void' ? { void: true } : { correct: { cardInfo } })
        } else if ('hours' in each) {
          at += each.hours * hour
          await world.clock.set(at)
        } else if ('zone' in each) {
          timezone = each.zone
          await changeTenant(world.casino, tenant.code, { timezone })
        } else if ('upgrade' in each) await withoutSums(world)
        else if ('pages' in each) await job.run(each.pages)
        else await summary(dayAfter(dayOf(at, timezone), each.read))
        for (const zone of zones) days.add(dayOf(at, zone))
      }
      for (const day of days) expect(await summary(day)).toEqual(await added(tenant, day, timezone))
    }),
    { numRuns },
  )
})

test('a day older than the sums is counted when it is read, and a day without slips is empty', async () => {
  const { world, tenant, summary } = await aTable({ timezone: 'UTC' })
  await aRound(tenant, { slips: [{ username: 'amy', bets: { B: '10' } }] })
  await withoutSums(world)
  const expected = await added(tenant, '2026-03-27', 'UTC')
  expect(expected).toHaveLength(1)
  expect([await summary('2026-03-27'), await summary('2026-03-26')]).toEqual([expected, []])
  // A second read returns the stored sums.
  expect(await summary('2026-03-27')).toEqual(expected)
})

test('days from before the sums are counted in pages, while their slips are revised', async () => {
  const { world, tenant, job, summary } = await aTable({ on: inFile, timezone: 'UTC' })
  const input = { tenant: tenant.code, tables: [], rounds: 24, players: 25, days: 0, corrected: 0, voided: 0 }
  for await (const _ of play(world.casino, input));
  await withoutSums(world)
  const ofAll = (query: { rounds: number }) =>
    world.store.read(({ q }) =>
      q.selectFrom('casino_rounds').select('id').orderBy('settled_at').orderBy('id').limit(query.rounds).execute(),
    )
  const position = () =>
    world.store.read(({ q }) => q.selectFrom('casino_summaries').select('counted_slip').executeTakeFirst())
  expect(await job.run(1)).toBe(1)
  expect(await position()).toMatchObject({ counted_slip: expect.stringMatching(/./) })
  // All slips have one time: some are among those that the first page counted, the others are not.
  for (const { id } of await ofAll({ rounds: 24 })) await changeRound(world.casino, id, { void: true })
  await aRound(tenant, { slips: [{ username: 'amy', bets: { B: '10' } }] })
  const expected = await added(tenant, '2026-03-27', 'UTC')
  expect(expected.reduce((count, { slips }) => count + slips, 0)).toBe(601)
  await job.run(1)
  expect(await position()).toMatchObject({ counted_slip: expect.stringMatching(/./) })
  expect(await summary('2026-03-27')).toEqual(expected)
  expect(await position()).toEqual({ counted_slip: null })
})

test('the periodic job counts every day that lacks sums, and after a change of the time zone again', async () => {
  const { world, tenant, job } = await aTable({ timezone: 'UTC' })
  for (const days of [0, 1, 3]) {
    await world.clock.set(Date.parse(start) + days * 24 * hour)
    await aRound(tenant, { slips: [{ username: 'amy', bets: { B: '10' } }] })
  }
  const spans = () =>
    world.store.read(async ({ q }) => {
      const rows = await q
        .selectFrom('casino_summaries')
        .selectAll()
        .where('tenant', '=', tenant.code)
        .orderBy('starts_at')
        .execute()
      return rows.map((row) => [new Date(row.starts_at).toISOString().slice(0, 13), row.counted_at])
    })
  const own = [
    ['2026-03-27T00', null],
    ['2026-03-28T00', null],
    ['2026-03-30T00', null],
  ]
  expect(await spans()).toEqual(own)
  await withoutSums(world)
  expect(await spans()).toEqual([])
  // A page for each day, and one for each tenant that shows there are no more: the sandbox is a tenant, too.
  expect([await job.run(100), await job.run(100)]).toEqual([5, 0])
  expect(await spans()).toEqual(own)
  await changeTenant(world.casino, tenant.code, { timezone: 'Asia/Taipei' })
  expect([await job.run(2), await job.run(100), await job.run(100)]).toEqual([2, 3, 0])
  expect(await spans()).toEqual(
    [...own, ['2026-03-27T16', null], ['2026-03-28T16', null], ['2026-03-30T16', null]].sort(),
  )
  await changeTenant(world.casino, tenant.code, { timezone: 'Asia/Taipei' })
  expect(await job.run(100)).toBe(0)
})
