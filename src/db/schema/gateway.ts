import type { GatewayEnvironment, NetworkCode } from '../../domain/chains/networks.ts'
import type { AccountKind } from '../../domain/payments/ledger.ts'
import type { PaymentStatus } from '../../domain/payments/payment.ts'
import type { PayoutStatus } from '../../domain/payments/payout.ts'
import type { SubscriptionStatus } from '../../domain/payments/subscription.ts'

/** The payment gateway's tables, all beginning with `gateway_`. */
export interface GatewayTables {
  gateway_environments: EnvironmentRow
  gateway_merchants: MerchantRow
  gateway_users: GatewayUserRow
  gateway_keys: GatewayKeyRow
  gateway_key_addresses: KeyAddressRow
  gateway_merchant_coins: MerchantCoinRow
  gateway_buckets: GatewayBucketRow
  gateway_payments: PaymentRow
  gateway_invoices: InvoiceRow
  gateway_deposits: DepositRow
  gateway_transfers: ChainTransferRow
  gateway_balances: BalanceRow
  gateway_entries: EntryRow
  gateway_sanctions: SanctionRow
  gateway_chain_txs: ChainTxRow
  gateway_conversions: ConversionRow
  gateway_subaccounts: SubaccountRow
  gateway_sub_transfers: SubTransferRow
  gateway_batches: BatchRow
  gateway_payouts: PayoutRow
  gateway_whitelist: WhitelistRow
  gateway_plans: PlanRow
  gateway_subscriptions: SubscriptionRow
  gateway_mails: MailRow
  gateway_set_rates: SetRatesRow
  gateway_refunds: RefundRow
  gateway_acceptances: AcceptanceRow
  gateway_funds: FundsRow
}

/** Secrets and settings of an environment. */
export interface EnvironmentRow {
  environment: GatewayEnvironment
  /** Seed of all deposit addresses, hex. */
  seed: string
  /** Key that signs the tokens of POST /auth, hex. */
  token_secret: string
  /** The demo merchant's credentials for the ready file, as JSON. All other keys are stored as hashes only. */
  demo: string | null
  /** 1 while this environment must not receive or move money. */
  frozen: number
}

export interface MerchantRow {
  id: string
  environment: GatewayEnvironment
  name: string
  /** Signs callbacks, so it is stored readable. */
  ipn_secret: string
  /** Default URL of callbacks. */
  ipn_url: string | null
  /** Maximum number of attempts of a callback; null for the default of 10. */
  ipn_attempts: number | null
  /** 1 if the compatibility option is on: it accepts the looser requests of the compatible gateway's clients. */
  compat: number
  /** Header with a second copy of the signature while the option is on. */
  compat_header: string
  /** Tolerated missing part of the amount due, in hundredths of a percent. */
  tolerance_bps: number
  frozen: number
  /** True if the gateway's staff approved the account; until then it can read, but neither receive nor move money. */
  verified: number
  /** Two-factor secret, encrypted by the signing service, which alone can read it. */
  totp_sealed: string | null
  /** Time step of the last code that was used: no code up to it counts again. */
  totp_step: number | null
  /** Batches worth more than this many dollars need an approval. */
  approval_usd: string | null
  /** Maximum dollars of a payout, and of all payouts of a UTC day; null for no limit. */
  payout_limit_usd: string | null
  payout_day_limit_usd: string | null
  created_at: number
}

export interface GatewayUserRow {
  environment: GatewayEnvironment
  email: string
  merchant: string
  password_hash: string
  /** JSON list of its tokens' permissions; null for all. */
  permissions: string | null
}

export interface GatewayKeyRow {
  /** SHA-256 of the key, which was shown once. */
  hash: string
  environment: GatewayEnvironment
  merchant: string
  /** First characters, to tell keys apart. */
  prefix: string
  /** JSON list of scopes. */
  scopes: string
  created_at: number
  revoked_at: number | null
}

export interface KeyAddressRow {
  key_hash: string
  entry: string
}

/** A coin a merchant accepts, and the wallet it is settled to; without one it stays in custody. */
export interface MerchantCoinRow {
  merchant: string
  coin: string
  wallet: string | null
}

export interface GatewayBucketRow {
  name: string
  level: number
  at: number
}

export interface PaymentRow {
  id: number
  environment: GatewayEnvironment
  merchant: string
  status: PaymentStatus
  parent_id: number | null
  invoice_id: string | null
  price_amount: string
  price_currency: string
  /** The amount due in all views: what was received plus the cost of the rest at the present quote. */
  pay_amount: string
  /** Cost of the whole price in the coin at the present quote. */
  whole_amount: string
  /** True if the merchant gave the amount in the coin. Such an amount is never requoted. */
  is_amount_given: number
  pay_currency: string
  network: NetworkCode
  address: string
  /** Amount confirmed on chain. */
  actually_paid: string
  /** The same in the price currency, every deposit at its own rate. */
  paid_worth: string
  outcome_amount: string
  outcome_currency: string
  order_id: string | null
  order_description: string | null
  ipn_callback_url: string | null
  customer_email: string | null
  /** Identifies the payment on pages that are public to holders of the link. */
  page_token: string
  is_fixed_rate: number
  is_fee_paid_by_user: number
  /** Sub-account that the payment goes to, if any. */
  subaccount: string | null
  created_at: number
  updated_at: number
  quote_until: number
  valid_until: number
}

export interface InvoiceRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  page_token: string
  price_amount: string
  price_currency: string
  pay_currency: string | null
  payout_currency: string | null
  order_id: string | null
  order_description: string | null
  ipn_callback_url: string | null
  success_url: string | null
  cancel_url: string | null
  partially_paid_url: string | null
  customer_email: string | null
  is_fixed_rate: number
  is_fee_paid_by_user: number
  created_at: number
  updated_at: number
}

/** A deposit for a payment, with its processed state. */
export interface DepositRow {
  tx_id: string
  payment_id: number
  sender: string
  units: string
  /** Cost of the whole price in the coin at the rate when this deposit was detected. */
  whole_amount: string
  /** `stray`: a token other than the payment's coin, never credited. */
  state: 'seen' | 'confirmed' | 'removed' | 'frozen' | 'stray'
  seen_at: number
}

/**
 * An outgoing transfer on a chain: a settlement, or the return of a token that is no coin of the gateway. Refunds were
 * such transfers before they were payouts.
 */
export interface ChainTransferRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  kind: 'settlement' | 'refund' | 'return'
  payment_id: number
  coin: string
  address: string
  /** Reserved amount, including the network's fee. */
  units: string
  fee_units: string
  hash: string | null
  state: 'queued' | 'sent' | 'done'
  created_at: number
  /** Contract of a returned token that is no coin of the gateway. `coin` then only names the network. */
  contract: string | null
}

/** Money sent back: a refund of a payment, or the return of a deposit that credits none. */
export interface RefundRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  payment_id: number
  /** The returned deposit; null for a refund. */
  deposit: string | null
  /** Requested part in normalized form. A part is sent once. */
  part: string
  coin: string
  /** Amount taken from the account, including the network's fee. */
  units: string
  fee_units: string
  /** Empty until the customer names it. */
  address: string
  /** Kind of account that funds the payout, and gets the funds back if it fails. */
  source: string
  /** The payout that sends it; null while it waits for a second person. */
  payout: string | null
  /** `approved`: waits for the customer, who names the address. */
  state: 'requested' | 'approved' | 'sent' | 'done' | 'failed' | 'withdrawn'
  /** Secret of the link under which the customer names the address; null if staff named it. */
  token: string | null
  asked_by: string | null
  approved_by: string | null
  asked_at: number
  sent_at: number | null
}

/** A payment that was finished by a person although less was paid than was due. */
export interface AcceptanceRow {
  payment_id: number
  merchant: string
  /** Status before the acceptance. */
  status: PaymentStatus
  received: string
  due: string
  reason: string
  accepted_by: string | null
  accepted_at: number
}

/** A deposit that credits no payment, and the decision about it. */
export interface FundsRow {
  tx_id: string
  environment: GatewayEnvironment
  merchant: string
  payment_id: number
  /** `foreign`: a token other than the payment's coin. */
  kind: 'frozen' | 'foreign'
  network: NetworkCode
  contract: string | null
  units: string
  sender: string
  state: 'held' | 'released' | 'returning' | 'returned'
  /** The payment it was released to, or the payout or transfer that returns it. */
  result: string | null
  decided_by: string | null
  decided_at: number | null
  seen_at: number
}

export interface BalanceRow {
  account: string
  kind: AccountKind
  owner: string
  currency: string
  units: string
}

export interface EntryRow {
  posting: string
  position: number
  account: string
  units: string
  /** Purpose: `payment/123`. */
  ref: string
  at: number
}

export interface SanctionRow {
  address: string
}

/** A transaction of the simulated chains. */
export interface ChainTxRow {
  id: string
  environment: GatewayEnvironment
  network: NetworkCode
  direction: 'in' | 'out'
  hash: string
  sender: string
  recipient: string
  contract: string | null
  units: string
  /** The block it is in. */
  block: number
  /** True if a reorganization removed it. */
  removed: number
  /** Time of its next status change. */
  due_at: number | null
  created_at: number
}

export interface ConversionRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  status: 'processing' | 'finished' | 'failed'
  from_currency: string
  to_currency: string
  from_amount: string
  to_amount: string | null
  created_at: number
  updated_at: number
}

export interface SubaccountRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  name: string
  created_at: number
  updated_at: number
}

export interface SubTransferRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  from_id: string
  to_id: string
  status: 'processing' | 'finished' | 'failed'
  currency: string
  amount: string
  created_at: number
  updated_at: number
}

export interface BatchRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  wrong_codes: number
  needs_approval: number
  created_at: number
  verified_at: number | null
}

export interface PayoutRow {
  id: string
  batch: string
  environment: GatewayEnvironment
  merchant: string
  status: PayoutStatus
  currency: string
  amount: string
  /** The network's fee, on top of the amount. */
  fee: string
  address: string
  fiat_amount: string | null
  fiat_currency: string | null
  description: string | null
  external_id: string | null
  ipn_callback_url: string | null
  hash: string | null
  error: string | null
  execute_at: number | null
  /** Time to send it; null while something blocks it. */
  due_at: number | null
  /** Reason of a payout that staff made: it needs no code and no whitelisted address. */
  purpose: 'refund' | 'return' | null
  /** Time it passed the policy and was handed to its chain; null before, and if it never was. */
  sent_at: number | null
  created_at: number
  requested_at: number | null
  updated_at: number
}

export interface WhitelistRow {
  merchant: string
  coin: string
  address: string
}

export interface PlanRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  title: string
  interval_days: number
  amount: string
  currency: string
  ipn_callback_url: string | null
  success_url: string | null
  cancel_url: string | null
  partially_paid_url: string | null
  created_at: number
  updated_at: number
}

export interface SubscriptionRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  plan: string
  /** Payer: a sub-account, or null for a subscriber who gets bills by email. */
  subaccount: string | null
  email: string | null
  /** By email: the unpaid invoice of the billed period. */
  invoice: string | null
  /** Days that this invoice promised; null without one. */
  invoice_days: number | null
  status: SubscriptionStatus
  paid_until: number
  /** Time of the next charge; null for none. */
  due_at: number | null
  created_at: number
  updated_at: number
}

/** Prices set by hand, which override the source's own; one row at most. */
export interface SetRatesRow {
  id: number
  /** Time of the prices; null for the source's own. */
  as_of: number | null
  /** Dollars by asset or fiat code as JSON; null for no price. */
  usd: string
}

/** A mail to a customer. A world has no mail server: mails are stored, and the simulator shows them. */
export interface MailRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  recipient: string
  subject: string
  body: string
  created_at: number
}
