import { describe, expect, test } from 'vitest'
import { createLimitProfile, setLimits, setTableStatus } from '../../../../src/services/casino/admin/index.ts'
import { changeRound, dealExactly, disputeRound } from '../../../../src/services/casino/simulator/index.ts'
import { open } from '../../../support/browser/browser.ts'
import { parseReply, prefix, sendRaw } from '../../../support/http/raw.ts'
import { auditBalances } from '../../../support/program/audit.ts'
import {
  allBets,
  anOpenRound,
  aPlayer,
  aRound,
  aSlip,
  aTenant,
  balanceOf,
  placeBets,
  refuses,
} from '../../../support/worlds/people.ts'
import { inFile, inMemory, testWorld } from '../../../support/worlds/world.ts'
import { playedAs, workedSlips } from '../worked-slips.ts'

async function aTable(options: Parameters<typeof testWorld>[0] = {}) {
  const world = await testWorld(options)
  const tenant = await aTenant(world, { tables: ['BAC-01', 'DT-01', 'DT-02'] })
  const player = await aPlayer(tenant, { username: 'amy', balance: '1000' })
  return { world, tenant, player, readRound: (roundId: string) => tenant.client.round({ params: { roundId } }) }
}

const ulid = /^[0-9A-Z]{26}$/

describe.each([inMemory, inFile])('the worked slips on $name', (on) => {
  test.each(workedSlips.map((slip) => [slip.revisions.map(({ name }) => name).join(', '), slip] as const))(
    '%s: record, balance and round match the rules',
    async (_, worked) => {
      const { world, tenant, player, readRound } = await aTable({ on })
      const { roundId, revisions } = await aRound(tenant, ...playedAs(worked, 'amy'))
      const { items } = await allBets(tenant)
      expect(items).toEqual(revisions.flatMap((revision) => revision.bets))
      const stake = worked.revisions[0]?.stake ?? ''
      const now = new Date(world.casino.machineNow()).toISOString()
      expect(items).toEqual(
        worked.revisions.map((due, i) => ({
          recSeq: i + 1,
          slipId: items[0]?.slipId,
          rev: i + 1,
          status: due.status,
          username: 'amy',
          currency: 'USD',
          tableId: worked.tableId,
          game: worked.game,
          variant: worked.variant,
          roundId,
          shoe: '1',
          round: 1,
          bets: Object.entries(worked.bets).map(([zone, amount]) => ({ zone, amount, return: due.returns[zone] })),
          stake,
          validStake: due.validStake,
          rolling: due.rolling,
          payout: due.payout,
          winLoss: due.winLoss,
          delta: due.delta,
          result: { code: due.code, cardInfo: due.cardInfo },
          placedAt: now,
          settledAt: now,
        })),
      )
      expect(items[0]?.slipId).toMatch(ulid)
      const last = worked.revisions.at(-1)
      expect(Number(await balanceOf(player))).toBeCloseTo(1000 + Number(last?.winLoss), 4)
      expect(await readRound(roundId)).toMatchObject({
        roundId,
        status: last?.status === 'void' ? 'void' : 'settled',
        rev: worked.revisions.length,
        code: last?.code || null,
        cardInfo: last?.cardInfo || null,
      })
      expect(await auditBalances(world.store)).toEqual([])
    },
  )
})

describe('a round', () => {
  test('of baccarat has its cards, points, winner and pairs', async () => {
    const { world, tenant, readRound } = await aTable()
    const opened = new Date(world.casino.machineNow()).toISOString()
    const { roundId } = await aRound(tenant, { cardInfo: 'TSASTH4H4DAC', slips: [] })
    expect(await readRound(roundId)).toEqual({
      roundId,
      tableId: 'BAC-01',
      shoe: '1',
      round: 1,
      status: 'settled',
      code: 'B',
      cardInfo: 'TSASTH4H4DAC',
      result: {
        cards: { P1: 'TS', B1: 'AS', P2: 'TH', B2: '4H', P3: '4D', B3: 'AC' },
        player: 4,
        banker: 6,
        winner: 'B',
        playerPair: true,
        bankerPair: false,
      },
      complete: true,
      rev: 1,
      openedAt: opened,
      settledAt: opened,
    })
    expect(roundId).toMatch(ulid)
  })

  test('of dragon tiger has both cards', async () => {
    const { tenant, readRound } = await aTable()
    const { roundId } = await aRound(tenant, { tableId: 'DT-02', cardInfo: 'QHQH', slips: [] })
    expect(await readRound(roundId)).toMatchObject({
      code: 'C',
      cardInfo: 'QHQH',
      result: { cards: { D: 'QH', TG: 'QH' }, dragon: 12, tiger: 12, winner: 'T', suitedTie: true },
      complete: true,
    })
  })

  test('of a source without cards is incomplete', async () => {
    const { tenant, player, readRound } = await aTable()
    const slips = [{ username: 'amy', bets: { B: '10' } }]
    const { roundId } = await aRound(tenant, { code: '3', points: { player: 2, banker: 6 }, slips })
    expect(await readRound(roundId)).toMatchObject({
      code: '3',
      cardInfo: null,
      complete: false,
      result: { cards: {}, player: 2, banker: 6, winner: 'B', playerPair: false, bankerPair: false },
    })
    expect((await allBets(tenant)).items[0]).toMatchObject({ result: { code: '3', cardInfo: '' }, payout: '19.5' })
    expect(await balanceOf(player)).toBe('1009.5')
  })

  test('voided without a result has neither code nor cards nor a settlement time', async () => {
    const { tenant, readRound } = await aTable()
    const { roundId } = await aRound(tenant, { void: true, slips: [{ username: 'amy', bets: { P: '70' } }] })
    expect(await readRound(roundId)).toMatchObject({
      status: 'void',
      code: null,
      cardInfo: null,
      result: null,
      complete: null,
      rev: 1,
      settledAt: null,
    })
  })

  test('that is corrected and voided later keeps its first settlement time, and counts its revisions', async () => {
    const { world, tenant, readRound } = await aTable()
    const settledAt = new Date(world.casino.machineNow()).toISOString()
    const { roundId } = await aRound(tenant, { slips: [] })
    world.clock.add('1h')
    await changeRound(world.casino, roundId, { correct: { cardInfo: 'KS4H7D2C----' } })
    expect(await readRound(roundId)).toMatchObject({ rev: 2, code: '2', settledAt, status: 'settled' })
    world.clock.add('1h')
    await changeRound(world.casino, roundId, { void: true })
    expect(await readRound(roundId)).toMatchObject({ rev: 3, code: '2', settledAt, status: 'void' })
  })

  test('that is not settled is not readable', async () => {
    const { tenant, player, readRound } = await aTable()
    const roundId = await anOpenRound(tenant, 'BAC-01', [{ username: 'amy', bets: { B: '10' } }])
    await refuses('ROUND_NOT_FOUND', readRound(roundId))
    expect(await balanceOf(player)).toBe('990')
    expect((await allBets(tenant)).items).toEqual([])
  })

  test('that does not exist, or is in the other environment, is not found', async () => {
    const { tenant, readRound } = await aTable()
    await refuses('ROUND_NOT_FOUND', readRound('0'.repeat(26)))
    const { roundId } = await aRound(tenant, { slips: [] })
    await refuses('ROUND_NOT_FOUND', tenant.sandbox.client.round({ params: { roundId } }))
  })

  test.each(['short', '0'.repeat(25), '0'.repeat(27), '0'.repeat(25).concat('a'), '0'.repeat(25).concat('-'), '%20'])(
    'with the malformed id %s is NOT_FOUND, as an unknown endpoint is',
    async (id) => {
      const { world, tenant } = await aTable()
      const reply = await sendRaw(world, tenant.key, { url: `${prefix}/rounds/${id}` })
      expect(parseReply(reply)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    },
  )

  test('is dealt for every tenant of the environment: another one can read it too', async () => {
    const { world, tenant } = await aTable()
    const other = await aTenant(world)
    const { roundId } = await aRound(tenant, { slips: [] })
    expect(await other.client.round({ params: { roundId } })).toMatchObject({ roundId })
  })

  test('is numbered within its shoe, separately for each table', async () => {
    const { tenant, readRound } = await aTable()
    const rounds: { shoe: string; round: number; tableId: string }[] = []
    for (const tableId of ['BAC-01', 'DT-01', 'BAC-01', 'BAC-01', 'DT-01']) {
      const cardInfo = tableId === 'BAC-01' ? '5H4S3C5D----' : 'KS7H'
      const { roundId } = await aRound(tenant, { tableId, cardInfo, slips: [] })
      rounds.push(await readRound(roundId))
    }
    expect(rounds.map(({ tableId, shoe, round }) => `${tableId} ${shoe}/${round}`)).toEqual([
      'BAC-01 1/1',
      'DT-01 1/1',
      'BAC-01 1/2',
      'BAC-01 1/3',
      'DT-01 1/2',
    ])
  })
})

describe('the guardrails', () => {
  const correction = { correct: { cardInfo: 'KS4H7D2C----' } }

  test('allow a correction and a void within 24 hours of the first settlement', async () => {
    const { world, player, tenant } = await aTable()
    const { roundId } = await aSlip(player, { B: '100' })
    world.clock.add('12h')
    expect(await changeRound(world.casino, roundId, correction)).toMatchObject({ round: { rev: 2 } })
    world.clock.add('12h')
    expect(await changeRound(world.casino, roundId, { void: true })).toMatchObject({
      round: { rev: 3, status: 'void' },
    })
    expect(await balanceOf(player)).toBe('1000')
    expect((await allBets(tenant)).items.map((slip) => slip.delta)).toEqual(['195', '-195', '100'])
  })

  test.each([
    ['a correction', correction],
    ['a void', { void: true } as const],
  ])('turn %s into a dispute after that: result and amounts stay, and nothing is written', async (_, step) => {
    const { world, player, tenant, readRound } = await aTable()
    const { roundId, revisions } = await aSlip(player, { B: '100' })
    world.clock.add('24h')
    world.clock.add('1ms')
    const change = await changeRound(world.casino, roundId, step)
    expect(change).toMatchObject({ round: { status: 'disputed', rev: 1 }, bets: [], disputed: expect.any(String) })
    expect(await readRound(roundId)).toEqual({ ...revisions[0]?.round, status: 'disputed' })
    expect((await allBets(tenant)).items).toHaveLength(1)
    expect(await balanceOf(player)).toBe('1095')
    expect(await changeRound(world.casino, roundId, { void: true })).toMatchObject({ round: { status: 'disputed' } })
  })

  test('keep a balance from becoming negative: withdrawn winnings are not reversed', async () => {
    const { world, player, tenant, readRound } = await aTable()
    const other = await aPlayer(tenant, { username: 'bob', balance: '1000' })
    const slips = ['amy', 'bob'].map((username) => ({ username, bets: { B: '100' } }))
    const { roundId } = await aRound(tenant, { slips })
    const out = { username: 'amy', txnId: 'out', amount: '1000', currency: 'USD' }
    await tenant.client.withdraw({ body: out })
    const change = await changeRound(world.casino, roundId, correction)
    expect(change).toMatchObject({ round: { status: 'disputed' }, bets: [] })
    expect(await readRound(roundId)).toMatchObject({ status: 'disputed', code: '1', rev: 1 })
    expect([await balanceOf(player), await balanceOf(other)]).toEqual(['95', '1095'])
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('allow no change after a void', async () => {
    const { world, player, readRound } = await aTable()
    const { roundId } = await aSlip(player, { B: '100' })
    await changeRound(world.casino, roundId, { void: true })
    for (const step of [correction, { void: true } as const])
      expect(await changeRound(world.casino, roundId, step)).toMatchObject({
        round: { status: 'void', rev: 2 },
        bets: [],
        disputed: 'nothing follows a void',
      })
    expect(await readRound(roundId)).toMatchObject({ status: 'void', rev: 2 })
  })

  test('can be applied by hand: a settled round is disputed, an open or voided one is not', async () => {
    const { world, tenant, player, readRound } = await aTable()
    const { roundId } = await aSlip(player)
    await disputeRound(world.casino, roundId)
    expect(await readRound(roundId)).toMatchObject({ status: 'disputed', rev: 1 })
    await disputeRound(world.casino, roundId)
    const open = await anOpenRound(tenant, 'BAC-01', [])
    await refuses('CONFLICT', disputeRound(world.casino, open))
    await refuses('CONFLICT', changeRound(world.casino, open, correction))
    await changeRound(world.casino, open, { void: true })
    await refuses('CONFLICT', disputeRound(world.casino, open))
    await refuses('ROUND_NOT_FOUND', disputeRound(world.casino, 'X'.repeat(26)))
  })
})

describe('a correction', () => {
  test('writes a revision of every slip of the round, also if no amount changes', async () => {
    const { world, tenant } = await aTable()
    await aPlayer(tenant, { username: 'bob' })
    const { roundId } = await aRound(tenant, {
      slips: [
        { username: 'amy', bets: { B: '10' } },
        { username: 'bob', bets: { T: '10' }, variant: 'nocomm' },
      ],
    })
    const { bets } = await changeRound(world.casino, roundId, { correct: { cardInfo: '5H4S3C5C----' } })
    expect(bets.map(({ username, rev, status, delta, recSeq }) => [username, rev, status, delta, recSeq])).toEqual([
      ['amy', 2, 'recalculated', '0', 3],
      ['bob', 2, 'recalculated', '0', 4],
    ])
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('to an impossible result is rejected and leaves the round unchanged', async () => {
    const { world, player, readRound } = await aTable()
    const { roundId } = await aSlip(player)
    const before = await readRound(roundId)
    for (const cardInfo of ['', 'KS4H', 'XX4H7D2C----', 'KS4H7D2CAH--'])
      await refuses('INVALID_PARAMETER', changeRound(world.casino, roundId, { correct: { cardInfo } }))
    await refuses('INVALID_PARAMETER', changeRound(world.casino, roundId, { correct: {} }))
    expect(await readRound(roundId)).toEqual(before)
  })
})

describe('bets', () => {
  test.each([
    [{ Q: '10' }, 'BET_REFUSED'],
    [{ S6: '10' }, 'BET_REFUSED'],
    [{}, 'BET_REFUSED'],
    [{ B: '0' }, 'INVALID_AMOUNT'],
    [{ B: '-5' }, 'INVALID_AMOUNT'],
    [{ B: '1.00001' }, 'INVALID_AMOUNT'],
    [{ B: 5 as never }, 'INVALID_AMOUNT'],
    [{ B: '1000.0001' }, 'INSUFFICIENT_BALANCE'],
    [{ B: '600', P: '600' }, 'INSUFFICIENT_BALANCE'],
  ])('of %j are rejected (%s) and reserve nothing', async (bets, code) => {
    const { world, tenant, player } = await aTable()
    await refuses(code, aRound(tenant, { slips: [{ username: 'amy', bets }] }))
    expect(await balanceOf(player)).toBe('1000')
    expect(await world.store.read(({ q }) => q.selectFrom('casino_rounds').selectAll().execute())).toEqual([])
  })

  test('need a variant of the table', async () => {
    const { tenant } = await aTable()
    const slips = [{ username: 'amy', bets: { B: '10' } }]
    await refuses('BET_REFUSED', aRound(tenant, { variant: 'casino', slips }))
    await refuses('BET_REFUSED', aRound(tenant, { tableId: 'DT-01', cardInfo: 'KS7H', variant: 'classic', slips }))
  })

  test('on the side zones of dragon tiger need a table with side bets', async () => {
    const { tenant } = await aTable()
    const slips = [{ username: 'amy', bets: { DB: '10', TE: '5' } }]
    await aRound(tenant, { tableId: 'DT-01', cardInfo: 'KS7H', slips })
    await refuses('BET_REFUSED', aRound(tenant, { tableId: 'DT-02', cardInfo: 'KS7H', slips }))
  })

  test('are one slip per round and player', async () => {
    const { tenant } = await aTable()
    const slip = { username: 'amy', bets: { B: '10' } }
    await refuses('BET_REFUSED', aRound(tenant, { slips: [slip, { ...slip, username: 'AMY' }] }))
  })

  test('of one rejected player reject all: the round is placed as a whole', async () => {
    const { tenant, player } = await aTable()
    const other = await aPlayer(tenant, { username: 'bob', balance: '5' })
    const slips = ['amy', 'bob'].map((username) => ({ username, bets: { B: '10' } }))
    await refuses('INSUFFICIENT_BALANCE', aRound(tenant, { slips }))
    expect([await balanceOf(player), await balanceOf(other)]).toEqual(['1000', '5'])
  })

  test.each(['locked', 'no_bet'] as const)('of a player who is %s are rejected', async (status) => {
    const { tenant, player } = await aTable()
    await tenant.client.updatePlayer({ body: { username: 'amy', status } })
    await refuses('PLAYER_LOCKED', aSlip(player))
    await tenant.client.updatePlayer({ body: { username: 'amy', status: 'active' } })
    await aSlip(player)
  })

  test('already placed are settled also if the player is locked in the meantime', async () => {
    const { world, tenant, player } = await aTable()
    const roundId = await anOpenRound(tenant, 'BAC-01', [{ username: 'amy', bets: { B: '100' } }])
    await tenant.client.updatePlayer({ body: { username: 'amy', status: 'locked' } })
    await changeRound(world.casino, roundId, { void: true })
    expect(await balanceOf(player)).toBe('1000')
  })

  test('need a table that the tenant enabled and that is not in maintenance', async () => {
    const { world, tenant, player } = await aTable()
    await tenant.client.disableTable({ body: { tableId: 'BAC-01' } })
    await refuses('BET_REFUSED', aSlip(player))
    await tenant.client.enableTable({ body: { tableId: 'BAC-01' } })
    await setTableStatus(world.casino, 'live', 'BAC-01', 'maintenance')
    await refuses('BETTING_CLOSED', aSlip(player))
    await setTableStatus(world.casino, 'live', 'BAC-01', 'open')
    await aSlip(player)
  })

  test('are accepted during the betting time only', async () => {
    const { world, tenant } = await aTable()
    const roundId = await anOpenRound(tenant, 'BAC-01', [])
    const bet = () => placeBets(tenant, roundId, [{ username: 'amy', bets: { B: '10' } }])
    world.clock.add('20s')
    world.clock.add('1ms')
    await refuses('BETTING_CLOSED', bet())
    world.clock.add('-1ms')
    await bet()
    await changeRound(world.casino, roundId, { void: true })
    await refuses('BETTING_CLOSED', bet())
  })

  test('are limited by a profile for the game of the table, and by no other', async () => {
    const { world, tenant, player } = await aTable()
    const input = { name: 'own', game: 'baccarat', currency: 'USD', min: '5', max: '50' }
    const { id: limitProfileId } = await createLimitProfile(world.casino, tenant.code, input)
    await tenant.client.updatePlayer({ body: { username: 'amy', limitProfileId } })
    for (const bets of [{ B: '4.9999' }, { B: '50.0001' }, { B: '10', T: '1' }]) {
      const refusal = await refuses('BET_REFUSED', aSlip(player, bets))
      expect(refusal.message).toContain('from 5 to 50')
    }
    await aSlip(player, { B: '5', P: '50' })
    await aRound(tenant, { tableId: 'DT-01', cardInfo: 'KS7H', slips: [{ username: 'amy', bets: { D: '100' } }] })
  })

  test('with a possible payout above the maximum amount are rejected', async () => {
    const { tenant } = await aTable()
    const rich = await aPlayer(tenant, { username: 'rich', balance: '999999999999999.9999' })
    await refuses('BET_REFUSED', aSlip(rich, { T: '999000999001' }))
    await aSlip(rich, { B: '999000999000' })
    expect(await balanceOf(rich)).toBe('1000949050949049.9999')
    const out = { username: 'rich', txnId: 'out', amount: '949050949050', currency: 'USD' }
    expect(await tenant.client.withdraw({ body: out })).toMatchObject({ balance: '999999999999999.9999' })
  })

  test('count as activity: the session stays open', async () => {
    const { world, tenant, player } = await aTable()
    await open(world, (await tenant.client.launch({ body: { username: 'amy' } })).url)
    for (let i = 0; i < 3; i++) {
      world.clock.add('40m')
      await aSlip(player)
    }
    expect(await tenant.client.player({ query: { username: 'amy' } })).toMatchObject({ online: true })
    world.clock.add('60m')
    expect(await tenant.client.player({ query: { username: 'amy' } })).toMatchObject({ online: false })
  })
})

describe('the bets of a demo tenant', () => {
  test('stop for the day once USD 1,000 are reached, and continue on the next UTC day', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world, { plan: 'free', tables: ['BAC-01'] })
    const [amy, bob] = [await aPlayer(tenant, { balance: '5000' }), await aPlayer(tenant, { balance: '5000' })]
    await aSlip(amy, { B: '400' })
    await aSlip(bob, { B: '599.9999' })
    await aSlip(amy, { B: '250' })
    await refuses('BETTING_CLOSED', aSlip(amy, { B: '1' }))
    await refuses('BETTING_CLOSED', aSlip(bob, { B: '1' }))
    await world.clock.set(Date.parse('2026-03-11T00:00:00Z'))
    await aSlip(bob, { B: '1' })
  })

  test('count in all currencies together, each by its amount', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world, { plan: 'free', tables: ['BAC-01'] })
    const dollars = await aPlayer(tenant, { balance: '5000' })
    const taiwan = await aPlayer(tenant, { balance: '500000', currency: 'TWD' })
    await aSlip(dollars, { B: '500' })
    await aSlip(taiwan, { B: '14999' })
    await aSlip(taiwan, { B: '1' })
    await refuses('BETTING_CLOSED', aSlip(dollars, { B: '1' }))
  })

  test('are unlimited on the paid plan, and if the platform lifts the limit', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world, { tables: ['BAC-01'] })
    const player = await aPlayer(tenant, { balance: '5000' })
    for (let i = 0; i < 3; i++) await aSlip(player, { B: '700' })
    await tenant.sandbox.client.enableTable({ body: { tableId: 'BAC-01' } })
    const tester = await aPlayer(tenant.sandbox, { balance: '5000' })
    await aSlip(tester, { B: '1000' })
    await refuses('BETTING_CLOSED', aSlip(tester, { B: '1' }))
    await setLimits(world.casino, tenant.sandbox.code, { day_bets_limited: 0 })
    await aSlip(tester, { B: '1000' })
  })
})

describe('an exact round', () => {
  test('is played completely or not at all', async () => {
    const { world, tenant, player } = await aTable()
    const slips = [{ username: 'amy', bets: { B: '10' } }]
    await refuses('INVALID_PARAMETER', aRound(tenant, { slips }, { correct: { cardInfo: 'nonsense' } }))
    expect(await balanceOf(player)).toBe('1000')
    expect((await allBets(tenant)).items).toEqual([])
    expect(await world.store.read(({ q }) => q.selectFrom('casino_shoes').selectAll().execute())).toEqual([])
  })

  test('needs a tenant, a table and players that exist', async () => {
    const { world, tenant } = await aTable()
    const slips = [{ username: 'amy', bets: { B: '10' } }]
    const round = { tableId: 'BAC-01', cardInfo: '5H4S3C5D----', slips }
    await refuses('NOT_FOUND', dealExactly(world.casino, 'NOBODY', round))
    await refuses('NOT_FOUND', aRound(tenant, { tableId: 'NO-01', slips }))
    await refuses('PLAYER_NOT_FOUND', aRound(tenant, { slips: [{ username: 'nobody', bets: { B: '1' } }] }))
    await refuses('INVALID_PARAMETER', dealExactly(world.casino, tenant.code, { tableId: 'BAC-01', slips }))
  })

  test('can have slips of both variants on the same cards', async () => {
    const { tenant } = await aTable()
    await aPlayer(tenant, { username: 'bob' })
    await aRound(tenant, {
      cardInfo: 'QD3D4C3SAH--',
      slips: [
        { username: 'amy', variant: 'classic', bets: { B: '100' } },
        { username: 'bob', variant: 'nocomm', bets: { B: '100', S6: '10' } },
      ],
    })
    expect((await allBets(tenant)).items.map((slip) => [slip.variant, slip.payout])).toEqual([
      ['classic', '195'],
      ['nocomm', '280'],
    ])
  })

  test('gives the reason why a correction or void was rejected', async () => {
    const { tenant } = await aTable()
    const slips = [{ username: 'amy', bets: { B: '10' } }]
    const correction = { correct: { cardInfo: 'KS4H7D2C----' } }
    const { revisions } = await aRound(tenant, { slips }, { void: true }, correction)
    expect(revisions.map(({ round, disputed }) => [round.status, round.rev, disputed])).toEqual([
      ['settled', 1, undefined],
      ['void', 2, undefined],
      ['void', 2, 'nothing follows a void'],
    ])
  })
})
