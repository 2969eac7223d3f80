import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Migrations, migrate } from '../../src/db/migrate.ts'
import { book } from '../../src/db/migrations/book/index.ts'
import { engines } from '../support/databases/engines.ts'

const last = book.steps.findIndex(({ name }) => name === '0009-book-revisions')
const until = (count: number): Migrations => ({ ...book, steps: book.steps.slice(0, count) })

/** A record with every field that the book had a column for, and one without the optional fields. */
const full = {
  ...{ recSeq: 7, slipId: 's-2', rev: 1, status: 'void', username: 'Çho "x"', currency: 'EUR', game: 'holdem' },
  ...{ bets: [{ zone: 'A', amount: '1', return: '2', hold: '99' }], stake: '1.5', hold: '2', validStake: '3' },
  ...{ rolling: '4', payout: '5', winLoss: '-6', rake: '0.5', onsite: true, settledAt: '2026-03-10T12:00:00.000Z' },
}
const { hold: _, rake: __, onsite: ___, ...bare } = { ...full, recSeq: 8, slipId: 's-1', status: 'settled' }

const rowOf = (record: Partial<typeof full> & typeof bare, place: number) => ({
  ...{ place, slip_id: record.slipId, rev: record.rev, month: '202603', rec_seq: record.recSeq, status: record.status },
  ...{ username: record.username, name_key: record.username.toLowerCase(), currency: record.currency },
  ...{ game: record.game, onsite: record.onsite ? 1 : 0, stake: record.stake, hold: record.hold ?? '0' },
  ...{ valid_stake: record.validStake, rolling: record.rolling, payout: record.payout, win_loss: record.winLoss },
  ...{ rake: record.rake ?? '0', settled_at: Date.parse(record.settledAt), record: JSON.stringify(record) },
})
const rows = [rowOf(full, 1), rowOf(bare, 2), rowOf({ ...full, rev: 2, onsite: false }, 3)]

describe.each(engines)('on $name', (engine) => {
  async function anOldBook() {
    const one = await (await engine.database()).engine()
    await migrate(one, until(last))
    await one.write(async (q) => {
      for (const row of rows)
        await sql`insert into book_slips (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
          values (${sql.join(Object.values(row))})`.execute(q)
    })
    return one
  }
  type Book = Awaited<ReturnType<typeof anOldBook>>
  const slipsIn = (one: Book) =>
    one.read(async (q) => (await sql`select * from book_slips order by place`.execute(q)).rows)

  test('a book of an earlier version has the same rows and columns in the view', async () => {
    const one = await anOldBook()
    const before = await slipsIn(one)
    expect(before).toEqual(rows)
    await migrate(one, book)
    const after = await slipsIn(one)
    expect(after).toEqual(before)
    expect(Object.keys(after[0] ?? {})).toEqual(Object.keys(before[0] ?? {}))
    const kept = await one.read((q) => q.selectFrom('book_revisions').selectAll().orderBy('place').execute())
    expect(kept).toEqual(
      rows.map(({ place, slip_id, rev, month, rec_seq, name_key, settled_at, record }) => ({
        ...{ place, slip_id, rev, month, rec_seq, name_key, settled_at, record },
      })),
    )
  })

  test('a revision is still stored once', async () => {
    const one = await anOldBook()
    await migrate(one, book)
    const again = sql`insert into book_revisions select 9, slip_id, rev, month, rec_seq, name_key, settled_at, record
      from book_revisions where place = 1`
    await expect(one.write((q) => again.execute(q))).rejects.toThrow(/unique/i)
  })

  test('slips are found by their ID and by their time with an index', async () => {
    const one = await anOldBook()
    await migrate(one, book)
    const planOf = (where: string) =>
      one.write(async (q) => {
        if (engine.isPostgres) await sql`set local enable_seqscan = off`.execute(q)
        const explain = engine.isPostgres ? 'explain' : 'explain query plan'
        return JSON.stringify(
          (await sql.raw(`${explain} select win_loss from book_slips where ${where}`).execute(q)).rows,
        )
      })
    expect(await planOf("slip_id = 's-1'")).toMatch(/book_revisions_key|sqlite_autoindex_book_revisions/)
    expect(await planOf('settled_at > 9')).toContain('book_revisions_by_settled_at')
  })
})
