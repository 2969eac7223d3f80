import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * The interval that an open bill promised. Bills from before this column get the present interval of their plan, the only one
 * that was kept.
 */
export const gatewayBillDays: Migration = {
  name: '0104-gateway-bill-days',
  async up(q) {
    await q.schema.alterTable('gateway_subscriptions').addColumn('invoice_days', 'integer').execute()
    await sql`
      update gateway_subscriptions set invoice_days = (
        select interval_days from gateway_plans where gateway_plans.id = gateway_subscriptions.plan
      ) where invoice is not null`.execute(q)
  },
}
