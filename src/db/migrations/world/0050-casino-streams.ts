import type { Migration } from '../../migrate.ts'

/** Streaming to a tenant's players on a UTC day, by each source that measured it. */
export const casinoStreams: Migration = {
  name: '0050-casino-streams',
  async up(q) {
    await q.schema
      .createTable('casino_streams')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('gb', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('casino_streams_key', ['tenant', 'day', 'source'])
      .execute()
  },
}
