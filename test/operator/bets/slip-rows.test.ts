import { describe, expect, test } from 'vitest'
import { pulledBet } from '../../../src/domain/bets/record.ts'
import {
  type ArrivedSlip,
  bookMonths,
  countIntoMonths,
  createInsertSlips,
  isSameRecord,
  keyOf,
  latestSlip,
  recentUsernames,
  removeAfter,
  revisionsOf,
  slipsAfter,
  slipsOfKeys,
  toSlipRow,
} from '../../../src/operator/bets/slip-rows.ts'
import type { Book } from '../../../src/operator/book/book.ts'
import { aBook, aRecord, reading, toRow, writeRows, writeSlips } from '../book-rows.ts'

const arrived = (slipId: string, rev = 1): ArrivedSlip => {
  const { place: _, ...row } = toRow(aRecord({ slipId, rev }), 1)
  return row
}
const placesOf = async (book: Book) =>
  (
    await reading(book, ({ q }) =>
      q.selectFrom('book_revisions').select(['place', 'slip_id']).orderBy('place').execute(),
    )
  ).map(({ place, slip_id }) => [place, slip_id])

describe('the row of a record', () => {
  const record = { ...pulledBet(aRecord({ username: 'Amy', recSeq: 8 })), record: '{"x":1}' }

  test('has its fields, and its original text', () => {
    expect(toSlipRow(record, '202603')).toEqual({
      ...{ slip_id: 'S1', rev: 1, month: '202603', rec_seq: 8, name_key: 'amy' },
      ...{ settled_at: Date.UTC(2026, 2, 10, 12), record: '{"x":1}' },
    })
  })

  test('has its own time, also between rows of another one', () => {
    const timeOf = (settledAt: string) => toSlipRow({ ...record, settledAt }, '202603').settled_at
    const texts = ['2026-03-10T12:00:00Z', '2026-03-10T12:00:00Z', '2026-03-10T12:00:00.250Z', '2026-03-10T12:00:00Z']
    const at = Date.UTC(2026, 2, 10, 12)
    expect(texts.map(timeOf)).toEqual([at, at, at + 250, at])
  })
})

test('the revisions of a slip are all of its rows, first one first', async () => {
  const book = await aBook()
  await writeSlips(book, { rev: 2 }, { rev: 1 }, { slipId: 'other' })
  expect((await reading(book, (reader) => revisionsOf(reader, 'S1'))).map(({ rev }) => rev)).toEqual([1, 2])
})

test('the latest slip is the row that arrived last', async () => {
  const book = await aBook()
  expect(await reading(book, latestSlip)).toBeUndefined()
  await writeSlips(book, { slipId: 'a', settledAt: '2026-03-11T00:00:00.000Z' }, { slipId: 'b' })
  expect(await reading(book, latestSlip)).toMatchObject({ slip_id: 'b', place: 2 })
})

describe('the rows of a month', () => {
  const monthRow = { month: '202603', rows: 3, first_place: 2, last_place: 5 }
  const rowsAfter = async (place: number, limit = 10, month = monthRow) => {
    const book = await aBook()
    const months = ['202603', '202603', '202604', '202603', '202603', '202603']
    await writeRows(
      book,
      months.map((each, i) => ({ ...toRow(aRecord({ slipId: `S${i + 1}` }), i + 1), month: each })),
    )
    const rows = await reading(book, (reader) => slipsAfter(reader, { month, place, limit }))
    return rows.map((row) => row.place)
  }

  test.each([
    [0, [2, 4, 5]],
    [1, [2, 4, 5]],
    [2, [4, 5]],
    [4, [5]],
    [5, []],
  ])('after position %i are those between its first and its last position: %j', async (place, places) => {
    expect(await rowsAfter(place)).toEqual(places)
  })

  test('are limited to the requested number', async () => {
    expect(await rowsAfter(0, 2)).toEqual([2, 4])
  })
})

describe('the players of the newest bets', () => {
  test('are newest first, each once, in the spelling of the newest bet', async () => {
    const book = await aBook()
    await writeSlips(book, ...['amy', 'bob', 'AMY', 'cho'].map((username, i) => ({ slipId: `S${i}`, username })))
    expect(await reading(book, (reader) => recentUsernames(reader, 10))).toEqual(['cho', 'AMY', 'bob'])
    expect(await reading(book, (reader) => recentUsernames(reader, 2))).toEqual(['cho', 'AMY'])
  })

  test.each([
    [39, ['amy', 'old']],
    [40, ['amy']],
  ])('are searched in twenty bets per requested player: one behind %i others', async (others, players) => {
    const book = await aBook()
    const names = ['old', ...Array.from({ length: others }, () => 'amy')]
    await writeSlips(book, ...names.map((username, i) => ({ slipId: `S${i}`, username })))
    expect(await reading(book, (reader) => recentUsernames(reader, 2))).toEqual(players)
  })
})

test('rows are found by their keys, all of them also if they exceed one statement', async () => {
  const book = await aBook()
  const ids = Array.from({ length: 501 }, (_, i) => `S${i}`)
  await writeSlips(book, ...ids.map((slipId) => ({ slipId })), { slipId: 'S0', rev: 2 }, { slipId: 'other' })
  const keys = [...ids, 'unknown'].map((slip_id) => ({ slip_id, rev: 1 }))
  const rows = await reading(book, (reader) => slipsOfKeys(reader, keys))
  // All revisions of a slip are read with it.
  expect([...rows.keys()].sort()).toEqual([...ids.map((id) => `1 ${id}`), '2 S0'].sort())
  expect(rows.get('1 S3')).toEqual({
    slip_id: 'S3',
    rev: 1,
    place: 4,
    record: JSON.stringify(aRecord({ slipId: 'S3' })),
  })
  expect(keyOf({ slip_id: 'S3', rev: 1 })).toBe('1 S3')
})

test.each([
  ['{"a":1,"b":[1,2]}', '{"a":1,"b":[1,2]}', true],
  ['{"a":1,"b":2,"recSeq":1}', '{"recSeq":9,"b":2,"a":1}', true],
  ['{"a":1}', '{"a":1,"recSeq":9}', true],
  ['{"a":1}', '{"a":2}', false],
  ['{"b":[1,2]}', '{"b":[2,1]}', false],
  ['not JSON', 'not JSON', true],
])('the records %s and %s are equal: %s', (a, b, same) => {
  expect(isSameRecord(a, b)).toBe(same)
})

describe('inserted slips', () => {
  const insert = async (book: Book, ids: readonly string[], firstPlace: number, with_ = createInsertSlips()) => {
    const ranges: [number, number][] = []
    const slips = (from: number, to: number) => {
      ranges.push([from, to])
      return ids.slice(from, to).map((id) => arrived(id))
    }
    const written = await book.store.write((tx) => with_(tx, { count: ids.length, slips }, firstPlace))
    return { written, ranges }
  }
  const ids = (count: number) => Array.from({ length: count }, (_, i) => `S${i}`)

  test.each([
    [0, []],
    [1, [[0, 1]]],
    [10, [[0, 10]]],
    [
      12,
      [
        [0, 10],
        [10, 11],
        [11, 12],
      ],
    ],
    [100, [[0, 100]]],
    [
      211,
      [
        [0, 100],
        [100, 200],
        [200, 210],
        [210, 211],
      ],
    ],
  ])('%i at once need few statements, each in its position', async (count, parts) => {
    const book = await aBook()
    const { written, ranges } = await insert(book, ids(count), 5)
    expect([written, ranges]).toEqual([count, parts])
    expect(await placesOf(book)).toEqual(ids(count).map((id, i) => [5 + i, id]))
  })

  test('are stored with every column', async () => {
    const book = await aBook()
    await insert(book, ['S1'], 3)
    expect(await reading(book, latestSlip)).toEqual({ ...arrived('S1'), place: 3 })
  })

  test('skip those that the book has, and are counted without them', async () => {
    const book = await aBook()
    const insertSlips = createInsertSlips()
    await insert(book, ['S1', 'S2'], 1, insertSlips)
    expect((await insert(book, ['S2', 'S3'], 10, insertSlips)).written).toBe(1)
    expect(await placesOf(book)).toEqual([
      ...[
        [1, 'S1'],
        [2, 'S2'],
        [11, 'S3'],
      ],
    ])
  })

  test.each([
    ['one', [250]],
    ['two', [137, 113]],
    ['many, some of them for one row', [100, 1, 5, 10, 1, 1, 12, 90, 3]],
  ])('of %s months keep theirs, in their order', async (_, stretches) => {
    const book = await aBook()
    const months = stretches.flatMap((count, i) => Array<string>(count).fill(`20260${1 + (i % 4)}`))
    const rows = months.map((month, i) => ({ ...arrived(`S${i}`), month }))
    const source = { count: rows.length, slips: (from: number, to: number) => rows.slice(from, to) }
    expect(await book.store.write((tx) => createInsertSlips()(tx, source, 1))).toBe(rows.length)
    const stored = await reading(book, ({ q }) => q.selectFrom('book_revisions').selectAll().orderBy('place').execute())
    expect(stored).toEqual(rows.map((row, i) => ({ ...row, place: i + 1 })))
  })

  describe('without a first revision', () => {
    const listedAfter = async (book: Book, firstPlace: number, keys: readonly (readonly [string, number])[]) => {
      const slips = keys.map(([id, rev]) => ({ ...arrived(id), rev }))
      const source = { count: slips.length, slips: (from: number, to: number) => slips.slice(from, to) }
      await book.store.write((tx) => createInsertSlips()(tx, source, firstPlace))
      const listed = await reading(book, ({ q }) =>
        q.selectFrom('book_headless').select('place').orderBy('place').execute(),
      )
      return listed.map(({ place }) => place)
    }

    test.each<[readonly (readonly [string, number])[], readonly number[]]>([
      [[['S1', 1]], []],
      [[['S1', 2]], [5]],
      [
        [
          ['S1', 2],
          ['S2', 1],
          ['S3', 7],
        ],
        [5, 7],
      ],
      [
        [
          ['S1', 1],
          ['S1', 2],
          ['S2', 3],
          ['S1', 3],
        ],
        [7],
      ],
      [
        [
          ['S1', 2],
          ['S1', 1],
        ],
        [],
      ],
    ])('are listed: of %j the positions %j', async (keys, listed) => {
      expect(await listedAfter(await aBook(), 5, keys)).toEqual(listed)
    })

    test('are listed if most rows of a statement are first ones', async () => {
      const keys = ids(10).map((id, i) => [id, i === 6 ? 2 : 1] as const)
      expect(await listedAfter(await aBook(), 1, keys)).toEqual([7])
    })

    test('are listed among the inserted ones only', async () => {
      const book = await aBook()
      expect(await listedAfter(book, 4, [['S4', 2]])).toEqual([4])
      expect(await listedAfter(book, 8, [['S8', 2]])).toEqual([4, 8])
      await book.store.write(({ q }) => q.deleteFrom('book_headless').execute())
      expect(
        await listedAfter(book, 5, [
          ['S5', 2],
          ['S6', 1],
          ['S7', 2],
        ]),
      ).toEqual([5, 7])
    })

    test('are not listed for a slip whose first one is in the book', async () => {
      const book = await aBook()
      await listedAfter(book, 1, [['S1', 1]])
      expect(await listedAfter(book, 2, [['S1', 2]])).toEqual([])
    })
  })

  test('are removed after a position', async () => {
    const book = await aBook()
    await insert(book, ids(4), 1)
    await book.store.write((tx) => removeAfter(tx, 2))
    expect(await placesOf(book)).toEqual([
      ...[
        [1, 'S0'],
        [2, 'S1'],
      ],
    ])
  })
})

describe('the months of a book', () => {
  test('have their number of rows, their first position and their last', async () => {
    const book = await aBook()
    const add = (firstPlace: number, ...stretches: readonly (readonly [month: string, rows: number])[]) =>
      book.store.write((tx) =>
        countIntoMonths(
          tx,
          stretches.map(([month, rows]) => ({ month, rows })),
          firstPlace,
        ),
      )
    await add(1, ['202603', 3], ['202604', 0], ['202602', 2])
    expect(await reading(book, bookMonths)).toEqual([
      { month: '202602', rows: 2, first_place: 4, last_place: 5 },
      { month: '202603', rows: 3, first_place: 1, last_place: 3 },
    ])
    await add(6, ['202603', 1])
    expect((await reading(book, bookMonths))[1]).toEqual({ month: '202603', rows: 4, first_place: 1, last_place: 6 })
  })
})
