import { describe, expect, test } from 'vitest'
import type { Engine } from '../../src/db/engines/engine.ts'
import { type Migrations, migrate } from '../../src/db/migrate.ts'
import { book } from '../../src/db/migrations/book/index.ts'
import type { BookSlipRow } from '../../src/db/schema/book.ts'
import { insertRows } from '../operator/book-rows.ts'
import { engines } from '../support/databases/engines.ts'

/** The migrations before one of them. */
function migrationsBefore(migration: string): Migrations {
  const end = book.steps.findIndex(({ name }) => name === migration)
  return { ...book, steps: book.steps.slice(0, end) }
}

/** A revision at a position; its other fields have no effect here. */
const row = (place: number, slip_id: string, rev: number): BookSlipRow => ({
  ...{ place, slip_id, rev, month: '202603', rec_seq: place, name_key: 'amy', settled_at: place, record: '{}' },
})

const insert = (one: Engine, rows: readonly BookSlipRow[]) =>
  one.write((q) => insertRows({ q, now: 0, writes: true }, rows))

/** Inserts rows as an earlier version did: its database listed them itself, or they were listed by the migration. */
const insertByTrigger = (one: Engine, rows: readonly BookSlipRow[]) =>
  one.write((q) =>
    q
      .insertInto('book_revisions')
      .values([...rows])
      .execute(),
  )

/** Positions that the database lists, and those of slips that have no first revision. */
async function listed(one: Engine): Promise<{ listed: number[]; real: number[] }> {
  return one.read(async (q) => {
    const places = await q.selectFrom('book_headless').select('place').orderBy('place').execute()
    const rows = await q.selectFrom('book_revisions').select(['place', 'slip_id', 'rev']).orderBy('place').execute()
    const firsts = new Set(rows.filter(({ rev }) => rev === 1).map(({ slip_id }) => slip_id))
    return {
      listed: places.map(({ place }) => place),
      real: rows.filter(({ slip_id }) => !firsts.has(slip_id)).map(({ place }) => place),
    }
  })
}

describe.each(engines)('on $name', (engine) => {
  const aBook = async (steps: Migrations = book) => {
    const one = await (await engine.database()).engine()
    await migrate(one, steps)
    return one
  }

  test('a book of an earlier version gets the list of its revisions without a first one', async () => {
    const one = await aBook(migrationsBefore('0010-book-growth'))
    await insertByTrigger(one, [
      row(1, 'whole', 1),
      row(2, 'whole', 2),
      row(3, 'torn', 2),
      row(4, 'torn', 3),
      row(5, 'first', 1),
    ])
    await migrate(one, book)
    expect(await listed(one)).toEqual({ listed: [3, 4], real: [3, 4] })
  })

  test('the list follows every change of the rows, and a repeated row changes nothing', async () => {
    const one = await aBook()
    await insert(one, [row(1, 'a', 1), row(2, 'a', 2), row(3, 'b', 2), row(4, 'c', 1), row(5, 'c', 2), row(6, 'c', 3)])
    expect(await listed(one)).toEqual({ listed: [3], real: [3] })
    // What exists is skipped, and changes nothing.
    await insert(one, [row(7, 'b', 2)])
    expect(await listed(one)).toEqual({ listed: [3], real: [3] })
    await one.write((q) => q.deleteFrom('book_revisions').where('place', '=', 4).execute())
    expect(await listed(one)).toEqual({ listed: [3, 5, 6], real: [3, 5, 6] })
    await one.write((q) => q.deleteFrom('book_revisions').where('place', '>', 5).execute())
    expect(await listed(one)).toEqual({ listed: [3, 5], real: [3, 5] })
    await one.write((q) => q.updateTable('book_revisions').set({ rev: 9 }).where('place', '=', 1).execute())
    expect(await listed(one)).toEqual({ listed: [1, 2, 3, 5], real: [1, 2, 3, 5] })
    await one.write((q) => q.updateTable('book_revisions').set({ rev: 1 }).where('place', '=', 3).execute())
    expect(await listed(one)).toEqual({ listed: [1, 2, 5], real: [1, 2, 5] })
    await one.write((q) => q.updateTable('book_revisions').set({ place: 30 }).where('place', '=', 5).execute())
    expect(await listed(one)).toEqual({ listed: [1, 2, 30], real: [1, 2, 30] })
    await one.write((q) => q.deleteFrom('book_revisions').execute())
    expect(await listed(one)).toEqual({ listed: [], real: [] })
  })

  test('a list that triggers kept is taken over, each position once', async () => {
    const one = await aBook(migrationsBefore('0028-book-headless'))
    for (const each of [row(1, 'a', 2), row(2, 'a', 1), row(3, 'b', 2)]) await insertByTrigger(one, [each])
    // The first revision arrived later and is lost again, so the second one is listed a second time.
    await one.write((q) => q.deleteFrom('book_revisions').where('place', '=', 2).execute())
    expect(await listed(one)).toEqual({ listed: [1, 1, 3], real: [1, 3] })
    await migrate(one, book)
    expect(await listed(one)).toEqual({ listed: [1, 3], real: [1, 3] })
  })

  test('a first revision that is lost again is listed once', async () => {
    const one = await aBook()
    await insert(one, [row(1, 'a', 2)])
    await insert(one, [row(2, 'a', 1), row(3, 'a', 3)])
    await one.write((q) => q.deleteFrom('book_revisions').where('place', '=', 2).execute())
    expect(await listed(one)).toEqual({ listed: [1, 3], real: [1, 3] })
  })

  test('until a first revision arrives, too many positions may be listed and never too few', async () => {
    const one = await aBook()
    await insert(one, [row(1, 'a', 2)])
    await insert(one, [row(2, 'a', 1)])
    expect(await listed(one)).toEqual({ listed: [1], real: [] })
  })
})
