import type { Migration } from '../../migrate.ts'

/** The rule by which the platform counts slips into days, where it is not the documented one. One row at most. */
export const bookDayRule: Migration = {
  name: '0016-book-day-rule',
  async up(q) {
    await q.schema
      .createTable('book_day_rule')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('basis', 'text', (column) => column.notNull())
      .addColumn('timezone', 'text', (column) => column.notNull())
      .addColumn('date', 'text', (column) => column.notNull())
      .addColumn('decided_by', 'text', (column) => column.notNull())
      .addColumn('decided_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
