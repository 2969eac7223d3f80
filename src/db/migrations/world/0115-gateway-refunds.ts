import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Refunds and returned deposits, each with the payout that sends it, and payments that staff accepted although less was
 * paid than was due. Refunds from before this table were of whole payments and keep their transfer.
 */
export const gatewayRefunds: Migration = {
  name: '0115-gateway-refunds',
  async up(q) {
    await q.schema.alterTable('gateway_payouts').addColumn('purpose', 'text').execute()
    await q.schema
      .createTable('gateway_refunds')
      .addColumn('id', 'text', (is) => is.primaryKey())
      .addColumn('environment', 'text', (is) => is.notNull())
      .addColumn('merchant', 'text', (is) => is.notNull())
      .addColumn('payment_id', 'bigint', (is) => is.notNull())
      .addColumn('deposit', 'text')
      .addColumn('part', 'text', (is) => is.notNull())
      .addColumn('coin', 'text', (is) => is.notNull())
      .addColumn('units', 'text', (is) => is.notNull())
      .addColumn('fee_units', 'text', (is) => is.notNull())
      .addColumn('address', 'text', (is) => is.notNull())
      .addColumn('source', 'text', (is) => is.notNull())
      .addColumn('payout', 'text')
      .addColumn('state', 'text', (is) => is.notNull())
      .addColumn('asked_by', 'text')
      .addColumn('approved_by', 'text')
      .addColumn('asked_at', 'bigint', (is) => is.notNull())
      .addColumn('sent_at', 'bigint')
      .execute()
    await q.schema.createIndex('gateway_refunds_by_payment').on('gateway_refunds').column('payment_id').execute()
    await q.schema.createIndex('gateway_refunds_by_payout').on('gateway_refunds').column('payout').execute()
    await q.schema
      .createIndex('gateway_refunds_by_merchant')
      .on('gateway_refunds')
      .columns(['merchant', 'asked_at'])
      .execute()
    await sql`
      insert into gateway_refunds (id, environment, merchant, payment_id, part, coin, units, fee_units, address, source, state, asked_at, sent_at)
      select id, environment, merchant, payment_id, 'rest', coin, units, fee_units, address, 'available',
        case when state = 'done' then 'done' else 'sent' end, created_at, created_at
      from gateway_transfers where kind = 'refund'`.execute(q)
    await q.schema
      .createTable('gateway_acceptances')
      .addColumn('payment_id', 'bigint', (is) => is.primaryKey())
      .addColumn('merchant', 'text', (is) => is.notNull())
      .addColumn('status', 'text', (is) => is.notNull())
      .addColumn('received', 'text', (is) => is.notNull())
      .addColumn('due', 'text', (is) => is.notNull())
      .addColumn('reason', 'text', (is) => is.notNull())
      .addColumn('accepted_by', 'text')
      .addColumn('accepted_at', 'bigint', (is) => is.notNull())
      .execute()
  },
}
