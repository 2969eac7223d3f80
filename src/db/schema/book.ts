import type { BreakEventKind, BreakKind, BreakReason, BreakState } from '../../domain/reconcile/breaks.ts'
import type { CallbackKind, Channel } from '../../domain/webhooks/retry-schedule.ts'

/** The operator's own record, all beginning with `book_`: what was pulled from a platform, and what became of it here. */
export interface BookTables {
  book_owner: BookOwnerRow
  book_position: BookPositionRow
  book_slips: BookSlipRow
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
  book_breaks: BookBreakRow
  book_break_events: BookBreakEventRow
  book_reconciled_days: BookReconciledDayRow
  book_wallet_marks: BookWalletMarkRow
  book_transfer_checks: BookTransferCheckRow
}

/** Whose record this is; one row. A book is never filled from two tenants. */
export interface BookOwnerRow {
  id: 'owner'
  company_code: string
  environment: 'live' | 'sandbox'
  timezone: string
}

/** How far the bets have been read; one row. Changed in the transaction that writes the rows it speaks of. */
export interface BookPositionRow {
  id: 'bets'
  /** The nextCursor of the last page, or null before the first one. */
  cursor: string | null
  /** The moment the first read began at: what was settled before it is not in the book. */
  started_from: number
  /** When a page last said that there was no more: the book is whole up to the moment that page was asked for. */
  caught_up_at: number | null
  /** How many rows there are; the last one's place in arrival order. */
  rows: number
  /** How far the platform's clock was ahead of this machine's then, in milliseconds; null where no run has noted it. */
  ahead_ms: number | null
}

/** One revision of a slip, as it was pulled. */
export interface BookSlipRow {
  /** 1 for the first row that ever arrived; none is left out. */
  place: number
  slip_id: string
  rev: number
  /** The cursor's month it came under, yyyymm. */
  month: string
  rec_seq: number
  status: 'settled' | 'recalculated' | 'void'
  username: string
  /** The username in the one spelling players are compared by. */
  name_key: string
  currency: string
  game: string
  onsite: number
  stake: string
  hold: string
  valid_stake: string
  rolling: string
  payout: string
  win_loss: string
  rake: string
  settled_at: number
  /** JSON of the whole record. */
  record: string
}

/** What the book has of one month, kept in step with its slips so that nobody has to count them. */
export interface BookMonthRow {
  /** The cursor's month, yyyymm. */
  month: string
  rows: number
  /** The places of the month's first and last row. Rows of other months may lie between. */
  first_place: number
  last_place: number
}

/** Something about the pulled bets that a person has to look at. Never deleted: an account stands on it. */
export interface BookAlarmRow {
  /** What it is about, so that the same finding is kept once. */
  id: string
  /**
   * `contradiction`: a revision came again with other content, and the first was kept. `step-back`: a `recSeq` that is
   * not above the one before it. `gap`: the cursor was older than what the platform still keeps.
   */
  kind: 'contradiction' | 'step-back' | 'gap'
  found_at: number
  slip_id: string | null
  rev: number | null
  message: string
  /** JSON: the particulars, for a contradiction both records. */
  detail: string
}

/** Who holds the book's lock, or held it last. Only the lock itself says whether it is held. */
export interface BookHolderRow {
  job: string
  pid: number
  host: string
  command: string
  started_at: number
}

/** How far a folder's CSV file has been written from the book: up to here it is on the disk. */
export interface BookExportRow {
  folder: string
  file: string
  /** The cursor's month, yyyymm. */
  month: string
  rows: number
  bytes: number
  /** The place of the last row in this file; 0 while it has none. */
  place: number
  /** Of the bytes so far. */
  sha256: string
  /** When the file was changed last, as the disk says it: a file of another time is read through before it is trusted. */
  modified_at: number
  /** JSON: by currency, the rows and the sum of their deltas. */
  totals: string
}

/** A run of a job, for the history. */
export interface BookRunRow {
  id: string
  job: string
  started_at: number
  ended_at: number | null
  /** The exit code it came to. */
  exit: number | null
  /** JSON: what it did. */
  summary: string
}

/** A transfer of ours: written before it is sent, so that a crash leaves something to ask about. */
export interface BookTransferRow {
  txn_id: string
  username: string
  name_key: string
  dir: 'in' | 'out'
  amount: string
  currency: string
  /** `unknown` after a send whose outcome was lost; `new` before the first send. */
  state: 'new' | 'unknown' | 'done' | 'refused'
  balance: string | null
  /** The refusal's code. */
  refusal: string | null
  attempts: number
  made_at: number
  changed_at: number
  /** The plan it was carried out for. */
  plan_id: string | null
}

/** A webhook of the platform or a callback of the gateway that was received and found genuine, as it came. */
export interface BookCallbackRow {
  /** The delivery id of a webhook. A callback has none: what it is about, its status, and a digest of its bytes. */
  id: string
  channel: Channel
  /** 1 for the first one that ever arrived. */
  place: number
  /** The company code of a webhook; a callback names no merchant. */
  owner: string | null
  /** `webhook`, or what a callback is about. */
  kind: CallbackKind
  /** The id of what a callback is about. */
  subject: string | null
  /** The event of a webhook, the status a callback tells. */
  event: string
  /** When what it tells was so, as it says itself. */
  told_at: number | null
  /** The exact bytes: as their text, or in base 64 where they are no text. */
  body: string
  body_form: 'text' | 'base64'
  /** JSON list of pairs, in the order and spelling in which they came. */
  headers: string
  /** The `t` of a webhook's signature, milliseconds. */
  signed_at: number | null
  /** `healed`: it never came, and was made here of what the gateway answered. */
  origin: 'received' | 'healed'
  received_at: number
  /** How often it arrived. */
  copies: number
  last_received_at: number
  /** Where it was last handed on to. */
  forward_to: string | null
  /** When something it was handed on to took it. */
  forwarded_at: number | null
  /** How the last handing on ended. */
  forward_status: number | null
  forward_error: string | null
}

/** An order to the payment gateway: written before it is sent under its Idempotency-Key, and kept with its answer. */
export interface BookOrderRow {
  /** The Idempotency-Key. */
  key: string
  /** The endpoint's name in the contract. */
  endpoint: string
  /** Which gateway and which of its environments it was made for. */
  place: string
  /** JSON of params and body as they are sent. */
  input: string
  /** `unknown` after a send whose outcome was lost; `new` before the first send. */
  state: 'new' | 'unknown' | 'done' | 'refused'
  /** JSON of what the gateway answered, once it is done. */
  reply: string | null
  /** The refusal's code. */
  refusal: string | null
  attempts: number
  /** When it was first sent: from then on the gateway remembers the key, for a day at least. */
  sent_at: number | null
  made_at: number
  changed_at: number
}

/** What was planned for tickets, in one go or ticket by ticket. */
export interface BookTicketPlanRow {
  id: string
  /** `bulk` is carried out; `triage` is a queue that somebody goes through, each decision being a plan of its own. */
  kind: 'bulk' | 'triage'
  /** Where the tickets are: a plan is for one instance. */
  target: string
  /** What was ordered, in one spelling: the same order again goes on with a plan that is open. */
  order_text: string
  state: 'open' | 'done'
  /** JSON of the plan. */
  plan: string
  made_at: number
  changed_at: number
}

/** One thing done to a ticket: written before it is sent, so that a crash leaves something to look up. */
export interface BookTicketActionRow {
  /** Of plan, ticket and place: what an instance that keeps such keys does once. */
  key: string
  plan_id: string
  ticket_id: string
  /** JSON. */
  action: string
  /** JSON: what it changed, as it was, for taking it back. */
  before: string | null
  /** `sent`: it may have been carried out or not. */
  state: 'sent' | 'done' | 'undone' | 'refused'
  /** The refusal's code. */
  reason: string | null
  changed_at: number
}

/** A file of transfers as it was checked: made once, approved by its digest, carried out row by row. Never changed but for its three dates. */
export interface BookWalletPlanRow {
  id: string
  /** SHA-256 over all that is approved: whose it is and every row with its txnId. */
  digest: string
  company_code: string
  environment: 'live' | 'sandbox'
  /** Where the platform was when the players were asked for. */
  target: string
  /** The name of the file it was made of. */
  source: string
  /** Of the file's bytes. */
  source_sha256: string
  /** SHA-256 over who gets and gives how much, whatever the order and the spelling: the same file saved in another way has the same. */
  movements: string
  note: string | null
  /** 1 when deposits may make players. */
  creates: number
  rows: number
  players: number
  /** JSON: by currency and direction, rows and sum. */
  totals: string
  made_by: string
  made_os_user: string
  made_host: string
  made_at: number
  /** When the first row was about to be sent. */
  begun_at: number | null
  cancelled_at: number | null
  cancelled_by: string | null
}

/** One transfer of a plan. What became of it is in `book_transfers`, under its txnId. */
export interface BookWalletPlanItemRow {
  plan_id: string
  /** 1 for the first row. */
  place: number
  /** Where it stands in the file: the line, or the number of the item. */
  line: number
  txn_id: string
  username: string
  dir: 'in' | 'out'
  amount: string
  currency: string
  note: string | null
}

/** Somebody's yes to a plan as it was then. */
export interface BookWalletApprovalRow {
  plan_id: string
  /** The name in the one spelling people are told apart by. */
  name_key: string
  name: string
  os_user: string
  host: string
  /** Of the plan that was approved: of another one it says nothing. */
  digest: string
  approved_at: number
}

/** A difference that a run of reconciliation found. It is one row however often it is found again. */
export interface BookBreakRow {
  /** Made of kind and subject, so that the same thing has the same id in every run and every book. */
  id: string
  kind: BreakKind
  /** What it is about, in one spelling. */
  subject: string
  /** The tenant's day, or the month, it belongs to. */
  date: string | null
  player: string | null
  currency: string | null
  /** The amount that is between the two sides, with its sign, where there is one. */
  amount: string | null
  message: string
  /** JSON: the particulars, of the kind's own form. */
  detail: string
  /** What was found, in one spelling: found again with another, it is another matter. */
  fingerprint: string
  /** `cleared`: a run looked again and it was gone. `closed`: a person said so. */
  state: BreakState
  owner: string | null
  /** Why it was closed. */
  reason: BreakReason | null
  found_at: number
  /** When it was opened last: its age counts from here. */
  opened_at: number
  /** When a run found it last. */
  seen_at: number
  changed_at: number
  /** How many runs found it. */
  times: number
  /** The run that found it last. */
  run_id: string
}

/** What happened to a break. Only ever added to. */
export interface BookBreakEventRow {
  break_id: string
  /** 1 for the first of this break. */
  seq: number
  at: number
  /** A person, or the command whose run it was. */
  who: string
  what: BreakEventKind
  text: string | null
  run_id: string | null
}

/** A day that was reconciled to an end. What is written behind `place` and belongs to it changes figures that were stated. */
export interface BookReconciledDayRow {
  date: string
  timezone: string
  /** The run whose figures are held to: the first that came to an end, or the one behind which changes were accepted. */
  run_id: string
  reconciled_at: number
  verdict: 'balanced' | 'differences'
  /** The book's last row at that time. */
  place: number
  latest_run_id: string
  latest_at: number
  latest_verdict: 'balanced' | 'differences'
}

/** A balance as it was read, and what of the book it goes with. */
export interface BookWalletMarkRow {
  id: string
  run_id: string
  player: string
  username: string
  currency: string
  balance: string
  /** By this machine's clock. */
  asked_at: number
  answered_at: number
  /** By the platform's, as far as it tells. */
  platform_at: number
  /** The book's last row when it was read. */
  place: number
  /** JSON list of `rev slipId`: the player's records behind the book's cursor that were written by then. */
  ahead: string
  /** `begun`: nothing goes before it. Of the others, what the movement since the last that is proven came to. */
  verdict: 'begun' | 'balanced' | 'cannot-conclude' | 'differences'
  /** What was held for open rounds, where the proof tells it. */
  held: string | null
}

/** A transfer that was looked up at the platform. */
export interface BookTransferCheckRow {
  txn_id: string
  player: string
  /** JSON of what was looked for: the operator's own ledger, or our journal. */
  order_text: string
  /** What an adjustment did to the balance, with its sign, as the ledger has it: the platform does not tell the sign. */
  adjustment: string | null
  result: 'matched' | 'different' | 'missing'
  /** JSON of the platform's record; null where it has none. */
  found: string | null
  /** When it was first asked about: what is not found may be still under way. */
  first_at: number
  checked_at: number
}
