import { describe, expect, test } from 'vitest'
import { periodIn } from '../../../../src/domain/reconcile/periods.ts'
import {
  changesOf,
  countPeriod,
  figuresFrom,
  figuresShown,
  figureTexts,
  lineOf,
  sumBy,
} from '../../../../src/operator/reconcile/periods/figures.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aBook, aRecord, reading, toRow, writeRows } from '../../book-rows.ts'

const zone = 'Europe/Berlin'

/** The figures of a day, or of another period, of a book with these records, in their order of arrival. */
async function counted(records: readonly Partial<BetRecord>[], name = '2026-03-10') {
  const book = await aBook()
  await writeRows(
    book,
    records.map((record, i) => toRow(aRecord({ slipId: `S${i}`, ...record }), i + 1)),
  )
  const period = periodIn(name, zone)
  if (!period) throw new Error(name)
  return reading(book, (reader) => countPeriod(reader, period, zone))
}

const at = (settledAt: string) => ({ settledAt, placedAt: settledAt })

describe('the figures of a period', () => {
  test('have the slips settled from its first to its last millisecond, in the zone of the tenant', async () => {
    const { players, tables } = await counted([
      at('2026-03-09T22:59:59.999Z'),
      at('2026-03-09T23:00:00.000Z'),
      at('2026-03-10T22:59:59.999Z'),
      at('2026-03-10T23:00:00.000Z'),
    ])
    expect(players).toMatchObject([{ player: 'amy', currency: 'USD', figures: { slips: 2n, stake: 200_000n } }])
    expect(tables.map(({ date, figures }) => [date, figures.slips])).toEqual([['2026-03-10', 2n]])
  })

  test('of a month are by day, game, table and currency, sorted; a day of it has 23 hours', async () => {
    const { tables } = await counted(
      [
        at('2026-03-29T21:59:59.999Z'),
        at('2026-03-29T22:00:00.000Z'),
        { ...at('2026-03-28T22:59:59.999Z'), tableId: 'BAC-02' },
        at('2026-03-28T22:59:59.999Z'),
        { ...at('2026-03-28T23:00:00.000Z'), currency: 'EUR' },
      ],
      '2026-03',
    )
    expect(tables.map(({ date, tableId, currency }) => [date, tableId, currency])).toEqual([
      ['2026-03-28', 'BAC-01', 'USD'],
      ['2026-03-28', 'BAC-02', 'USD'],
      ['2026-03-29', 'BAC-01', 'EUR'],
      ['2026-03-29', 'BAC-01', 'USD'],
      ['2026-03-30', 'BAC-01', 'USD'],
    ])
  })

  test('count a slip on the day of its first settlement with its highest revision, and no seat on site', async () => {
    const { players } = await counted([
      { slipId: 'S1' },
      { slipId: 'S1', rev: 2, payout: '25', settledAt: '2026-03-12T12:00:00.000Z' },
      { slipId: 'S2', onsite: true },
    ])
    expect(players.map(({ figures }) => [figures.slips, figures.payout])).toEqual([[1n, 250_000n]])
  })

  test.each([
    ['2026-03-10T12:00:00.000Z', [1n]],
    ['2026-03-09T22:59:59.999Z', []],
    ['2026-03-10T23:00:00.000Z', []],
  ])('count a slip without its first revision on the day it was placed: %s', async (placedAt, slips) => {
    const { players, tables } = await counted([{ rev: 2, placedAt, settledAt: '2026-03-12T12:00:00.000Z' }])
    expect(players.map(({ figures }) => figures.slips)).toEqual(slips)
    expect(tables.map(({ date }) => date)).toEqual(slips.map(() => '2026-03-10'))
  })

  test('of a month have a slip without its first revision on its own day', async () => {
    const { tables } = await counted([{ rev: 2, settledAt: '2026-03-12T12:00:00.000Z' }], '2026-03')
    expect(tables.map(({ date }) => date)).toEqual(['2026-03-10'])
  })

  test('are sorted by player and currency, and summed for each', async () => {
    const of = (username: string, currency: string, stake: string) => ({ username, currency, stake })
    const { players } = await counted([
      of('bob', 'USD', '1'),
      of('amy', 'USD', '2'),
      of('amy', 'EUR', '4'),
      of('amy', 'USD', '8'),
    ])
    expect(players.map(({ player, currency, figures }) => [player, currency, figures.stake])).toEqual([
      ['amy', 'EUR', 40_000n],
      ['amy', 'USD', 100_000n],
      ['bob', 'USD', 10_000n],
    ])
  })

  test('have a digest that changes with a figure, and not with the spelling of a name', async () => {
    const digest = async (...records: readonly Partial<BetRecord>[]) => (await counted(records)).digest
    const lost = await digest({})
    expect(lost).toMatch(/^[0-9a-f]{64}$/)
    expect(await digest({ username: 'AMY' })).toBe(lost)
    const others = [{ username: 'bob' }, { payout: '1' }, { currency: 'EUR' }, { tableId: 'BAC-02' }]
    const digests = await Promise.all(others.map((other) => digest(other)))
    expect(new Set([lost, ...digests]).size).toBe(others.length + 1)
  })
})

describe('lines', () => {
  test('state the revenue of the house: what the players lost', async () => {
    const { tables } = await counted([{ payout: '2.5' }])
    expect(tables.map(lineOf)).toMatchObject([{ slips: '1', stake: '10', payout: '2.5', winLoss: '-7.5', ggr: '7.5' }])
  })

  test('are read back as they were', async () => {
    const { players } = await counted([{ payout: '2.5' }, { stake: '0.0001' }])
    for (const { figures } of players) {
      expect(figuresFrom(figureTexts(figures))).toEqual(figures)
      expect(figuresFrom(figuresShown(figures))).toEqual(figures)
    }
    const none = Object.values(figuresFrom({}))
    expect(new Set(none)).toEqual(new Set([0n]))
  })

  test('are summed by a key, in the order of the keys', async () => {
    const { tables } = await counted([
      { tableId: 'DT-01', currency: 'USD', stake: '1' },
      { tableId: 'BAC-01', currency: 'USD', stake: '2' },
      { tableId: 'BAC-01', currency: 'EUR', stake: '4' },
    ])
    const sums = sumBy(tables.map(lineOf), ['currency'])
    expect(sums.map(({ currency, slips, stake, ggr }) => [currency, slips, stake, ggr])).toEqual([
      ['EUR', '1', '4', '4'],
      ['USD', '2', '3', '3'],
    ])
  })
})

test('changes are named by player and currency, with each figure that differs', async () => {
  const before = await counted([{ username: 'amy' }, { username: 'bob' }, { username: 'cho' }])
  const after = await counted([{ username: 'Amy', payout: '25' }, { username: 'bob' }, { username: 'dee' }])
  const changes = changesOf(before.players, after.players)
  expect(changes.map(({ player, username, winLoss }) => [player, username, winLoss])).toEqual([
    ['amy', 'Amy', '25'],
    ['cho', 'cho', '10'],
    ['dee', 'dee', '-10'],
  ])
  expect(changes[0]?.fields).toEqual([
    { field: 'payout', before: '0', after: '25', change: '25' },
    { field: 'winLoss', before: '-10', after: '15', change: '25' },
  ])
  expect(changes[1]?.fields).toContainEqual({ field: 'slips', before: '1', after: '0', change: '-1' })
  expect(changesOf(before.players, before.players)).toEqual([])
})
