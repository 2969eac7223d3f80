/** The casino's tables. Text and whole numbers only: money is decimal text, moments are epoch milliseconds, flags are 0 or 1. */
export interface CasinoTables {
  casino_tenants: TenantRow
  casino_keys: KeyRow
  casino_allowed_addresses: AllowedAddressRow
  casino_nonces: NonceRow
  casino_buckets: BucketRow
  casino_limit_profiles: LimitProfileRow
  casino_players: PlayerRow
  casino_launches: LaunchRow
  casino_sessions: SessionRow
  casino_transfers: TransferRow
  casino_tables: TableRow
  casino_table_spans: TableSpanRow
  casino_credit_entries: CreditEntryRow
  casino_usage_days: UsageDayRow
  casino_shoes: ShoeRow
  casino_rounds: RoundRow
  casino_slips: SlipRow
  casino_bet_months: BetMonthRow
  casino_bet_records: BetRecordRow
  casino_live_tables: LiveTableRow
  casino_live_switches: LiveSwitchRow
  casino_day_bets: DayBetsRow
  casino_streams: StreamRow
  casino_viewers: ViewerRow
}

/** One operator in one environment; the sandbox is a tenant of its own beside the live one. */
export interface TenantRow {
  code: string
  environment: 'live' | 'sandbox'
  /** The live tenant's code, also in the sandbox's row. */
  live_code: string
  plan: 'free' | 'paid'
  state: 'FREE' | 'PAID' | 'GRACE' | 'DOWNGRADED' | 'SUSPENDED' | 'CLOSED'
  /** Switched off by the platform, whatever the bill says. */
  disabled: number
  timezone: string
  currency: string
  /** JSON list of enabled currencies, the primary one first. */
  currencies: string
  /** JSON list of languages set in the Console. */
  languages: string
  /** Where the button on the players' page leads that goes back to the operator's site; `null` for no button. */
  site_url: string | null
  /** Requests per second and burst where the platform has set its own for this tenant. */
  rate_per_second: number | null
  rate_burst: number | null
  /** The plan's limits where the platform has relaxed them for this tenant. */
  tables_quota: number | null
  players_limit: number | null
  online_limit: number | null
  /** 0 where the platform lets the bets of a demo tenant go on beyond the day's figure. */
  day_bets_limited: number | null
  /** JSON map by table: where the tenant has turned the side bets of dragon tiger on or off. `null`: as the tables have them. */
  side_bets: string | null
  /** The UTC day, YYYY-MM-DD, on which the platform took a tenant off the paid plan: its tables of that day still count. */
  paid_day: string | null
  /** Days without a Console login or a bet after which a demo plan's tables pause, where the platform has set others; 0 for never. */
  idle_days: number | null
  /** Players who see a dealt table at once, where the platform has set another maximum. */
  viewers_limit: number | null
  /** Minutes of viewing without a pause, where the platform has set others; 0 for no limit. */
  view_minutes: number | null
  /** The last Console login or bet; `null` where nobody has looked yet. */
  active_at: number | null
  /** The state a suspended or closed account had before: what it comes back to. */
  state_before: TenantRow['state'] | null
  /** Prepaid US dollars; may be negative. */
  credit_usd: string
  grace_until: number | null
  /** The last UTC day that has been charged, YYYY-MM-DD. */
  charged_through: string | null
  created_at: number
}

export interface KeyRow {
  key_id: string
  tenant: string
  /** Kept readable: the signature of every request is computed with it. */
  secret: string
  created_at: number
  /** A rotated key works until then. */
  retires_at: number | null
  revoked_at: number | null
}

export interface AllowedAddressRow {
  tenant: string
  /** An address or a CIDR range. */
  entry: string
}

export interface NonceRow {
  key_id: string
  nonce: string
  /** The `X-Timestamp` it came with, as epoch milliseconds. */
  stamp: number
  /** Until then, by the world's clock, it is not accepted again. */
  expires_at: number
}

export interface BucketRow {
  tenant: string
  /** Thousandths of a token. */
  level: number
  at: number
}

/** A set of bet limits; without a tenant it is the platform's template. */
export interface LimitProfileRow {
  id: number
  tenant: string | null
  name: string
  game: 'baccarat' | 'dragontiger' | 'holdem' | 'niuniu'
  currency: string
  min_bet: string
  max_bet: string
}

export interface PlayerRow {
  id: string
  tenant: string
  /** The one spelling under which the player is found. */
  name_key: string
  username: string
  nickname: string | null
  status: 'active' | 'locked' | 'no_bet'
  currency: string
  balance: string
  limit_profile_id: number | null
  password_hash: string | null
  created_at: number
  last_login_at: number | null
}

export interface LaunchRow {
  /** SHA-256 of the token: the link itself is a secret. */
  token_hash: string
  tenant: string
  player_id: string
  language: string
  device: 'pc' | 'mobile'
  table_id: string | null
  variant: string | null
  lobby_url: string | null
  created_at: number
  expires_at: number
  used_at: number | null
}

export interface SessionRow {
  id: string
  token_hash: string
  tenant: string
  player_id: string
  language: string
  device: 'pc' | 'mobile'
  table_id: string | null
  opened_at: number
  seen_at: number
  ended_at: number | null
  end_reason: 'SESSION_REPLACED' | 'LOGGED_OUT' | 'LOCKED' | 'IDLE' | 'EXPIRED' | 'KICKED' | null
}

export interface TransferRow {
  id: string
  tenant: string
  txn_id: string
  player_id: string
  dir: 'in' | 'out' | 'adjust'
  /** Above zero, as the API tells it. */
  amount: string
  /** What it did to the balance: below zero for what was taken away. The balance is the sum of these and of the slips. */
  change: string
  balance: string
  at: number
}

export interface TableRow {
  environment: 'live' | 'sandbox'
  table_id: string
  game: 'baccarat' | 'dragontiger' | 'holdem' | 'niuniu'
  /** JSON list. */
  variants: string
  /** JSON map by language code. */
  names: string
  status: 'open' | 'maintenance'
  bet_seconds: number
  /** JSON: what the game's rules leave to the table. */
  settings: string
  /** What those whom a merchant shares the table with are told of that merchant. */
  provider: string | null
  position: number
  /** The tenant whose own table it is; `null` for the platform's. */
  owner: string | null
  /** JSON list of the tenants the owner shares it with. */
  shared_with: string | null
  /** 1 where the platform approved the share. */
  share_approved: number | null
}

/** A stretch of time in which a tenant had a table enabled. */
export interface TableSpanRow {
  id: string
  tenant: string
  table_id: string
  enabled_at: number
  disabled_at: number | null
}

/** Every movement of prepaid credit; the balance is the sum of its entries. */
export interface CreditEntryRow {
  id: string
  tenant: string
  kind: 'topup' | 'table_fee' | 'stream_fee' | 'credit'
  amount_usd: string
  balance_usd: string
  /** The UTC day that a charge is for, or that a payment came in on: it decides the statement. */
  day: string
  ref: string
  at: number
}

/** What a UTC day cost, written when it was charged. */
export interface UsageDayRow {
  tenant: string
  day: string
  table_days: number
  stream_gb: string
  stream_source: 'cdn' | 'client' | 'estimate'
  table_fee_usd: string
  stream_fee_usd: string
}

/** What is left in a table's shoe, and how far it has been dealt. */
export interface ShoeRow {
  environment: 'live' | 'sandbox'
  table_id: string
  shoe: string
  round: number
  /** The codes of the cards still to come, one after another. */
  cards: string
  /** No-limit Hold'em: the seat that had the button in the last hand that was settled. */
  button: number | null
}

export interface RoundRow {
  id: string
  environment: 'live' | 'sandbox'
  table_id: string
  game: 'baccarat' | 'dragontiger' | 'holdem' | 'niuniu'
  shoe: string
  round: number
  status: 'open' | 'settled' | 'void' | 'disputed'
  code: string | null
  card_info: string | null
  /** JSON. */
  result: string | null
  complete: number | null
  rev: number
  opened_at: number
  closes_at: number | null
  settled_at: number | null
  /** No-limit Hold'em: the seat that had the button. */
  button: number | null
  /** When a round that nobody bet in may be removed: once bets of its month would no longer be readable; `null` as long as it is open, and for ever where somebody bet. */
  forget_at: number | null
}

/** All of one player's bets in one round, as its latest revision left them. */
export interface SlipRow {
  id: string
  tenant: string
  player_id: string
  username: string
  currency: string
  round_id: string
  table_id: string
  game: 'baccarat' | 'dragontiger' | 'holdem' | 'niuniu'
  variant: string
  /** JSON: the legs as placed, and what else the player brought to the round (seat, hole cards, decisions). */
  placed: string
  placed_at: number
  /** 0 before the first settlement. */
  rev: number
  status: 'placed' | 'settled' | 'recalculated' | 'void'
  stake: string
  hold: string
  valid_stake: string
  rolling: string
  payout: string
  win_loss: string
  rake: string
  /** JSON: the `result` of the latest revision. */
  result: string
  onsite: number
  /** The moment of revision 1: it decides the day the slip belongs to. */
  first_settled_at: number | null
  settled_at: number | null
}

/** The UTC month in which a tenant's next record is written: never one that a reader has left behind. */
export interface BetMonthRow {
  tenant: string
  month: string
}

/** One revision of a slip as GET /bets answers it. Written once, never changed. */
export interface BetRecordRow {
  tenant: string
  /** yyyymm, in UTC. */
  month: string
  rec_seq: number
  slip_id: string
  rev: number
  round_id: string
  settled_at: number
  /** JSON of the whole record. */
  record: string
}

/** What a live table is doing at the moment. */
export interface LiveTableRow {
  environment: 'live' | 'sandbox'
  table_id: string
  round_id: string | null
  phase: 'idle' | 'betting' | 'deciding' | 'dealing' | 'result'
  /** When the dealer moves on; `null` while there is nothing to wait for. */
  due_at: number | null
  /** One more with every change that players can see. */
  version: number
  /** JSON: the cards dealt, the seats, what was decided. */
  state: string
}

/** Something that is on or off for the whole world. */
export interface LiveSwitchRow {
  name: string
  is_on: number
}

/** What a demo tenant's players have bet together on a UTC day, by currency. */
export interface DayBetsRow {
  tenant: string
  /** YYYY-MM-DD. */
  day: string
  currency: string
  total: string
}

/** A player who sees a dealt table, or saw one last, on a plan that limits it. */
export interface ViewerRow {
  player_id: string
  tenant: string
  /** Start of the viewing that has had no pause since. */
  since: number
  seen_at: number
  /** 1 while a table is in view. */
  is_open: number
}

/** What one source measured of a UTC day's streaming to a tenant's players. */
export interface StreamRow {
  tenant: string
  /** YYYY-MM-DD. */
  day: string
  source: 'cdn' | 'client' | 'estimate'
  /** Decimal text with 3 decimals. */
  gb: string
}
