import type { CreateTableBuilder, Kysely } from 'kysely'
import type { Migration } from '../../migrate.ts'

type Column = readonly [name: string, type: 'text' | 'integer' | 'bigint', isNullable?: 'null']

/** The gateway: merchants and keys, payments and invoices, the ledger, deliveries, and the simulated chains. */
export const gateway: Migration = {
  name: '0010-gateway',
  async up(q) {
    await table(
      q,
      'gateway_environments',
      [
        ['environment', 'text'],
        ['seed', 'text'],
        ['token_secret', 'text'],
        ['demo', 'text', 'null'],
      ],
      ['environment'],
    )
    await table(
      q,
      'gateway_merchants',
      [
        ['id', 'text'],
        ['environment', 'text'],
        ['name', 'text'],
        ['ipn_secret', 'text'],
        ['ipn_url', 'text', 'null'],
        ['compat', 'integer'],
        ['compat_header', 'text'],
        ['tolerance_bps', 'integer'],
        ['frozen', 'integer'],
        ['totp_sealed', 'text', 'null'],
        ['approval_usd', 'text', 'null'],
        ['created_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_merchants', ['environment', 'created_at'])
    await table(
      q,
      'gateway_users',
      [
        ['environment', 'text'],
        ['email', 'text'],
        ['merchant', 'text'],
        ['password_hash', 'text'],
      ],
      ['environment', 'email'],
    )
    await table(
      q,
      'gateway_keys',
      [
        ['hash', 'text'],
        ['environment', 'text'],
        ['merchant', 'text'],
        ['prefix', 'text'],
        ['scopes', 'text'],
        ['created_at', 'bigint'],
        ['revoked_at', 'bigint', 'null'],
      ],
      ['hash'],
    )
    await index(q, 'gateway_keys', ['merchant'])
    await table(
      q,
      'gateway_key_addresses',
      [
        ['key_hash', 'text'],
        ['entry', 'text'],
      ],
      ['key_hash', 'entry'],
    )
    await table(
      q,
      'gateway_merchant_coins',
      [
        ['merchant', 'text'],
        ['coin', 'text'],
        ['wallet', 'text', 'null'],
      ],
      ['merchant', 'coin'],
    )
    await table(
      q,
      'gateway_buckets',
      [
        ['name', 'text'],
        ['level', 'bigint'],
        ['at', 'bigint'],
      ],
      ['name'],
    )
    await table(
      q,
      'gateway_payments',
      [
        ['id', 'bigint'],
        ['environment', 'text'],
        ['merchant', 'text'],
        ['status', 'text'],
        ['parent_id', 'bigint', 'null'],
        ['invoice_id', 'text', 'null'],
        ['price_amount', 'text'],
        ['price_currency', 'text'],
        ['pay_amount', 'text'],
        ['pay_currency', 'text'],
        ['network', 'text'],
        ['address', 'text'],
        ['actually_paid', 'text'],
        ['outcome_amount', 'text'],
        ['outcome_currency', 'text'],
        ['order_id', 'text', 'null'],
        ['order_description', 'text', 'null'],
        ['ipn_callback_url', 'text', 'null'],
        ['customer_email', 'text', 'null'],
        ['page_token', 'text'],
        ['is_fixed_rate', 'integer'],
        ['is_fee_paid_by_user', 'integer'],
        ['subaccount', 'text', 'null'],
        ['created_at', 'bigint'],
        ['updated_at', 'bigint'],
        ['quote_until', 'bigint'],
        ['valid_until', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_payments', ['merchant', 'created_at'])
    await index(q, 'gateway_payments', ['environment', 'address'])
    await index(q, 'gateway_payments', ['status', 'valid_until'])
    await index(q, 'gateway_payments', ['invoice_id'])
    await table(
      q,
      'gateway_invoices',
      [
        ['id', 'text'],
        ['environment', 'text'],
        ['merchant', 'text'],
        ['page_token', 'text'],
        ['price_amount', 'text'],
        ['price_currency', 'text'],
        ['pay_currency', 'text', 'null'],
        ['payout_currency', 'text', 'null'],
        ['order_id', 'text', 'null'],
        ['order_description', 'text', 'null'],
        ['ipn_callback_url', 'text', 'null'],
        ['success_url', 'text', 'null'],
        ['cancel_url', 'text', 'null'],
        ['partially_paid_url', 'text', 'null'],
        ['customer_email', 'text', 'null'],
        ['is_fixed_rate', 'integer'],
        ['is_fee_paid_by_user', 'integer'],
        ['created_at', 'bigint'],
        ['updated_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_invoices', ['merchant', 'created_at'])
    await table(
      q,
      'gateway_deposits',
      [
        ['tx_id', 'text'],
        ['payment_id', 'bigint'],
        ['sender', 'text'],
        ['units', 'text'],
        ['state', 'text'],
        ['seen_at', 'bigint'],
      ],
      ['tx_id'],
    )
    await index(q, 'gateway_deposits', ['payment_id'])
    await table(
      q,
      'gateway_transfers',
      [
        ['id', 'text'],
        ['environment', 'text'],
        ['merchant', 'text'],
        ['kind', 'text'],
        ['payment_id', 'bigint'],
        ['coin', 'text'],
        ['address', 'text'],
        ['units', 'text'],
        ['fee_units', 'text'],
        ['hash', 'text', 'null'],
        ['state', 'text'],
        ['created_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_transfers', ['state'])
    await index(q, 'gateway_transfers', ['payment_id'])
    await table(
      q,
      'gateway_balances',
      [
        ['account', 'text'],
        ['kind', 'text'],
        ['owner', 'text'],
        ['currency', 'text'],
        ['units', 'text'],
      ],
      ['account'],
    )
    await index(q, 'gateway_balances', ['owner'])
    await table(
      q,
      'gateway_entries',
      [
        ['posting', 'text'],
        ['position', 'integer'],
        ['account', 'text'],
        ['units', 'text'],
        ['ref', 'text'],
        ['at', 'bigint'],
      ],
      ['posting', 'position'],
    )
    await index(q, 'gateway_entries', ['account'])
    await index(q, 'gateway_entries', ['ref'])
    await table(
      q,
      'gateway_ipns',
      [
        ['id', 'text'],
        ['merchant', 'text'],
        ['subject', 'text'],
        ['event', 'text'],
        ['url', 'text'],
        ['body', 'text'],
        ['created_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_ipns', ['merchant', 'created_at'])
    await index(q, 'gateway_ipns', ['subject'])
    await table(q, 'gateway_sanctions', [['address', 'text']], ['address'])
    await table(
      q,
      'gateway_chain_txs',
      [
        ['id', 'text'],
        ['environment', 'text'],
        ['network', 'text'],
        ['direction', 'text'],
        ['hash', 'text'],
        ['sender', 'text'],
        ['recipient', 'text'],
        ['contract', 'text', 'null'],
        ['units', 'text'],
        ['block', 'bigint'],
        ['removed', 'integer'],
        ['due_at', 'bigint', 'null'],
        ['created_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_chain_txs', ['due_at'])
    await index(q, 'gateway_chain_txs', ['hash'])
    await table(
      q,
      'gateway_conversions',
      [
        ['id', 'text'],
        ['environment', 'text'],
        ['merchant', 'text'],
        ['status', 'text'],
        ['from_currency', 'text'],
        ['to_currency', 'text'],
        ['from_amount', 'text'],
        ['to_amount', 'text', 'null'],
        ['created_at', 'bigint'],
        ['updated_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_conversions', ['merchant', 'created_at'])
    await table(
      q,
      'gateway_subaccounts',
      [
        ['id', 'text'],
        ['environment', 'text'],
        ['merchant', 'text'],
        ['name', 'text'],
        ['created_at', 'bigint'],
        ['updated_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_subaccounts', ['merchant', 'name'], 'unique')
    await table(
      q,
      'gateway_sub_transfers',
      [
        ['id', 'text'],
        ['environment', 'text'],
        ['merchant', 'text'],
        ['from_id', 'text'],
        ['to_id', 'text'],
        ['status', 'text'],
        ['currency', 'text'],
        ['amount', 'text'],
        ['created_at', 'bigint'],
        ['updated_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_sub_transfers', ['merchant', 'created_at'])
    await table(
      q,
      'gateway_batches',
      [
        ['id', 'text'],
        ['environment', 'text'],
        ['merchant', 'text'],
        ['wrong_codes', 'integer'],
        ['needs_approval', 'integer'],
        ['created_at', 'bigint'],
        ['verified_at', 'bigint', 'null'],
      ],
      ['id'],
    )
    await table(
      q,
      'gateway_payouts',
      [
        ['id', 'text'],
        ['batch', 'text'],
        ['environment', 'text'],
        ['merchant', 'text'],
        ['status', 'text'],
        ['currency', 'text'],
        ['amount', 'text'],
        ['fee', 'text'],
        ['address', 'text'],
        ['fiat_amount', 'text', 'null'],
        ['fiat_currency', 'text', 'null'],
        ['description', 'text', 'null'],
        ['external_id', 'text', 'null'],
        ['ipn_callback_url', 'text', 'null'],
        ['hash', 'text', 'null'],
        ['error', 'text', 'null'],
        ['execute_at', 'bigint', 'null'],
        ['due_at', 'bigint', 'null'],
        ['created_at', 'bigint'],
        ['requested_at', 'bigint', 'null'],
        ['updated_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_payouts', ['batch'])
    await index(q, 'gateway_payouts', ['merchant', 'created_at'])
    await index(q, 'gateway_payouts', ['status', 'due_at'])
    await table(
      q,
      'gateway_whitelist',
      [
        ['merchant', 'text'],
        ['coin', 'text'],
        ['address', 'text'],
      ],
      ['merchant', 'coin', 'address'],
    )
    await table(
      q,
      'gateway_plans',
      [
        ['id', 'text'],
        ['environment', 'text'],
        ['merchant', 'text'],
        ['title', 'text'],
        ['interval_days', 'integer'],
        ['amount', 'text'],
        ['currency', 'text'],
        ['ipn_callback_url', 'text', 'null'],
        ['success_url', 'text', 'null'],
        ['cancel_url', 'text', 'null'],
        ['partially_paid_url', 'text', 'null'],
        ['created_at', 'bigint'],
        ['updated_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_plans', ['merchant'])
    await table(
      q,
      'gateway_subscriptions',
      [
        ['id', 'text'],
        ['environment', 'text'],
        ['merchant', 'text'],
        ['plan', 'text'],
        ['subaccount', 'text'],
        ['status', 'text'],
        ['paid_until', 'bigint'],
        ['due_at', 'bigint', 'null'],
        ['created_at', 'bigint'],
        ['updated_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'gateway_subscriptions', ['merchant'])
    await index(q, 'gateway_subscriptions', ['due_at'])
  },
}

async function table(q: Kysely<unknown>, name: string, columns: readonly Column[], key: string[]): Promise<void> {
  let builder: CreateTableBuilder<string, string> = q.schema.createTable(name)
  for (const [column, type, isNullable] of columns)
    builder = builder.addColumn(column, type, (definition) => (isNullable ? definition : definition.notNull()))
  await builder.addPrimaryKeyConstraint(`${name}_key`, key as never).execute()
}

async function index(q: Kysely<unknown>, on: string, columns: string[], unique?: 'unique'): Promise<void> {
  const builder = q.schema
    .createIndex(`${on}_by_${columns.join('_')}`)
    .on(on)
    .columns(columns as never)
  await (unique ? builder.unique() : builder).execute()
}
