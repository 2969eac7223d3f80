import type { Migration } from '../../migrate.ts'

/** Viewers of dealt tables on plans that limit them, and a tenant's own limits set by the platform. */
export const casinoViewers: Migration = {
  name: '0096-casino-viewers',
  async up(q) {
    await q.schema.alterTable('casino_tenants').addColumn('viewers_limit', 'integer').execute()
    await q.schema.alterTable('casino_tenants').addColumn('view_minutes', 'integer').execute()
    await q.schema
      .createTable('casino_viewers')
      .addColumn('player_id', 'text', (c) => c.primaryKey())
      .addColumn('tenant', 'text', (c) => c.notNull())
      .addColumn('since', 'bigint', (c) => c.notNull())
      .addColumn('seen_at', 'bigint', (c) => c.notNull())
      .addColumn('is_open', 'integer', (c) => c.notNull())
      .execute()
    await q.schema
      .createIndex('casino_viewers_open')
      .on('casino_viewers')
      .columns(['tenant', 'is_open', 'seen_at'])
      .execute()
  },
}
