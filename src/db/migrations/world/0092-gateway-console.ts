import type { Migration } from '../../migrate.ts'

/**
 * Settings of the gateway's staff: prices set by hand, a frozen environment, and merchants that await verification.
 * Existing accounts are verified. Also indexes for long lists.
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
    // Lists are read page by page in this order, which must not sort the whole account each time.
    await q.schema
      .createIndex('gateway_payments_by_page')
      .on('gateway_payments')
      .columns(['merchant', 'created_at', 'id'])
      .execute()
    await q.schema.dropIndex('gateway_payments_by_merchant_created_at').execute()
    await q.schema.createIndex('gateway_payments_by_subaccount').on('gateway_payments').column('subaccount').execute()
  },
}
