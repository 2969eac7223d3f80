import { expect, onTestFinished, test } from 'vitest'
import { world } from '../../../../src/db/migrations/world/index.ts'
import type { RoundRow, SlipRow } from '../../../../src/db/schema/casino.ts'
import { openStore } from '../../../../src/db/store.ts'
import type { Revision } from '../../../../src/domain/bets/slip.ts'
import { appendRecords } from '../../../../src/services/casino/bets/bet-records.ts'
import { openMonthOf, recordsAfter } from '../../../../src/services/casino/queries/bets.ts'

/** Records of revisions, written without a table: which fields each game has, and their month. */

const unit = 10_000n

const aRound = (game: RoundRow['game']): RoundRow => ({
  ...{ id: 'R1', environment: 'live', table_id: 'T', game, shoe: '7', round: 3, status: 'settled', code: '1' },
  ...{ card_info: '', result: null, complete: 1, rev: 1, opened_at: 0, closes_at: null, settled_at: 0, button: null },
  forget_at: null,
})

const aSlip = (over: Partial<SlipRow> = {}): SlipRow => ({
  ...{ id: 'S1', tenant: 'A', player_id: 'p', username: 'amy', currency: 'USD', round_id: 'R1', table_id: 'T' },
  ...{ game: 'baccarat', variant: 'classic', placed: '{}', placed_at: 0, rev: 1, status: 'settled', stake: '1' },
  ...{ hold: '0', valid_stake: '1', rolling: '1', payout: '2', win_loss: '1', rake: '0', result: '{}', onsite: 0 },
  ...{ first_settled_at: 0, settled_at: 0 },
  ...over,
})

const aRevision = (over: Partial<Revision> = {}): Revision => ({
  ...{
    rev: 1,
    status: 'settled',
    legs: [{ zone: 'B', amount: unit, return: 2n * unit }],
    stake: unit,
    hold: 3n * unit,
  },
  ...{ validStake: unit, rolling: unit, payout: 2n * unit, winLoss: unit, delta: 2n * unit, rake: 4n * unit },
  result: { code: '1', cardInfo: 'x' },
  ...over,
})

async function aStore() {
  const time = { now: Date.UTC(2026, 2, 31, 23) }
  const store = await openStore({ url: ':memory:', migrations: world, now: () => time.now })
  onTestFinished(() => store.close())
  const append = (slip: SlipRow, revision = aRevision(), ...more: readonly SlipRow[]) =>
    store.write((tx) =>
      appendRecords(
        tx,
        aRound(slip.game),
        [slip, ...more].map((each) => ({ slip: each, revision })),
      ),
    )
  return { store, time, append }
}

test('a record has the fields of its game', async () => {
  const { append } = await aStore()
  const recordOf = async (slip: Partial<SlipRow>, revision: Partial<Revision> = {}) =>
    JSON.parse((await append(aSlip(slip), aRevision(revision)))[0] ?? '')
  const leg = { zone: 'B', amount: '1', return: '2' }
  const baccarat = await recordOf({})
  expect(baccarat).toEqual({
    ...{ recSeq: 1, slipId: 'S1', rev: 1, status: 'settled', username: 'amy', currency: 'USD', tableId: 'T' },
    ...{ game: 'baccarat', variant: 'classic', roundId: 'R1', shoe: '7', round: 3, bets: [leg], stake: '1' },
    ...{ validStake: '1', rolling: '1', payout: '2', winLoss: '1', delta: '2' },
    ...{ result: { code: '1', cardInfo: 'x' }, placedAt: '1970-01-01T00:00:00.000Z' },
    settledAt: '2026-03-31T23:00:00.000Z',
  })
  const bull = {
    legs: [{ zone: 'P1D', amount: unit, return: 0n, hold: 3n * unit, mult: 2 }],
    result: { code: '1', cardInfo: 'x', hands: { B: 1 }, winners: { P1: 'P' } },
  } as Partial<Revision>
  const niuniu = await recordOf({ id: 'S2', game: 'niuniu', variant: 'standard' }, bull)
  expect(niuniu).toEqual({
    ...{ ...baccarat, recSeq: 2, slipId: 'S2', game: 'niuniu', variant: 'standard', hold: '3' },
    ...{ bets: [{ zone: 'P1D', amount: '1', return: '0', hold: '3', mult: 2 }], result: bull.result },
  })
  const holdem = (id: string, onsite: number) => recordOf({ id, game: 'holdem', variant: 'casino', onsite })
  const hand = { handId: 'R1', no: 3, outcome: '1', cards: 'x' }
  expect([await holdem('S3', 1), await holdem('S4', 0)]).toEqual([
    { ...baccarat, recSeq: 3, slipId: 'S3', game: 'holdem', variant: 'casino', rake: '4', onsite: true, hand },
    { ...baccarat, recSeq: 4, slipId: 'S4', game: 'holdem', variant: 'casino', rake: '4', onsite: false, hand },
  ])
})

test('records are numbered by month, and never go into a month before the open one', async () => {
  const { store, time, append } = await aStore()
  const months = () =>
    store.read(async (reader) => [
      await openMonthOf(reader, 'A'),
      ...(await Promise.all(
        ['202603', '202604'].map(async (month) =>
          (
            await recordsAfter(reader, 'A', month, 0, 9)
          )
            .map((row) => `${row.rec_seq} ${JSON.parse(row.record).slipId}`)
            .join(),
        ),
      )),
    ])
  await append(aSlip())
  expect(await months()).toEqual(['202603', '1 S1', ''])
  time.now += 3_600_000
  await append(aSlip({ id: 'S2' }))
  expect(await months()).toEqual(['202604', '1 S1', '1 S2'])
  time.now -= 3_600_000
  const written = await append(aSlip({ id: 'S3' }), aRevision(), aSlip({ id: 'S4' }))
  expect(await months()).toEqual(['202604', '1 S1', '1 S2,2 S3,3 S4'])
  expect(written.map((record) => JSON.parse(record).recSeq)).toEqual([2, 3])
})
