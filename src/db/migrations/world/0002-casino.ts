import type { CreateTableBuilder, Kysely } from 'kysely'
import type { Migration } from '../../migrate.ts'

type Column = readonly [name: string, type: 'text' | 'integer' | 'bigint', isNullable?: 'null']

/** The casino: tenants and keys, players and wallets, tables, rounds, slips and their records. */
export const casino: Migration = {
  name: '0002-casino',
  async up(q) {
    await table(
      q,
      'casino_tenants',
      [
        ['code', 'text'],
        ['environment', 'text'],
        ['live_code', 'text'],
        ['plan', 'text'],
        ['state', 'text'],
        ['disabled', 'integer'],
        ['timezone', 'text'],
        ['currency', 'text'],
        ['currencies', 'text'],
        ['languages', 'text'],
        ['rate_per_second', 'integer', 'null'],
        ['rate_burst', 'integer', 'null'],
        ['tables_quota', 'integer', 'null'],
        ['players_limit', 'integer', 'null'],
        ['online_limit', 'integer', 'null'],
        ['day_bets_limited', 'integer', 'null'],
        ['state_before', 'text', 'null'],
        ['credit_usd', 'text'],
        ['grace_until', 'bigint', 'null'],
        ['charged_through', 'text', 'null'],
        ['created_at', 'bigint'],
      ],
      ['code'],
    )
    await table(
      q,
      'casino_keys',
      [
        ['key_id', 'text'],
        ['tenant', 'text'],
        ['secret', 'text'],
        ['created_at', 'bigint'],
        ['retires_at', 'bigint', 'null'],
        ['revoked_at', 'bigint', 'null'],
      ],
      ['key_id'],
    )
    await index(q, 'casino_keys', ['tenant'])
    await table(
      q,
      'casino_allowed_addresses',
      [
        ['tenant', 'text'],
        ['entry', 'text'],
      ],
      ['tenant', 'entry'],
    )
    await table(
      q,
      'casino_nonces',
      [
        ['key_id', 'text'],
        ['nonce', 'text'],
        ['stamp', 'bigint'],
        ['expires_at', 'bigint'],
      ],
      ['key_id', 'nonce'],
    )
    await index(q, 'casino_nonces', ['expires_at'])
    await table(
      q,
      'casino_buckets',
      [
        ['tenant', 'text'],
        ['level', 'bigint'],
        ['at', 'bigint'],
      ],
      ['tenant'],
    )
    await table(
      q,
      'casino_limit_profiles',
      [
        ['id', 'bigint'],
        ['tenant', 'text', 'null'],
        ['name', 'text'],
        ['game', 'text'],
        ['currency', 'text'],
        ['min_bet', 'text'],
        ['max_bet', 'text'],
      ],
      ['id'],
    )
    await table(
      q,
      'casino_players',
      [
        ['id', 'text'],
        ['tenant', 'text'],
        ['name_key', 'text'],
        ['username', 'text'],
        ['nickname', 'text', 'null'],
        ['status', 'text'],
        ['currency', 'text'],
        ['balance', 'text'],
        ['limit_profile_id', 'bigint', 'null'],
        ['password_hash', 'text', 'null'],
        ['created_at', 'bigint'],
        ['last_login_at', 'bigint', 'null'],
      ],
      ['id'],
    )
    await index(q, 'casino_players', ['tenant', 'name_key'], 'unique')
    await table(
      q,
      'casino_launches',
      [
        ['token_hash', 'text'],
        ['tenant', 'text'],
        ['player_id', 'text'],
        ['language', 'text'],
        ['device', 'text'],
        ['table_id', 'text', 'null'],
        ['variant', 'text', 'null'],
        ['lobby_url', 'text', 'null'],
        ['created_at', 'bigint'],
        ['expires_at', 'bigint'],
        ['used_at', 'bigint', 'null'],
      ],
      ['token_hash'],
    )
    await index(q, 'casino_launches', ['player_id'])
    await index(q, 'casino_launches', ['expires_at'])
    await table(
      q,
      'casino_sessions',
      [
        ['id', 'text'],
        ['token_hash', 'text'],
        ['tenant', 'text'],
        ['player_id', 'text'],
        ['language', 'text'],
        ['device', 'text'],
        ['table_id', 'text', 'null'],
        ['opened_at', 'bigint'],
        ['seen_at', 'bigint'],
        ['ended_at', 'bigint', 'null'],
        ['end_reason', 'text', 'null'],
      ],
      ['id'],
    )
    await index(q, 'casino_sessions', ['token_hash'], 'unique')
    await index(q, 'casino_sessions', ['player_id', 'ended_at'])
    await index(q, 'casino_sessions', ['ended_at', 'seen_at'])
    await table(
      q,
      'casino_transfers',
      [
        ['id', 'text'],
        ['tenant', 'text'],
        ['txn_id', 'text'],
        ['player_id', 'text'],
        ['dir', 'text'],
        ['amount', 'text'],
        ['change', 'text'],
        ['balance', 'text'],
        ['at', 'bigint'],
      ],
      ['id'],
    )
    // One player, one txnId, one transfer: the database enforces it in addition to the use case.
    await index(q, 'casino_transfers', ['tenant', 'txn_id', 'player_id'], 'unique')
    await index(q, 'casino_transfers', ['player_id', 'at'])
    await table(
      q,
      'casino_tables',
      [
        ['environment', 'text'],
        ['table_id', 'text'],
        ['game', 'text'],
        ['variants', 'text'],
        ['names', 'text'],
        ['status', 'text'],
        ['bet_seconds', 'integer'],
        ['settings', 'text'],
        ['provider', 'text', 'null'],
        ['position', 'integer'],
      ],
      ['environment', 'table_id'],
    )
    await table(
      q,
      'casino_table_spans',
      [
        ['id', 'text'],
        ['tenant', 'text'],
        ['table_id', 'text'],
        ['enabled_at', 'bigint'],
        ['disabled_at', 'bigint', 'null'],
      ],
      ['id'],
    )
    await index(q, 'casino_table_spans', ['tenant', 'disabled_at'])
    await table(
      q,
      'casino_credit_entries',
      [
        ['id', 'text'],
        ['tenant', 'text'],
        ['kind', 'text'],
        ['amount_usd', 'text'],
        ['balance_usd', 'text'],
        ['day', 'text'],
        ['ref', 'text'],
        ['at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'casino_credit_entries', ['tenant', 'at'])
    await index(q, 'casino_credit_entries', ['tenant', 'kind', 'ref'], 'unique')
    await table(
      q,
      'casino_usage_days',
      [
        ['tenant', 'text'],
        ['day', 'text'],
        ['table_days', 'integer'],
        ['stream_gb', 'text'],
        ['stream_source', 'text'],
        ['table_fee_usd', 'text'],
        ['stream_fee_usd', 'text'],
      ],
      ['tenant', 'day'],
    )
    await table(
      q,
      'casino_shoes',
      [
        ['environment', 'text'],
        ['table_id', 'text'],
        ['shoe', 'text'],
        ['round', 'integer'],
        ['cards', 'text'],
      ],
      ['environment', 'table_id'],
    )
    await table(
      q,
      'casino_rounds',
      [
        ['id', 'text'],
        ['environment', 'text'],
        ['table_id', 'text'],
        ['game', 'text'],
        ['shoe', 'text'],
        ['round', 'integer'],
        ['status', 'text'],
        ['code', 'text', 'null'],
        ['card_info', 'text', 'null'],
        ['result', 'text', 'null'],
        ['complete', 'integer', 'null'],
        ['rev', 'integer'],
        ['opened_at', 'bigint'],
        ['closes_at', 'bigint', 'null'],
        ['settled_at', 'bigint', 'null'],
      ],
      ['id'],
    )
    await index(q, 'casino_rounds', ['environment', 'table_id', 'opened_at'])
    await table(
      q,
      'casino_slips',
      [
        ['id', 'text'],
        ['tenant', 'text'],
        ['player_id', 'text'],
        ['username', 'text'],
        ['currency', 'text'],
        ['round_id', 'text'],
        ['table_id', 'text'],
        ['game', 'text'],
        ['variant', 'text'],
        ['placed', 'text'],
        ['placed_at', 'bigint'],
        ['rev', 'integer'],
        ['status', 'text'],
        ['stake', 'text'],
        ['hold', 'text'],
        ['valid_stake', 'text'],
        ['rolling', 'text'],
        ['payout', 'text'],
        ['win_loss', 'text'],
        ['rake', 'text'],
        ['result', 'text'],
        ['onsite', 'integer'],
        ['first_settled_at', 'bigint', 'null'],
        ['settled_at', 'bigint', 'null'],
      ],
      ['id'],
    )
    await index(q, 'casino_slips', ['round_id', 'player_id'], 'unique')
    await index(q, 'casino_slips', ['tenant', 'first_settled_at'])
    await table(
      q,
      'casino_bet_months',
      [
        ['tenant', 'text'],
        ['month', 'text'],
      ],
      ['tenant'],
    )
    await table(
      q,
      'casino_bet_records',
      [
        ['tenant', 'text'],
        ['month', 'text'],
        ['rec_seq', 'bigint'],
        ['slip_id', 'text'],
        ['rev', 'integer'],
        ['round_id', 'text'],
        ['settled_at', 'bigint'],
        ['record', 'text'],
      ],
      ['tenant', 'month', 'rec_seq'],
    )
    await index(q, 'casino_bet_records', ['tenant', 'month', 'settled_at', 'rec_seq'])
    await table(
      q,
      'casino_day_bets',
      [
        ['tenant', 'text'],
        ['day', 'text'],
        ['currency', 'text'],
        ['total', 'text'],
      ],
      ['tenant', 'day', 'currency'],
    )
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
