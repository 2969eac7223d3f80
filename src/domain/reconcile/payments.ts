import { formatUnits } from '../money.ts'
import type { CallbackEvidence } from './callback-evidence.ts'

/**
 * Compares a merchant's payments on three sides: the gateway's list, its callbacks and the merchant's orders. Rules
 * only: reading the sides happens elsewhere.
 */

/** More decimals than any coin has, so that amounts of all currencies share one scale. */
export const amountScale = 18

/** A payment in the gateway's list, with its callback state; amounts in units at `amountScale`. */
export interface ListedPayment {
  readonly id: string
  readonly status: string
  readonly orderId: string | null
  readonly price: bigint
  readonly priceCurrency: string
  readonly due: bigint
  readonly paid: bigint
  readonly payCurrency: string
  /** `unknown` if no receiver was running, `recent` if the callback may still be on its way. */
  readonly evidence: CallbackEvidence | 'unknown' | 'recent'
}

/** A merchant's order. */
export interface Order {
  readonly id: string
  readonly amount: bigint
  readonly currency: string
  /** True if it counts as paid; null if the merchant's file does not say. */
  readonly isPaid: boolean | null
}

/**
 * `missing`: an expected record does not exist. `stale`: one side has an older state. `underpaid`, `overpaid`: amounts
 * differ. `unknown`: the other side does not know the record.
 */
export const findingKinds = ['missing', 'stale', 'underpaid', 'overpaid', 'unknown'] as const
export type FindingKind = (typeof findingKinds)[number]

export interface Finding {
  readonly kind: FindingKind
  readonly paymentId: string | null
  readonly orderId: string | null
  /** A sentence for a person. */
  readonly message: string
  readonly expected: string | null
  readonly found: string | null
}

/** The merchant has received the money. */
const isDone = ({ status }: ListedPayment) => status === 'finished'
/** A deposit has arrived and was not refunded. */
const holdsMoney = (payment: ListedPayment) => payment.paid > 0n && payment.status !== 'refunded'
const text = (units: bigint, currency: string) => `${formatUnits(units, amountScale)} ${currency}`

/** Returns the findings of one payment: whether its latest callback arrived, and whether the amount due was paid. */
export function findingsOf(payment: ListedPayment): Finding[] {
  const about = { paymentId: payment.id, orderId: payment.orderId }
  const findings: Finding[] = []
  if (payment.evidence === 'missing')
    findings.push({
      ...about,
      kind: 'missing',
      message: 'No callback was received',
      expected: payment.status,
      found: null,
    })
  if (payment.evidence === 'stale')
    findings.push({
      ...about,
      kind: 'stale',
      message: 'Callbacks were received, but not the latest one',
      expected: payment.status,
      found: null,
    })
  const amounts = { expected: text(payment.due, payment.payCurrency), found: text(payment.paid, payment.payCurrency) }
  // While a refund is under way, nothing more is due.
  const isPart = payment.status === 'partially_paid' && payment.paid < payment.due
  if (isPart || (payment.status === 'expired' && payment.paid > 0n))
    findings.push({ ...about, kind: 'underpaid', message: `Less was paid than is due (${payment.status})`, ...amounts })
  // An unfinished payment may exceed the amount due only temporarily; a finished one stays so.
  if (isDone(payment) && payment.paid > payment.due)
    findings.push({ ...about, kind: 'overpaid', message: 'More was paid than was due', ...amounts })
  return findings
}

/** Returns the findings of the orders against their payments. */
export function findingsOfOrders(orders: readonly Order[], payments: readonly ListedPayment[]): Finding[] {
  const byOrder = Map.groupBy(payments, (payment) => payment.orderId)
  const known = new Set(orders.map(({ id }) => id))
  const withoutOrder = payments.filter(
    (each) => holdsMoney(each) && (each.orderId === null || !known.has(each.orderId)),
  )
  return [
    ...orders.flatMap((order) => findingsOfOrder(order, byOrder.get(order.id) ?? [])),
    ...withoutOrder.map(
      (payment): Finding => ({
        kind: 'unknown',
        paymentId: payment.id,
        orderId: payment.orderId,
        message: payment.orderId === null ? 'The payment has no order' : 'The payment’s order is in no list',
        expected: null,
        found: text(payment.paid, payment.payCurrency),
      }),
    ),
  ]
}

function findingsOfOrder(order: Order, payments: readonly ListedPayment[]): Finding[] {
  const done = payments.filter(isDone)
  const paymentId = done[0]?.id ?? payments[0]?.id ?? null
  const expected = text(order.amount, order.currency)
  const finding = (kind: FindingKind, message: string, found: string | null): Finding[] => [
    { kind, paymentId, orderId: order.id, message, expected, found },
  ]
  if (done.length === 0) {
    if (order.isPaid !== true) return []
    if (payments.length === 0) return finding('unknown', 'The order counts as paid, but has no payment', null)
    const statuses = payments.map(({ status }) => status).join(', ')
    return finding('missing', 'The order counts as paid, but has no finished payment', statuses)
  }
  const foreign = done.find(({ priceCurrency }) => priceCurrency !== order.currency)
  if (foreign)
    return finding('unknown', 'The payment is in another currency', text(foreign.price, foreign.priceCurrency))
  const paid = done.reduce((sum, { price }) => sum + price, 0n)
  const paidText = text(paid, order.currency)
  return [
    ...(order.isPaid === false
      ? finding('stale', 'The payment is finished, but the order counts as open', paidText)
      : []),
    ...(paid < order.amount ? finding('underpaid', 'The finished payments are less than the order', paidText) : []),
    ...(paid > order.amount ? finding('overpaid', 'The finished payments are more than the order', paidText) : []),
  ]
}

/** Returns the verdict. A difference wins over every doubt; without one, any doubt makes it inconclusive. */
export function paymentsVerdict(
  findings: readonly Finding[],
  doubts: readonly string[],
): 'balanced' | 'differences' | 'cannot-conclude' {
  if (findings.length > 0) return 'differences'
  return doubts.length > 0 ? 'cannot-conclude' : 'balanced'
}
