import { describe, expect, test } from 'vitest'
import { world as worldSteps } from '../../../src/db/migrations/world/index.ts'
import { setTableStatus } from '../../../src/services/casino/admin/index.ts'
import { changeRound, disputeRound, type ExactRound } from '../../../src/services/casino/simulator/index.ts'
import { aReceiver } from '../../support/http/receiver.ts'
import { auditBalances } from '../../support/program/audit.ts'
import {
  allBets,
  anOpenRound,
  aPlayer,
  aRound,
  aTenant,
  refuses,
  type TestTenant,
} from '../../support/worlds/people.ts'
import { aWebhook, aWorld } from '../../support/worlds/webhook-world.ts'
import { inFile, onPostgres, testWorld } from '../../support/worlds/world.ts'
import { allTables } from './every-table.ts'

async function aCasino(): Promise<TestTenant> {
  const tenant = await aTenant(await testWorld(), { tables: allTables })
  for (const username of ['amy', 'bob', 'cho']) await aPlayer(tenant, { username, balance: '1000' })
  return tenant
}

/** The columns of a slip's row that may not be null. */
const slipColumns =
  'tenant player_id username currency table_id game variant placed placed_at rev status stake hold valid_stake rolling payout win_loss rake result onsite'.split(
    ' ',
  )

const balanceOf = async (tenant: TestTenant, username = 'amy') =>
  (await tenant.client.balance({ query: { username } })).balance

const slip = (bets: Record<string, string>, more: object = {}) => [{ username: 'amy', bets, ...more }]

/** A round of every game and variant, and its cards as they are corrected. */
const games: readonly { name: string; dealt: ExactRound; correct: Parameters<typeof changeRound>[2] }[] = [
  {
    name: 'baccarat',
    dealt: { tableId: 'BAC-01', variant: 'nocomm', cardInfo: '5H4S3C5D----', slips: slip({ B: '100', S6: '10' }) },
    correct: { correct: { cardInfo: 'TSASTH4H4DAC' } },
  },
  {
    name: 'dragon tiger, by a source that knows no cards',
    dealt: { tableId: 'DT-02', code: '1', slips: slip({ D: '100', ST: '5' }) },
    correct: { correct: { code: '4', suitedTie: false } },
  },
  {
    name: 'Casino Hold’em',
    dealt: {
      tableId: 'HE-01',
      cardInfo: '4S 8D KC KD 2S||KS 6C',
      slips: slip({ ANTE: '25', CALL: '50' }, { hole: 'JH JC' }),
    },
    correct: { correct: { cardInfo: '4S 8D KC KD JS||KS 6C' } },
  },
  {
    name: 'Bonus Poker',
    dealt: {
      tableId: 'HE-02',
      cardInfo: 'AH KC 7D 2S 9C||QH QS',
      slips: slip({ ANTE: '10', FLOP: '20', TURN: '10' }, { hole: 'AS KD' }),
    },
    correct: { correct: { cardInfo: 'AH KC 7D 2S QC||QH QS' } },
  },
  {
    name: 'no-limit Hold’em, whose button nobody names again',
    dealt: {
      tableId: 'HE-03',
      cardInfo: 'AS KS QD JC TH',
      button: 1,
      slips: [
        { username: 'amy', seat: 1, hole: '2S 2D', bets: { POT: '10' } },
        { username: 'bob', seat: 2, hole: '7H 4D', folded: true, bets: { POT: '1' } },
        { username: 'cho', seat: 3, hole: '3S 3D', bets: { POT: '10' } },
      ],
    },
    correct: { correct: { cardInfo: 'AS KS QD JC TD' } },
  },
  {
    name: 'Niu Niu',
    dealt: {
      tableId: 'NN-01',
      cardInfo: '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
      slips: slip({ P1E: '100', P1D: '100', P2D: '50' }),
    },
    correct: { correct: { cardInfo: '5C|KS 7D 3C 8H 9S|QD TC JS 6H 3D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C' } },
  },
]

describe('a round that was dealt before', () => {
  test.each(games)('is corrected and voided by hand as in one step: $name', async ({ dealt, correct }) => {
    const byHand = await aCasino()
    const { roundId } = await aRound(byHand, dealt)
    const { cursor } = await allBets(byHand)
    byHand.world.clock.add('10m')
    const corrected = await changeRound(byHand.world.casino, roundId, correct)
    const voided = await changeRound(byHand.world.casino, roundId, { void: true })

    const inOneGo = await aCasino()
    const { revisions } = await aRound(inOneGo, dealt, correct, { void: true })
    const figures = (played: typeof corrected | undefined) =>
      played?.bets.map(
        ({ username, rev, status, bets, stake, validStake, rolling, payout, winLoss, delta, result }) => {
          return { username, rev, status, bets, stake, validStake, rolling, payout, winLoss, delta, result }
        },
      )
    expect(figures(corrected)).toEqual(figures(revisions[1]))
    expect(figures(voided)).toEqual(figures(revisions[2]))
    expect(corrected.round).toMatchObject({ status: 'settled', rev: 2 })
    expect(voided.round).toMatchObject({ status: 'void', rev: 3 })

    const { items } = await allBets(byHand, { cursor })
    expect(items).toEqual([...corrected.bets, ...voided.bets])
    expect(await byHand.client.round({ params: { roundId } })).toEqual(voided.round)
    expect(await balanceOf(byHand)).toBe('1000')
    expect(await auditBalances(byHand.world.store)).toEqual([])
  })

  test('is settled again at the time of the correction, and keeps the time of its first settlement', async () => {
    const tenant = await aCasino()
    const { roundId } = await aRound(tenant, { slips: slip({ B: '10' }) })
    tenant.world.clock.add('23h')
    const { round, bets } = await changeRound(tenant.world.casino, roundId, { correct: { cardInfo: 'KS4H7D2C----' } })
    expect(round.settledAt).toBe('2026-03-10T12:00:00.000Z')
    expect(bets[0]?.settledAt).toBe('2026-03-11T11:00:00.000Z')
  })

  test('of a no-limit hand gives the odd chip by another button only when one is named', async () => {
    const tenant = await aCasino()
    const hand = games.find(({ dealt }) => dealt.tableId === 'HE-03')
    const { roundId, revisions } = await aRound(tenant, hand?.dealt ?? { slips: [] })
    const payouts = (bets: readonly { username: string; payout: string }[] = []) =>
      Object.fromEntries(bets.map(({ username, payout }) => [username, payout]))
    expect(payouts(revisions[0]?.bets)).toEqual({ amy: '9.97', bob: '0', cho: '9.98' })
    const board = { cardInfo: 'AS KS QD JC TH' }
    const same = await changeRound(tenant.world.casino, roundId, { correct: board })
    expect(payouts(same.bets)).toEqual({ amy: '9.97', bob: '0', cho: '9.98' })
    const moved = await changeRound(tenant.world.casino, roundId, { correct: { ...board, button: 9 } })
    expect(payouts(moved.bets)).toEqual({ amy: '9.98', bob: '0', cho: '9.97' })
    const kept = await changeRound(tenant.world.casino, roundId, { correct: board })
    expect(payouts(kept.bets)).toEqual({ amy: '9.98', bob: '0', cho: '9.97' })
  })

  test('is sent to the tenants that had bets in it', async () => {
    const receiver = await aReceiver()
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    const { dealExactly } = await import('../../../src/services/casino/simulator/index.ts')
    const exact = { tableId: 'BAC-01', cardInfo: '5H4S3C5D----', slips: slip({ B: '100' }) }
    const { roundId } = await dealExactly(world.casino, 'DEMO', exact)
    await changeRound(world.casino, roundId, { correct: { cardInfo: 'KS4H7D2C----' } })
    await changeRound(world.casino, roundId, { void: true })
    await world.settle()
    const webhooks = receiver.got.map(({ body }) => [body.event, body.data.round.rev, body.data.bets.length])
    // Several may be in flight at once, and arrive in any order.
    expect(webhooks.toSorted(([, a], [, b]) => a - b)).toEqual([
      ['bet.settled', 1, 1],
      ['round.corrected', 2, 1],
      ['round.voided', 3, 1],
    ])
  })
})

describe('outside of the guardrails the original is kept', () => {
  const correction = { correct: { cardInfo: 'KS4H7D2C----' } } as const
  const changes = [correction, { void: true } as const]

  test.each(changes)('a day after the first settlement: %j', async (change) => {
    const tenant = await aCasino()
    const { roundId, revisions } = await aRound(tenant, { slips: slip({ B: '100' }) })
    const balance = await balanceOf(tenant)
    tenant.world.clock.add('24h')
    tenant.world.clock.add('1ms')
    const { round, bets, disputed } = await changeRound(tenant.world.casino, roundId, change)
    expect(disputed).toMatch(/24 hours/)
    expect(bets).toEqual([])
    expect(round).toEqual({ ...revisions[0]?.round, status: 'disputed' })
    expect(await tenant.client.round({ params: { roundId } })).toEqual(round)
    expect(await balanceOf(tenant)).toBe(balance)
    expect((await allBets(tenant)).items).toEqual(revisions[0]?.bets)
  })

  test('if a player has spent the amount to be reversed, for all players of the round', async () => {
    const tenant = await aCasino()
    const bets = { slips: [...slip({ B: '1000' }), { username: 'bob', bets: { P: '10' } }] }
    const { roundId } = await aRound(tenant, bets)
    await tenant.client.withdraw({ body: { username: 'amy', txnId: 'out', amount: '1950', currency: 'USD' } })
    const { disputed } = await changeRound(tenant.world.casino, roundId, correction)
    expect(disputed).toMatch(/amy/)
    expect([await balanceOf(tenant), await balanceOf(tenant, 'bob')]).toEqual(['0', '990'])
  })

  test('after a dispute, and after a void, no further change is accepted', async () => {
    const tenant = await aCasino()
    const { roundId } = await aRound(tenant, { slips: slip({ B: '100' }) })
    await disputeRound(tenant.world.casino, roundId)
    for (const change of changes)
      expect((await changeRound(tenant.world.casino, roundId, change)).round.status).toBe('disputed')
    const { roundId: voided } = await aRound(tenant, { slips: slip({ B: '100' }) }, { void: true })
    for (const change of changes)
      expect(await changeRound(tenant.world.casino, voided, change)).toMatchObject({
        bets: [],
        disputed: 'nothing follows a void',
        round: { status: 'void', rev: 2 },
      })
  })
})

describe('impossible corrections', () => {
  test('a round that is unknown, or has no result yet, is not corrected', async () => {
    const tenant = await aCasino()
    const app = tenant.world.casino
    const correct = { correct: { cardInfo: 'KS4H7D2C----' } }
    await refuses('ROUND_NOT_FOUND', changeRound(app, '01J9ZK8S5T3V6W7X8Y9ZABCDEF', correct))
    await refuses('ROUND_NOT_FOUND', changeRound(app, '01J9ZK8S5T3V6W7X8Y9ZABCDEF', { void: true }))
    const open = await anOpenRound(tenant, 'BAC-01', slip({ B: '10' }))
    await refuses('CONFLICT', changeRound(app, open, correct))
  })

  test('a round that is still open is voided as its first revision', async () => {
    const tenant = await aCasino()
    const open = await anOpenRound(tenant, 'BAC-01', slip({ B: '10' }))
    const { round, bets } = await changeRound(tenant.world.casino, open, { void: true })
    expect(round).toMatchObject({ status: 'void', rev: 1, code: null, cardInfo: null })
    expect(bets).toMatchObject([{ status: 'void', rev: 1, delta: '10', result: { code: '', cardInfo: '' } }])
    expect(await balanceOf(tenant)).toBe('1000')
  })

  test('cards that a player holds already are refused, and nothing changes', async () => {
    const tenant = await aCasino()
    const { dealt } = games.find(({ name }) => name === 'Casino Hold’em') ?? { dealt: { slips: [] } }
    const { roundId } = await aRound(tenant, dealt)
    const correct = { correct: { cardInfo: '4S 8D KC KD JH||KS 6C' } }
    await refuses('INVALID_PARAMETER', changeRound(tenant.world.casino, roundId, correct))
    expect((await tenant.client.round({ params: { roundId } })).rev).toBe(1)
  })

  test('a table in maintenance still has its earlier rounds corrected', async () => {
    const tenant = await aCasino()
    const { roundId } = await aRound(tenant, { slips: slip({ B: '100' }) })
    await setTableStatus(tenant.world.casino, 'live', 'BAC-01', 'maintenance')
    const { round } = await changeRound(tenant.world.casino, roundId, { correct: { cardInfo: 'KS4H7D2C----' } })
    expect(round.rev).toBe(2)
  })
})

describe.each([inFile, onPostgres])('a world of an earlier version on $name', (on) => {
  test('keeps rounds without bets as long as bets, counted from their opening, and the others forever', async () => {
    const database = await on.database()
    const now = () => 5_000
    const before = { ...worldSteps, steps: worldSteps.steps.filter((step) => step.name < '0081') }
    const older = await database.open({ migrations: before, now })
    const round = { environment: 'live', table_id: 'BAC-01', game: 'baccarat', shoe: '1', round: 1, rev: 1 } as const
    await older.write(async ({ q }) => {
      for (const [id, status] of [
        ['BET', 'settled'],
        ['EMPTY', 'settled'],
        ['VOID', 'void'],
        ['OPEN', 'open'],
      ] as const)
        await q
          .insertInto('casino_rounds')
          .values({ ...round, id, status, opened_at: 1_000 } as never)
          .execute()
      const slip = Object.fromEntries(slipColumns.map((column) => [column, '0']))
      await q
        .insertInto('casino_slips')
        .values({ ...slip, id: 'S', round_id: 'BET' } as never)
        .execute()
    })
    await older.close()
    const store = await database.open({ migrations: worldSteps, now })
    const rounds = await store.read(({ q }) =>
      q.selectFrom('casino_rounds').select(['id', 'forget_at']).orderBy('id').execute(),
    )
    const longest = (31 + 400) * 86_400_000
    expect(rounds).toEqual([
      { id: 'BET', forget_at: null },
      { id: 'EMPTY', forget_at: 1_000 + longest },
      { id: 'OPEN', forget_at: null },
      { id: 'VOID', forget_at: 1_000 + longest },
    ])
  })
})
