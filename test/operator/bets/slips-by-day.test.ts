import { describe, expect, test } from 'vitest'
import type { BookSlipRow } from '../../../src/db/schema/book.ts'
import {
  arrivalsOf,
  bookState,
  daysAround,
  headlessSlips,
  rowsOfMany,
  rowsOfSlips,
  slipsOf,
  slipsRevised,
  slipsRevisedBehind,
  slipsSettled,
} from '../../../src/operator/bets/slips-by-day.ts'
import type { Book } from '../../../src/operator/book/book.ts'
import type { BetRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { aBook, aRecord, reading, toRow, writeRows, writeSlips } from '../book-rows.ts'

const span = { from: Date.UTC(2026, 2, 10), to: Date.UTC(2026, 2, 11) }
const iso = (at: number) => new Date(at).toISOString()

async function aBookWith(...records: readonly Partial<BetRecord>[]) {
  const book = await aBook()
  await writeSlips(book, ...records)
  return book
}

async function all<T>(batches: AsyncGenerator<readonly T[]>): Promise<{ items: T[]; sizes: number[] }> {
  const read = { items: [] as T[], sizes: [] as number[] }
  for await (const batch of batches) {
    read.items.push(...batch)
    read.sizes.push(batch.length)
  }
  return read
}

/** Slips of one time in more rows than a batch has; the second half comes first by ID. */
const many = (count: number, at = span.from): BookSlipRow[] =>
  Array.from({ length: count }, (_, i) =>
    toRow(aRecord({ slipId: `S${(i + 500) % count}`, recSeq: i + 1, settledAt: iso(at) }), i + 1),
  )

describe('the state of a book', () => {
  test('without rows has neither owner, position nor latest settlement, and place 0', async () => {
    expect(await reading(await aBook(), bookState)).toEqual({
      ...{ owner: undefined, position: undefined, latestAt: undefined, lastPlace: 0 },
    })
  })

  test('has the time of the latest settlement, and the place of the row that arrived last', async () => {
    const book = await aBookWith({ slipId: 'late', settledAt: iso(9_000) }, { slipId: 'early', settledAt: iso(1_000) })
    expect(await reading(book, bookState)).toMatchObject({ latestAt: 9_000, lastPlace: 2 })
  })
})

describe('the slips settled in a span', () => {
  const settled = (book: Book, players?: readonly string[]) =>
    reading(book, (reader) => all(slipsSettled(reader, span, players)))
  const idsOf = async (book: Book, players?: readonly string[]) =>
    (await settled(book, players)).items.map(({ slipId }) => slipId)

  test.each([
    [span.from - 1, []],
    [span.from, ['S1']],
    [span.to - 1, ['S1']],
    [span.to, []],
  ])('are those of its first to its last millisecond: %i', async (at, ids) => {
    expect(await idsOf(await aBookWith({ settledAt: iso(at) }))).toEqual(ids)
  })

  test('are in the order of settlement, and of arrival within one instant', async () => {
    const later = iso(span.from + 1)
    const book = await aBookWith(
      ...[
        { slipId: 'c', settledAt: later },
        { slipId: 'b', settledAt: iso(span.from) },
      ],
      ...[
        { slipId: 'a', settledAt: iso(span.from) },
        { slipId: 'd', settledAt: later },
      ],
    )
    expect(await idsOf(book)).toEqual(['b', 'a', 'c', 'd'])
  })

  test('have all their revisions, lowest first, in any positions', async () => {
    const book = await aBookWith(
      { rev: 3, payout: '3', settledAt: iso(span.to + 5) },
      { rev: 1, settledAt: iso(span.from) },
      { rev: 2, payout: '2', settledAt: iso(span.to) },
    )
    const { items } = await settled(book)
    expect(items.map(({ versions }) => versions.map(({ rev }) => rev))).toEqual([[1, 2, 3]])
  })

  test('are those whose lowest known revision is in it', async () => {
    const book = await aBookWith(
      { slipId: 'before', rev: 1, settledAt: iso(span.from - 1) },
      { slipId: 'before', rev: 2, settledAt: iso(span.from) },
      { slipId: 'headless', rev: 2, settledAt: iso(span.from) },
    )
    expect(await idsOf(book)).toEqual(['headless'])
  })

  test('are those of the requested players', async () => {
    const book = await aBookWith({ slipId: 'a', username: 'Amy' }, { slipId: 'b', username: 'bob' })
    expect(await idsOf(book, ['amy'])).toEqual(['a'])
    expect(await idsOf(book, [])).toEqual([])
  })

  test('are read in batches of 250, each of them once, also within one instant', async () => {
    const book = await aBook()
    const rows = many(501)
    await writeRows(book, rows)
    const { items, sizes } = await settled(book)
    expect(sizes).toEqual([250, 250, 1])
    expect(items.map(({ slipId }) => slipId)).toEqual(rows.map(({ slip_id }) => slip_id))
  })
})

describe('the rows of slips', () => {
  test('are all their revisions, lowest first', async () => {
    const book = await aBookWith({ rev: 2 }, { rev: 1 }, { slipId: 'other' })
    const rows = await reading(book, (reader) => rowsOfSlips(reader, ['S1', 'unknown']))
    expect(rows.map(({ slip_id, rev }) => [slip_id, rev])).toEqual([
      ['S1', 1],
      ['S1', 2],
    ])
    expect(await reading(book, (reader) => rowsOfSlips(reader, []))).toEqual([])
  })

  test('are returned as slips in the requested order, each once, without those that the book does not have', async () => {
    const book = await aBookWith({ slipId: 'a', rev: 2 }, { slipId: 'b' }, { slipId: 'a' })
    const slips = await reading(book, (reader) => slipsOf(reader, ['b', 'unknown', 'a', 'b']))
    expect(slips.map(({ slipId, versions }) => [slipId, versions.map(({ rev }) => rev)])).toEqual([
      ['b', [1]],
      ['a', [1, 2]],
    ])
  })

  test('of many slips are returned slip by slip in the requested order, empty for one that the book does not have', async () => {
    const book = await aBook()
    await writeRows(book, many(1001))
    const ids = [...many(1001).map(({ slip_id }) => slip_id), 'unknown']
    const { items, sizes } = await reading(book, (reader) => all(rowsOfMany(reader, ids)))
    expect(items.map(({ slip_id }) => slip_id)).toEqual(ids.slice(0, -1))
    expect(sizes.slice(-2)).toEqual([1, 0])
  })
})

describe('slips without their first revision', () => {
  const headless = (book: Book, since = span.from) =>
    reading(book, (reader) => all(headlessSlips(reader, since))).then(({ items }) => items.map(({ slipId }) => slipId))

  test('are those with a later one alone', async () => {
    const book = await aBookWith(
      ...[
        { slipId: 'whole', rev: 1 },
        { slipId: 'whole', rev: 2 },
        { slipId: 'first', rev: 1 },
      ],
      ...[
        { slipId: 'second', rev: 2 },
        { slipId: 'third', rev: 3 },
        { slipId: 'third', rev: 4 },
      ],
    )
    expect(await headless(book)).toEqual(['second', 'third'])
  })

  test.each([
    [span.from - 1, []],
    [span.from, ['S1']],
    [span.to + 1, ['S1']],
  ])('are those with a revision settled at or after a time: %i', async (at, ids) => {
    expect(await headless(await aBookWith({ rev: 2, settledAt: iso(at) }))).toEqual(ids)
  })

  test('are read in any number, in the order of settlement', async () => {
    const book = await aBook()
    const rows = many(5_001).map((row) => ({ ...row, rev: 2, settled_at: span.to - row.place }))
    await writeRows(book, rows)
    const ids = await headless(book)
    expect(ids).toHaveLength(5_001)
    expect(ids).toEqual(rows.toReversed().map(({ slip_id }) => slip_id))
  })
})

describe('slips revised in a span', () => {
  const revised = async (book: Book, players = ['amy']) =>
    (await reading(book, (reader) => slipsRevised(reader, span, players))).map(({ slipId }) => slipId)

  test.each([
    [span.from - 1, []],
    [span.from, ['S1']],
    [span.to - 1, ['S1']],
    [span.to, []],
  ])('have a revision from its first to its last millisecond: %i', async (at, ids) => {
    const book = await aBookWith({ settledAt: iso(span.from - 9) }, { rev: 2, settledAt: iso(at) })
    expect(await revised(book)).toEqual(ids)
  })

  test('have a second revision, which a first settlement is not', async () => {
    expect(await revised(await aBookWith({ slipId: 'a' }, { slipId: 'b', rev: 2 }, { slipId: 'c', rev: 3 }))).toEqual([
      ...['b', 'c'],
    ])
  })

  test('are those of the players, each once with all its revisions, in the order of revision', async () => {
    const late = iso(span.to - 1)
    const book = await aBookWith(
      ...[{ slipId: 'a' }, { slipId: 'a', rev: 3, settledAt: late }, { slipId: 'b', rev: 2, username: 'bob' }],
      ...[
        { slipId: 'c', rev: 2, settledAt: iso(span.from) },
        { slipId: 'a', rev: 2 },
      ],
    )
    expect(await revised(book)).toEqual(['c', 'a'])
    const slips = await reading(book, (reader) => slipsRevised(reader, span, ['amy', 'bob']))
    expect(slips.map(({ slipId, versions }) => [slipId, versions.length])).toEqual([
      ...[
        ['c', 1],
        ['b', 1],
        ['a', 3],
      ],
    ])
  })

  test('are read in any number', async () => {
    const book = await aBook()
    await writeRows(
      book,
      many(5_001).map((row) => ({ ...row, rev: 2 })),
    )
    expect(await revised(book)).toHaveLength(5_001)
  })
})

describe('arrivals', () => {
  const arrivals = (book: Book) => reading(book, (reader) => all(arrivalsOf(reader, span)))
  const dayBefore = { settledAt: iso(span.from - 1) }
  const dayAfter = { settledAt: iso(span.to) }

  test('of a span are read with one neighbor on either side, in order', async () => {
    const book = await aBookWith(
      ...[
        { slipId: '1', ...dayBefore },
        { slipId: '2', ...dayBefore },
        { slipId: '3', recSeq: 7 },
      ],
      ...[
        { slipId: '4', ...dayBefore },
        { slipId: '5', settledAt: iso(span.to - 1) },
      ],
      ...[
        { slipId: '6', ...dayAfter },
        { slipId: '7', ...dayAfter },
      ],
    )
    const { items } = await arrivals(book)
    expect(items.map(({ slipId, place }) => [slipId, place])).toEqual([
      ...[
        ['2', 2],
        ['3', 3],
        ['4', 4],
        ['5', 5],
        ['6', 6],
      ],
    ])
    expect(items[1]).toEqual({ place: 3, month: '202603', recSeq: 7, slipId: '3' })
  })

  test.each([
    [span.from - 1, 0],
    [span.from, 1],
    [span.to - 1, 1],
    [span.to, 0],
  ])('begin with its first and end with its last millisecond: %i', async (at, count) => {
    expect((await arrivals(await aBookWith({ settledAt: iso(at) }))).items).toHaveLength(count)
  })

  test('without a neighbor are those of the span alone', async () => {
    const rows = [3, 5].map((place) => toRow(aRecord({ slipId: `S${place}` }), place))
    const book = await aBook()
    await writeRows(book, [toRow(aRecord({ slipId: 'far', ...dayBefore }), 1), ...rows])
    expect((await arrivals(book)).items.map(({ place }) => place)).toEqual([3, 5])
  })

  test('are read in any number, each batch from the last record of the previous one', async () => {
    const book = await aBook()
    await writeRows(book, many(10_001))
    const { items, sizes } = await arrivals(book)
    expect(sizes).toEqual([10_000, 2])
    expect(items.map(({ place }) => place)).toEqual([
      ...Array.from({ length: 10_000 }, (_, i) => i + 1),
      ...[10_000, 10_001],
    ])
  })
})

describe('the days around one', () => {
  const around = async (book: Book, query: { day: string; lastDay?: string; zone?: string }) =>
    reading(book, (reader) => daysAround(reader, { zone: 'UTC', ...query }))
  const edges = (days: readonly string[]) => [days[0], days.at(-1), days.length]

  test('are the 30 up to it if the book ends there', async () => {
    expect(edges((await around(await aBook(), { day: '2026-03-31' })).days)).toEqual(['2026-03-02', '2026-03-31', 30])
    const book = await aBookWith({ settledAt: '2026-03-20T12:00:00.000Z' })
    expect(edges((await around(book, { day: '2026-03-31' })).days)).toEqual(['2026-03-02', '2026-03-31', 30])
  })

  test.each([
    ['2026-04-01T00:00:00.000Z', ['2026-03-03', '2026-04-01', 30]],
    ['2026-04-07T23:59:59.999Z', ['2026-03-09', '2026-04-07', 30]],
    ['2026-04-08T00:00:00.000Z', ['2026-03-09', '2026-04-07', 30]],
  ])('continue to a week after it, as far as the book: %s', async (settledAt, expected) => {
    expect(edges((await around(await aBookWith({ settledAt }), { day: '2026-03-31' })).days)).toEqual(expected)
  })

  test('continue from the first of several days to a week after the last', async () => {
    const book = await aBookWith({ settledAt: '2026-06-01T00:00:00.000Z' })
    const { days } = await around(book, { day: '2026-03-01', lastDay: '2026-04-30' })
    expect(edges(days)).toEqual(['2026-03-01', '2026-05-07', 68])
  })

  const totals = async (records: readonly Partial<BetRecord>[], zone = 'UTC') =>
    (await around(await aBookWith(...records), { day: '2026-03-11', lastDay: '2026-03-11', zone })).totals

  test('have the number and win/loss of the slips of each day and currency', async () => {
    expect(
      await totals([
        { slipId: 'a', payout: '30' },
        { slipId: 'b' },
        { slipId: 'c', currency: 'EUR', payout: '10.5' },
        { slipId: 'd', settledAt: '2026-03-11T00:00:00.000Z' },
      ]),
    ).toEqual([
      { day: '2026-03-10', currency: 'USD', slips: 2, winLoss: 100_000n },
      { day: '2026-03-10', currency: 'EUR', slips: 1, winLoss: 5_000n },
      { day: '2026-03-11', currency: 'USD', slips: 1, winLoss: -100_000n },
    ])
  })

  test.each([
    ['2026-02-10T00:00:00.000Z', ['2026-02-10']],
    ['2026-02-09T23:59:59.999Z', []],
    ['2026-02-10T23:59:59.999Z', ['2026-02-10']],
    ['2026-02-11T00:00:00.000Z', ['2026-02-11']],
  ])('count a slip that was settled at %s on %j', async (settledAt, days) => {
    expect((await totals([{ settledAt }])).map(({ day }) => day)).toEqual(days)
  })

  test('count the days of the zone', async () => {
    const settledAt = '2026-03-09T16:00:00.000Z'
    expect((await totals([{ settledAt }], 'Asia/Taipei')).map(({ day }) => day)).toEqual(['2026-03-10'])
  })

  test('count a slip once, on the day of its first settlement, with its last result', async () => {
    const revisions = [
      { settledAt: '2026-03-10T00:00:00.000Z' },
      { rev: 2, payout: '15', settledAt: '2026-03-11T00:00:00.000Z' },
      { rev: 3, payout: '40', settledAt: '2026-03-11T08:00:00.000Z' },
    ]
    expect(await totals(revisions)).toEqual([{ day: '2026-03-10', currency: 'USD', slips: 1, winLoss: 300_000n }])
  })

  test('count the last result of a slip of the first instant, and no slip of the instant after the last day', async () => {
    const revisions = (settledAt: string) => [{ settledAt }, { rev: 2, payout: '15', settledAt }]
    expect(await totals(revisions('2026-02-10T00:00:00.000Z'))).toMatchObject([{ slips: 1, winLoss: 50_000n }])
    expect(await totals(revisions('2026-03-19T00:00:00.000Z'))).toEqual([])
  })

  test('do not count a slip without a first revision, nor an earlier one', async () => {
    expect(
      await totals([
        { slipId: 'headless', rev: 2, payout: '15' },
        { slipId: 'before', settledAt: '2026-02-09T23:59:59.999Z' },
        { slipId: 'before', rev: 2, payout: '15' },
      ]),
    ).toEqual([])
  })

  test('count only the number of voided slips, and nothing of an on-site place', async () => {
    expect(
      await totals([
        { slipId: 'a' },
        { slipId: 'a', rev: 2, status: 'void', payout: '10' },
        { slipId: 'b', status: 'void', payout: '99' },
        { slipId: 'c', onsite: true },
        { slipId: 'c', rev: 2, onsite: true, payout: '99' },
      ]),
    ).toEqual([{ day: '2026-03-10', currency: 'USD', slips: 2, winLoss: 0n }])
  })

  test('count an unreadable win/loss as zero', async () => {
    expect(await totals([{ winLoss: 'x' }])).toMatchObject([{ slips: 1, winLoss: 0n }])
  })

  test('count every slip, also more than one read returns', async () => {
    const book = await aBook()
    await writeRows(book, many(20_001))
    const { totals: counted } = await around(book, { day: '2026-03-11' })
    expect(counted).toMatchObject([{ day: '2026-03-10', slips: 20_001, winLoss: -20_001n * 100_000n }])
  })
})

test('slips with a revision after a position are those settled from a time on, in that order, each once', async () => {
  const book = await aBookWith(
    ...[{ slipId: 'known', rev: 2 }, { slipId: 'new' }, { slipId: 'late', rev: 2, settledAt: iso(span.to) }],
    ...[
      { slipId: 'old', rev: 2, settledAt: iso(span.from - 1) },
      { slipId: 'b', rev: 2, settledAt: iso(span.from) },
    ],
    ...[
      { slipId: 'a', rev: 3, settledAt: iso(span.from) },
      { slipId: 'late', rev: 3, settledAt: iso(span.to) },
    ],
  )
  expect(await reading(book, (reader) => slipsRevisedBehind(reader, { place: 1, since: span.from }))).toEqual([
    ...['b', 'a', 'late'],
  ])
  expect(await reading(book, (reader) => slipsRevisedBehind(reader, { place: 6, since: span.from }))).toEqual(['late'])
})
