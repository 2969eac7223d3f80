import type { Migration } from '../../migrate.ts'

/** Settings of tables that the operator stated: no record and no endpoint has them. */
export const bookTableSettings: Migration = {
  name: '0015-book-table-settings',
  async up(q) {
    await q.schema
      .createTable('book_table_settings')
      .addColumn('table_id', 'text', (column) => column.primaryKey())
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('stated_by', 'text', (column) => column.notNull())
      .addColumn('stated_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
