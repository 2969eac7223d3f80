import type { Migration } from '../../migrate.ts'

/** Live tables: their current state and whether they are dealt; and indexes for the player's page. */
export const live: Migration = {
  name: '0040-live',
  async up(q) {
    await q.schema
      .createTable('casino_live_tables')
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('table_id', 'text', (column) => column.notNull())
      .addColumn('round_id', 'text')
      .addColumn('phase', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      // One row per table makes two concurrent rounds at one table impossible, in any process.
      .addPrimaryKeyConstraint('casino_live_tables_key', ['environment', 'table_id'] as never)
      .execute()
    await q.schema
      .createTable('casino_live_switches')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('is_on', 'integer', (column) => column.notNull())
      .execute()
    await q.schema
      .createIndex('casino_slips_by_player_id_placed_at')
      .on('casino_slips')
      .columns(['player_id', 'placed_at'] as never)
      .execute()
  },
}
