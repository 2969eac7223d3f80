import type { Migration } from '../../migrate.ts'

/** Tables of every database: counters and idempotency keys. */
export const store: Migration = {
  name: '0001-store',
  async up(q) {
    await q.schema
      .createTable('store_counters')
      .addColumn('series', 'text', (column) => column.primaryKey())
      .addColumn('value', 'bigint', (column) => column.notNull())
      .execute()
    await q.schema
      .createTable('store_once')
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('answer', 'text')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('store_once_key', ['scope', 'key'])
      .execute()
    await q.schema.createIndex('store_once_by_expiry').on('store_once').column('expires_at').execute()
  },
}
