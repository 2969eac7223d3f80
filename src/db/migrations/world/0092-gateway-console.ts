import type { Migration } from '../../migrate.ts'

/**
 * What the gateway's own staff decides beside it: prices set by hand, a side that is frozen as a whole, and merchants whose
 * verification is awaited. Accounts that are there already were let in as they are. And the way long lists are read.
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
    // Lists are read page by page in this order, which must not cost a sort of the whole account each time.
    await q.schema
      .createIndex('gateway_payments_by_page')
      .on('gateway_payments')
      .columns(['merchant', 'created_at', 'id'])
      .execute()
    await q.schema.dropIndex('gateway_payments_by_merchant_created_at').execute()
    await q.schema.createIndex('gateway_payments_by_subaccount').on('gateway_payments').column('subaccount').execute()
  },
}
