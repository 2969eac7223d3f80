import { formatUnits } from '../money.ts'
import type { Hearing } from './callback-evidence.ts'

/**
 * A merchant's payments from three sides: what the gateway lists, what its callbacks told, and the merchant's own orders;
 * and what may be concluded from the three. Rules only: where the sides come from is decided elsewhere.
 */

/** More decimals than any coin has, so that amounts of all currencies stand on one scale. */
export const amountScale = 18

/** A payment as the gateway lists it, with what was heard of it; amounts in units at `amountScale`. */
export interface ListedPayment {
  readonly id: string
  readonly status: string
  readonly orderId: string | null
  readonly price: bigint
  readonly priceCurrency: string
  readonly due: bigint
  readonly paid: bigint
  readonly payCurrency: string
  /** `unknown` where nobody listened, `recent` where the callback may still be on its way. */
  readonly hearing: Hearing | 'unknown' | 'recent'
}

/** An order as the merchant has it. */
export interface Order {
  readonly id: string
  readonly amount: bigint
  readonly currency: string
  /** Whether it counts as paid; null where the merchant's file does not say. */
  readonly isPaid: boolean | null
}

/**
 * `missing`: something is not there that should be. `stale`: one side stands where another was before. `underpaid` and
 * `overpaid`: of the money. `unknown`: one side speaks of what another has never heard of.
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

/** The money is the merchant's. */
const isDone = ({ status }: ListedPayment) => status === 'finished'
/** Something of the customer's has arrived and nothing of it was sent back. */
const holdsMoney = (payment: ListedPayment) => payment.paid > 0n && payment.status !== 'refunded'
const text = (units: bigint, currency: string) => `${formatUnits(units, amountScale)} ${currency}`

/** What one payment shows by itself: whether its latest news came, and whether it was paid what was due. */
export function findingsOf(payment: ListedPayment): Finding[] {
  const about = { paymentId: payment.id, orderId: payment.orderId }
  const findings: Finding[] = []
  if (payment.hearing === 'missing')
    findings.push({
      ...about,
      kind: 'missing',
      message: 'No callback ever came',
      expected: payment.status,
      found: null,
    })
  if (payment.hearing === 'stale')
    findings.push({
      ...about,
      kind: 'stale',
      message: 'Callbacks came, but not the latest',
      expected: payment.status,
      found: null,
    })
  const amounts = { expected: text(payment.due, payment.payCurrency), found: text(payment.paid, payment.payCurrency) }
  // While a refund is under way, nothing more is due.
  const isPart = payment.status === 'partially_paid' && payment.paid < payment.due
  if (isPart || (payment.status === 'expired' && payment.paid > 0n))
    findings.push({ ...about, kind: 'underpaid', message: `Less was paid than is due (${payment.status})`, ...amounts })
  // What is still under way may be more than is due only for the moment; what is finished stays so.
  if (isDone(payment) && payment.paid > payment.due)
    findings.push({ ...about, kind: 'overpaid', message: 'More was paid than was due', ...amounts })
  return findings
}

/** What the orders show against the payments made for them. */
export function findingsOfOrders(orders: readonly Order[], payments: readonly ListedPayment[]): Finding[] {
  const byOrder = Map.groupBy(payments, (payment) => payment.orderId)
  const known = new Set(orders.map(({ id }) => id))
  const strangers = payments.filter((each) => holdsMoney(each) && (each.orderId === null || !known.has(each.orderId)))
  return [
    ...orders.flatMap((order) => findingsOfOrder(order, byOrder.get(order.id) ?? [])),
    ...strangers.map(
      (payment): Finding => ({
        kind: 'unknown',
        paymentId: payment.id,
        orderId: payment.orderId,
        message: payment.orderId === null ? 'Money came for no order' : 'Money came for an order that is in no list',
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
    if (payments.length === 0)
      return finding('unknown', 'The order counts as paid, and there is no payment for it', null)
    const statuses = payments.map(({ status }) => status).join(', ')
    return finding('missing', 'The order counts as paid, and no payment for it is finished', statuses)
  }
  const foreign = done.find(({ priceCurrency }) => priceCurrency !== order.currency)
  if (foreign)
    return finding('unknown', 'The payment is in another currency', text(foreign.price, foreign.priceCurrency))
  const paid = done.reduce((sum, { price }) => sum + price, 0n)
  const found = text(paid, order.currency)
  return [
    ...(order.isPaid === false ? finding('stale', 'The payment is finished, and the order counts as open', found) : []),
    ...(paid < order.amount ? finding('underpaid', 'The finished payments come to less than the order', found) : []),
    ...(paid > order.amount ? finding('overpaid', 'The finished payments come to more than the order', found) : []),
  ]
}

/** A difference stands whatever else is in doubt; without one, any doubt forbids a conclusion. */
export function paymentsVerdict(
  findings: readonly Finding[],
  doubts: readonly string[],
): 'balanced' | 'differences' | 'cannot-conclude' {
  if (findings.length > 0) return 'differences'
  return doubts.length > 0 ? 'cannot-conclude' : 'balanced'
}
