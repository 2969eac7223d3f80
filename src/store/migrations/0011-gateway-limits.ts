import type { Migration } from '../migrate.ts'

/** What a merchant's payouts may come to: each by itself, and in a day. */
export const gatewayLimits: Migration = {
  name: '0011-gateway-limits',
  async up(q) {
    await q.schema.alterTable('gateway_merchants').addColumn('payout_limit_usd', 'text').execute()
    await q.schema.alterTable('gateway_merchants').addColumn('payout_day_limit_usd', 'text').execute()
  },
}
