/**
 * The casino's tables. Text and whole numbers only: money is decimal text, times are epoch milliseconds, flags are 0 or
 * 1.
 */
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
  casino_bet_minutes: BetMinuteRow
  casino_live_tables: LiveTableRow
  casino_live_switches: LiveSwitchRow
  casino_day_bets: DayBetsRow
  casino_summaries: SummaryRow
  casino_summary_players: SummaryPlayerRow
  casino_summary_backlogs: SummaryBacklogRow
  casino_streams: StreamRow
  casino_viewers: ViewerRow
}

/** One operator in one environment; the sandbox is its own tenant, paired with the live one. */
export interface TenantRow {
  code: string
  environment: 'live' | 'sandbox'
  /** The live tenant's code, also in the sandbox's row. */
  live_code: string
  plan: 'free' | 'paid'
  state: 'FREE' | 'PAID' | 'GRACE' | 'DOWNGRADED' | 'SUSPENDED' | 'CLOSED'
  /** 1 if the platform disabled the tenant, in any billing state. */
  disabled: number
  timezone: string
  currency: string
  /** JSON list of enabled currencies, the primary one first. */
  currencies: string
  /** JSON list of languages set in the Console. */
  languages: string
  /** Target of the button on the players' page that leads back to the operator's site; `null` for no button. */
  site_url: string | null
  /** Longest interval of reality checks, in minutes; null if the player chooses any. */
  check_minutes: number | null
  /** Requests per second and burst set by the platform for this tenant. */
  rate_per_second: number | null
  rate_burst: number | null
  /** Plan limits relaxed by the platform for this tenant. */
  tables_quota: number | null
  players_limit: number | null
  online_limit: number | null
  /** 0 if the platform lifted the demo plan's limit on bets per day. */
  day_bets_limited: number | null
  /** JSON map by table: dragon tiger's side bets enabled or disabled by the tenant. `null`: the tables' own setting. */
  side_bets: string | null
  /**
   * UTC day, YYYY-MM-DD, on which the platform took a tenant off the paid plan: that day's tables are still charged.
   */
  paid_day: string | null
  /** Days without a Console login or a bet after which a demo plan's tables pause, set by the platform; 0 for never. */
  idle_days: number | null
  /** Maximum number of concurrent viewers of dealt tables, set by the platform. */
  viewers_limit: number | null
  /** Maximum minutes of viewing without a pause, set by the platform; 0 for no limit. */
  view_minutes: number | null
  /** Time of the last Console login or bet; `null` before the first. */
  active_at: number | null
  /** State that a suspended or closed account had before and returns to. */
  state_before: TenantRow['state'] | null
  /** Prepaid US dollars; may be negative. */
  credit_usd: string
  grace_until: number | null
  /** Last charged UTC day, YYYY-MM-DD. */
  charged_through: string | null
  created_at: number
}

export interface KeyRow {
  key_id: string
  tenant: string
  /** Stored readable: the signature of every request is computed with it. */
  secret: string
  created_at: number
  /** Time until which a rotated key works. */
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
  /** `X-Timestamp` of its request, in epoch milliseconds. */
  stamp: number
  /** World time until which it is not accepted again. */
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
  /** Normalized username that the player is looked up by. */
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
  /** Positive, as in the API. */
  amount: string
  /** Change of the balance: negative for a withdrawal. The balance is the sum of these and of the slips. */
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
  /** JSON: the table's own settings of its game. */
  settings: string
  /** Name of the owner shown to merchants the table is shared with. */
  provider: string | null
  position: number
  /** Tenant that owns the table; `null` for the platform's tables. */
  owner: string | null
  /** JSON list of the tenants it is shared with. */
  shared_with: string | null
  /** 1 if the platform approved the share. */
  share_approved: number | null
}

/** A period in which a tenant had a table enabled. */
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
  /** UTC day of a charge or of the arrival of a payment: it decides the statement. */
  day: string
  ref: string
  at: number
}

/** Cost of a UTC day, written when it was charged. */
export interface UsageDayRow {
  tenant: string
  day: string
  table_days: number
  stream_gb: string
  stream_source: 'cdn' | 'client' | 'estimate'
  table_fee_usd: string
  stream_fee_usd: string
}

/** Remaining cards of a table's shoe. */
export interface ShoeRow {
  environment: 'live' | 'sandbox'
  table_id: string
  shoe: string
  round: number
  /** Codes of the remaining cards, without separators. */
  cards: string
  /** No-limit Hold'em: seat that had the button in the last settled hand. */
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
  /** No-limit Hold'em: seat that had the button. */
  button: number | null
  /**
   * Time from which a round without bets may be deleted: once bets of its month can no longer be read. `null` while it
   * is open, and forever if it has bets.
   */
  forget_at: number | null
}

/** All of one player's bets in one round, after their latest revision. */
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
  /** JSON: the legs as placed, and the player's other data in the round (seat, hole cards, decisions). */
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
  /** JSON: `result` of the latest revision. */
  result: string
  onsite: number
  /** Time of revision 1: it decides the day the slip belongs to. */
  first_settled_at: number | null
  settled_at: number | null
}

/** UTC month in which a tenant's next record is written: never one that a reader has already left. */
export interface BetMonthRow {
  tenant: string
  month: string
}

/** One revision of a slip as GET /bets returns it. Written once, never changed. */
export interface BetRecordRow {
  tenant: string
  /** yyyymm, in UTC. */
  month: string
  rec_seq: number
  slip_id: string
  rev: number
  round_id: string
  settled_at: number
  /** The whole record as JSON. */
  record: string
}

/** Current state of a live table. */
export interface LiveTableRow {
  environment: 'live' | 'sandbox'
  table_id: string
  round_id: string | null
  phase: 'idle' | 'betting' | 'deciding' | 'dealing' | 'result'
  /** Time of the dealer's next action; `null` while there is none. */
  due_at: number | null
  /** Increased with every change that players can see. */
  version: number
  /** JSON: the dealt cards, the seats, the decisions. */
  state: string
}

/** A switch that applies to the whole world. */
export interface LiveSwitchRow {
  name: string
  is_on: number
}

/**
 * A minute of a month, as minutes since 1970, that was later than those of all records before: its first record. Minutes
 * of a clock that was set back have no row, so records and minutes are in the same order.
 */
export interface BetMinuteRow {
  tenant: string
  month: string
  minute: number
  rec_seq: number
}

/** Total bets of a demo tenant's players on a UTC day, by currency. */
export interface DayBetsRow {
  tenant: string
  /** YYYY-MM-DD. */
  day: string
  currency: string
  total: string
}

/** The running sums of a tenant's day, over the slips first settled in its time span. */
export interface SummaryRow {
  tenant: string
  starts_at: number
  /** Excluded. */
  ends_at: number
  /** The tenant's time zone when the summary was started: if it is the present one, the span is its day. */
  timezone: string
  /**
   * First settlement of the last counted slip while the slips of an earlier day are counted; `null` once all are. Both
   * columns together: slips in the order of first settlement and id, up to this one, are in the sums.
   */
  counted_at: number | null
  counted_slip: string | null
}

/** A player's sums in a summary; amounts are decimal text. */
export interface SummaryPlayerRow {
  tenant: string
  starts_at: number
  ends_at: number
  username: string
  /** Sorts by win/loss, the greatest win first. */
  rank: string
  slips: number
  stake: string
  valid_stake: string
  rolling: string
  payout: string
  win_loss: string
  rake: string
}

/** A tenant whose days from a moment on may have slips without running sums. */
export interface SummaryBacklogRow {
  tenant: string
  since: number
}

/** A player with a dealt table in view, now or last, on a plan that limits it. */
export interface ViewerRow {
  player_id: string
  tenant: string
  /** Start of the current viewing: there was no pause since. */
  since: number
  seen_at: number
  /** 1 while a table is in view. */
  is_open: number
}

/** Streaming to a tenant's players on a UTC day, measured by one source. */
export interface StreamRow {
  tenant: string
  /** YYYY-MM-DD. */
  day: string
  source: 'cdn' | 'client' | 'estimate'
  /** Decimal text with 3 decimals. */
  gb: string
}
