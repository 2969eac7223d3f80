import type { Migration } from '../../migrate.ts'

/** Orders to the payment gateway, each with its Idempotency-Key. */
export const bookOrders: Migration = {
  name: '0004-book-orders',
  async up(q) {
    await q.schema
      .createTable('book_orders')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('input', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('reply', 'text')
      .addColumn('refusal', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('sent_at', 'bigint')
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
