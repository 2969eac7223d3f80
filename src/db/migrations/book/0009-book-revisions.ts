import { PostgresAdapter, sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Stores of a revision only its record and what rows are found by, because each further value costs a sync as much as reading
 * the record. `book_slips` becomes a view with all of its former columns.
 */
export const bookRevisions: Migration = {
  name: '0009-book-revisions',
  async up(q) {
    await q.schema
      .createTable('book_revisions')
      .addColumn('place', 'integer', (column) => column.primaryKey())
      .addColumn('slip_id', 'text', (column) => column.notNull())
      .addColumn('rev', 'integer', (column) => column.notNull())
      .addColumn('month', 'text', (column) => column.notNull())
      .addColumn('rec_seq', 'bigint', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull())
      .addColumn('settled_at', 'bigint', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .addUniqueConstraint('book_revisions_key', ['slip_id', 'rev'])
      .execute()
    await sql`
      insert into book_revisions (place, slip_id, rev, month, rec_seq, name_key, settled_at, record)
      select place, slip_id, rev, month, rec_seq, name_key, settled_at, record from book_slips order by place`.execute(
      q,
    )
    await q.schema.dropTable('book_slips').execute()
    await q.schema
      .createIndex('book_revisions_by_settled_at')
      .on('book_revisions')
      .columns(['settled_at', 'rev'])
      .execute()
    const isPostgres = q.getExecutor().adapter instanceof PostgresAdapter
    const field = (name: string) =>
      sql.raw(isPostgres ? `(record::json ->> '${name}') collate "C"` : `(record ->> '${name}')`)
    await sql`
      create view book_slips as
      select place, slip_id, rev, month, rec_seq, ${field('status')} as status, ${field('username')} as username, name_key,
        ${field('currency')} as currency, ${field('game')} as game,
        case when ${field('onsite')} = ${sql.raw(isPostgres ? "'true'" : '1')} then 1 else 0 end as onsite,
        ${field('stake')} as stake, coalesce(${field('hold')}, '0') as hold, ${field('validStake')} as valid_stake,
        ${field('rolling')} as rolling, ${field('payout')} as payout, ${field('winLoss')} as win_loss,
        coalesce(${field('rake')}, '0') as rake, settled_at, record
      from book_revisions`.execute(q)
  },
}
