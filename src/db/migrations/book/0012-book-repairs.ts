import type { Migration } from '../../migrate.ts'

/** Repairs of days, and the revisions that they replaced or removed. */
export const bookRepairs: Migration = {
  name: '0012-book-repairs',
  async up(q) {
    await q.schema
      .createTable('book_repairs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('date', 'text', (column) => column.notNull())
      .addColumn('timezone', 'text', (column) => column.notNull())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('who', 'text', (column) => column.notNull())
      .addColumn('added', 'bigint', (column) => column.notNull())
      .addColumn('replaced', 'bigint', (column) => column.notNull())
      .addColumn('removed', 'bigint', (column) => column.notNull())
      .execute()
    await q.schema
      .createTable('book_replaced_revisions')
      .addColumn('place', 'bigint', (column) => column.primaryKey())
      .addColumn('repair_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('until_place', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('slip_id', 'text', (column) => column.notNull())
      .addColumn('rev', 'integer', (column) => column.notNull())
      .addColumn('month', 'text', (column) => column.notNull())
      .addColumn('rec_seq', 'bigint', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull())
      .addColumn('settled_at', 'bigint', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .execute()
    await q.schema
      .createIndex('book_replaced_revisions_by_slip')
      .on('book_replaced_revisions')
      .columns(['slip_id', 'rev'])
      .execute()
    await q.schema
      .createTable('book_sorted_months')
      .addColumn('month', 'text', (column) => column.primaryKey())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .execute()
  },
}
