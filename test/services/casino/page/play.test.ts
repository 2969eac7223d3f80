import { describe, expect, test } from 'vitest'
import { parseAmount } from '../../../../src/domain/money.ts'
import { createLimitProfile, setLimits, topUp } from '../../../../src/services/casino/admin/index.ts'
import { type Play, type Played, play } from '../../../../src/services/casino/simulator/index.ts'
import { auditBalances } from '../../../support/program/audit.ts'
import { allBets, aPlayer, aSlip, aTenant, refuses, type TestTenant } from '../../../support/worlds/people.ts'
import { aClock, inFile, inMemory, onPostgres, testWorld } from '../../../support/worlds/world.ts'

async function aCasino(options: Parameters<typeof testWorld>[0] & { plan?: 'free' | 'paid' } = {}) {
  const world = await testWorld(options)
  const tenant = await aTenant(world, { plan: options.plan ?? 'paid', tables: ['BAC-01', 'DT-01'] })
  await topUp(world.casino, tenant.code, '100000', 'for all the tables')
  return { world, tenant }
}

async function playing(tenant: TestTenant, input: Partial<Play> = {}): Promise<Played & { steps: number }> {
  const whole = { tenant: tenant.code, tables: [], rounds: 20, players: 3, days: 0, corrected: 0, voided: 0, ...input }
  let played: Played = { rounds: 0, slips: 0, corrected: 0, voided: 0 }
  let steps = 0
  for await (played of play(tenant.world.casino, whole)) steps++
  return { ...played, steps }
}

describe.each([inMemory, inFile, onPostgres])('on $name', (on) => {
  test('play deals whole rounds: every player bets in each, and the balances add up', async () => {
    const { world, tenant } = await aCasino({ on })
    const played = await playing(tenant, { rounds: 60, players: 5, corrected: 1500, voided: 1500 })
    expect(played).toMatchObject({ rounds: 60, slips: 300 })
    expect(played.corrected).toBeGreaterThan(0)
    expect(played.voided).toBeGreaterThan(0)
    const { items } = await allBets(tenant)
    expect(items).toHaveLength(300 + played.corrected + played.voided)
    const count = (status: string) => items.filter((item) => item.status === status).length
    expect([count('settled'), count('recalculated'), count('void')]).toEqual([300, played.corrected, played.voided])
    expect(await auditBalances(world.store)).toEqual([])
  })
})

describe('playing', () => {
  test('uses the first existing players, and creates new ones if there are too few', async () => {
    const { tenant } = await aCasino()
    for (const username of ['amy', 'bob']) await aPlayer(tenant, { username })
    await playing(tenant, { players: 4, rounds: 2 })
    const { items } = await allBets(tenant)
    expect(new Set(items.map((item) => item.username))).toEqual(new Set(['amy', 'bob', 'sim-001', 'sim-002']))
  })

  test('skips players who may not bet', async () => {
    const { tenant } = await aCasino()
    await aPlayer(tenant, { username: 'amy' })
    await tenant.client.updatePlayer({ body: { username: 'amy', status: 'no_bet' } })
    await playing(tenant, { players: 1, rounds: 1 })
    expect((await allBets(tenant)).items.map((item) => item.username)).toEqual(['sim-001'])
  })

  test('tops up a low balance with an ordinary transfer', async () => {
    const { world, tenant } = await aCasino()
    await aPlayer(tenant, { username: 'amy', balance: '1' })
    await playing(tenant, { players: 1 })
    const transfers = await world.store.read(({ q }) => q.selectFrom('casino_transfers').selectAll().execute())
    expect(transfers.filter((transfer) => transfer.txn_id.startsWith('sim-'))).toMatchObject([
      { dir: 'in', amount: '100000', balance: '100001' },
    ])
  })

  test('spreads its rounds over the given days, in order, and ends now', async () => {
    const { world, tenant } = await aCasino()
    await playing(tenant, { rounds: 100, days: 10, corrected: 2000 })
    const { items } = await allBets(tenant, { from: '2026-01-01T00:00:00Z' })
    const settled = items.map((item) => Date.parse(item.settledAt))
    expect(settled).toEqual(settled.toSorted((a, b) => a - b))
    expect(settled.at(-1)).toBe(world.casino.machineNow())
    expect(new Set(items.map((item) => item.settledAt.slice(0, 10))).size).toBeGreaterThan(9)
    for (const item of items) {
      const seconds = (Date.parse(item.settledAt) - Date.parse(item.placedAt)) / 1000
      expect(seconds).toBeLessThanOrEqual(item.rev === 1 ? 20 : 40)
    }
  })

  test('over the end of a month numbers each month from one, without a gap', async () => {
    const { world, tenant } = await aCasino({ time: aClock('2026-03-05T00:00:00Z') })
    await playing(tenant, { rounds: 120, days: 12, corrected: 1000, voided: 1000 })
    const { items } = await allBets(tenant, { from: '2026-01-01T00:00:00Z' })
    const months = Map.groupBy(items, (item) => item.settledAt.slice(0, 7))
    expect([...months.keys()]).toEqual(['2026-02', '2026-03'])
    for (const month of months.values()) expect(month.map((item) => item.recSeq)).toEqual(month.map((_, i) => i + 1))
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('never deals before the newest record, so that no cursor passes a record', async () => {
    const { world, tenant } = await aCasino()
    const player = await aPlayer(tenant, { username: 'amy', balance: '100000' })
    await aSlip(player)
    const { cursor } = await allBets(tenant)
    const since = world.casino.machineNow()
    world.clock.add('1h')
    await playing(tenant, { rounds: 10, days: 30 })
    const { items } = await allBets(tenant, { cursor })
    expect(items).toHaveLength(30)
    expect(items.every((item) => Date.parse(item.settledAt) >= since)).toBe(true)
  })

  test('uses the given tables, and no other', async () => {
    const { tenant } = await aCasino()
    await playing(tenant, { tables: ['DT-01'] })
    expect(new Set((await allBets(tenant)).items.map((item) => item.tableId))).toEqual(new Set(['DT-01']))
    await refuses('NOT_FOUND', playing(tenant, { tables: ['DT-02'] }))
    await refuses('NOT_FOUND', playing(tenant, { tables: ['NO-01'] }))
  })

  test('needs a tenant, and an enabled table', async () => {
    const { world, tenant } = await aCasino()
    await refuses('NOT_FOUND', playing(tenant, { tenant: 'NOBODY' }))
    await refuses('CONFLICT', playing(await aTenant(world)))
  })

  test('continues without bets after the daily limit of a demo tenant', async () => {
    const { world, tenant } = await aCasino({ plan: 'free' })
    const played = await playing(tenant, { rounds: 40, players: 4 })
    expect(played.rounds).toBe(40)
    expect(played.slips).toBeLessThan(160)
    const staked = (await allBets(tenant)).items.reduce((sum, item) => sum + parseAmount(item.stake), 0n)
    expect(staked).toBeGreaterThanOrEqual(parseAmount('1000'))
    await setLimits(world.casino, tenant.code, { day_bets_limited: 0 })
    expect(await playing(tenant, { rounds: 10, players: 4 })).toMatchObject({ slips: 40 })
  })

  test('respects a player’s limits', async () => {
    const { world, tenant } = await aCasino()
    const input = { name: 'own', game: 'baccarat', currency: 'USD', min: '7', max: '30' }
    const { id: limitProfileId } = await createLimitProfile(world.casino, tenant.code, input)
    await aPlayer(tenant, { username: 'amy' })
    await tenant.client.updatePlayer({ body: { username: 'amy', limitProfileId } })
    await playing(tenant, { players: 1, rounds: 60 })
    const { items } = await allBets(tenant)
    const amounts = (game: string) =>
      items.filter((item) => item.game === game).flatMap((item) => item.bets.map((bet) => parseAmount(bet.amount)))
    for (const amount of amounts('baccarat')) {
      expect(amount).toBeGreaterThanOrEqual(parseAmount('7'))
      expect(amount).toBeLessThanOrEqual(parseAmount('30'))
    }
    expect(amounts('dragontiger').some((amount) => amount > parseAmount('30'))).toBe(true)
  })

  test('leaves no partial round when it is stopped', async () => {
    const { world, tenant } = await aCasino()
    for await (const { rounds } of play(world.casino, {
      tenant: tenant.code,
      tables: [],
      rounds: 1000,
      players: 4,
      days: 0,
      corrected: 1000,
      voided: 1000,
    }))
      if (rounds > 50) break
    const rounds = await world.store.read(({ q }) => q.selectFrom('casino_rounds').select('status').execute())
    expect(rounds.length).toBeGreaterThan(50)
    expect(rounds.some((round) => round.status === 'open')).toBe(false)
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('corrects as many rounds at once as necessary, with any rest of the shoe', async () => {
    const { world, tenant } = await aCasino()
    await playing(tenant, { rounds: 1 })
    world.clock.add('5s')
    const played = await playing(tenant, { tables: ['BAC-01'], rounds: 300, players: 1, days: 1, corrected: 9000 })
    expect(played.corrected).toBeGreaterThan(200)
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('changes the shoe when fewer than 52 cards remain, and restarts its round numbers', async () => {
    const { world, tenant } = await aCasino()
    await playing(tenant, { tables: ['BAC-01'], rounds: 300, players: 1 })
    const rounds = await world.store.read(({ q }) =>
      q.selectFrom('casino_rounds').select(['shoe', 'round', 'card_info']).orderBy('id').execute(),
    )
    const shoes = [...Map.groupBy(rounds, (round) => round.shoe)]
    expect(shoes.map(([shoe]) => shoe)).toEqual(shoes.map((_, i) => String(i + 1)))
    for (const [i, [, dealt]] of shoes.entries()) {
      expect(dealt.map((round) => round.round)).toEqual(dealt.map((_, round) => round + 1))
      const cards = dealt.map((round) => (round.card_info ?? '').replaceAll('--', '').length / 2)
      const before = cards.slice(0, -1).reduce((sum, count) => sum + count, 0)
      expect(416 - before).toBeGreaterThanOrEqual(52)
      if (i < shoes.length - 1) expect(416 - before - (cards.at(-1) ?? 0)).toBeLessThan(52)
    }
    for (const [, dealt] of shoes) {
      const seen = new Map<string, number>()
      for (const card of dealt.flatMap((round) => (round.card_info ?? '').match(/[2-9TJQKA][SHDC]/g) ?? []))
        seen.set(card, (seen.get(card) ?? 0) + 1)
      expect(Math.max(...seen.values())).toBeLessThanOrEqual(8)
    }
  })
})
