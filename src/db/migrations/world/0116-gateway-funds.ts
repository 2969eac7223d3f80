import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Deposits that credit no payment: frozen after a sanctions match, or in another token than the payment's. Each waits for
 * a decision. A transfer may name the contract of a token that is no coin of the gateway.
 */
export const gatewayFunds: Migration = {
  name: '0116-gateway-funds',
  async up(q) {
    await q.schema.alterTable('gateway_transfers').addColumn('contract', 'text').execute()
    await q.schema
      .createTable('gateway_funds')
      .addColumn('tx_id', 'text', (is) => is.primaryKey())
      .addColumn('environment', 'text', (is) => is.notNull())
      .addColumn('merchant', 'text', (is) => is.notNull())
      .addColumn('payment_id', 'bigint', (is) => is.notNull())
      .addColumn('kind', 'text', (is) => is.notNull())
      .addColumn('network', 'text', (is) => is.notNull())
      .addColumn('contract', 'text')
      .addColumn('units', 'text', (is) => is.notNull())
      .addColumn('sender', 'text', (is) => is.notNull())
      .addColumn('state', 'text', (is) => is.notNull())
      .addColumn('result', 'text')
      .addColumn('decided_by', 'text')
      .addColumn('decided_at', 'bigint')
      .addColumn('seen_at', 'bigint', (is) => is.notNull())
      .execute()
    await q.schema
      .createIndex('gateway_funds_by_merchant')
      .on('gateway_funds')
      .columns(['merchant', 'seen_at'])
      .execute()
    // The contract of a foreign token was kept by the chains only.
    await sql`
      insert into gateway_funds (tx_id, environment, merchant, payment_id, kind, network, contract, units, sender, state, seen_at)
      select d.tx_id, p.environment, p.merchant, d.payment_id,
        case when d.state = 'stray' then 'foreign' else 'frozen' end,
        p.network, t.contract, d.units, d.sender, 'held', d.seen_at
      from gateway_deposits d
        join gateway_payments p on p.id = d.payment_id
        join gateway_chain_txs t on t.id = d.tx_id
      where d.state in ('stray', 'frozen')`.execute(q)
  },
}
