import type { Migration } from '../../migrate.ts'

/**
 * Tables that a merchant owns and shares; side bets per tenant and table; a tenant's last activity, for the demo plan;
 * and the last day it paid for tables.
 */
export const sharedTables: Migration = {
  name: '0082-shared-tables',
  async up(q) {
    await q.schema.alterTable('casino_tables').addColumn('owner', 'text').execute()
    await q.schema.alterTable('casino_tables').addColumn('shared_with', 'text').execute()
    await q.schema.alterTable('casino_tables').addColumn('share_approved', 'integer').execute()
    await q.schema.alterTable('casino_tenants').addColumn('active_at', 'bigint').execute()
    await q.schema.alterTable('casino_tenants').addColumn('idle_days', 'integer').execute()
    await q.schema.alterTable('casino_tenants').addColumn('side_bets', 'text').execute()
    await q.schema.alterTable('casino_tenants').addColumn('paid_day', 'text').execute()
  },
}
