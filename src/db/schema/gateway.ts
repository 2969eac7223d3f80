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
}

/** What an environment keeps to itself. */
export interface EnvironmentRow {
  environment: GatewayEnvironment
  /** The seed all deposit addresses come from, hex. */
  seed: string
  /** Signs the tokens of POST /auth, hex. */
  token_secret: string
  /** The demo merchant's credentials as the ready file shows them, JSON. Anybody else's keys are kept as hashes only. */
  demo: string | null
  /** Whether nobody on this side may take or move anything for the time being. */
  frozen: number
}

export interface MerchantRow {
  id: string
  environment: GatewayEnvironment
  name: string
  /** Signs callbacks, so it is kept readable. */
  ipn_secret: string
  /** Where callbacks go that name no place of their own. */
  ipn_url: string | null
  /** After how many attempts a callback is given up; null for the usual ten. */
  ipn_attempts: number | null
  /** The compatibility option: the looser habits of the compatible gateway's clients. */
  compat: number
  /** The header that carries the signature a second time while the option is on. */
  compat_header: string
  /** How much of the amount due may be missing, in hundredths of a percent. */
  tolerance_bps: number
  frozen: number
  /** Whether the gateway's staff let the account in; until then it can look, and neither take nor move money. */
  verified: number
  /** The two-factor secret as the signing service sealed it: nobody else can read it. */
  totp_sealed: string | null
  /** The time step of the last code that verified something: no code up to it counts again. */
  totp_step: number | null
  /** Batches worth more than this many dollars wait for an approver. */
  approval_usd: string | null
  /** The most dollars one payout may be worth, and all payouts of a UTC day; null for no limit. */
  payout_limit_usd: string | null
  payout_day_limit_usd: string | null
  created_at: number
}

export interface GatewayUserRow {
  environment: GatewayEnvironment
  email: string
  merchant: string
  password_hash: string
  /** JSON list of what its tokens may be used for; null for everything. */
  permissions: string | null
}

export interface GatewayKeyRow {
  /** SHA-256 of the key, which was shown once. */
  hash: string
  environment: GatewayEnvironment
  merchant: string
  /** The first characters, to tell keys apart. */
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

/** A coin a merchant takes, and the wallet it is settled to; without one it stays in custody. */
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
  /** The one amount due, which every view states: what was received and what the rest costs at the present quote. */
  pay_amount: string
  /** What the whole price costs in the coin at the present quote. */
  whole_amount: string
  /** Whether the merchant named the amount itself. Such an amount is never requoted. */
  is_amount_given: number
  pay_currency: string
  network: NetworkCode
  address: string
  /** What was confirmed on chain. */
  actually_paid: string
  /** The same in the price currency, every deposit at the rate of its own moment. */
  paid_worth: string
  outcome_amount: string
  outcome_currency: string
  order_id: string | null
  order_description: string | null
  ipn_callback_url: string | null
  customer_email: string | null
  /** Names the payment on pages that anybody with the link may see. */
  page_token: string
  is_fixed_rate: number
  is_fee_paid_by_user: number
  /** For a payment into a sub-account: which. */
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

/** What came in for a payment, as far as we have acted on it. */
export interface DepositRow {
  tx_id: string
  payment_id: number
  sender: string
  units: string
  /** What the whole price cost in the coin at the rate of the moment this deposit was detected. */
  whole_amount: string
  /** `stray`: of a token that is not the payment's coin, and so never credited. */
  state: 'seen' | 'confirmed' | 'removed' | 'frozen' | 'stray'
  seen_at: number
}

/** What goes out to a chain: settlements and refunds. */
export interface ChainTransferRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  kind: 'settlement' | 'refund'
  payment_id: number
  coin: string
  address: string
  /** Set aside for it, the network's fee included. */
  units: string
  fee_units: string
  hash: string | null
  state: 'queued' | 'sent' | 'done'
  created_at: number
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
  /** What it was for: `payment/123`. */
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
  /** Whether a reorganisation took it away. */
  removed: number
  /** When there is something about it to tell. */
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
  /** When it is to be sent; null while something stands in its way. */
  due_at: number | null
  /** When it passed the policy and was handed to its chain; null before, and for one that never was. */
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
  /** Who is charged: a sub-account, or else somebody who is sent bills by e-mail. */
  subaccount: string | null
  email: string | null
  /** By e-mail: the invoice of the period that is billed and not paid. */
  invoice: string | null
  /** Days that this invoice promised; null without one. */
  invoice_days: number | null
  status: SubscriptionStatus
  paid_until: number
  /** When it is charged next; null when it is not. */
  due_at: number | null
  created_at: number
  updated_at: number
}

/** What was set by hand about the prices, before which the source's own stand back; one row at most. */
export interface SetRatesRow {
  id: number
  /** The moment the prices are of; null for the source's own. */
  as_of: number | null
  /** Dollars by asset or fiat code as JSON; null where there is to be no price. */
  usd: string
}

/** A mail to a customer. No mail server is part of a world: the mails are kept, and the simulator shows them. */
export interface MailRow {
  id: string
  environment: GatewayEnvironment
  merchant: string
  recipient: string
  subject: string
  body: string
  created_at: number
}
