import type { Migration } from '../../migrate.ts'

/** Names that people prove with a passphrase when a second person must decide. */
export const bookApprovers: Migration = {
  name: '0021-book-approvers',
  async up(q) {
    await q.schema
      .createTable('book_approvers')
      .addColumn('name_key', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('added_by', 'text', (column) => column.notNull())
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
