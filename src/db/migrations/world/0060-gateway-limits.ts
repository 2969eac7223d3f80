import type { Migration } from '../../migrate.ts'

/** What a merchant's payouts may come to, each by itself and in a day; and the ways the hosted pages look things up. */
export const gatewayLimits: Migration = {
  name: '0060-gateway-limits',
  async up(q) {
    await q.schema.alterTable('gateway_merchants').addColumn('payout_limit_usd', 'text').execute()
    await q.schema.alterTable('gateway_merchants').addColumn('payout_day_limit_usd', 'text').execute()
    for (const [table, column] of [
      ['gateway_payments', 'page_token'],
      ['gateway_invoices', 'page_token'],
    ] as const)
      await q.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute()
  },
}
