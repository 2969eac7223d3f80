import type { Migration } from '../../migrate.ts'

/** Payout limits of a merchant, single and per day; and indexes for the hosted pages. */
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
