import type { MerchantRow, PlanRow, SubscriptionRow } from '../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../db/store.ts'
import { coinOf, coins, isFiat } from '../../domain/chains/coins.ts'
import { parseUnits } from '../../domain/money.ts'
import { amountText, scaleOf } from '../../domain/payments/amounts.ts'
import { moved } from '../../domain/payments/ledger.ts'
import { dueFor } from '../../domain/payments/rates.ts'
import {
  afterCharge,
  billDueAt,
  graceMs,
  paused,
  resumed,
  type SubscriptionState,
  subscriptionStatuses,
} from '../../domain/payments/subscription.ts'
import { checkMayMove } from './account-standing.ts'
import { refuse } from './api/contract.ts'
import { statusesAmong } from './api/filters.ts'
import type {
  ListQuery,
  Plan,
  PlanChange,
  PlanInput,
  Subscription,
  SubscriptionInput,
  SubscriptionQuery,
} from './api/schemas.ts'
import { toPlan, toSubscription } from './api/views.ts'
import { callbackUrl, enqueueSubscriptionIpn, pageLink } from './ipn/ipns.ts'
import { accountOf, post } from './ledger.ts'
import { bill, followBill, noBill } from './payments/email-bills.ts'
import { checkPayable } from './payments/payable.ts'
import { isOn } from './payments/payments.ts'
import { subaccountOf } from './queries/custody.ts'
import { nextId } from './queries/payments.ts'
import {
  dueSubscriptions,
  insertPlan,
  insertSubscription,
  planOf,
  plansOf,
  savePlan,
  saveSubscription,
  subscriptionOf,
  subscriptionsOf,
} from './queries/subscriptions.ts'
import { theAmount, theCurrency } from './rates/currencies.ts'
import { latestRates } from './rates/rates.ts'
import type { Gateway } from './service.ts'

/** Plans and their subscriptions: the clock charges a sub-account, or bills an email address. */

export async function createPlan(
  app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  input: PlanInput,
): Promise<{ result: Plan }> {
  const row: PlanRow = {
    id: String(await nextId(tx)),
    environment: merchant.environment,
    merchant: merchant.id,
    ...(await termsFrom(app, input)),
    created_at: tx.now,
    updated_at: tx.now,
  }
  await insertPlan(tx, row)
  return { result: toPlan(row) }
}

async function termsFrom(app: Gateway, input: PlanInput) {
  const currency = theCurrency(input.currency)
  return {
    title: input.title,
    interval_days: Number(input.interval_day),
    amount: amountText(theAmount(input.amount, currency, 'amount'), currency),
    currency,
    ipn_callback_url: callbackUrl(app, input.ipn_callback_url),
    success_url: pageLink(input.success_url, 'success_url'),
    cancel_url: pageLink(input.cancel_url, 'cancel_url'),
    partially_paid_url: pageLink(input.partially_paid_url, 'partially_paid_url'),
  }
}

/** Changes the given fields of a plan, effective from the next charge. */
export function updatePlan(app: Gateway, merchant: MerchantRow, id: string, change: PlanChange) {
  return app.store.write(async (tx) => {
    const plan = await thePlan(tx, merchant, id)
    const fields = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const terms = await termsFrom(app, { ...plan, interval_day: plan.interval_days, ...fields })
    await savePlan(tx, id, { ...terms, updated_at: tx.now })
    return { result: toPlan({ ...plan, ...terms, updated_at: tx.now }) }
  })
}

async function thePlan(reader: Reader, merchant: MerchantRow, id: string): Promise<PlanRow> {
  const plan = await planOf(reader, id)
  if (!plan || plan.merchant !== merchant.id) throw refuse('NOT_FOUND', `There is no plan ${id}`)
  return plan
}

export function readPlan(app: Gateway, merchant: MerchantRow, id: string) {
  return app.store.read(async (reader) => ({ result: toPlan(await thePlan(reader, merchant, id)) }))
}

export function listPlans(app: Gateway, merchant: MerchantRow, query: ListQuery) {
  return app.store.read(async (reader) => {
    const { rows, count } = await plansOf(reader, merchant.id, paginationIn(query))
    return { result: rows.map(toPlan), count }
  })
}

const paginationIn = ({ offset = 0, limit = 10 }: ListQuery) => ({ offset, limit, isDescending: false })

/**
 * Subscribes a sub-account and charges the first period at once, or mails the first bill to a subscriber. An unpaid
 * subscription begins past due.
 */
export async function createSubscription(
  app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  input: SubscriptionInput,
): Promise<{ result: Subscription }> {
  await checkMayMove(tx, merchant)
  const plan = await thePlan(tx, merchant, String(input.subscription_plan_id))
  const subscriber = await subscriberOf(tx, merchant, input, plan)
  if (subscriber.email !== null)
    await checkPayable(app, tx, merchant, {
      price: parseUnits(plan.amount, scaleOf(plan.currency)),
      currency: plan.currency,
      isFeePaidByUser: false,
    })
  const row: SubscriptionRow = {
    id: String(await nextId(tx)),
    environment: merchant.environment,
    merchant: merchant.id,
    plan: plan.id,
    ...subscriber,
    ...noBill,
    status: 'past_due',
    paid_until: tx.now,
    due_at: tx.now,
    created_at: tx.now,
    updated_at: tx.now,
  }
  await insertSubscription(tx, row)
  if (row.email === null) return { result: toSubscription(await charge(app, tx, row, plan, 'new')) }
  // Past due until the first bill is paid; canceled if that does not happen within the grace period.
  const billed = await bill(app, tx, row, plan)
  await saveSubscription(tx, row.id, { ...billed, due_at: tx.now + graceMs })
  await enqueueSubscriptionIpn(tx, app, row, plan)
  return { result: toSubscription(row) }
}

/**
 * Returns the subscriber: one of the merchant's sub-accounts, or an email address. An email address needs a plan in a
 * fiat currency, because a bill in a coin would be ambiguous.
 */
async function subscriberOf(reader: Reader, merchant: MerchantRow, input: SubscriptionInput, plan: PlanRow) {
  const id = input.sub_partner_id ?? undefined
  const email = input.email || undefined
  if (id !== undefined && email !== undefined)
    throw refuse('INVALID_REQUEST_PARAMS', 'Send either sub_partner_id or email, not both', { field: 'email' })
  if (email !== undefined) {
    if (!/^[^@\s]+@[^@\s]+$/.test(email))
      throw refuse('INVALID_REQUEST_PARAMS', 'email must be a valid email address', { field: 'email' })
    if (!isFiat(plan.currency))
      throw refuse('INVALID_REQUEST_PARAMS', 'Subscriptions by email need a plan in a fiat currency', {
        field: 'subscription_plan_id',
      })
    return { subaccount: null, email }
  }
  if (id === undefined)
    throw refuse('INVALID_REQUEST_PARAMS', 'sub_partner_id or email is required', { field: 'sub_partner_id' })
  const sub = await subaccountOf(reader, String(id))
  if (!sub || sub.merchant !== merchant.id) throw refuse('NOT_FOUND', `There is no sub-account ${id}`)
  return { subaccount: sub.id, email: null }
}

/**
 * Charges a period, or records the failure. The merchant gets a callback for the first charge and for every change of
 * the status.
 */
async function charge(
  app: Gateway,
  tx: Tx,
  row: SubscriptionRow,
  plan: PlanRow,
  isNew?: 'new',
): Promise<SubscriptionRow> {
  const isPaid = await collect(app, tx, row, plan)
  return save(app, tx, row, plan, afterCharge(stateOf(row), isPaid, plan.interval_days, tx.now), isNew)
}

function stateOf(row: SubscriptionRow): SubscriptionState {
  return { status: row.status, paidUntil: row.paid_until, dueAt: row.due_at }
}

async function save(
  app: Gateway,
  tx: Tx,
  row: SubscriptionRow,
  plan: PlanRow,
  state: SubscriptionState,
  isNew?: 'new',
): Promise<SubscriptionRow> {
  const change = { status: state.status, paid_until: state.paidUntil, due_at: state.dueAt, updated_at: tx.now }
  await saveSubscription(tx, row.id, change)
  const after = { ...row, ...change }
  if (isNew || after.status !== row.status) await enqueueSubscriptionIpn(tx, app, after, plan)
  return after
}

/**
 * Takes the plan's amount from the sub-account: in the plan's coin, or for a fiat price in the first coin that covers
 * it. Returns false if no coin does.
 */
async function collect(app: Gateway, tx: Tx, row: SubscriptionRow, plan: PlanRow): Promise<boolean> {
  if (row.subaccount === null) return false
  const price = parseUnits(plan.amount, scaleOf(plan.currency))
  const only = coinOf(plan.currency)
  const rates = await latestRates(app, tx)
  for (const coin of only ? [only] : coins) {
    const units = only ? price : dueFor(rates, price, plan.currency, coin)
    if (units === undefined) continue
    const entries = moved(
      accountOf('sub', row.subaccount, coin.code),
      accountOf('available', row.merchant, coin.code),
      units,
    )
    if ((await post(app, tx, entries, `subscription/${row.id}`)) === 'posted') return true
  }
  return false
}

/** Charges or bills due subscriptions; returns their number. */
export function chargeDue(app: Gateway, limit: number): Promise<number> {
  return app.store.write(async (tx) => {
    const due = await dueSubscriptions(tx, limit)
    for (const row of due) {
      const plan = await planOf(tx, row.plan)
      if (!plan) continue
      if (row.email === null) await charge(app, tx, row, plan)
      else await followBill(app, tx, row, plan)
    }
    return due.length
  })
}

async function theSubscription(reader: Reader, merchantId: string, id: string): Promise<SubscriptionRow> {
  const row = await subscriptionOf(reader, id)
  if (!row || row.merchant !== merchantId) throw refuse('NOT_FOUND', `There is no subscription ${id}`)
  return row
}

export function readSubscription(app: Gateway, merchant: MerchantRow, id: string) {
  return app.store.read(async (reader) => ({ result: toSubscription(await theSubscription(reader, merchant.id, id)) }))
}

export function listSubscriptions(app: Gateway, merchant: MerchantRow, query: SubscriptionQuery) {
  const filter = {
    merchant: merchant.id,
    plan: query.subscription_plan_id,
    statuses: statusesAmong(query.status, subscriptionStatuses),
    isActive: query.is_active === undefined ? undefined : isOn(query.is_active, 'is_active'),
  }
  return app.store.read(async (reader) => {
    const { rows, count } = await subscriptionsOf(reader, filter, paginationIn(query))
    return { result: rows.map(toSubscription), count }
  })
}

/** Cancels a subscription; paid periods are not refunded. */
export function cancelSubscription(app: Gateway, merchant: MerchantRow, id: string): Promise<{ result: 'ok' }> {
  return app.store.write(async (tx) => {
    const row = await theSubscription(tx, merchant.id, id)
    const plan = await planOf(tx, row.plan)
    if (row.status === 'cancelled') throw refuse('CONFLICT', `Subscription ${id} is already cancelled`)
    if (plan) await save(app, tx, row, plan, { ...stateOf(row), status: 'cancelled', dueAt: null })
    // A bill that is paid later is an ordinary payment.
    await saveSubscription(tx, id, noBill)
    return { result: 'ok' }
  })
}

/** Pauses or resumes a subscription's charges, from the console. */
export function pauseSubscription(app: Gateway, merchantId: string, id: string, change: 'pause' | 'resume') {
  return app.store.write(async (tx) => {
    const row = await theSubscription(tx, merchantId, id)
    const plan = await planOf(tx, row.plan)
    const isPossible =
      change === 'pause' ? row.status === 'active' || row.status === 'past_due' : row.status === 'paused'
    if (!isPossible || !plan) throw refuse('CONFLICT', `A ${row.status} subscription cannot ${change}`)
    const state = change === 'pause' ? paused(stateOf(row)) : resumed(stateOf(row), tx.now)
    const isBilled = row.email !== null && state.dueAt !== null && row.invoice === null
    const dueAt = isBilled ? billDueAt(state.paidUntil, tx.now) : state.dueAt
    return toSubscription(await save(app, tx, row, plan, { ...state, dueAt }))
  })
}
