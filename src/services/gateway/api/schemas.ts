import Type, { type Static, type TSchema } from 'typebox'
import { paymentStatuses } from '../../../domain/payments/payment.ts'
import { payoutStatuses } from '../../../domain/payments/payout.ts'
import { subscriptionStatuses } from '../../../domain/payments/subscription.ts'

/**
 * Schemas of the gateway API (2-payment-gateway-api, "Resources and their fields", and the fields of the compatible
 * gateway's clients).
 */

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
/** An optional field; some clients send null instead of omitting it. */
const loose = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))

// ── Requests: as lenient as existing clients need ──

const AmountIn = Type.Union([Type.Number(), Type.String({ maxLength: 64 })], {
  description: 'A positive number, or a string with one.',
})
const Ticker = Type.String({ minLength: 1, maxLength: 20, description: 'A currency code in any case.' })
const IdIn = Type.Union([Type.Integer(), Type.String({ maxLength: 32 })], {
  description: 'An id of decimal digits, as number or string.',
})
const FlagIn = Type.Union([Type.Boolean(), Type.String({ maxLength: 5 })])
const Text = Type.String({ maxLength: 500 })
const Link = Type.String({ maxLength: 2048 })
const OrderId = Type.Union([Type.String({ maxLength: 200 }), Type.Integer()])

export const PaymentInput = Type.Object({
  price_amount: AmountIn,
  price_currency: Ticker,
  pay_currency: Ticker,
  pay_amount: loose(AmountIn),
  order_id: loose(OrderId),
  order_description: loose(Text),
  ipn_callback_url: loose(Link),
  is_fixed_rate: loose(FlagIn),
  fixed_rate: loose(FlagIn),
  is_fee_paid_by_user: loose(FlagIn),
  payout_currency: loose(Ticker),
  payout_address: loose(Type.String({ maxLength: 200 })),
  customer_email: loose(Type.String({ maxLength: 254 })),
  case: loose(
    Type.String({
      maxLength: 20,
      description: 'Sandbox only: success, failed, partially_paid or common simulates the customer.',
    }),
  ),
})
export type PaymentInput = Static<typeof PaymentInput>

export const InvoiceInput = Type.Object({
  price_amount: AmountIn,
  price_currency: Ticker,
  pay_currency: loose(Ticker),
  order_id: loose(OrderId),
  order_description: loose(Text),
  ipn_callback_url: loose(Link),
  success_url: loose(Link),
  cancel_url: loose(Link),
  partially_paid_url: loose(Link),
  is_fixed_rate: loose(FlagIn),
  is_fee_paid_by_user: loose(FlagIn),
  customer_email: loose(Type.String({ maxLength: 254 })),
  payout_currency: loose(Ticker),
})
export type InvoiceInput = Static<typeof InvoiceInput>

export const InvoicePaymentInput = Type.Object({
  iid: IdIn,
  pay_currency: Ticker,
  order_description: loose(Text),
  customer_email: loose(Type.String({ maxLength: 254 })),
  payout_currency: loose(Ticker),
  payout_address: loose(Type.String({ maxLength: 200 })),
})
export type InvoicePaymentInput = Static<typeof InvoicePaymentInput>

export const PaymentListQuery = Type.Object({
  status: Type.Optional(Type.String({ description: 'A payment status in any case, or several separated by commas.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 10 })),
  page: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  sortBy: Type.Optional(Type.String()),
  orderBy: Type.Optional(Type.String()),
  dateFrom: Type.Optional(Type.String()),
  dateTo: Type.Optional(Type.String()),
  invoiceId: Type.Optional(Type.String()),
  orderId: Type.Optional(Type.String({ description: "The merchant's order reference." })),
})
export type PaymentListQuery = Static<typeof PaymentListQuery>

export const InvoiceListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 10 })),
  page: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  orderBy: Type.Optional(Type.String()),
  dateFrom: Type.Optional(Type.String()),
  dateTo: Type.Optional(Type.String()),
  orderId: Type.Optional(Type.String({ description: "The merchant's order reference." })),
})
export type InvoiceListQuery = Static<typeof InvoiceListQuery>

export const Page = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 10 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  order: Type.Optional(Type.String({ description: 'ASC or DESC, in any case.' })),
})

export const ConversionInput = Type.Object({ amount: AmountIn, from_currency: Ticker, to_currency: Ticker })
export type ConversionInput = Static<typeof ConversionInput>

export const ConversionQuery = Type.Object({
  ...Page.properties,
  id: Type.Optional(Type.Array(Type.String())),
  status: Type.Optional(Type.Array(Type.String())),
  from_currency: Type.Optional(Type.String()),
  to_currency: Type.Optional(Type.String()),
  created_at_from: Type.Optional(Type.String()),
  created_at_to: Type.Optional(Type.String()),
})
export type ConversionQuery = Static<typeof ConversionQuery>

export const SubaccountQuery = Type.Object({ ...Page.properties, id: Type.Optional(Type.Array(Type.String())) })
export type SubaccountQuery = Static<typeof SubaccountQuery>

export const SubTransferQuery = Type.Object({
  ...SubaccountQuery.properties,
  status: Type.Optional(Type.Array(Type.String())),
})
export type SubTransferQuery = Static<typeof SubTransferQuery>

export const SubTransferInput = Type.Object({ currency: Ticker, amount: AmountIn, from_id: IdIn, to_id: IdIn })
export type SubTransferInput = Static<typeof SubTransferInput>

export const SubMoveInput = Type.Object({ currency: Ticker, amount: AmountIn, sub_partner_id: IdIn })
export type SubMoveInput = Static<typeof SubMoveInput>

export const SubPaymentInput = Type.Object({
  currency: Ticker,
  amount: AmountIn,
  sub_partner_id: IdIn,
  is_fixed_rate: loose(FlagIn),
  fixed_rate: loose(FlagIn),
  is_fee_paid_by_user: loose(FlagIn),
  ipn_callback_url: loose(Link),
})
export type SubPaymentInput = Static<typeof SubPaymentInput>

// ── Responses: in the documented spelling ──

const Moment = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$',
  examples: ['2026-03-01T12:00:00.000Z'],
  description: 'ISO 8601 in UTC with milliseconds.',
})
/** Ids other than that of a payment: some clients read them as numbers. */
const Id = Type.String({ pattern: '^[0-9]{1,16}$', examples: ['5000000191'] })
const AmountText = Type.String({ pattern: '^[0-9]+([.][0-9]+)?$', examples: ['29.99'], description: 'Decimal string.' })
const Status = Type.Enum([...paymentStatuses])

/**
 * The response of the status look-up and the body of the callback. Exactly these fields and flat, so that every known
 * verifier computes the signature over the same text.
 */
export const Payment = Type.Object({
  actually_paid: Type.Number({ description: 'Confirmed on chain, in the pay currency.' }),
  actually_paid_at_fiat: Type.Number({
    description:
      'The same in the price currency, each deposit at the rate when it was detected; 0 for a price in a coin.',
  }),
  invoice_id: nullable(Type.Integer()),
  order_description: nullable(Type.String()),
  order_id: nullable(Type.String()),
  outcome_amount: Type.Number({
    description: 'Amount the merchant gets: expected at first, then based on what was received.',
  }),
  outcome_currency: Type.String(),
  parent_payment_id: nullable(
    Type.Integer({ description: 'For a further deposit: the payment that the address was created for.' }),
  ),
  pay_address: Type.String(),
  pay_amount: Type.Number(),
  pay_currency: Type.String(),
  payment_id: Type.Integer(),
  payment_status: Status,
  price_amount: Type.Number(),
  price_currency: Type.String(),
  purchase_id: nullable(Type.Integer()),
  updated_at: Moment,
})
export type Payment = Static<typeof Payment>

export const NewPayment = Type.Object({
  payment_id: Type.Integer(),
  payment_status: Status,
  pay_address: Type.String(),
  price_amount: Type.Number(),
  price_currency: Type.String(),
  pay_amount: Type.Number(),
  amount_received: nullable(Type.Number({ description: 'The expected outcome.' })),
  pay_currency: Type.String(),
  order_id: nullable(Type.String()),
  order_description: nullable(Type.String()),
  payin_extra_id: Type.Null(),
  ipn_callback_url: nullable(Type.String()),
  customer_email: nullable(Type.String()),
  purchase_id: Type.Null(),
  smart_contract: nullable(Type.String()),
  network: Type.String(),
  network_precision: Type.Integer(),
  time_limit: Type.Null(),
  burning_percent: Type.Null(),
  created_at: Moment,
  updated_at: Moment,
  expiration_estimate_date: Moment,
  valid_until: Moment,
  is_fixed_rate: Type.Boolean(),
  is_fee_paid_by_user: Type.Boolean(),
  type: Type.Literal('crypto2crypto'),
  product: Type.Literal('api'),
  gw_payment_url: Type.String({ description: 'The hosted payment page.' }),
})
export type NewPayment = Static<typeof NewPayment>

export const PaymentPage = Type.Object({
  data: Type.Array(Payment),
  limit: Type.Integer(),
  page: Type.Integer(),
  pagesCount: Type.Integer(),
  total: Type.Integer(),
})
export type PaymentPage = Static<typeof PaymentPage>

export const NewEstimate = Type.Object({
  id: Id,
  token_id: Type.String(),
  pay_amount: Type.Number(),
  expiration_estimate_date: Moment,
})

export const Invoice = Type.Object({
  id: Id,
  token_id: Type.String(),
  order_id: nullable(Type.String()),
  order_description: nullable(Type.String()),
  price_amount: AmountText,
  price_currency: Type.String(),
  pay_currency: nullable(Type.String()),
  ipn_callback_url: nullable(Type.String()),
  invoice_url: Type.String({ description: 'The hosted page to redirect the customer to.' }),
  success_url: nullable(Type.String()),
  cancel_url: nullable(Type.String()),
  partially_paid_url: nullable(Type.String()),
  customer_email: nullable(Type.String()),
  payout_currency: nullable(Type.String()),
  created_at: Moment,
  updated_at: Moment,
  is_fixed_rate: Type.Boolean(),
  is_fee_paid_by_user: Type.Boolean(),
  source: Type.Null(),
  collect_user_data: Type.Boolean(),
})
export type Invoice = Static<typeof Invoice>

/** An invoice in the list, with the payment that its page shows. */
export const ListedInvoice = Type.Object({
  ...Invoice.properties,
  gw_payment_id: nullable(Type.Integer({ description: 'The payment that received money, else the waiting one.' })),
  gw_payment_status: nullable(Type.String()),
})
export type ListedInvoice = Static<typeof ListedInvoice>

export const InvoicePage = Type.Object({
  data: Type.Array(ListedInvoice),
  limit: Type.Integer(),
  page: Type.Integer(),
  pagesCount: Type.Integer(),
  total: Type.Integer(),
})
export type InvoicePage = Static<typeof InvoicePage>

export const CurrencyDetail = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  enable: Type.Boolean(),
  wallet_regex: Type.String(),
  priority: Type.Integer(),
  extra_id_exists: Type.Boolean(),
  extra_id_regex: Type.Null(),
  track: Type.Boolean(),
  network: Type.String(),
  smart_contract: nullable(Type.String()),
  network_precision: Type.Integer(),
})
export type CurrencyDetail = Static<typeof CurrencyDetail>

export const Estimate = Type.Object({
  currency_from: Type.String(),
  amount_from: Type.Number(),
  currency_to: Type.String(),
  estimated_amount: Type.Number(),
})

export const Minimum = Type.Object({
  currency_from: Type.String(),
  currency_to: Type.String(),
  min_amount: Type.Number(),
  fiat_equivalent: Type.Optional(Type.Number()),
})

const Holding = Type.Object({ amount: Type.Number(), pendingAmount: Type.Number() })
/** By lower-case currency code. */
export const Balances = Type.Record(Type.String(), Holding)
export type Balances = Static<typeof Balances>

/** Statuses of conversions and of transfers between sub-accounts. */
export const moveStatuses = ['processing', 'finished', 'failed'] as const
const MoveStatus = Type.Enum([...moveStatuses])

export const Conversion = Type.Object({
  id: Id,
  status: MoveStatus,
  from_currency: Type.String(),
  to_currency: Type.String(),
  from_amount: Type.Number(),
  to_amount: nullable(Type.Number()),
  created_at: Moment,
  updated_at: Moment,
})
export type Conversion = Static<typeof Conversion>

export const Subaccount = Type.Object({
  id: Id,
  name: Type.String(),
  created_at: Moment,
  updated_at: Moment,
})
export type Subaccount = Static<typeof Subaccount>

export const SubBalances = Type.Object({ subPartnerId: Id, balances: Balances })

export const SubTransfer = Type.Object({
  id: Id,
  from_sub_id: Id,
  to_sub_id: Id,
  status: MoveStatus,
  created_at: Moment,
  updated_at: Moment,
  amount: AmountText,
  currency: Type.String(),
})
export type SubTransfer = Static<typeof SubTransfer>

export const SubPaymentQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 10 })),
  page: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Number of items to skip.' })),
  id: Type.Optional(Type.String()),
  pay_currency: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  sub_partner_id: Type.Optional(Type.String()),
  date_from: Type.Optional(Type.String()),
  date_to: Type.Optional(Type.String()),
  orderBy: Type.Optional(Type.String()),
  order_by: Type.Optional(Type.String()),
  sortBy: Type.Optional(Type.String()),
  sort_by: Type.Optional(Type.String()),
})
export type SubPaymentQuery = Static<typeof SubPaymentQuery>

// ── Payouts ──

const payoutItem = {
  address: loose(Type.String({ maxLength: 200 })),
  currency: loose(Ticker),
  amount: loose(AmountIn),
  fiat_amount: loose(AmountIn),
  fiat_currency: loose(Ticker),
  extra_id: loose(Type.String({ maxLength: 100 })),
  ipn_callback_url: loose(Link),
  payout_description: loose(Text),
  unique_external_id: loose(Type.String({ maxLength: 200 })),
  execute_at: loose(Type.String({ maxLength: 40 })),
}

export const PayoutItemInput = Type.Object(payoutItem)
export type PayoutItemInput = Static<typeof PayoutItemInput>

/** A batch, or a single item as a batch of one. */
export const PayoutInput = Type.Object({
  ...payoutItem,
  interval: loose(Type.String({ maxLength: 20, description: 'ONETIME, in any case: payouts do not repeat.' })),
  withdrawals: Type.Optional(Type.Array(PayoutItemInput, { minItems: 1, maxItems: 1000 })),
})
export type PayoutInput = Static<typeof PayoutInput>

export const PayoutListQuery = Type.Object({
  batch_id: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  order_by: Type.Optional(Type.String()),
  order: Type.Optional(Type.String()),
  date_from: Type.Optional(Type.String()),
  date_to: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 10 })),
  page: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
})
export type PayoutListQuery = Static<typeof PayoutListQuery>

export const Payout = Type.Object({
  is_request_payouts: Type.Boolean(),
  id: Id,
  address: Type.String(),
  currency: Type.String(),
  amount: AmountText,
  fiat_amount: nullable(AmountText),
  fiat_currency: nullable(Type.String()),
  batch_withdrawal_id: Id,
  status: Type.Enum([...payoutStatuses]),
  error: nullable(Type.String()),
  extra_id: Type.Null(),
  hash: nullable(Type.String()),
  fee: Type.String({ ...AmountText, description: "The network's fee, on top of the amount." }),
  ipn_callback_url: nullable(Type.String()),
  payout_description: nullable(Type.String()),
  unique_external_id: nullable(Type.String()),
  created_at: Moment,
  requested_at: nullable(Moment),
  updated_at: Moment,
})
export type Payout = Static<typeof Payout>

export const PayoutBatch = Type.Object({ id: Id, withdrawals: Type.Array(Payout) })
export type PayoutBatch = Static<typeof PayoutBatch>

// ── Plans and subscriptions ──

const Interval = Type.Union(
  [Type.Integer({ minimum: 1, maximum: 3650 }), Type.String({ pattern: '^[1-9][0-9]{0,3}$', examples: ['30'] })],
  {
    description: 'Days.',
  },
)
const planLinks = {
  ipn_callback_url: loose(Link),
  success_url: loose(Link),
  cancel_url: loose(Link),
  partially_paid_url: loose(Link),
}
const Title = Type.String({ minLength: 1, maxLength: 200 })

export const PlanInput = Type.Object({
  title: Title,
  interval_day: Interval,
  amount: AmountIn,
  currency: Ticker,
  ...planLinks,
})
export type PlanInput = Static<typeof PlanInput>

export const PlanChange = Type.Object({
  title: Type.Optional(Title),
  interval_day: Type.Optional(Interval),
  amount: Type.Optional(AmountIn),
  currency: Type.Optional(Ticker),
  ...planLinks,
})
export type PlanChange = Static<typeof PlanChange>

export const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 10 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
})
export type ListQuery = Static<typeof ListQuery>

export const SubscriptionInput = Type.Object({
  subscription_plan_id: IdIn,
  sub_partner_id: loose(IdIn),
  email: loose(Type.String({ maxLength: 254 })),
})
export type SubscriptionInput = Static<typeof SubscriptionInput>

export const SubscriptionQuery = Type.Object({
  ...ListQuery.properties,
  status: Type.Optional(Type.String()),
  subscription_plan_id: Type.Optional(Type.String()),
  is_active: Type.Optional(Type.String()),
})
export type SubscriptionQuery = Static<typeof SubscriptionQuery>

export const Plan = Type.Object({
  id: Id,
  title: Type.String(),
  interval_day: Type.String({ pattern: '^[1-9][0-9]{0,3}$', examples: ['30'], description: 'Days.' }),
  ipn_callback_url: nullable(Type.String()),
  success_url: nullable(Type.String()),
  cancel_url: nullable(Type.String()),
  partially_paid_url: nullable(Type.String()),
  amount: Type.Number(),
  currency: Type.String(),
  created_at: Moment,
  updated_at: Moment,
})
export type Plan = Static<typeof Plan>

export const Subscription = Type.Object({
  id: Id,
  subscription_plan_id: Id,
  is_active: Type.Boolean(),
  status: Type.Enum([...subscriptionStatuses]),
  expire_date: Type.String({ ...Moment, description: 'End of the paid period, ISO 8601.' }),
  subscriber: Type.Union([Type.Object({ sub_partner_id: Id }), Type.Object({ email: Type.String() })]),
  created_at: Moment,
  updated_at: Moment,
})
export type Subscription = Static<typeof Subscription>
