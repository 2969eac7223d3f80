import type { Migration } from '../../migrate.ts'

/** Received webhooks and callbacks, as they came. */
export const bookCallbacks: Migration = {
  name: '0003-book-callbacks',
  async up(q) {
    await q.schema
      .createTable('book_callbacks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject', 'text')
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('told_at', 'bigint')
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('body_form', 'text', (column) => column.notNull())
      .addColumn('headers', 'text', (column) => column.notNull())
      .addColumn('signed_at', 'bigint')
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('received_at', 'bigint', (column) => column.notNull())
      .addColumn('copies', 'integer', (column) => column.notNull())
      .addColumn('last_received_at', 'bigint', (column) => column.notNull())
      .addColumn('forward_to', 'text')
      .addColumn('forwarded_at', 'bigint')
      .addColumn('forward_status', 'integer')
      .addColumn('forward_error', 'text')
      .execute()
    await q.schema.createIndex('book_callbacks_by_place').on('book_callbacks').column('place').unique().execute()
    await q.schema.createIndex('book_callbacks_about').on('book_callbacks').columns(['channel', 'subject']).execute()
  },
}
