import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/** Time at which a payout passed the policy and was handed to its chain; the daily limit is checked by it. */
export const gatewayPayoutSending: Migration = {
  name: '0101-gateway-payout-sending',
  async up(q) {
    await q.schema.alterTable('gateway_payouts').addColumn('sent_at', 'bigint').execute()
    await sql`update gateway_payouts set sent_at = updated_at where status in ('processing', 'sending', 'finished')`.execute(
      q,
    )
    await q.schema
      .createIndex('gateway_payouts_by_sending')
      .on('gateway_payouts')
      .columns(['merchant', 'sent_at'])
      .execute()
  },
}
