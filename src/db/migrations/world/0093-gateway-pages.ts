import type { Migration } from '../../migrate.ts'

/**
 * Indexes for the rest of the gateway's lists, which are read page by page and must not sort the whole account each
 * time.
 */
export const gatewayPages: Migration = {
  name: '0093-gateway-pages',
  async up(q) {
    for (const table of ['gateway_payouts', 'gateway_conversions', 'gateway_sub_transfers']) {
      await q.schema.createIndex(`${table}_by_page`).on(table).columns(['merchant', 'created_at', 'id']).execute()
      await q.schema.dropIndex(`${table}_by_merchant_created_at`).execute()
    }
    await q.schema
      .createIndex('gateway_subaccounts_by_page')
      .on('gateway_subaccounts')
      .columns(['merchant', 'created_at', 'id'])
      .execute()
    for (const table of ['gateway_plans', 'gateway_subscriptions']) {
      await q.schema.createIndex(`${table}_by_page`).on(table).columns(['merchant', 'id']).execute()
      await q.schema.dropIndex(`${table}_by_merchant`).execute()
    }
  },
}
