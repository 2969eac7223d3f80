import type { Migration } from '../migrate.ts'

/** The webhooks that were received, as they came. */
export const bookWebhooks: Migration = {
  name: '0003-book-webhooks',
  async up(q) {
    await q.schema
      .createTable('book_webhooks')
      .addColumn('delivery_id', 'text', (column) => column.primaryKey())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('company_code', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('body_form', 'text', (column) => column.notNull())
      .addColumn('headers', 'text', (column) => column.notNull())
      .addColumn('signed_at', 'bigint', (column) => column.notNull())
      .addColumn('received_at', 'bigint', (column) => column.notNull())
      .addColumn('copies', 'integer', (column) => column.notNull())
      .addColumn('last_received_at', 'bigint', (column) => column.notNull())
      .addColumn('forwarded_at', 'bigint')
      .addColumn('forward_status', 'integer')
      .addColumn('forward_error', 'text')
      .execute()
    await q.schema.createIndex('book_webhooks_by_place').on('book_webhooks').column('place').unique().execute()
  },
}
