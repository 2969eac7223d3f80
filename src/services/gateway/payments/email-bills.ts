import type { InvoiceRow, PlanRow, SubscriptionRow } from '../../../db/schema/gateway.ts'
import type { Tx } from '../../../db/store.ts'
import { afterCharge, billDueAt, graceMs, type SubscriptionState } from '../../../domain/payments/subscription.ts'
import { letters } from '../../../kit/ids.ts'
import { momentText } from '../../../kit/moment.ts'
import { invoiceUrl } from '../api/views.ts'
import { enqueueSubscriptionIpn } from '../ipn/ipns.ts'
import { merchantOf } from '../queries/merchants.ts'
import { insertInvoice, nextId } from '../queries/payments.ts'
import { insertMail, planOf, saveSubscription, subscriptionBilledBy } from '../queries/subscriptions.ts'
import type { Gateway } from '../service.ts'

/** Subscriptions by email: each period has a bill, an invoice whose link is mailed one day ahead. */

/** Takes the next due step of a subscription by email: bill it, mark it past due, or cancel it. */
export async function followBill(app: Gateway, tx: Tx, row: SubscriptionRow, plan: PlanRow): Promise<SubscriptionRow> {
  if (row.invoice === null) {
    const billed = await bill(app, tx, row, plan)
    return change(app, tx, row, plan, { ...billed, due_at: row.paid_until })
  }
  if (row.status === 'active')
    return change(app, tx, row, plan, { status: 'past_due', due_at: row.paid_until + graceMs })
  return change(app, tx, row, plan, { status: 'cancelled', due_at: null, ...noBill })
}

type OpenBill = Pick<SubscriptionRow, 'invoice' | 'invoice_days'>

export const noBill: OpenBill = { invoice: null, invoice_days: null }

/**
 * Bills a subscriber's next period: an invoice, and the mail with its link. Returns the invoice's id and the length of
 * the period in days. Later changes of the plan do not apply to this bill, because the mail states the length.
 */
export async function bill(app: Gateway, tx: Tx, row: SubscriptionRow, plan: PlanRow): Promise<OpenBill> {
  const merchant = await merchantOf(tx, row.merchant)
  const invoice: InvoiceRow = {
    id: String(await nextId(tx)),
    environment: row.environment,
    merchant: row.merchant,
    page_token: letters(24, app.random),
    price_amount: plan.amount,
    price_currency: plan.currency,
    pay_currency: null,
    payout_currency: null,
    order_id: row.id,
    order_description: plan.title,
    ipn_callback_url: plan.ipn_callback_url,
    success_url: plan.success_url,
    cancel_url: plan.cancel_url,
    partially_paid_url: plan.partially_paid_url,
    customer_email: row.email,
    is_fixed_rate: 0,
    is_fee_paid_by_user: 0,
    created_at: tx.now,
    updated_at: tx.now,
  }
  await insertInvoice(tx, invoice)
  const price = `${plan.amount} ${plan.currency.toUpperCase()}`
  await insertMail(tx, {
    id: app.id(),
    environment: row.environment,
    merchant: row.merchant,
    recipient: row.email ?? '',
    subject: `${plan.title}: ${price} for the next ${plan.interval_days} days`,
    body: `${merchant?.name ?? 'The shop'} asks for ${price} for ${plan.title}.\n\nPay here by ${momentText(Math.max(row.paid_until, tx.now))}:\n${invoiceUrl(app, invoice)}\n`,
    created_at: tx.now,
  })
  return { invoice: invoice.id, invoice_days: plan.interval_days }
}

/** Records that an invoice was paid. If it is a subscription's bill, its next period is paid. */
export async function recordBillPaid(app: Gateway, tx: Tx, invoiceId: string): Promise<void> {
  const row = await subscriptionBilledBy(tx, invoiceId)
  const plan = row && (await planOf(tx, row.plan))
  if (!row || !plan) return
  const state: SubscriptionState = { status: row.status, paidUntil: row.paid_until, dueAt: row.due_at }
  const after = afterCharge(state, true, row.invoice_days ?? plan.interval_days, tx.now)
  // A bill paid during a pause counts; the pause continues.
  const isPaused = row.status === 'paused'
  await change(app, tx, row, plan, {
    status: isPaused ? 'paused' : after.status,
    paid_until: after.paidUntil,
    due_at: isPaused ? null : billDueAt(after.paidUntil, tx.now),
    ...noBill,
  })
}

async function change(
  app: Gateway,
  tx: Tx,
  row: SubscriptionRow,
  plan: PlanRow,
  changes: Partial<SubscriptionRow>,
): Promise<SubscriptionRow> {
  const after = { ...row, ...changes, updated_at: tx.now }
  await saveSubscription(tx, row.id, { ...changes, updated_at: tx.now })
  if (after.status !== row.status) await enqueueSubscriptionIpn(tx, app, after, plan)
  return after
}
