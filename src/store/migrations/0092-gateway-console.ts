import type { Migration } from '../migrate.ts'

/**
 * What the gateway's own staff decides beside it: prices set by hand, a side that is frozen as a whole, and merchants whose
 * verification is awaited. Accounts that are there already were let in as they are.
 */
export const gatewayConsole: Migration = {
  name: '0092-gateway-console',
  async up(q) {
    await q.schema
      .createTable('gateway_set_rates')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('as_of', 'bigint')
      .addColumn('usd', 'text', (column) => column.notNull())
      .execute()
    await q.schema
      .alterTable('gateway_environments')
      .addColumn('frozen', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await q.schema
      .alterTable('gateway_merchants')
      .addColumn('verified', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
  },
}
