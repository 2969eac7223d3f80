import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lostPlaces, unexplainedGaps } from '../../../../src/operator/bets/repair/free-places.ts'
import type { ArrivedSlip } from '../../../../src/operator/bets/slip-rows.ts'
import { aBook, aRecord, reading, toRow, writeRows } from '../../book-rows.ts'

/** A book with rows at these places, each written as the number of its place, and with a repair at place 6. */
async function aBookWithPlaces(...places: readonly number[]) {
  const book = await aBook()
  await writeRows(
    book,
    places.map((place) => toRow(aRecord({ slipId: `S${place}`, recSeq: place }), place)),
  )
  return book
}

function record(recSeq: number, settledAt = '2026-03-10T12:00:00.000Z'): ArrivedSlip {
  const { place: _, ...row } = toRow(aRecord({ slipId: `L${recSeq}`, recSeq, settledAt }), 0)
  return row
}

test('gaps are the places without a row, up to the last place, that no repair explains', async () => {
  const book = await aBookWithPlaces(2, 4, 8)
  const repair = { id: 'P1', date: '2026-03-10', timezone: 'UTC', place: 6, at: 0, who: 'dana' }
  await book.store.write(async ({ q }) => {
    await q
      .insertInto('book_repairs')
      .values({ ...repair, added: 0, replaced: 1, removed: 0 })
      .execute()
    const former = toRow(aRecord({ slipId: 'R' }), 7)
    await q
      .insertInto('book_replaced_revisions')
      .values({ ...former, repair_id: 'P1', kind: 'replaced', until_place: 6, at: 0 })
      .execute()
  })
  const gaps = (last: number) => reading(book, (reader) => unexplainedGaps(reader, last))
  const inside = [1, 3, 5].map((place) => ({ from: place, to: place }))
  expect([await gaps(8), await gaps(9), await gaps(11)]).toEqual([
    inside,
    [...inside, { from: 9, to: 9 }],
    [...inside, { from: 9, to: 11 }],
  ])
  expect(await reading(await aBook(), (reader) => unexplainedGaps(reader, 0))).toEqual([])
})

test('at most 10,000 gaps are listed', async () => {
  const book = await aBook()
  await book.store.write(({ q }) =>
    sql`
      with recursive places (place) as (select 2 union all select place + 2 from places where place < 20002)
      insert into book_repairs (id, date, timezone, place, at, who, added, replaced, removed)
      select 'P' || place, '2026-03-10', 'UTC', place, 0, 'dana', 0, 0, 1 from places`.execute(q),
  )
  const gaps = await reading(book, (reader) => unexplainedGaps(reader, 20_002))
  expect([gaps.length, gaps.at(-1)]).toEqual([10_000, { from: 19_999, to: 19_999 }])
})

test.each([
  ['between the rows around it', [1, 3], [record(2)], [2]],
  ['before the first row', [2], [record(1)], [1]],
  ['after the last row', [1, 2], [record(3)], [3]],
  ['that is written as the row before it is', [1, 3], [record(1)], [undefined]],
  ['that is written as the row after it is', [1, 3], [record(3)], [undefined]],
  ['of an earlier month', [1, 3], [record(2, '2026-02-28T12:00:00.000Z')], [undefined]],
  ['of a later month', [1, 3], [record(2, '2026-04-01T12:00:00.000Z')], [undefined]],
  ['of an earlier month before the first row', [2], [record(9, '2026-02-28T12:00:00.000Z')], [1]],
  ['in a book without rows', [], [record(1)], [undefined]],
  ['where more are missing than places are free', [1, 3], [record(2), record(2.5)], [2, undefined]],
  ['in a longer gap', [1, 5], [record(2), record(3), record(4)], [2, 3, 4]],
  ['in two gaps', [1, 3, 5], [record(2), record(4)], [2, 4]],
])('a lost record %s has its former place', async (_, places, records, expected) => {
  const book = await aBookWithPlaces(...places)
  const last = Math.max(3, ...places)
  const found = await reading(book, (reader) => lostPlaces(reader, records, last))
  expect(records.map((each) => found.get(each))).toEqual(expected)
})
