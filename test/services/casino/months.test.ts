import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIntoConsole } from '../../../src/services/casino/account/demo-idle.ts'
import { setPlan, topUp } from '../../../src/services/casino/admin/index.ts'
import { saveTenant } from '../../../src/services/casino/queries/tenants.ts'
import { openTable, outcomeOf } from '../../../src/services/casino/rounds/rounds.ts'
import { settleRound } from '../../../src/services/casino/rounds/settlement.ts'
import { changeRound } from '../../../src/services/casino/simulator/index.ts'
import { allBets, anOpenRound, aPlayer, aRound, aSlip, aTenant } from '../../support/worlds/people.ts'
import { aClock, inFile, inMemory, onPostgres, testWorld } from '../../support/worlds/world.ts'

async function aTableAt(at: string, options: Parameters<typeof testWorld>[0] & { plan?: 'free' | 'paid' } = {}) {
  const world = await testWorld({ time: aClock(at), ...options })
  const tenant = await aTenant(world, { plan: options.plan ?? 'paid', tables: ['BAC-01'] })
  await topUp(world.casino, tenant.code, '100000', 'for all the tables')
  const player = await aPlayer(tenant, { username: 'amy', balance: '1000' })
  const bet = () => aSlip(player, { B: '1' })
  const goTo = (moment: string) => world.clock.advance(Date.parse(moment))
  return { world, tenant, player, bet, goTo, bets: tenant.client.bets }
}

const seen = (items: readonly { recSeq: number; settledAt: string }[]) =>
  items.map((item) => `${item.settledAt.slice(0, 7)}#${item.recSeq}`)

describe('the sequence', () => {
  test('restarts each UTC month', async () => {
    const { tenant, bet, goTo } = await aTableAt('2026-01-31T23:59:59.999Z')
    await bet()
    await bet()
    await goTo('2026-02-01T00:00:00.000Z')
    await bet()
    const { items, cursor } = await allBets(tenant, { from: '2026-01-01T00:00:00Z' })
    expect(seen(items)).toEqual(['2026-01#1', '2026-01#2', '2026-02#1'])
    expect(cursor).toBe('202602.1')
  })

  test('of this month is where a read without cursor starts', async () => {
    const { tenant, bet, goTo } = await aTableAt('2026-01-31T12:00:00Z')
    await bet()
    await goTo('2026-02-01T12:00:00Z')
    await bet()
    expect(seen((await allBets(tenant)).items)).toEqual(['2026-02#1'])
  })

  test('is read month by month: a page ends with its month, and hasMore is true until the current one', async () => {
    const { bet, goTo, bets } = await aTableAt('2025-11-15T00:00:00Z')
    await bet()
    await goTo('2026-02-15T00:00:00Z')
    await bet()
    const pages: [number, string, boolean][] = []
    let query: object = { from: '2025-11-01T00:00:00Z' }
    for (let i = 0; i < 5; i++) {
      const page = await bets({ query })
      pages.push([page.items.length, page.nextCursor, page.hasMore])
      query = { cursor: page.nextCursor }
    }
    expect(pages).toEqual([
      [1, '202512.0', true],
      [0, '202601.0', true],
      [0, '202602.0', true],
      [1, '202602.1', false],
      [0, '202602.1', false],
    ])
  })

  test('of an old month is closed once a reader has left it: late records go into the next', async () => {
    const { world, tenant, goTo, bets } = await aTableAt('2026-01-31T23:59:00Z')
    const roundId = await anOpenRound(tenant, 'BAC-01', [{ username: 'amy', bets: { B: '1' } }])
    await goTo('2026-02-01T00:00:10Z')
    const left = await bets({ query: { cursor: '202601.0' } })
    expect(left).toEqual({ items: [], nextCursor: '202602.0', hasMore: true })
    await world.store.write(
      async (tx) => {
        const table = await openTable(tx, 'live', 'BAC-01')
        const seating = { variant: 'classic', settings: {} } as const
        await settleRound(tx, table, roundId, outcomeOf(table, { cardInfo: '5H4S3C5D----' }, seating))
      },
      { at: Date.parse('2026-01-31T23:59:30Z') },
    )
    const { items } = await bets({ query: { cursor: left.nextCursor } })
    expect(seen(items)).toEqual(['2026-01#1'])
    expect((await allBets(tenant, { from: '2026-01-31T00:00:00Z' })).items).toEqual(items)
  })

  test('continues in the later month when the clock is set back over the start of a month', async () => {
    const { world, tenant, bet, bets } = await aTableAt('2026-02-01T00:00:10Z')
    await bet()
    const { nextCursor } = await bets({ query: {} })
    await world.clock.set(Date.parse('2026-01-31T23:00:00Z'))
    await bet()
    const late = await bets({ query: { cursor: nextCursor } })
    expect(seen(late.items)).toEqual(['2026-01#2'])
    expect(late).toMatchObject({ nextCursor: '202602.2', hasMore: false })
    expect((await allBets(tenant)).items).toHaveLength(2)
  })
})

describe.each([inFile, onPostgres])('on $name', (on) => {
  test('a reader at the end of an old month misses no concurrent write to it', async () => {
    const { world, tenant, bet, bets } = await aTableAt('2026-01-31T23:59:50Z', { on })
    await bet()
    const roundId = await anOpenRound(tenant, 'BAC-01', [{ username: 'amy', bets: { B: '1' } }])
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const writing = world.store.write(
      async (tx) => {
        const table = await openTable(tx, 'live', 'BAC-01')
        const seating = { variant: 'classic', settings: {} } as const
        await settleRound(tx, table, roundId, outcomeOf(table, { cardInfo: '5H4S3C5D----' }, seating))
        begun.resolve()
        await gate.promise
      },
      { at: Date.parse('2026-01-31T23:59:59.999Z') },
    )
    await begun.promise
    world.clock.add('10s')
    const reading = bets({ query: { cursor: '202601.1' } })
    for (let i = 0; i < 200; i++) await setImmediate()
    gate.resolve()
    await writing
    const page = await reading
    const rest = await allBets(tenant, { cursor: page.nextCursor })
    expect(seen([...page.items, ...rest.items])).toEqual([expect.stringMatching(/^2026-01#[12]$/)])
  })
})

/**
 * A tenant with a bet in each of some months of more than a year. The tests of a plan share it, because its days take
 * seconds. The last one moves its clock, so they keep their order.
 */
function aHistory(plan: 'free' | 'paid') {
  const months = ['2025-01', '2025-02', '2025-06', '2026-01', '2026-02', '2026-03']
  const ends: (() => Promise<void>)[] = []
  let history: Awaited<ReturnType<typeof aTableAt>>
  beforeAll(async () => {
    history = await aTableAt('2025-01-10T00:00:00Z', { plan, cleanUp: (work) => ends.push(work) })
    for (const month of months) {
      await history.goTo(`${month}-10T00:00:00Z`)
      // After this idle time a demo tenant's tables pause, and a login restores them.
      await logIntoConsole(history.world.casino, history.tenant.code)
      await history.bet()
    }
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return () => ({
    ...history,
    readable: async () => seen((await allBets(history.tenant, { from: '2020-01-01T00:00:00Z' })).items),
  })
}

describe('readable bets on the free plan', { shuffle: false }, () => {
  const shared = aHistory('free')

  test('a cursor of a deleted month continues with the first existing one', async () => {
    const { bets } = shared()
    const page = await bets({ query: { cursor: '202501.1' } })
    expect(seen(page.items)).toEqual(['2026-02#1'])
    expect(page.nextCursor).toBe('202603.0')
  })

  test('deleted months are removed from the database, and the rest still adds up', async () => {
    const { world, tenant, readable } = shared()
    const rows = await world.store.read(({ q }) => q.selectFrom('casino_bet_records').select('month').execute())
    expect(rows.map((row) => row.month).sort()).toEqual(['202602', '202603'])
    await setPlan(world.casino, tenant.code, 'paid')
    expect(await readable()).toHaveLength(2)
    await setPlan(world.casino, tenant.code, 'free')
  })

  test('are 7 days in whole months: this month and the previous one are always kept', async () => {
    const { goTo, readable } = shared()
    expect(await readable()).toEqual(['2026-02#1', '2026-03#1'])
    await goTo('2026-04-30T00:00:00Z')
    expect(await readable()).toEqual(['2026-03#1'])
    await goTo('2026-05-01T00:00:00Z')
    expect(await readable()).toEqual([])
  })
})

describe('readable bets on the paid plan', { shuffle: false }, () => {
  const shared = aHistory('paid')

  test('of a downgraded account are hidden and not deleted: a top-up restores them', async () => {
    const { world, tenant, readable } = shared()
    expect(await readable()).toHaveLength(5)
    await world.store.write((tx) => saveTenant(tx, tenant.code, { state: 'DOWNGRADED', credit_usd: '0' }))
    await world.settle()
    expect(await readable()).toHaveLength(2)
    await topUp(world.casino, tenant.code, '1', 'r-1')
    expect(await tenant.client.account({})).toMatchObject({ state: 'PAID' })
    expect(await readable()).toHaveLength(5)
    await topUp(world.casino, tenant.code, '10000', 'for the next months')
  })

  test('reach back 400 days, in whole months', async () => {
    const { goTo, readable } = shared()
    await goTo('2026-04-04T00:00:00Z')
    expect(await readable()).toEqual(['2025-02#1', '2025-06#1', '2026-01#1', '2026-02#1', '2026-03#1'])
    await goTo('2026-04-05T00:00:00Z')
    expect(await readable()).toEqual(['2025-06#1', '2026-01#1', '2026-02#1', '2026-03#1'])
  })
})

test('a correction in a later month is written there, and the first record stays', async () => {
  const { world, tenant, goTo } = await aTableAt('2026-01-31T23:00:00Z')
  const { roundId } = await aRound(tenant, { slips: [{ username: 'amy', bets: { B: '10' } }] })
  await goTo('2026-02-01T01:00:00Z')
  await changeRound(world.casino, roundId, { correct: { cardInfo: 'KS4H7D2C----' } })
  const { items } = await allBets(tenant, { from: '2026-01-01T00:00:00Z' })
  expect(items.map(({ rev, recSeq, settledAt }) => [rev, recSeq, settledAt])).toEqual([
    [1, 1, '2026-01-31T23:00:00.000Z'],
    [2, 1, '2026-02-01T01:00:00.000Z'],
  ])
})

test('a cursor ahead of a clock set back is valid, also one beyond all months', async () => {
  const { world, bet, bets } = await aTableAt('2026-03-01T00:00:00Z', { on: inMemory })
  await bet()
  await world.clock.set(Date.parse('2026-02-01T00:00:00Z'))
  for (const cursor of ['202603.1', '202604.0'])
    expect(await bets({ query: { cursor } })).toEqual({ items: [], nextCursor: cursor, hasMore: false })
})
