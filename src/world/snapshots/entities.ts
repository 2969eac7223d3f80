/** A table that a diff compares, because users know its rows: the name of a row, and the columns that identify it. */
export interface Entity {
  readonly name: string
  /** Columns of the id; default: the primary key. */
  readonly id?: readonly string[]
}

const one = (name: string, ...id: string[]): Entity => (id.length === 0 ? { name } : { name, id })

/** Entities by table, in the order of a diff. */
export const entities: Readonly<Record<string, Entity>> = {
  casino_tenants: one('tenant'),
  casino_keys: one('key'),
  casino_allowed_addresses: one('allowed address'),
  casino_webhooks: one('webhook'),
  casino_limit_profiles: one('limit profile'),
  casino_tables: one('table'),
  casino_table_spans: one('enabled table'),
  casino_streams: one('stream'),
  casino_live_switches: one('switch'),
  casino_players: one('player', 'tenant', 'username'),
  casino_transfers: one('transfer'),
  casino_rounds: one('round'),
  casino_slips: one('slip'),
  casino_credit_entries: one('credit entry'),
  casino_usage_days: one('usage day'),
  gateway_environments: one('environment'),
  gateway_merchants: one('merchant'),
  gateway_users: one('user'),
  gateway_keys: one('merchant key', 'environment', 'prefix'),
  gateway_key_addresses: one('allowed address', 'address'),
  gateway_merchant_coins: one('coin'),
  gateway_payments: one('payment'),
  gateway_invoices: one('invoice'),
  gateway_deposits: one('deposit'),
  gateway_acceptances: one('acceptance'),
  gateway_refunds: one('refund'),
  gateway_funds: one('held deposit'),
  gateway_transfers: one('chain transfer'),
  gateway_chain_txs: one('chain transaction'),
  gateway_conversions: one('conversion'),
  gateway_subaccounts: one('subaccount'),
  gateway_sub_transfers: one('subaccount transfer'),
  gateway_batches: one('payout batch'),
  gateway_payouts: one('payout'),
  gateway_whitelist: one('whitelist entry'),
  gateway_sanctions: one('sanction'),
  gateway_plans: one('plan'),
  gateway_subscriptions: one('subscription'),
  gateway_balances: one('merchant balance'),
  gateway_mails: one('mail'),
  gateway_set_rates: one('rate'),
  chat_tenants: one('chat tenant'),
  chat_keys: one('chat key', 'tenant', 'kind', 'created_at'),
  chat_agents: one('agent'),
  chat_faces: one('agent picture'),
  chat_inboxes: one('inbox'),
  chat_rooms: one('room'),
  chat_messages: one('message'),
  chat_forms: one('form'),
  chat_tickets: one('ticket'),
  chat_ticket_comments: one('comment'),
  chat_media: one('file'),
  outbox_deliveries: one('delivery'),
  store_faults: one('fault'),
}

/** Tables without entities: they are derived from others, count, or keep requests temporarily. */
export const internalTables: readonly string[] = [
  'casino_bet_minutes',
  'casino_bet_months',
  'casino_bet_records',
  'casino_buckets',
  'casino_day_bets',
  'casino_launches',
  'casino_live_tables',
  'casino_nonces',
  'casino_sessions',
  'casino_shoes',
  'casino_summaries',
  'casino_summary_backlogs',
  'casino_summary_players',
  'casino_viewers',
  'chat_buckets',
  'chat_events',
  'chat_life',
  'chat_spent_tickets',
  'chat_ticket_history',
  'chat_ticket_terms',
  'chat_ticket_texts',
  'chat_ticket_words',
  'chat_uploads',
  'gateway_buckets',
  'gateway_entries',
  'outbox_attempts',
  'store_counters',
  'store_login_attempts',
  'store_migrations',
  'store_once',
  'store_world',
]

const secret = /secret|hash|token|password|sealed|identity|(^|_)key$|^lease$|^seed$/
/** Columns that match `secret` but are not secrets. */
const isPublic = new Set(['tenant_key', 'name_key', 'transfer_key', 'token_epoch'])

/** Returns whether the values of a column never leave the database. */
export function isSecret(table: string, column: string): boolean {
  // A mail may have a code or a link in its text, and the id of a chat key is its hash.
  if (table === 'gateway_mails' && column !== 'id' && /text|body|html|code/.test(column)) return true
  if (table === 'chat_keys' && column === 'id') return true
  // Credentials of the demo data.
  if (column === 'demo' || column.startsWith('demo_')) return true
  return secret.test(column) && !isPublic.has(column)
}
