import type { BreakEventKind, BreakKind, BreakReason, BreakState } from '../../domain/reconcile/breaks.ts'
import type { DayBasis } from '../../domain/reconcile/day-rules.ts'
import type { PeriodAction } from '../../domain/reconcile/periods.ts'
import type { CallbackKind, Channel } from '../../domain/webhooks/retry-schedule.ts'

/**
 * The operator's own record, all tables beginning with `book_`: data pulled from a platform, and the operator's work on
 * it.
 */
export interface BookTables {
  book_owner: BookOwnerRow
  book_position: BookPositionRow
  book_revisions: BookSlipRow
  book_headless: BookHeadlessRow
  book_months: BookMonthRow
  book_alarms: BookAlarmRow
  book_holders: BookHolderRow
  book_exports: BookExportRow
  book_runs: BookRunRow
  book_transfers: BookTransferRow
  book_callbacks: BookCallbackRow
  book_orders: BookOrderRow
  book_ticket_plans: BookTicketPlanRow
  book_ticket_actions: BookTicketActionRow
  book_wallet_plans: BookWalletPlanRow
  book_wallet_plan_rows: BookWalletPlanItemRow
  book_wallet_approvals: BookWalletApprovalRow
  book_approvers: BookApproverRow
  book_breaks: BookBreakRow
  book_break_events: BookBreakEventRow
  book_reconciled_days: BookReconciledDayRow
  book_wallet_marks: BookWalletMarkRow
  book_transfer_checks: BookTransferCheckRow
  book_audit: BookAuditRow
  book_audit_head: BookAuditHeadRow
  book_table_settings: BookTableSettingsRow
  book_day_rule: BookDayRuleRow
  book_periods: BookPeriodRow
  book_period_players: BookPeriodPlayerRow
  book_period_events: BookPeriodEventRow
  book_repairs: BookRepairRow
  book_replaced_revisions: BookReplacedRow
  book_sorted_months: BookSortedMonthRow
  book_desk_rooms: BookDeskRoomRow
  book_desk_answers: BookDeskAnswerRow
}

/** Tenant of this book; one row. A book is never filled from two tenants. */
export interface BookOwnerRow {
  id: 'owner'
  company_code: string
  environment: 'live' | 'sandbox'
  timezone: string
}

/** Position of the bet sync; one row. Changed in the transaction that writes the rows it covers. */
export interface BookPositionRow {
  id: 'bets'
  /** The nextCursor of the last page, or null before the first one. */
  cursor: string | null
  /** Start of the first sync: slips settled before it are not in the book. */
  started_from: number
  /** Time of the request for the last page that had no successor: the book is complete up to it. */
  caught_up_at: number | null
  /** Number of rows, and the last one's position in arrival order. */
  rows: number
  /** Lead of the platform's clock over this machine's, in milliseconds; null if no run has recorded it. */
  ahead_ms: number | null
}

/**
 * One revision of a slip, as it was pulled: its record, and what rows are found by. The view `book_slips` has the record's other
 * fields as columns, for people who query the book; the program reads them from the record.
 */
export interface BookSlipRow {
  /**
   * Position in arrival order, starting with 1. It is never reused: a gap is the place of a repair, or of a revision that a repair
   * moved to `book_replaced_revisions`.
   */
  place: number
  slip_id: string
  rev: number
  /** Month of the cursor it came under, yyyymm. */
  month: string
  rec_seq: number
  /** Normalized username, used for comparing. */
  name_key: string
  settled_at: number
  /** The whole record as JSON. */
  record: string
}

/**
 * A revision whose slip has no first revision in the book. Listed when it is inserted; triggers of the database follow changes and
 * deletions. A slip whose first revision arrived afterwards stays listed, so a reader checks each again.
 */
export interface BookHeadlessRow {
  place: number
}

/** Counts of one month, updated with its slips so that they need not be counted. */
export interface BookMonthRow {
  /** Month of the cursor, yyyymm. */
  month: string
  rows: number
  /** Positions of the month's first and last row. Rows of other months may be in between. */
  first_place: number
  last_place: number
}

/** A finding about pulled bets that a person has to check. Never deleted, because accounts depend on it. */
export interface BookAlarmRow {
  /** Subject, so that the same finding is stored once. */
  id: string
  /**
   * `contradiction`: a revision was received again with different content, and the first one was kept. `step-back`: a
   * `recSeq` not above the one before it. `gap`: the cursor was older than the platform's retention.
   */
  kind: 'contradiction' | 'step-back' | 'gap'
  found_at: number
  slip_id: string | null
  rev: number | null
  message: string
  /** Details as JSON; for a contradiction both records. */
  detail: string
}

/** Current or last holder of the book's lock. Only the lock itself shows whether it is held. */
export interface BookHolderRow {
  job: string
  pid: number
  host: string
  command: string
  started_at: number
}

/** Position up to which a folder's CSV file was written and is on disk. */
export interface BookExportRow {
  folder: string
  file: string
  /** Month of the cursor, yyyymm. */
  month: string
  rows: number
  bytes: number
  /** Position of the last row in this file; 0 while it has none. */
  place: number
  /** SHA-256 of the bytes so far. */
  sha256: string
  /** Modification time of the file on disk: a file with another time is read through before it is used. */
  modified_at: number
  /** JSON: rows and sum of deltas by currency. */
  totals: string
}

/** A run of a job. */
export interface BookRunRow {
  id: string
  job: string
  started_at: number
  ended_at: number | null
  /** Exit code. */
  exit: number | null
  /** Result as JSON. */
  summary: string
}

/** A transfer of ours, written before it is sent, so that it can be looked up after a crash. */
export interface BookTransferRow {
  txn_id: string
  username: string
  name_key: string
  dir: 'in' | 'out'
  amount: string
  currency: string
  /** `new` before it is first sent; `unknown` while the outcome of a send is unknown. */
  state: 'new' | 'unknown' | 'done' | 'refused'
  balance: string | null
  /** Error code of the refusal. */
  refusal: string | null
  attempts: number
  made_at: number
  changed_at: number
  /** Batch it belongs to. */
  plan_id: string | null
}

/** A received webhook of the platform or callback of the gateway with a valid signature, as it came. */
export interface BookCallbackRow {
  /** Delivery id of a webhook. A callback has none: its subject, its status and a digest of its bytes. */
  id: string
  channel: Channel
  /** Position in arrival order, starting with 1. */
  place: number
  /** Company code of a webhook; a callback names no merchant. */
  owner: string | null
  /** `webhook`, or the subject type of a callback. */
  kind: CallbackKind
  /** Id of a callback's subject. */
  subject: string | null
  /** Event of a webhook, or status in a callback. */
  event: string
  /** Time of the event according to itself. */
  told_at: number | null
  /** The exact bytes: as text, or in base 64 when they are not text. */
  body: string
  body_form: 'text' | 'base64'
  /** JSON list of pairs, in the order and spelling received. */
  headers: string
  /** `t` of a webhook's signature, in milliseconds. */
  signed_at: number | null
  /** `healed`: it was never received, and was rebuilt from the gateway's response. */
  origin: 'received' | 'healed'
  received_at: number
  /** Number of times it was received. */
  copies: number
  last_received_at: number
  /** Last URL it was forwarded to. */
  forward_to: string | null
  /** Time a receiver accepted the forwarded callback. */
  forwarded_at: number | null
  /** Status of the last forwarding. */
  forward_status: number | null
  forward_error: string | null
}

/**
 * An order to the payment gateway, written before it is sent with its Idempotency-Key, and stored with its response.
 */
export interface BookOrderRow {
  /** The Idempotency-Key. */
  key: string
  /** Name of the endpoint in the contract. */
  endpoint: string
  /** Gateway and environment it was made for. */
  place: string
  /** Params and body as JSON, as they are sent. */
  input: string
  /** `new` before it is first sent; `unknown` while the outcome of a send is unknown. */
  state: 'new' | 'unknown' | 'done' | 'refused'
  /** The gateway's response as JSON, once it is done. */
  reply: string | null
  /** Error code of the refusal. */
  refusal: string | null
  attempts: number
  /** Time it was first sent: from then on the gateway remembers the key, for at least a day. */
  sent_at: number | null
  made_at: number
  changed_at: number
}

/** A bulk action on tickets, or a triage session. */
export interface BookTicketPlanRow {
  id: string
  /**
   * `bulk` is applied as a whole; `triage` is a queue that a person works through, each decision being an action of its
   * own.
   */
  kind: 'bulk' | 'triage'
  /** Instance with the tickets; one per plan. */
  target: string
  /** Normalized order: the same order again resumes an open plan. */
  order_text: string
  state: 'open' | 'done'
  /** The plan as JSON. */
  plan: string
  made_at: number
  changed_at: number
}

/** One action on a ticket, written before it is sent, so that it can be looked up after a crash. */
export interface BookTicketActionRow {
  /** Made from plan, ticket and position: the idempotency key on instances that support them. */
  key: string
  plan_id: string
  ticket_id: string
  /** JSON. */
  action: string
  /** JSON of the previous values, for undo. */
  before: string | null
  /** `sent`: the outcome is not known yet. */
  state: 'sent' | 'done' | 'undone' | 'refused'
  /** Error code of the refusal. */
  reason: string | null
  changed_at: number
}

/**
 * A transfer batch: made once from a checked file, approved by its digest, applied row by row. Only its three dates
 * ever change.
 */
export interface BookWalletPlanRow {
  id: string
  /** SHA-256 of all that is approved: the tenant and every row with its txnId. */
  digest: string
  company_code: string
  environment: 'live' | 'sandbox'
  /** Platform on which the players were looked up. */
  target: string
  /** Name of the source file. */
  source: string
  /** SHA-256 of the file's bytes. */
  source_sha256: string
  /** SHA-256 of the movements, in any order and spelling: equal for the same file saved in another way. */
  movements: string
  note: string | null
  /** 1 when deposits may create players. */
  creates: number
  rows: number
  players: number
  /** JSON: rows and sum by currency and direction. */
  totals: string
  made_by: string
  made_os_user: string
  made_host: string
  made_at: number
  /** Time at which the first row was about to be sent. */
  begun_at: number | null
  cancelled_at: number | null
  cancelled_by: string | null
}

/** One transfer of a batch. Its state is in `book_transfers`, under its txnId. */
export interface BookWalletPlanItemRow {
  plan_id: string
  /** 1 for the first row. */
  place: number
  /** Line in the file, or the number of the item. */
  line: number
  txn_id: string
  username: string
  dir: 'in' | 'out'
  amount: string
  currency: string
  note: string | null
}

/** An approval of a batch. */
export interface BookWalletApprovalRow {
  plan_id: string
  /** Normalized name that people are compared by. */
  name_key: string
  name: string
  os_user: string
  host: string
  /** Digest of the approved batch; the approval is not valid for any other. */
  digest: string
  approved_at: number
}

/** A name that is proven with a passphrase. */
export interface BookApproverRow {
  /** Normalized name. */
  name_key: string
  name: string
  /** `scrypt$salt$key` of the passphrase. */
  hash: string
  /** User of the operating system. */
  added_by: string
  added_at: number
}

/** A difference that reconciliation found. One row for any number of runs that find it. */
export interface BookBreakRow {
  /** Made from kind and subject, so that it is the same in every run and every book. */
  id: string
  kind: BreakKind
  /** Normalized subject. */
  subject: string
  /** The tenant's day or the month it belongs to. */
  date: string | null
  player: string | null
  currency: string | null
  /** Signed amount between the two sides, if any. */
  amount: string | null
  message: string
  /** Details as JSON, in the kind's own form. */
  detail: string
  /** Normalized details of the finding: a change makes it a new finding. */
  fingerprint: string
  /** `cleared`: a later run no longer found it. `closed`: a person closed it. */
  state: BreakState
  owner: string | null
  /** Reason for closing it. */
  reason: BreakReason | null
  /** Time until which lists leave it out. Null if it is not snoozed. */
  snoozed_until: number | null
  found_at: number
  /** Time it was last opened: its age counts from here. */
  opened_at: number
  /** Time a run last found it. */
  seen_at: number
  changed_at: number
  /** Number of runs that found it. */
  times: number
  /** Last run that found it. */
  run_id: string
}

/** An event in the history of a break. Append-only. */
export interface BookBreakEventRow {
  break_id: string
  /** 1 for the first event of this break. */
  seq: number
  at: number
  /** A person, or the command that ran. */
  who: string
  what: BreakEventKind
  text: string | null
  run_id: string | null
}

/** A reconciled day. Rows after `place` that belong to it change figures that were stated. */
export interface BookReconciledDayRow {
  date: string
  timezone: string
  /** Run whose figures count: the first completed one, or the one after which changes were accepted. */
  run_id: string
  reconciled_at: number
  verdict: 'balanced' | 'differences'
  /** The book's last row at that time. */
  place: number
  latest_run_id: string
  latest_at: number
  latest_verdict: 'balanced' | 'differences'
}

/** A balance reading with the book's state at that time. */
export interface BookWalletMarkRow {
  id: string
  run_id: string
  player: string
  username: string
  currency: string
  balance: string
  /** Time by this machine's clock. */
  asked_at: number
  answered_at: number
  /** Time by the platform's clock, if known. */
  platform_at: number
  /** The book's last row when it was read. */
  place: number
  /** JSON list of `rev slipId`: the player's records after the book's cursor that existed by then. */
  ahead: string
  /** `begun`: the first reading. Otherwise the result of the span since the last proven one. */
  verdict: 'begun' | 'balanced' | 'cannot-conclude' | 'differences'
  /** Stakes held for open rounds, if the proof determines them. */
  held: string | null
}

/** A transfer that was looked up on the platform. */
export interface BookTransferCheckRow {
  txn_id: string
  player: string
  /** JSON of the transfer looked for: from the operator's ledger or our journal. */
  order_text: string
  /** Signed change by an adjustment, from the ledger: the platform does not provide the sign. */
  adjustment: string | null
  result: 'matched' | 'different' | 'missing'
  /** JSON of the platform's record; null if it has none. */
  found: string | null
  /** Time of the first look-up: a missing transfer may still be under way. */
  first_at: number
  checked_at: number
}

/** An entry of the audit trail (`AuditEntry`). */
export interface BookAuditRow {
  seq: number
  at: number
  operator: string
  os_user: string
  host: string
  profile: string
  command: string
  subject: string
  run: string
  outcome: string
  previous: string
  hash: string
}

/** End of the audit trail; one row. Changed in the transaction that appends an entry. */
export interface BookAuditHeadRow {
  id: 'head'
  seq: number
  hash: string
}

/** Settings of a table that the operator stated. */
export interface BookTableSettingsRow {
  table_id: string
  /** JSON of the settings that are not the documented defaults. */
  settings: string
  stated_by: string
  stated_at: number
}

/** The rule by which the platform counts slips into days, where it is not the documented one; one row at most. */
export interface BookDayRuleRow {
  id: 'rule'
  basis: DayBasis
  timezone: string
  /** Day whose figures showed it, or for which it was given. */
  date: string
  /** Command or person. */
  decided_by: string
  decided_at: number
}

/** A period that was closed at least once. */
export interface BookPeriodRow {
  /** `2026-03-01` or `2026-03`. */
  period: string
  timezone: string
  state: 'open' | 'closed' | 'approved'
  /** The book's last row at the close. */
  place: number
  /** SHA-256 of the figures at the close; null while it is open. */
  digest: string | null
  /** JSON of the totals at the close, by day, game, table and currency. */
  totals: string | null
  closed_by: string | null
  closed_at: number | null
  approved_by: string | null
  approved_at: number | null
  changed_at: number
}

/** Figures of a player in a closed period. */
export interface BookPeriodPlayerRow {
  period: string
  /** Normalized username. */
  player: string
  currency: string
  username: string
  /** JSON of the figures as decimal text. */
  figures: string
}

/** An event in the history of a period. Append-only. */
export interface BookPeriodEventRow {
  period: string
  seq: number
  at: number
  who: string
  os_user: string
  host: string
  what: PeriodAction
  text: string | null
}

/** A repair of a day that changed the book. It takes a place in the order of arrival, between what was before and after it. */
export interface BookRepairRow {
  id: string
  /** The tenant's day. */
  date: string
  timezone: string
  place: number
  at: number
  /** Person who ran it. */
  who: string
  added: number
  replaced: number
  removed: number
}

/** A revision as it was before a repair. It was in the book from its place until that of the repair. Never deleted. */
export interface BookReplacedRow extends BookSlipRow {
  repair_id: string
  /** `removed`: the platform does not have the revision. `replaced`: it has other content. */
  kind: 'replaced' | 'removed'
  until_place: number
  at: number
}

/**
 * A month with revisions that a repair added late. Its files have the rows up to `place` in the order of their numbers at the
 * platform, and later rows in the order of arrival.
 */
export interface BookSortedMonthRow {
  month: string
  place: number
}

/** An unsent text of an agent in a room, or a snooze. A row without either is deleted. */
export interface BookDeskRoomRow {
  target: string
  agent: string
  room_id: string
  draft: string
  snoozed_until: number | null
  /** Last message when it was snoozed: a later one ends the snooze. */
  snoozed_seq: number | null
  changed_at: number
}

/** An answer on its way. Deleted when it arrived or went back to the draft. */
export interface BookDeskAnswerRow {
  /** The message's clientMessageId. */
  key: string
  target: string
  agent: string
  room_id: string
  text: string
  /** Path of the file of the answer; null for a text. */
  file: string | null
  seen_seq: number
  /** Last message sent as expected with the first attempt; null before it. Each attempt repeats the same request. */
  expected_seq: number | null
  made_at: number
}
