import { describe, expect, test } from 'vitest'
import { formatUnits, parseAmount, playerScale, sum } from '../../../src/domain/money.ts'
import { changeRound, play } from '../../../src/services/casino/simulator/index.ts'
import { allBets, anOpenRound, aPlayer, aRound, aSlip, aTenant, refuses } from '../../support/worlds/people.ts'
import { aClock, inFile, inMemory, testWorld } from '../../support/worlds/world.ts'

async function aDay(options: { timezone?: string; at?: string; on?: typeof inFile } = {}) {
  const { timezone = 'UTC', at = '2026-03-10T12:00:00.000Z', on = inMemory } = options
  const world = await testWorld({ time: aClock(at), on })
  const tenant = await aTenant(world, { timezone, tables: ['BAC-01', 'DT-01'] })
  const player = await aPlayer(tenant, { username: 'Amy' })
  const summary = async (date = '2026-03-10') => (await tenant.client.summary({ query: { date } })).players
  return { world, tenant, player, summary }
}

const nothing = { stake: '0', validStake: '0', rolling: '0', payout: '0', winLoss: '0', rake: '0' }

describe('the summary of a day', () => {
  test('adds up each player’s slips', async () => {
    const { tenant, player } = await aDay()
    await aSlip(player, { B: '100', T: '10' })
    await aSlip(player, { P: '50' })
    expect(await tenant.client.summary({ query: { date: '2026-03-10' } })).toEqual({
      date: '2026-03-10',
      timezone: 'UTC',
      players: [
        {
          username: 'Amy',
          slips: 2,
          stake: '160',
          validStake: '160',
          rolling: '60',
          payout: '195',
          winLoss: '35',
          rake: '0',
        },
      ],
    })
  })

  test('of a day without bets is empty', async () => {
    const { tenant, player } = await aDay()
    await aSlip(player)
    expect(await tenant.client.summary({ query: { date: '2026-03-09' } })).toEqual({
      date: '2026-03-09',
      timezone: 'UTC',
      players: [],
    })
  })

  test('counts the latest revision of a slip only', async () => {
    const { world, player, summary } = await aDay()
    const { roundId } = await aSlip(player, { B: '100' })
    expect(await summary()).toMatchObject([{ slips: 1, winLoss: '95', payout: '195' }])
    await changeRound(world.casino, roundId, { correct: { cardInfo: 'KS4H7D2C----' } })
    expect(await summary()).toMatchObject([{ slips: 1, winLoss: '-100', payout: '0', rolling: '100' }])
  })

  test('counts a voided slip and none of its amounts', async () => {
    const { world, player, summary } = await aDay()
    const { roundId } = await aSlip(player, { B: '100' })
    await changeRound(world.casino, roundId, { void: true })
    await aRound(player.tenant, { void: true, slips: [{ username: 'Amy', bets: { P: '70' } }] })
    expect(await summary()).toEqual([{ username: 'Amy', slips: 2, ...nothing }])
    await aSlip(player, { B: '10' })
    expect(await summary()).toMatchObject([{ slips: 3, stake: '10', winLoss: '9.5' }])
  })

  test('omits unsettled slips', async () => {
    const { tenant, summary } = await aDay()
    await anOpenRound(tenant, 'BAC-01', [{ username: 'amy', bets: { B: '10' } }])
    expect(await summary()).toEqual([])
  })

  test('keeps a slip on the day of its first settlement, when it is corrected on another', async () => {
    const { world, player, summary } = await aDay({ at: '2026-03-10T23:59:59.999Z' })
    const { roundId } = await aSlip(player, { B: '100' })
    world.clock.add('1h')
    await changeRound(world.casino, roundId, { void: true })
    expect(await summary('2026-03-10')).toEqual([{ username: 'Amy', slips: 1, ...nothing }])
    expect(await summary('2026-03-11')).toEqual([])
  })

  test('is ordered by win or loss, the greatest win first, and by name if they are equal', async () => {
    const { tenant, summary } = await aDay()
    for (const username of ['bob', 'cho', 'dee', 'eve']) await aPlayer(tenant, { username })
    const slips = [
      { username: 'Amy', bets: { P: '50' } },
      { username: 'bob', bets: { B: '10' } },
      { username: 'cho', bets: { B: '100' } },
      { username: 'eve', bets: { P: '5' } },
      { username: 'dee', bets: { P: '5' } },
    ]
    await aRound(tenant, { slips })
    expect((await summary()).map(({ username, winLoss }) => [username, winLoss])).toEqual([
      ['cho', '95'],
      ['bob', '9.5'],
      ['dee', '-5'],
      ['eve', '-5'],
      ['Amy', '-50'],
    ])
  })

  test('has 1,000 players at most', async () => {
    const { world, tenant, summary } = await aDay()
    const input = {
      tenant: tenant.code,
      tables: ['BAC-01'],
      rounds: 1,
      players: 1005,
      days: 0,
      corrected: 0,
      voided: 0,
    }
    for await (const _ of play(world.casino, input));
    const players = await summary()
    expect(players).toHaveLength(1000)
    const amounts = players.map((player) => parseAmount(player.winLoss))
    expect(amounts).toEqual(amounts.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)))
  })

  test('is the sum of the bet records a tenant reads', async () => {
    const { world, tenant, summary } = await aDay()
    const input = { tenant: tenant.code, tables: [], rounds: 120, players: 5, days: 0, corrected: 1500, voided: 1500 }
    for await (const _ of play(world.casino, input));
    const { items } = await allBets(tenant)
    const latest = [...Map.groupBy(items, (item) => item.slipId).values()].map((revisions) => revisions.at(-1))
    for (const player of await summary()) {
      const own = latest.filter((slip) => slip?.username === player.username)
      const kept = own.filter((slip) => slip?.status !== 'void')
      const total = (field: 'stake' | 'validStake' | 'rolling' | 'payout' | 'winLoss') =>
        formatUnits(sum(kept.map((slip) => parseAmount(slip?.[field] ?? '0'))), playerScale)
      expect(player).toEqual({
        username: player.username,
        slips: own.length,
        stake: total('stake'),
        validStake: total('validStake'),
        rolling: total('rolling'),
        payout: total('payout'),
        winLoss: total('winLoss'),
        rake: '0',
      })
    }
  })

  test.each([
    '',
    '2026-3-1',
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '10-03-2026',
    '2026-03-10T00:00:00Z',
    'today',
  ])('of %j is INVALID_PARAMETER, because it is no real date', async (date) => {
    const { tenant } = await aDay()
    const refusal = await refuses('INVALID_PARAMETER', tenant.client.summary({ query: { date } }))
    expect(refusal.message).toContain('date')
  })

  test('without a date is INVALID_PARAMETER', async () => {
    const { tenant } = await aDay()
    await refuses('INVALID_PARAMETER', tenant.client.summary({ query: {} as never }))
  })

  test('may be of a leap day, of the past and of the future', async () => {
    const { summary } = await aDay()
    for (const date of ['2024-02-29', '0001-01-01', '1970-01-01', '9999-12-31']) expect(await summary(date)).toEqual([])
  })
})

describe('a day in the tenant’s zone', () => {
  test.each([
    ['Asia/Taipei', '2026-03-09T16:00:00.000Z', '2026-03-10T15:59:59.999Z', '2026-03-10'],
    ['America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z', '2026-03-08'],
    ['America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z', '2026-11-01'],
    ['Asia/Kathmandu', '2026-03-09T18:15:00.000Z', '2026-03-10T18:14:59.999Z', '2026-03-10'],
  ])('in %s begins at %s and ends at %s', async (timezone, first, last, date) => {
    const before = new Date(Date.parse(first) - 1).toISOString()
    const { world, tenant, player, summary } = await aDay({ timezone, at: before })
    await aSlip(player, { B: '1' })
    await world.clock.set(Date.parse(first))
    await aSlip(player, { B: '20' })
    await world.clock.set(Date.parse(last))
    await aSlip(player, { B: '300' })
    world.clock.add('1ms')
    await aSlip(player, { B: '4' })
    expect((await summary(date))[0]).toMatchObject({ slips: 2, stake: '320' })
    expect((await tenant.client.summary({ query: { date } })).timezone).toBe(timezone)
  })
})

test('a day of 20,000 slips is added up completely', async () => {
  const { world, tenant, summary } = await aDay({ on: inFile })
  const input = { tenant: tenant.code, tables: [], rounds: 80, players: 250, days: 0, corrected: 0, voided: 0 }
  for await (const _ of play(world.casino, input));
  const players = await summary()
  expect(players.map((player) => player.slips)).toEqual(Array.from({ length: 250 }, () => 80))
})
