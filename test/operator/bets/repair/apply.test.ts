import { describe, expect, test } from 'vitest'
import type { BookSlipRow } from '../../../../src/db/schema/book.ts'
import { applyRepair } from '../../../../src/operator/bets/repair/apply.ts'
import {
  latestRepairs,
  repairGaps,
  replacedAfter,
  slipsRepairedAfter,
} from '../../../../src/operator/bets/repair/history.ts'
import type { RepairPlan } from '../../../../src/operator/bets/repair/plan.ts'
import type { ArrivedSlip } from '../../../../src/operator/bets/slip-rows.ts'
import type { Book } from '../../../../src/operator/book/book.ts'
import { aBook, aRecord, reading, toRow, writeRows } from '../../book-rows.ts'

/** A row with a number of the write order. */
const rowOf = (slipId: string, recSeq: number, place: number, settledAt = '2026-03-10T12:00:00.000Z'): BookSlipRow =>
  toRow(aRecord({ slipId, recSeq, settledAt }), place)

function arrived({ place: _, ...row }: BookSlipRow): ArrivedSlip {
  return row
}

const before = { cursor: '202603.9', rows: 6 }
const nothing: RepairPlan = { added: [], replaced: [], removed: [] }

/** A book whose cursor is after six rows: of February, and of March. */
async function aSyncedBook(): Promise<Book> {
  const book = await aBook()
  const february = '2026-02-28T12:00:00.000Z'
  await writeRows(book, [
    ...[rowOf('F1', 1, 1, february), rowOf('F2', 2, 2, february)],
    ...[rowOf('S1', 1, 3), rowOf('S3', 3, 4), rowOf('S5', 5, 5), rowOf('S7', 7, 6)],
  ])
  await book.store.write(({ q }) =>
    q
      .insertInto('book_position')
      .values({ id: 'bets', ...before, started_from: 0, caught_up_at: 0, ahead_ms: null })
      .execute(),
  )
  return book
}

const repaired = (book: Book, plan: Partial<RepairPlan>, known = before, id = 'P1') =>
  book.store.write((tx) =>
    applyRepair(tx, { ...nothing, ...plan }, { id, date: '2026-03-10', timezone: 'UTC', who: 'dana' }, known),
  )
const placesOf = async (book: Book) =>
  (
    await reading(book, ({ q }) =>
      q.selectFrom('book_revisions').select(['slip_id', 'place']).orderBy('place').execute(),
    )
  ).map((row) => [row.slip_id, row.place])
const monthsOf = (book: Book) =>
  reading(book, ({ q }) => q.selectFrom('book_months').selectAll().orderBy('month').execute())

describe('a repair', () => {
  test('takes the place after the last row, and what it adds the places after it, in the order of writing', async () => {
    const book = await aSyncedBook()
    const added = [rowOf('S8', 8, 0), rowOf('F3', 3, 0, '2026-02-28T13:00:00.000Z'), rowOf('S2', 2, 0)].map(arrived)
    const row = await repaired(book, { added })
    expect(row).toMatchObject({ id: 'P1', place: 7, at: 1_000, added: 3, replaced: 0, removed: 0 })
    expect((await placesOf(book)).slice(6)).toEqual([
      ['F3', 8],
      ['S2', 9],
      ['S8', 10],
    ])
    const position = await reading(book, ({ q }) => q.selectFrom('book_position').selectAll().executeTakeFirst())
    expect(position).toMatchObject({ cursor: '202603.9', rows: 10 })
    expect(await monthsOf(book)).toEqual([
      { month: '202602', rows: 3, first_place: 1, last_place: 8 },
      { month: '202603', rows: 6, first_place: 3, last_place: 10 },
    ])
    const next = await book.store.write(async (tx) => {
      const of = { id: 'P2', date: '2026-03-10', timezone: 'UTC', who: 'dana' }
      return applyRepair(tx, nothing, of, { cursor: before.cursor, rows: 10 })
    })
    expect(next.place).toBe(11)
  })

  test('moves what it replaces or removes to the history unchanged, and lets the months begin again', async () => {
    const book = await aSyncedBook()
    const [was, removed] = [rowOf('S3', 3, 4), rowOf('S7', 7, 6)]
    const is = arrived(toRow(aRecord({ slipId: 'S3', recSeq: 3, payout: '5' }), 0))
    await repaired(book, { replaced: [{ was, is }], removed: [removed] })
    expect(await placesOf(book)).toEqual([
      ...[
        ['F1', 1],
        ['F2', 2],
        ['S1', 3],
        ['S5', 5],
      ].map((each) => [...each]),
      ['S3', 8],
    ])
    const kept = { repair_id: 'P1', until_place: 7, at: 1_000 }
    expect(await reading(book, (reader) => replacedAfter(reader, 6))).toEqual([
      { ...was, ...kept, kind: 'replaced' },
      { ...removed, ...kept, kind: 'removed' },
    ])
    expect(await reading(book, (reader) => replacedAfter(reader, 7))).toEqual([])
    expect(await monthsOf(book)).toEqual([{ month: '202603', rows: 3, first_place: 3, last_place: 8 }])
  })

  test('gives a lost row its former place', async () => {
    const book = await aSyncedBook()
    await book.store.write(({ q }) => q.deleteFrom('book_revisions').where('place', 'in', [4, 5]).execute())
    await repaired(book, { added: [arrived(rowOf('S5', 5, 0)), arrived(rowOf('S3', 3, 0))] })
    expect((await placesOf(book)).slice(2)).toEqual([
      ['S1', 3],
      ['S3', 4],
      ['S5', 5],
      ['S7', 6],
    ])
  })

  test.each([
    ['the cursor', { ...before, cursor: '202603.8' }],
    ['the number of rows', { ...before, rows: 5 }],
  ])('is refused, and changes nothing, if %s is another one by now', async (_, known) => {
    const book = await aSyncedBook()
    await expect(repaired(book, { removed: [rowOf('S1', 1, 3)] }, known)).rejects.toMatchObject({ code: 'BOOK_MOVED' })
    expect([(await placesOf(book)).length, await reading(book, (reader) => latestRepairs(reader, 9))]).toEqual([6, []])
  })

  test('is refused, and changes nothing, if a revision that it adds is in the book', async () => {
    const book = await aSyncedBook()
    await expect(repaired(book, { added: [arrived(rowOf('S1', 8, 0))] })).rejects.toMatchObject({ code: 'BOOK_MOVED' })
    expect([(await placesOf(book)).length, await reading(book, (reader) => latestRepairs(reader, 9))]).toEqual([6, []])
  })

  test('is refused in a book without a sync', async () => {
    await expect(repaired(await aBook(), {})).rejects.toMatchObject({ code: 'BOOK_MOVED' })
  })
})

describe('the history of repairs', () => {
  const aTwiceRepaired = async () => {
    const book = await aSyncedBook()
    await repaired(book, { added: [arrived(rowOf('S8', 8, 0)), arrived(rowOf('S9', 9, 0))] })
    await writeRows(book, [rowOf('S10', 10, 10)])
    await book.store.write(({ q }) => q.updateTable('book_position').set({ rows: 10 }).execute())
    const is = arrived(toRow(aRecord({ slipId: 'S1', recSeq: 1, payout: '5' }), 0))
    await repaired(book, { replaced: [{ was: rowOf('S1', 1, 3), is }] }, { ...before, rows: 10 }, 'P2')
    return book
  }

  test('names the slips that a repair added or replaced after a place, and none of a sync', async () => {
    const book = await aTwiceRepaired()
    const slipsAfter = async (place: number) =>
      (await reading(book, (reader) => slipsRepairedAfter(reader, place))).toSorted()
    expect([await slipsAfter(6), await slipsAfter(7), await slipsAfter(10), await slipsAfter(11)]).toEqual([
      ['S1', 'S8', 'S9'],
      ['S1'],
      ['S1'],
      [],
    ])
  })

  test('lists the latest ones first', async () => {
    const book = await aTwiceRepaired()
    const ids = async (limit: number) =>
      (await reading(book, (reader) => latestRepairs(reader, limit))).map(({ id }) => id)
    expect([await ids(2), await ids(1)]).toEqual([['P2', 'P1'], ['P2']])
  })

  test('explains the rows of the only repair, also of a book that had none', async () => {
    const book = await aBook()
    const position = { cursor: before.cursor, rows: 0 }
    await book.store.write(({ q }) =>
      q
        .insertInto('book_position')
        .values({ id: 'bets', ...position, started_from: 0, caught_up_at: 0, ahead_ms: null })
        .execute(),
    )
    expect((await repaired(book, { added: [arrived(rowOf('S1', 1, 0))] }, position)).place).toBe(1)
    const found = { kind: 'order', from: 0, to: 0, before: 'S1', after: 'S2' } as never
    expect(await reading(book, async (reader) => (await repairGaps(reader)).explain(found))).toBe(true)
  })

  test('explains what repairs did to the order of arrival, and nothing else', async () => {
    const book = await aTwiceRepaired()
    const found = { kind: 'order', from: 0, to: 0, before: 'S3', after: 'S5' } as never
    const explains = async (over: object) =>
      reading(book, async (reader) => (await repairGaps(reader)).explain({ ...(found as object), ...over } as never))
    expect(await explains({})).toBe(false)
    expect(await explains({ before: 'S8' })).toBe(true)
    expect(await explains({ after: 'S1' })).toBe(true)
    expect(await explains({ kind: 'deleted', from: 3, to: 3 })).toBe(true)
    await book.store.write(({ q }) => q.deleteFrom('book_revisions').where('place', '=', 4).execute())
    expect(await explains({ kind: 'deleted', from: 3, to: 3 })).toBe(true)
    for (const [from, to] of [
      [4, 4],
      [3, 4],
      [4, 5],
    ])
      expect(await explains({ kind: 'deleted', from, to })).toBe(false)
    expect(await explains({ kind: 'deleted', from: 5, to: 5 })).toBe(true)
    expect(await reading(await aBook(), async (reader) => (await repairGaps(reader)).explain(found))).toBe(false)
  })
})
