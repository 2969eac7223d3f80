import { describe, expect, test } from 'vitest'
import type { BetRecordRow, SlipRow, SummaryPlayerRow, SummaryRow } from '../../../src/db/schema/casino.ts'
import type { Store } from '../../../src/db/store.ts'
import {
  bettorsIn,
  firstSince,
  forgetRecords,
  hasBetIn,
  insertRecords,
  insertSlips,
  lastSequence,
  latestRecordAt,
  openMonthOf,
  recordsAfter,
  recordsOfRound,
  saveMinute,
  saveOpenMonth,
  slipsOfRound,
  slipsSettledIn,
} from '../../../src/services/casino/queries/bets.ts'
import {
  creditEntries,
  insertCreditEntry,
  insertUsageDay,
  saveStream,
  streamsOn,
  topupOf,
  usageDays,
} from '../../../src/services/casino/queries/credit.ts'
import { dayBets, forgetDayBets, saveDayBets } from '../../../src/services/casino/queries/day-bets.ts'
import {
  firstBacklog,
  firstSettlementSince,
  insertSummary,
  removeBacklog,
  saveBacklog,
  saveCounted,
  saveSummaryPlayers,
  summariesAround,
  summaryOf,
  summaryPlayers,
  topPlayers,
  uncountedSlips,
} from '../../../src/services/casino/queries/summaries.ts'
import { queryEngines, queryStore } from '../../support/databases/query-store.ts'

/** Queries against rows that were written directly: each condition and order of them. */

const minute = 60_000
const march = Date.UTC(2026, 2, 1)
const [month, before, after] = ['202603', '202602', '202604']

describe.each(queryEngines)('on $name', (engine) => {
  const aStore = () => queryStore(engine, march)

  const aRecord = (rec_seq: number, over: Partial<BetRecordRow> = {}): BetRecordRow => ({
    ...{
      tenant: 'A',
      month,
      rec_seq,
      slip_id: `S${rec_seq}`,
      rev: 1,
      round_id: 'R1',
      settled_at: march,
      record: `${rec_seq}`,
    },
    ...over,
  })

  const aSlip = (id: string, over: Partial<SlipRow> = {}): SlipRow => ({
    ...{ id, tenant: 'A', player_id: `p-${id}`, username: 'amy', currency: 'USD', round_id: 'R1', table_id: 'BAC-01' },
    ...{ game: 'baccarat', variant: 'classic', placed: '{}', placed_at: march, rev: 1, status: 'settled', stake: '10' },
    ...{ hold: '0', valid_stake: '10', rolling: '0', payout: '0', win_loss: '-10', rake: '0', result: '{}', onsite: 0 },
    ...{ first_settled_at: march, settled_at: march },
    ...over,
  })

  describe('bet records', () => {
    test('are those of one tenant and month after a number, in order, at most as many as asked for', async () => {
      const { read, write } = await aStore()
      await write((tx) =>
        insertRecords(tx, [
          ...[3, 1, 2, 4].map((number) => aRecord(number)),
          aRecord(2, { tenant: 'B', slip_id: 'B2' }),
          aRecord(9, { month: before, slip_id: 'F9' }),
        ]),
      )
      const records = async (tenant: string, of: string, from: number, limit: number) =>
        (await read((reader) => recordsAfter(reader, tenant, of, from, limit))).map(({ rec_seq, record }) => [
          rec_seq,
          record,
        ])
      expect(await records('A', month, 1, 2)).toEqual([
        [2, '2'],
        [3, '3'],
      ])
      expect([await records('A', before, 0, 9), await records('B', month, 0, 9)]).toEqual([[[9, '9']], [[2, '2']]])
      const last = (tenant: string, of: string) => read((reader) => lastSequence(reader, tenant, of))
      expect([await last('A', month), await last('B', month), await last('A', before), await last('A', after)]).toEqual(
        [...[4, 2, 9, 0]],
      )
    })

    test('have the time of the last one of the last month', async () => {
      const { read, write } = await aStore()
      const latest = () => read((reader) => latestRecordAt(reader, 'A'))
      expect(await latest()).toBeUndefined()
      await write((tx) =>
        insertRecords(tx, [
          aRecord(9, { month: before, slip_id: 'F9', settled_at: 9 }),
          aRecord(1, { settled_at: 5 }),
          aRecord(2, { settled_at: 4 }),
          aRecord(3, { tenant: 'B', slip_id: 'B3', settled_at: 7 }),
        ]),
      )
      expect(await latest()).toBe(4)
    })

    test('of a round are every revision in its times, by slip', async () => {
      const { read, write } = await aStore()
      const [from, to] = [Date.UTC(2026, 1, 28, 23), march + 5]
      await write((tx) =>
        insertRecords(tx, [
          aRecord(1, { slip_id: 'b', settled_at: to }),
          aRecord(2, { slip_id: 'a', rev: 2, settled_at: march }),
          aRecord(3, { slip_id: 'a', settled_at: march }),
          aRecord(4, { slip_id: 'c', settled_at: to + 1 }),
          aRecord(5, { slip_id: 'd', round_id: 'R2' }),
          aRecord(6, { slip_id: 'e', tenant: 'B' }),
          aRecord(1, { slip_id: 'f', month: before, settled_at: from }),
          aRecord(2, { slip_id: 'g', month: before, settled_at: from - 1 }),
          aRecord(1, { slip_id: 'h', month: after, settled_at: march }),
        ]),
      )
      const records = await read((reader) => recordsOfRound(reader, 'A', { roundId: 'R1', from, to }))
      expect(records.map(({ slip_id, rev }) => `${slip_id}${rev}`)).toEqual(['a1', 'a2', 'b1', 'f1'])
    })

    test('of earlier months are deleted oldest first, with the minutes of those months', async () => {
      const { store, read, write } = await aStore()
      await write(async (tx) => {
        await insertRecords(tx, [
          ...[1, 2, 3].map((number) => aRecord(number, { month: before, slip_id: `F${number}` })),
          ...[1, 2].map((number) => aRecord(number, { month: '202601', slip_id: `J${number}` })),
          aRecord(1),
          aRecord(1, { month: before, tenant: 'B', slip_id: 'B1' }),
        ])
        for (const [tenant, of] of [
          ['A', before],
          ['A', month],
          ['B', before],
        ] as const)
          await tx.q.insertInto('casino_bet_minutes').values({ tenant, month: of, minute: 1, rec_seq: 1 }).execute()
      })
      const left = async () =>
        (await read(({ q }) => q.selectFrom('casino_bet_records').select('slip_id').orderBy('slip_id').execute())).map(
          ({ slip_id }) => slip_id,
        )
      const forget = (limit: number) => write((tx) => forgetRecords(tx, 'A', month, limit))
      expect([await forget(3), await left()]).toEqual([3, ['B1', 'F2', 'F3', 'S1']])
      expect([await forget(9), await left(), await forget(9)]).toEqual([2, ['B1', 'S1'], 0])
      const minutes = await store.read(({ q }) => q.selectFrom('casino_bet_minutes').selectAll().execute())
      expect(minutes.map(({ tenant, month: of }) => `${tenant} ${of}`).sort()).toEqual([`A ${month}`, `B ${before}`])
    })
  })

  describe('the minutes of a month', () => {
    const at = (minutes: number) => march + minutes * minute
    const saved = async (store: Store) =>
      (await store.read(({ q }) => q.selectFrom('casino_bet_minutes').selectAll().orderBy('minute').execute())).map(
        (row) => [row.tenant, row.month, row.minute - march / minute, row.rec_seq],
      )
    const note = (store: Store, minutes: number, first: number) =>
      store.write((tx) => saveMinute(tx, 'A', month, at(minutes), first))

    test('are saved once each, with their first record, and never one before the latest', async () => {
      const { store, write } = await aStore()
      await write(({ q }) =>
        q
          .insertInto('casino_bet_minutes')
          .values([
            { tenant: 'B', month, minute: march / minute + 50, rec_seq: 1 },
            { tenant: 'A', month: before, minute: march / minute + 60, rec_seq: 1 },
          ])
          .execute(),
      )
      await write((tx) =>
        insertRecords(tx, [
          aRecord(1, { tenant: 'B', slip_id: 'B1', settled_at: at(50) }),
          aRecord(1, { month: before, slip_id: 'F1', settled_at: at(60) }),
        ]),
      )
      await note(store, 1, 1)
      await note(store, 1.99, 2)
      await note(store, 0, 3)
      await note(store, 2, 4)
      expect((await saved(store)).filter(([tenant, of]) => tenant === 'A' && of === month)).toEqual([
        ['A', month, 1, 1],
        ['A', month, 2, 4],
      ])
      // Records without saved minutes have theirs saved before the next one.
      await write(({ q }) => q.deleteFrom('casino_bet_minutes').execute())
      await write(({ q }) => q.deleteFrom('casino_bet_records').execute())
      await write(async (tx) => {
        await insertRecords(tx, [
          aRecord(1, { settled_at: at(1) }),
          aRecord(2, { settled_at: at(1.5) }),
          aRecord(3, { settled_at: at(3) }),
          aRecord(4, { settled_at: at(2) }),
          aRecord(5, { settled_at: at(5) }),
          aRecord(6, { tenant: 'B', slip_id: 'B6', settled_at: at(4) }),
          aRecord(7, { month: before, slip_id: 'F7', settled_at: at(4) }),
        ])
      })
      await note(store, 5.5, 6)
      const first = [
        ['A', month, 1, 1],
        ['A', month, 3, 3],
        ['A', month, 5, 5],
      ]
      expect(await saved(store)).toEqual(first)
      // The numbers of another tenant or month say nothing about those of this one, also in the same minute.
      const others = [
        { tenant: 'B', month, minute: march / minute + 5, rec_seq: 99 },
        { tenant: 'A', month: before, minute: march / minute + 5, rec_seq: 99 },
      ]
      await write(({ q }) => q.insertInto('casino_bet_minutes').values(others).execute())
      await write((tx) => insertRecords(tx, [aRecord(8, { settled_at: at(7) }), aRecord(9, { settled_at: at(8.5) })]))
      await note(store, 9, 10)
      expect((await saved(store)).filter(([, , , number]) => number !== 99)).toEqual([
        ...[...first, ['A', month, 7, 8], ['A', month, 8, 9], ['A', month, 9, 10]],
      ])
    })

    test('give the first record from one on, or the next number after the last', async () => {
      const { store, read, write } = await aStore()
      const since = (minutes: number, tenant = 'A', of = month) =>
        read((reader) => firstSince(reader, tenant, of, at(minutes)))
      expect(await since(0)).toBe(1)
      await note(store, 1, 1)
      await note(store, 3, 4)
      expect([await since(0), await since(1), await since(1.5), await since(2), await since(3)]).toEqual([
        1, 1, 1, 4, 4,
      ])
      await write((tx) =>
        insertRecords(tx, [
          aRecord(5, { settled_at: at(4) }),
          aRecord(6, { settled_at: at(4) }),
          aRecord(2, { tenant: 'B', slip_id: 'B2', settled_at: at(4) }),
          aRecord(3, { month: after, slip_id: 'N3', settled_at: at(4) }),
        ]),
      )
      expect([await since(4), await since(4.5), await since(5)]).toEqual([5, 7, 7])
      expect([await since(4, 'B'), await since(4, 'A', after), await since(9, 'B')]).toEqual([2, 3, 3])
    })
  })

  test('the open month of a tenant is replaced, that of another one is not', async () => {
    const { read, write } = await aStore()
    for (const [tenant, of] of [
      ['A', before],
      ['B', before],
      ['A', month],
    ] as const)
      await write((tx) => saveOpenMonth(tx, tenant, of))
    const open = (tenant: string) => read((reader) => openMonthOf(reader, tenant))
    expect([await open('A'), await open('B'), await open('C')]).toEqual([month, before, undefined])
  })

  describe('slips', () => {
    test('of a round are in order, with their players, also of one tenant', async () => {
      const { read, write } = await aStore()
      const ofBoth = [aSlip('d', { round_id: 'R3' }), aSlip('e', { round_id: 'R3', tenant: 'B' })]
      const slips = [aSlip('b'), aSlip('a'), aSlip('c', { round_id: 'R2', tenant: 'B' }), ...ofBoth]
      await write((tx) => insertSlips(tx, slips))
      expect((await read((reader) => slipsOfRound(reader, 'R1'))).map(({ id }) => id)).toEqual(['a', 'b'])
      expect([...(await read((reader) => bettorsIn(reader, 'R1')))].sort()).toEqual(['p-a', 'p-b'])
      const bets = (tenant: string, round: string) => read((reader) => hasBetIn(reader, tenant, round))
      expect([await bets('A', 'R1'), await bets('B', 'R1'), await bets('A', 'R2'), await bets('B', 'R2')]).toEqual([
        ...[true, false, false, true],
      ])
      expect([await bets('A', 'R3'), await bets('B', 'R3'), await bets('C', 'R3')]).toEqual([true, true, false])
    })

    test('of a span are those first settled in it, newest first', async () => {
      const { read, write } = await aStore()
      await write((tx) =>
        insertSlips(tx, [
          aSlip('a', { first_settled_at: 10 }),
          aSlip('c', { first_settled_at: 15 }),
          aSlip('b', { first_settled_at: 15 }),
          aSlip('d', { first_settled_at: 20 }),
          aSlip('e', { first_settled_at: 9 }),
          aSlip('f', { first_settled_at: 15, tenant: 'B' }),
        ]),
      )
      const ids = async (limit: number) =>
        (await read((reader) => slipsSettledIn(reader, 'A', { from: 10, to: 20, limit }))).map(({ id }) => id)
      expect([await ids(9), await ids(2)]).toEqual([
        ['c', 'b', 'a'],
        ['c', 'b'],
      ])
    })
  })

  describe('summaries', () => {
    const day = 86_400_000
    const aSummary = (over: Partial<SummaryRow> = {}): SummaryRow => ({
      ...{ tenant: 'A', starts_at: 10 * day, ends_at: 11 * day, timezone: 'UTC', counted_at: null, counted_slip: null },
      ...over,
    })
    const aPlayer = (username: string, over: Partial<SummaryPlayerRow> = {}): SummaryPlayerRow => ({
      ...{ tenant: 'A', starts_at: 10 * day, ends_at: 11 * day, username, rank: '5', slips: 1, stake: '1' },
      ...{ valid_stake: '1', rolling: '1', payout: '0', win_loss: '-1', rake: '0' },
      ...over,
    })
    const key = { tenant: 'A', starts_at: 10 * day, ends_at: 11 * day }
    const others = [{ tenant: 'B' }, { starts_at: 9 * day }, { ends_at: 12 * day }]

    test('are found and changed by tenant, start and end', async () => {
      const { read, write } = await aStore()
      await write(async (tx) => {
        for (const over of [{}, ...others]) await insertSummary(tx, aSummary(over))
        await saveCounted(tx, aSummary({ counted_at: 5, counted_slip: 's' }))
      })
      const of = (over: object) => read((reader) => summaryOf(reader, { ...key, ...over }))
      expect(await of({})).toEqual(aSummary({ counted_at: 5, counted_slip: 's' }))
      for (const over of others) expect(await of(over)).toEqual(aSummary(over))
      expect(await of({ starts_at: 1 })).toBeUndefined()
    })

    test('of a moment are those that include it and began at most three days before', async () => {
      const { read, write } = await aStore()
      await write(async (tx) => {
        for (const over of [
          {},
          ...others,
          { starts_at: 7 * day + 1, ends_at: 99 * day },
          { starts_at: 7 * day, ends_at: 99 * day },
        ])
          await insertSummary(tx, aSummary(over))
      })
      const starts = async (at: number) =>
        (await read((reader) => summariesAround(reader, 'A', at)))
          .map(({ starts_at, ends_at }) => `${starts_at / day}-${ends_at / day}`)
          .sort()
      const early = `${(7 * day + 1) / day}-99`
      expect(await starts(10 * day)).toEqual(['10-11', '10-12', early, '9-11'].sort())
      expect(await starts(10 * day - 1)).toEqual([early, '7-99', '9-11'].sort())
      expect(await starts(11 * day)).toEqual(['10-12'])
    })

    test('have their players by rank and name, and are replaced player by player', async () => {
      const { read, write } = await aStore()
      await write((tx) =>
        saveSummaryPlayers(tx, [
          aPlayer('cho', { rank: '1' }),
          aPlayer('bob'),
          aPlayer('amy'),
          ...others.map((over) => aPlayer('amy', { rank: '0', ...over })),
        ]),
      )
      const names = async (limit: number) =>
        (await read((reader) => topPlayers(reader, key, limit))).map(({ username }) => username)
      expect([await names(9), await names(2)]).toEqual([
        ['cho', 'amy', 'bob'],
        ['cho', 'amy'],
      ])
      const changed = {
        rank: '9',
        slips: 2,
        stake: '3',
        valid_stake: '4',
        rolling: '5',
        payout: '6',
        win_loss: '7',
        rake: '8',
      }
      await write((tx) => saveSummaryPlayers(tx, [aPlayer('amy', changed)]))
      expect(await read((reader) => summaryPlayers(reader, key, ['amy', 'zoe']))).toEqual([aPlayer('amy', changed)])
      for (const over of others)
        expect(await read((reader) => summaryPlayers(reader, { ...key, ...over }, ['amy']))).toMatchObject([
          { rank: '0' },
        ])
      expect(await read((reader) => summaryPlayers(reader, key, ['bob']))).toMatchObject([{ rank: '5' }])
    })

    test('count the slips after the last counted one, in order', async () => {
      const { read, write } = await aStore()
      const at = 10 * day
      await write((tx) =>
        insertSlips(tx, [
          aSlip('c', { first_settled_at: at }),
          aSlip('a', { first_settled_at: at + 5, rake: '7' }),
          aSlip('b', { first_settled_at: at }),
          aSlip('d', { first_settled_at: 11 * day }),
          aSlip('e', { first_settled_at: at - 1 }),
          aSlip('f', { first_settled_at: at, tenant: 'B' }),
          aSlip('g', { first_settled_at: null, rev: 0, status: 'placed' }),
        ]),
      )
      const slips = (over: Partial<SummaryRow>, limit = 9) =>
        read((reader) => uncountedSlips(reader, aSummary(over), limit))
      const ids = async (over: Partial<SummaryRow>, limit?: number) => (await slips(over, limit)).map(({ id }) => id)
      expect([await ids({}), await ids({}, 2)]).toEqual([
        ['b', 'c', 'a'],
        ['b', 'c'],
      ])
      expect(await ids({ counted_at: at, counted_slip: 'b' })).toEqual(['c', 'a'])
      expect(await ids({ counted_at: at, counted_slip: 'c' })).toEqual(['a'])
      expect(await slips({ counted_at: at, counted_slip: 'c' })).toEqual([
        {
          ...{ id: 'a', tenant: 'A', username: 'amy', status: 'settled', stake: '10', valid_stake: '10', rolling: '0' },
          ...{ win_loss: '-10', rake: '7', onsite: 0, first_settled_at: at + 5 },
        },
      ])
    })

    test('begin with the first settlement from a moment on, before another one', async () => {
      const { read, write } = await aStore()
      await write((tx) =>
        insertSlips(tx, [
          aSlip('a', { first_settled_at: 20 }),
          aSlip('b', { first_settled_at: 10 }),
          aSlip('c', { first_settled_at: 5, tenant: 'B' }),
        ]),
      )
      const first = (since: number, until?: number) => read((reader) => firstSettlementSince(reader, 'A', since, until))
      expect([await first(0), await first(10), await first(11), await first(21)]).toEqual([10, 10, 20, undefined])
      expect([await first(0, 10), await first(0, 11), await first(11, 20)]).toEqual([undefined, 10, undefined])
    })

    test('that lack days are kept by tenant', async () => {
      const { read, write } = await aStore()
      for (const [tenant, since] of [
        ['B', 1],
        ['A', 2],
        ['A', 3],
      ] as const)
        await write((tx) => saveBacklog(tx, tenant, since))
      const first = () => read(firstBacklog)
      expect(await first()).toEqual({ tenant: 'A', since: 3 })
      await write((tx) => removeBacklog(tx, 'A'))
      expect(await first()).toEqual({ tenant: 'B', since: 1 })
    })
  })

  describe('the credit of a tenant', () => {
    test('has entries from a moment on, oldest first, and each top-up once', async () => {
      const { read, write } = await aStore()
      const entry = { kind: 'topup', amount_usd: '1', balance_usd: '1', day: '2026-03-01' } as const
      await write(async (tx) => {
        for (const [id, tenant, at, ref] of [
          ['c', 'A', 20, 'r1'],
          ['b', 'A', 20, 'r2'],
          ['a', 'A', 10, 'r3'],
          ['d', 'B', 20, 'r4'],
        ] as const)
          await insertCreditEntry(tx, { ...entry, id, tenant, at, ref })
        await insertCreditEntry(tx, { ...entry, id: 'e', tenant: 'A', at: 30, ref: 'r5', kind: 'credit' })
      })
      const ids = async (since?: number) =>
        (await read((reader) => creditEntries(reader, 'A', since))).map(({ id }) => id)
      expect([await ids(), await ids(20)]).toEqual([
        ['a', 'b', 'c', 'e'],
        ['b', 'c', 'e'],
      ])
      const topup = async (tenant: string, ref: string) => (await read((reader) => topupOf(reader, tenant, ref)))?.id
      expect([await topup('A', 'r1'), await topup('A', 'r4'), await topup('A', 'r5'), await topup('B', 'r4')]).toEqual([
        ...['c', undefined, undefined, 'd'],
      ])
    })

    test('has charged days of a range, and one measurement of each source and day', async () => {
      const { read, write } = await aStore()
      const usage = {
        table_days: 1,
        stream_gb: '0',
        stream_source: 'cdn',
        table_fee_usd: '1',
        stream_fee_usd: '0',
      } as const
      await write(async (tx) => {
        for (const [tenant, day] of [
          ['A', '2026-03-03'],
          ['A', '2026-03-01'],
          ['A', '2026-03-02'],
          ['A', '2026-03-04'],
          ['B', '2026-03-02'],
        ] as const)
          await insertUsageDay(tx, { tenant, day, ...usage })
        for (const [tenant, day, gb] of [
          ['A', '2026-03-01', '1'],
          ['A', '2026-03-01', '2'],
          ['A', '2026-03-02', '3'],
          ['B', '2026-03-01', '4'],
        ] as const)
          await saveStream(tx, { tenant, day, source: 'cdn', gb })
      })
      const days = await read((reader) => usageDays(reader, 'A', '2026-03-01', '2026-03-03'))
      expect(days.map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03'])
      const middle = await read((reader) => usageDays(reader, 'A', '2026-03-02', '2026-03-02'))
      expect(middle.map(({ day }) => day)).toEqual(['2026-03-02'])
      const streams = await read((reader) => streamsOn(reader, 'A', '2026-03-01'))
      expect(streams.map(({ gb }) => gb)).toEqual(['2'])
    })
  })

  test('the bets of a day are by tenant and currency, and earlier days are deleted', async () => {
    const { read, write } = await aStore()
    for (const [tenant, day, currency, total] of [
      ['A', '2026-03-02', 'USD', '1'],
      ['A', '2026-03-02', 'USD', '2'],
      ['A', '2026-03-02', 'EUR', '3'],
      ['A', '2026-03-01', 'USD', '4'],
      ['B', '2026-03-02', 'USD', '5'],
    ] as const)
      await write((tx) => saveDayBets(tx, { tenant, day, currency, total }))
    const totals = async (tenant: string, day: string) =>
      (await read((reader) => dayBets(reader, tenant, day))).map(({ total }) => total).sort()
    expect(await totals('A', '2026-03-02')).toEqual(['2', '3'])
    expect(await write((tx) => forgetDayBets(tx, '2026-03-02'))).toBe(1)
    expect([await totals('A', '2026-03-01'), await totals('B', '2026-03-02')]).toEqual([[], ['5']])
  })
})
