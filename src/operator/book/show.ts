import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { databaseKind, withoutPassword } from '../../db/engines/database-name.ts'
import { appliedMigrations } from '../../db/migrate.ts'
import type { BookTables } from '../../db/schema/book.ts'
import { momentText } from '../../kit/moment.ts'
import { latestRepairs } from '../bets/repair/history.ts'
import type { Book } from './book.ts'
import { bookPosition } from './cursor-position.ts'
import { holdersOf } from './holders.ts'

const Nullable = <T extends Type.TSchema>(shape: T) => Type.Union([shape, Type.Null()])

/** A book and the number of rows of each kind. */
export const BookShown = Type.Object({
  book: Type.String({ description: 'File or address, without its password.' }),
  engine: Type.Enum(['sqlite', 'postgres']),
  bytes: Nullable(Type.Integer()),
  schema: Type.String({ description: 'Last migration.' }),
  owner: Nullable(Type.Object({ companyCode: Type.String(), environment: Type.String(), timezone: Type.String() })),
  cursor: Nullable(Type.String()),
  caughtUpAt: Nullable(Type.String()),
  contents: Type.Array(Type.Object({ content: Type.String(), rows: Type.Integer() })),
  repairs: Type.Array(
    Type.Object({
      id: Type.String(),
      date: Type.String(),
      at: Type.String(),
      who: Type.String(),
      added: Type.Integer(),
      replaced: Type.Integer(),
      removed: Type.Integer(),
    }),
    { description: 'The last 20 repairs, newest first.' },
  ),
  holders: Type.Array(
    Type.Object({
      job: Type.String(),
      pid: Type.Integer(),
      host: Type.String(),
      command: Type.String(),
      startedAt: Type.String(),
    }),
    { description: 'Jobs that hold a lock of the book now.' },
  ),
})
export type BookShown = Static<typeof BookShown>

/** Tables in words, in display order. */
const contents = {
  book_revisions: 'revisions of slips',
  book_transfers: 'transfers',
  book_wallet_plans: 'transfer batches',
  book_orders: 'gateway orders',
  book_callbacks: 'callbacks',
  book_ticket_plans: 'bulk actions on tickets',
  book_breaks: 'breaks',
  book_reconciled_days: 'reconciled days',
  book_wallet_marks: 'balance readings',
  book_alarms: 'alarms',
  book_replaced_revisions: 'revisions replaced by repairs',
  book_runs: 'runs of jobs',
} as const satisfies Partial<Record<keyof BookTables, string>>

const repairsShown = 20

export async function showBook(book: Book, url: string, bytes: number | null): Promise<BookShown> {
  const holders = await holdersOf(book, url)
  return book.store.read(async (reader) => {
    const { q } = reader
    const owner = await q.selectFrom('book_owner').selectAll().executeTakeFirst()
    const position = await bookPosition(reader)
    const counts: BookShown['contents'] = []
    for (const [table, content] of Object.entries(contents)) {
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(q)
      counts.push({ content, rows: rows[0]?.n ?? 0 })
    }
    return {
      book: withoutPassword(url),
      engine: databaseKind(url) === 'postgres' ? ('postgres' as const) : ('sqlite' as const),
      bytes,
      schema: (await appliedMigrations(reader)).at(-1)?.name ?? '',
      owner: owner
        ? { companyCode: owner.company_code, environment: owner.environment, timezone: owner.timezone }
        : null,
      cursor: position?.cursor ?? null,
      caughtUpAt: position?.caught_up_at == null ? null : momentText(position.caught_up_at),
      contents: counts,
      repairs: (await latestRepairs(reader, repairsShown)).map(({ at, place: _place, timezone: _zone, ...rest }) => ({
        ...rest,
        at: momentText(at),
      })),
      holders: holders.map(({ started_at: at, ...rest }) => ({ ...rest, startedAt: momentText(at) })),
    }
  })
}
