import { describe, expect, test } from 'vitest'
import type { BookSlipRow } from '../../../../src/db/schema/book.ts'
import { isEmptyPlan, keptRow, planRepair, type RepairPlan } from '../../../../src/operator/bets/repair/plan.ts'
import type { ReadDay } from '../../../../src/operator/bets/repair/read-day.ts'
import type { ArrivedSlip } from '../../../../src/operator/bets/slip-rows.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aBook, aRecord, reading, toRow, writeRows } from '../../book-rows.ts'

const day = { from: Date.UTC(2026, 2, 10), to: Date.UTC(2026, 2, 11) }
const dayBefore = '2026-03-09T23:59:59.999Z'
const firstMs = '2026-03-10T00:00:00.000Z'
const lastMs = '2026-03-10T23:59:59.999Z'
const dayAfter = '2026-03-11T00:00:00.000Z'

/** Row of a slip with the number of its place, settled on the day. */
const aRow = (place: number, over: Partial<BetRecord> = {}): BookSlipRow =>
  toRow(aRecord({ slipId: `S${place}`, recSeq: place, ...over }), place)

function arrived({ place: _, ...row }: BookSlipRow): ArrivedSlip {
  return row
}

/** Plans the repair of a book with some rows after the platform returned these records. */
async function planOf(rows: readonly BookSlipRow[], records: readonly BookSlipRow[], over: Partial<ReadDay> = {}) {
  const book = await aBook()
  await writeRows(book, rows)
  const read = { records: records.map(arrived), readTo: day.to + 48 * 3_600_000, newer: 0, pages: 1, ...over }
  return reading(book, (reader) => planRepair(reader, day, read))
}

/** The slips of a plan: added, replaced, removed. */
const slipsIn = ({ added, replaced, removed }: RepairPlan) =>
  [added, replaced.map(({ was }) => was), removed].map((rows) => rows.map((row) => `${row.slip_id}.${row.rev}`))

const nothing = [[], [], []]

describe('the plan of a repair', () => {
  test('adds what the book lacks, replaces what differs, and removes what the platform does not have', async () => {
    const rows = [aRow(1), aRow(2), aRow(4)]
    const plan = await planOf(rows, [aRow(1), aRow(2, { payout: '5' }), aRow(3)])
    expect(slipsIn(plan)).toEqual([['S3.1'], ['S2.1'], ['S4.1']])
    expect(plan.replaced).toEqual([{ was: rows[1], is: arrived(aRow(2, { payout: '5' })) }])
  })

  test('is empty if both sides are equal, also in another spelling', async () => {
    const row = aRow(1)
    const { recSeq, ...rest } = JSON.parse(row.record)
    const plan = await planOf([{ ...row, record: JSON.stringify({ ...rest, recSeq }) }], [row])
    expect([slipsIn(plan), isEmptyPlan(plan)]).toEqual([nothing, true])
  })

  test.each([
    ['rec_seq', 9],
    ['month', '202604'],
    ['name_key', 'cho'],
    ['settled_at', day.from],
    ['record', '{'],
    ['record', 'null'],
    ['record', '5'],
  ] as const)('replaces a row whose %s is %j', async (column, value) => {
    expect(slipsIn(await planOf([{ ...aRow(1), [column]: value }], [aRow(1)]))).toEqual([[], ['S1.1'], []])
  })

  test('concerns only slips of the day, by their first settlement', async () => {
    const others = [aRow(1, { settledAt: dayBefore }), aRow(4, { settledAt: dayAfter })]
    const own = [aRow(2, { settledAt: firstMs }), aRow(3, { settledAt: lastMs })]
    expect(slipsIn(await planOf([], [...others, ...own]))).toEqual([['S2.1', 'S3.1'], [], []])
    expect(slipsIn(await planOf([...others, ...own], []))).toEqual([[], [], ['S2.1', 'S3.1']])
  })

  test('concerns a slip whose earlier revision only the book has, and none whose day is another one', async () => {
    const second = (settledAt: string) => aRow(2, { slipId: 'S1', rev: 2, settledAt })
    const later = second('2026-03-12T00:00:00.000Z')
    expect(slipsIn(await planOf([aRow(1)], [aRow(1), later]))).toEqual([['S1.2'], [], []])
    // The book has the first revision, and the platform did not return it, because it is of the day before.
    const earlier = aRow(1, { settledAt: dayBefore })
    expect(slipsIn(await planOf([earlier], [second(firstMs)]))).toEqual(nothing)
  })

  test('orders the revisions of a slip itself: the first one decides its day', async () => {
    const revisions = [
      aRow(2, { slipId: 'S1', rev: 2, settledAt: dayAfter, placedAt: dayAfter }),
      aRow(1, { slipId: 'S1' }),
    ]
    expect(slipsIn(await planOf([], revisions))).toEqual([['S1.2', 'S1.1'], [], []])
    expect(slipsIn(await planOf([], revisions.toReversed()))).toEqual([['S1.1', 'S1.2'], [], []])
    const ofOther = [aRow(2, { slipId: 'S1', rev: 2 }), aRow(1, { slipId: 'S1', settledAt: dayAfter })]
    expect(slipsIn(await planOf([], ofOther))).toEqual(nothing)
    expect(slipsIn(await planOf([], ofOther.toReversed()))).toEqual(nothing)
  })

  test('takes the first revision of the platform, not that of the book', async () => {
    const moved = aRow(1, { settledAt: dayAfter })
    expect(slipsIn(await planOf([moved], [aRow(1)]))).toEqual([[], ['S1.1'], []])
  })

  test('adds a record that is read twice once, and one of another day not at all', async () => {
    expect(slipsIn(await planOf([], [aRow(1), aRow(1), aRow(2, { settledAt: dayBefore })]))).toEqual([['S1.1'], [], []])
    expect(slipsIn(await planOf([{ ...aRow(1), name_key: 'cho' }], [aRow(1), aRow(1)]))).toEqual([[], ['S1.1'], []])
  })

  test('finds the later revision of a slip without a first one, by the time at which it was placed', async () => {
    const headless = aRow(2, { slipId: 'S1', rev: 2, settledAt: dayAfter, placedAt: lastMs })
    expect(slipsIn(await planOf([headless], []))).toEqual([[], [], ['S1.2']])
    expect(slipsIn(await planOf([aRow(2, { ...JSON.parse(headless.record), placedAt: dayBefore })], []))).toEqual(
      nothing,
    )
  })

  test('reads the rows of many slips', async () => {
    const rows = Array.from({ length: 1_001 }, (_, i) => aRow(i + 1))
    expect(slipsIn(await planOf(rows, rows))).toEqual(nothing)
  })
})

describe('a row that the platform did not return', () => {
  const removedBefore = async (readTo: number, over: Partial<BookSlipRow> = {}, settledAt = lastMs) =>
    slipsIn(await planOf([{ ...aRow(1, { settledAt }), ...over }], [], { readTo }))[2]

  test('is removed only if the read range has its time', async () => {
    expect(await removedBefore(day.to)).toEqual(['S1.1'])
    expect(await removedBefore(day.to - 1)).toEqual([])
    expect(await removedBefore(day.to, {}, firstMs)).toEqual(['S1.1'])
    expect(await removedBefore(day.from, {}, firstMs)).toEqual([])
  })

  test('has the time of its record, because a column may have been changed', async () => {
    const settled_at = Date.UTC(2026, 2, 10, 12)
    expect(await removedBefore(day.to, { settled_at }, dayBefore)).toEqual([])
    expect(await removedBefore(settled_at, { settled_at }, firstMs)).toEqual(['S1.1'])
  })

  test.each(['{', 'null', '5', '{"settledAt":"never"}', '{}'])(
    'has the time of its column if its record is %s',
    async (record) => {
      expect(await removedBefore(day.to, { record })).toEqual(['S1.1'])
      expect(await removedBefore(day.to - 1, { record })).toEqual([])
    },
  )
})

test('a plan with one change of any kind is not empty', () => {
  const none: RepairPlan = { added: [], replaced: [], removed: [] }
  const [added, removed] = [[arrived(aRow(1))], [aRow(1)]]
  const replaced = [{ was: aRow(1), is: arrived(aRow(1)) }]
  const plans = [none, { ...none, added }, { ...none, replaced }, { ...none, removed }, { added, replaced, removed }]
  const pairs = [
    { ...none, added, replaced },
    { ...none, added, removed },
    { ...none, replaced, removed },
  ]
  expect([...plans, ...pairs].map(isEmptyPlan)).toEqual([true, ...Array(7).fill(false)])
})

test('a kept row has its columns and its repair', () => {
  const kept = { repair_id: 'P1', kind: 'removed', until_place: 7, at: 5 } as const
  expect(keptRow(aRow(3), kept)).toEqual({ ...aRow(3), ...kept })
})
