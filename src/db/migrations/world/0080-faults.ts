import type { Migration } from '../../migrate.ts'

/** Injected faults of a world, and whether they are allowed where others can reach it. */
export const faults: Migration = {
  name: '0080-faults',
  async up(q) {
    await q.schema
      .createTable('store_faults')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('service', 'text')
      .addColumn('endpoint', 'text')
      .addColumn('status', 'bigint')
      .addColumn('retry_after_seconds', 'bigint')
      .addColumn('for_ms', 'bigint')
      .addColumn('times', 'bigint')
      .addColumn('every', 'bigint', (column) => column.notNull())
      .addColumn('chance', 'bigint', (column) => column.notNull())
      .addColumn('until', 'bigint')
      .addColumn('seed', 'text', (column) => column.notNull())
      .addColumn('met', 'bigint', (column) => column.notNull())
      .addColumn('hits', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('taken_up', 'bigint', (column) => column.notNull())
      .execute()
    await q.schema.alterTable('store_world').addColumn('allows_faults', 'bigint').execute()
  },
}
