import { parseUnits } from '../../../domain/money.ts'
import { decimalTextOf } from '../../../domain/payments/amounts.ts'
import {
  amountScale,
  type Finding,
  findingsOf,
  findingsOfOrders,
  type ListedPayment,
  type Order,
  paymentsVerdict,
} from '../../../domain/reconcile/payments.ts'
import { isProblem } from '../../../kit/problem.ts'
import { countText, grouped } from '../../../kit/text/count-text.ts'
import type { Book } from '../../book/book.ts'
import { listCallbacks } from '../../callbacks/inbox.ts'
import {
  callbacksOfPayments,
  type ListRange,
  listedPayments,
  type PaymentCallbacks,
  type PaymentSource,
} from '../../callbacks/list-payments.ts'

export interface ReconcilePaymentsOptions {
  readonly source: PaymentSource
  /** Received callbacks; unknown without a book. */
  readonly book: Book | undefined
  readonly orders: readonly Order[] | undefined
  readonly range: ListRange
  /** Callbacks of changes after this time may still be on their way. */
  readonly before: number
  readonly onChecked: (count: number) => void
}

/** Result of comparing the three sides. */
export interface PaymentsReconciled {
  readonly verdict: ReturnType<typeof paymentsVerdict>
  readonly payments: number
  /** Number of callbacks in the book about these payments. */
  readonly callbacks: number
  readonly orders: number | null
  readonly findings: readonly Finding[]
  /** Number of findings from the orders only; they are the last ones. */
  readonly ofOrders: number
  /** Reasons why a result without differences does not prove that the sides agree. */
  readonly doubts: readonly string[]
}

/** Compares the gateway's payments with the callbacks in the book and the merchant's orders. Read-only. */
export async function reconcilePayments(options: ReconcilePaymentsOptions): Promise<PaymentsReconciled> {
  const { source, book, orders, range, onChecked } = options
  const listed: ListedPayment[] = []
  let callbacks = 0
  let counted = 0
  for await (const { payments, total } of listedPayments(source, range)) {
    counted = total
    for (const entry of await callbacksOfPayments(book, payments)) {
      listed.push(toListed(entry, options))
      callbacks += entry.callbacks.length
    }
    onChecked(listed.length)
  }
  const ofOrders = orders ? findingsOfOrders(orders, listed) : []
  const findings = [
    ...listed.flatMap(findingsOf),
    ...(await unlistedCallbacks(options, new Set(listed.map(({ id }) => id)))),
    ...ofOrders,
  ]
  const doubts = doubtsAbout(listed, book, counted)
  const verdict = paymentsVerdict(findings, doubts)
  return {
    verdict,
    payments: listed.length,
    callbacks,
    orders: orders?.length ?? null,
    findings,
    ofOrders: ofOrders.length,
    doubts,
  }
}

function toListed({ payment, evidence }: PaymentCallbacks, { book, before }: ReconcilePaymentsOptions): ListedPayment {
  const isRecent = evidence !== 'received' && Date.parse(payment.updated_at) > before
  return {
    id: String(payment.payment_id),
    status: payment.payment_status,
    orderId: payment.order_id,
    price: unitsFrom(payment.price_amount),
    priceCurrency: payment.price_currency,
    due: unitsFrom(payment.pay_amount),
    paid: unitsFrom(payment.actually_paid),
    payCurrency: payment.pay_currency,
    evidence: !book ? 'unknown' : isRecent ? 'recent' : evidence,
  }
}

/** Converts a JSON number to units by its shortest text. */
function unitsFrom(amount: number): bigint {
  return parseUnits(decimalTextOf(amount) ?? '', amountScale)
}

/** Finds callbacks about payments that the gateway does not have; those outside the range are looked up. */
async function unlistedCallbacks({ source, book, range }: ReconcilePaymentsOptions, listed: ReadonlySet<string>) {
  if (!book) return []
  const since = range.from === undefined ? undefined : Date.parse(range.from)
  const rows = await listCallbacks(book, { channel: 'merchant-ipn', kind: 'payment', since })
  const about = new Map(rows.map((row) => [row.subject ?? '', row]))
  const findings: Finding[] = []
  for (const [paymentId, row] of about) {
    if (listed.has(paymentId) || (await isKnown(source, paymentId))) continue
    const message = 'A callback is about a payment that the gateway does not have'
    findings.push({ kind: 'unknown', paymentId, orderId: null, message, expected: null, found: row.event })
  }
  return findings
}

async function isKnown(source: PaymentSource, id: string): Promise<boolean> {
  try {
    await source.payment({ params: { payment_id: id } })
    return true
  } catch (error) {
    if (isProblem(error) && error.code === 'NOT_FOUND') return false
    throw error
  }
}

function doubtsAbout(listed: readonly ListedPayment[], book: Book | undefined, counted: number): string[] {
  const recent = listed.filter(({ evidence }) => evidence === 'recent').length
  return [
    // Fewer than counted: one moved between two pages. More than counted: one was deleted.
    ...(counted === listed.length
      ? []
      : [
          `The gateway counts ${countText(counted, 'payment')} but listed ${grouped(listed.length)}, because the list changed during the read`,
        ]),
    ...(book ? [] : ['There is no book, so received callbacks are unknown; "countroom ipn listen" stores them']),
    ...(recent > 0 ? [`${countText(recent, 'payment')} changed recently, so callbacks may be on their way`] : []),
  ]
}
