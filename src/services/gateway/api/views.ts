import type {
  ConversionRow,
  InvoiceRow,
  PaymentRow,
  PayoutRow,
  PlanRow,
  SubaccountRow,
  SubscriptionRow,
  SubTransferRow,
} from '../../../db/schema/gateway.ts'
import { coinOf, contractOf, isFiat } from '../../../domain/chains/coins.ts'
import { jsonNumber } from '../../../domain/payments/amounts.ts'
import { momentText } from '../../../kit/moment.ts'
import type { Gateway } from '../service.ts'
import type {
  Conversion,
  Invoice,
  NewPayment,
  Payment,
  Payout,
  Plan,
  Subaccount,
  Subscription,
  SubTransfer,
} from './schemas.ts'

/** Returns the base URL of an environment's pages for customers. */
function pagesAt(app: Gateway, environment: PaymentRow['environment']): string {
  return `${app.config.publicUrl()}${environment === 'sandbox' ? '/sandbox' : ''}`
}

/** Returns a payment for the look-up and the callback: exactly the document's fields. */
export function toPayment(row: PaymentRow): Payment {
  return {
    actually_paid: jsonNumber(row.actually_paid),
    actually_paid_at_fiat: isFiat(row.price_currency) ? jsonNumber(row.paid_worth) : 0,
    invoice_id: row.invoice_id === null ? null : Number(row.invoice_id),
    order_description: row.order_description,
    order_id: row.order_id,
    outcome_amount: jsonNumber(row.outcome_amount),
    outcome_currency: row.outcome_currency,
    parent_payment_id: row.parent_id,
    pay_address: row.address,
    pay_amount: jsonNumber(row.pay_amount),
    pay_currency: row.pay_currency,
    payment_id: row.id,
    payment_status: row.status,
    price_amount: jsonNumber(row.price_amount),
    price_currency: row.price_currency,
    // Some clients expect a number here and some a string; only null works for both.
    purchase_id: null,
    updated_at: momentText(row.updated_at),
  }
}

/** Returns a payment for the response of its creation. */
export function toNewPayment(app: Gateway, row: PaymentRow): NewPayment {
  const coin = coinOf(row.pay_currency)
  return {
    payment_id: row.id,
    payment_status: row.status,
    pay_address: row.address,
    price_amount: jsonNumber(row.price_amount),
    price_currency: row.price_currency,
    pay_amount: jsonNumber(row.pay_amount),
    amount_received: jsonNumber(row.outcome_amount),
    pay_currency: row.pay_currency,
    order_id: row.order_id,
    order_description: row.order_description,
    payin_extra_id: null,
    ipn_callback_url: row.ipn_callback_url,
    customer_email: row.customer_email,
    purchase_id: null,
    smart_contract: coin ? contractOf(coin, row.environment) : null,
    network: row.network,
    network_precision: coin?.decimals ?? 0,
    time_limit: null,
    burning_percent: null,
    created_at: momentText(row.created_at),
    updated_at: momentText(row.updated_at),
    expiration_estimate_date: momentText(row.quote_until),
    valid_until: momentText(row.valid_until),
    is_fixed_rate: row.is_fixed_rate === 1,
    is_fee_paid_by_user: row.is_fee_paid_by_user === 1,
    type: 'crypto2crypto',
    product: 'api',
    gw_payment_url: paymentUrl(app, row),
  }
}

/** Returns the URL of a payment's customer page. */
function paymentUrl(app: Gateway, row: PaymentRow): string {
  return `${pagesAt(app, row.environment)}/pay/${row.page_token}`
}

/** Returns the URL under which a customer names the address of a refund. */
export function refundUrl(app: Gateway, payment: PaymentRow, token: string): string {
  return `${paymentUrl(app, payment)}/refund/${token}`
}

/** Returns the URL of an invoice's customer page. */
export function invoiceUrl(app: Gateway, row: InvoiceRow): string {
  return `${pagesAt(app, row.environment)}/invoice/${row.page_token}`
}

export function toInvoice(app: Gateway, row: InvoiceRow): Invoice {
  return {
    id: row.id,
    token_id: row.page_token,
    order_id: row.order_id,
    order_description: row.order_description,
    price_amount: row.price_amount,
    price_currency: row.price_currency,
    pay_currency: row.pay_currency,
    ipn_callback_url: row.ipn_callback_url,
    invoice_url: invoiceUrl(app, row),
    success_url: row.success_url,
    cancel_url: row.cancel_url,
    partially_paid_url: row.partially_paid_url,
    customer_email: row.customer_email,
    payout_currency: row.payout_currency,
    created_at: momentText(row.created_at),
    updated_at: momentText(row.updated_at),
    is_fixed_rate: row.is_fixed_rate === 1,
    is_fee_paid_by_user: row.is_fee_paid_by_user === 1,
    source: null,
    collect_user_data: false,
  }
}

export function toConversion(row: ConversionRow): Conversion {
  return {
    id: row.id,
    status: row.status,
    from_currency: row.from_currency,
    to_currency: row.to_currency,
    from_amount: jsonNumber(row.from_amount),
    to_amount: row.to_amount === null ? null : jsonNumber(row.to_amount),
    created_at: momentText(row.created_at),
    updated_at: momentText(row.updated_at),
  }
}

export function toSubaccount(row: SubaccountRow): Subaccount {
  return {
    id: row.id,
    name: row.name,
    created_at: momentText(row.created_at),
    updated_at: momentText(row.updated_at),
  }
}

export function toSubTransfer(row: SubTransferRow): SubTransfer {
  return {
    id: row.id,
    from_sub_id: row.from_id,
    to_sub_id: row.to_id,
    status: row.status,
    created_at: momentText(row.created_at),
    updated_at: momentText(row.updated_at),
    amount: row.amount,
    currency: row.currency,
  }
}

export function toPayout(row: PayoutRow): Payout {
  return {
    is_request_payouts: row.requested_at !== null,
    id: row.id,
    address: row.address,
    currency: row.currency,
    amount: row.amount,
    fiat_amount: row.fiat_amount,
    fiat_currency: row.fiat_currency,
    batch_withdrawal_id: row.batch,
    status: row.status,
    error: row.error,
    extra_id: null,
    hash: row.hash,
    fee: row.fee,
    ipn_callback_url: row.ipn_callback_url,
    payout_description: row.description,
    unique_external_id: row.external_id,
    created_at: momentText(row.created_at),
    requested_at: row.requested_at === null ? null : momentText(row.requested_at),
    updated_at: momentText(row.updated_at),
  }
}

export function toPlan(row: PlanRow): Plan {
  return {
    id: row.id,
    title: row.title,
    interval_day: String(row.interval_days),
    ipn_callback_url: row.ipn_callback_url,
    success_url: row.success_url,
    cancel_url: row.cancel_url,
    partially_paid_url: row.partially_paid_url,
    amount: jsonNumber(row.amount),
    currency: row.currency,
    created_at: momentText(row.created_at),
    updated_at: momentText(row.updated_at),
  }
}

export function toSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    subscription_plan_id: row.plan,
    is_active: row.status === 'active',
    status: row.status,
    expire_date: momentText(row.paid_until),
    subscriber: row.subaccount === null ? { email: row.email ?? '' } : { sub_partner_id: row.subaccount },
    created_at: momentText(row.created_at),
    updated_at: momentText(row.updated_at),
  }
}
