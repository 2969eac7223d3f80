import { describe, expect, test } from 'vitest'
import { createLimitProfile } from '../../../../src/services/casino/admin/index.ts'
import { misreadRiver } from '../../../../src/services/casino/simulator/holdem.ts'
import { type Play, play } from '../../../../src/services/casino/simulator/index.ts'
import { auditBalances } from '../../../support/program/audit.ts'
import { allBets, aPlayer, aTenant, type TestTenant } from '../../../support/worlds/people.ts'
import { onPostgres, testWorld } from '../../../support/worlds/world.ts'
import { allTables } from '../every-table.ts'

async function aFullCasino(players = ['amy', 'bob', 'cho', 'dee']): Promise<TestTenant> {
  const tenant = await aTenant(await testWorld(), { code: 'FULL', tables: allTables })
  for (const username of players) await aPlayer(tenant, { username, balance: '10000' })
  return tenant
}

async function playAll(tenant: TestTenant, input: Partial<Play>) {
  let played = { rounds: 0, slips: 0, corrected: 0, voided: 0 }
  const usual = { tenant: tenant.code, tables: [], rounds: 40, players: 4, days: 0, corrected: 0, voided: 0 }
  for await (const progress of play(tenant.world.casino, { ...usual, ...input })) played = progress
  return played
}

const records = async (tenant: TestTenant) => (await allBets(tenant, { limit: 1000 })).items

const units = (amount: string | undefined) => Math.round(Number(amount) * 10_000)

describe('playing every table', () => {
  test('deals all four games and every variant of Hold’em', async () => {
    const tenant = await aFullCasino()
    await playAll(tenant, { rounds: 80 })
    const dealt = new Set((await records(tenant)).map((record) => `${record.game} ${record.variant}`))
    for (const each of ['baccarat classic', 'baccarat nocomm', 'dragontiger standard', 'niuniu standard'])
      expect(dealt).toContain(each)
    for (const each of ['holdem casino', 'holdem thbp', 'holdem nlhe']) expect(dealt).toContain(each)
  })

  test('every slip’s deltas add up to its last payout, also for corrected and voided ones', async () => {
    const tenant = await aFullCasino()
    const played = await playAll(tenant, { rounds: 120, corrected: 3000, voided: 3000 })
    const all = await records(tenant)
    expect(played.slips + played.corrected + played.voided).toBe(all.length)
    expect(played.corrected).toBeGreaterThan(20)
    expect(played.voided).toBeGreaterThan(20)
    const slips = Map.groupBy(all, (record) => record.slipId)
    for (const revisions of slips.values()) {
      const deltas = revisions.reduce((total, record) => total + units(record.delta), 0)
      expect(deltas).toBe(units(revisions.at(-1)?.payout))
    }
    const recalculated = all.filter((record) => record.status === 'recalculated')
    expect(new Set(recalculated.map((record) => record.game)).size).toBeGreaterThan(2)
    expect(await auditBalances(tenant.world.store)).toEqual([])
  })

  test('at no-limit tables the total loss of the seats is the rake, and a guest sits down sometimes', async () => {
    const tenant = await aFullCasino()
    await playAll(tenant, { tables: ['HE-03'], rounds: 60, players: 5 })
    const all = await records(tenant)
    for (const seats of Map.groupBy(all, (record) => record.roundId).values()) {
      expect(seats.length).toBeGreaterThan(1)
      const won = seats.reduce((total, seat) => total + units(seat.winLoss), 0)
      expect(won).toBe(0 - seats.reduce((total, seat) => total + units(seat.rake), 0))
    }
    expect(all.some((record) => record.onsite)).toBe(true)
    const codes = new Set(all.map((record) => record.result.code))
    for (const code of ['win', 'lose', 'fold']) expect(codes).toContain(code)
  })

  test('one player alone at a no-limit table plays against a guest', async () => {
    const tenant = await aFullCasino()
    await playAll(tenant, { tables: ['HE-03'], rounds: 5, players: 1 })
    const all = await records(tenant)
    expect(new Set(all.map((record) => record.username))).toEqual(new Set(['amy', 'guest-2']))
  })

  test('players call with good hands and fold bad ones: about one hand in five at Casino Hold’em', async () => {
    const tenant = await aFullCasino()
    await playAll(tenant, { tables: ['HE-01'], rounds: 60, players: 9 })
    const all = await records(tenant)
    const folded = all.filter((record) => record.result.code === 'fold').length
    expect(all.length).toBe(540)
    expect(folded / all.length).toBeGreaterThan(0.1)
    expect(folded / all.length).toBeLessThan(0.3)
  })

  test('if there are more players than seats they take turns', async () => {
    const tenant = await aFullCasino()
    const played = await playAll(tenant, { tables: ['HE-02'], rounds: 4, players: 12 })
    expect(played.slips).toBe(36)
    const names = new Set((await records(tenant)).map((record) => record.username))
    expect(names.size).toBe(12)
  })

  test('a session of Niu Niu is sixty rounds, each with its own deck', async () => {
    const tenant = await aFullCasino()
    await playAll(tenant, { tables: ['NN-01'], rounds: 62, players: 1 })
    const all = await records(tenant)
    expect(all.map((record) => `${record.shoe}/${record.round}`).slice(58)).toEqual(['1/59', '1/60', '2/1', '2/2'])
    expect(new Set(all.map((record) => record.result.cardInfo)).size).toBe(62)
  })

  test("no player bets outside their limits at Hold'em, and none has to sit out because of them", async () => {
    const tenant = await aFullCasino()
    const input = { name: 'narrow', game: 'holdem', currency: 'USD', min: '7', max: '30' }
    const { id: limitProfileId } = await createLimitProfile(tenant.world.casino, tenant.code, input)
    await tenant.client.updatePlayer({ body: { username: 'amy', limitProfileId } })
    await playAll(tenant, { tables: ['HE-01', 'HE-02', 'HE-03'], rounds: 60, players: 2 })
    const own = (await records(tenant)).filter((record) => record.username === 'amy')
    expect(own.length).toBeGreaterThan(50)
    for (const leg of own.flatMap((record) => record.bets)) {
      expect(Number(leg.amount)).toBeLessThanOrEqual(30)
      if (leg.zone !== 'POT') expect(Number(leg.amount)).toBeGreaterThanOrEqual(7)
    }
    expect(new Set(own.flatMap((record) => record.bets.map((leg) => leg.zone)))).toContain('CALL')
  })

  test('continues without bets after the daily limit of a demo tenant, at the no-limit table too', async () => {
    const tenant = await aTenant(await testWorld(), { code: 'SMALL', plan: 'free', tables: ['HE-02', 'HE-03'] })
    await playAll(tenant, { rounds: 60, players: 9 })
    const rounds = await tenant.world.store.read(({ q }) =>
      q.selectFrom('casino_rounds').select(['id', 'status']).execute(),
    )
    expect(rounds.every((round) => round.status === 'settled')).toBe(true)
    expect(new Set((await records(tenant)).map((record) => record.roundId)).size).toBeLessThan(rounds.length)
  })

  test('hands of Hold’em are numbered by table and have no shoe', async () => {
    const tenant = await aFullCasino()
    await playAll(tenant, { tables: ['HE-01'], rounds: 5, players: 1 })
    expect((await records(tenant)).map(({ shoe, round }) => [shoe, round])).toEqual(
      [1, 2, 3, 4, 5].map((no) => ['', no]),
    )
  })

  test('the same seed plays the same bets', async () => {
    const once = await aFullCasino()
    const again = await aFullCasino()
    for (const tenant of [once, again]) await playAll(tenant, { rounds: 24 })
    expect(await records(again)).toEqual(await records(once))
  })
})

test('a misread river changes one card to one that no hand holds', () => {
  const holes = [['AS', 'KD'] as const]
  const changed = misreadRiver('2C 3C 4C 5C 6C||QH QS', holes, () => 0)
  expect(changed.split('|')[0]?.split(' ').slice(0, 4)).toEqual(['2C', '3C', '4C', '5C'])
  expect(['AS', 'KD', 'QH', 'QS', '6C']).not.toContain(changed.split('|')[0]?.split(' ')[4])
  expect(misreadRiver('2C 3C 4C', [], () => 0)).toBe('2C 3C 4C')
})

test('on PostgreSQL, rounds of players who receive deposits at the same time are dealt once', async () => {
  const tenant = await aTenant(await testWorld({ on: onPostgres }), { tables: ['BAC-01'] })
  await aPlayer(tenant, { username: 'amy', balance: '100000' })
  const { casino } = tenant.world
  let ids = 0
  const id = () => {
    ids += 1
    return casino.id()
  }
  let isOver = false
  const paying = (async () => {
    let paid = 0
    for (; !isOver; paid++)
      await tenant.client.deposit({ body: { username: 'amy', txnId: `t-${paid}`, amount: '1', currency: 'USD' } })
    return paid
  })()
  const input = { tenant: tenant.code, tables: [], rounds: 60, players: 1, days: 0, corrected: 0, voided: 0 }
  for await (const _ of play({ ...casino, id }, input));
  isOver = true
  expect(await paying).toBeGreaterThan(0)
  // Each round and each slip has one.
  expect(ids).toBe(2 * input.rounds)
  expect(await auditBalances(tenant.world.store)).toEqual([])
})
