import type { Migration } from '../../migrate.ts'

/** Accounting periods with the figures that were signed, and who did what. */
export const bookPeriods: Migration = {
  name: '0017-book-periods',
  async up(q) {
    await q.schema
      .createTable('book_periods')
      .addColumn('period', 'text', (column) => column.primaryKey())
      .addColumn('timezone', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('digest', 'text')
      .addColumn('totals', 'text')
      .addColumn('closed_by', 'text')
      .addColumn('closed_at', 'bigint')
      .addColumn('approved_by', 'text')
      .addColumn('approved_at', 'bigint')
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute()
    await q.schema
      .createTable('book_period_players')
      .addColumn('period', 'text', (column) => column.notNull())
      .addColumn('player', 'text', (column) => column.notNull())
      .addColumn('currency', 'text', (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('figures', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('book_period_players_key', ['period', 'player', 'currency'])
      .execute()
    await q.schema
      .createTable('book_period_events')
      .addColumn('period', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('who', 'text', (column) => column.notNull())
      .addColumn('os_user', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('text', 'text')
      .addPrimaryKeyConstraint('book_period_events_key', ['period', 'seq'])
      .execute()
  },
}
