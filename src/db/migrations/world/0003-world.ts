import type { Migration } from '../../migrate.ts'

/** State of a world: its clock, its seed, where it is served. */
export const worldItself: Migration = {
  name: '0003-world',
  async up(q) {
    await q.schema
      .createTable('store_world')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('clock_offset', 'bigint', (column) => column.notNull())
      .addColumn('seed', 'text')
      .addColumn('runs', 'bigint', (column) => column.notNull())
      .addColumn('served_url', 'text')
      .execute()
  },
}
