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
import type { Book } from '../../book/book.ts'
import { listCallbacks } from '../../callbacks/inbox.ts'
import {
  heardOf,
  type ListRange,
  listedPayments,
  type PaymentHeard,
  type PaymentSource,
} from '../../callbacks/list-payments.ts'

export interface ReconcilePaymentsOptions {
  readonly source: PaymentSource
  /** The callbacks that came; nobody listened where there is no book. */
  readonly book: Book | undefined
  readonly orders: readonly Order[] | undefined
  readonly range: ListRange
  /** A callback about a change after this may still be on its way. */
  readonly before: number
  readonly onChecked: (count: number) => void
}

/** What the three sides come to. */
export interface PaymentsReconciled {
  readonly verdict: ReturnType<typeof paymentsVerdict>
  readonly payments: number
  /** Callbacks in the book about these payments. */
  readonly callbacks: number
  readonly orders: number | null
  readonly findings: readonly Finding[]
  /** How many of them, the last ones, only the orders showed. */
  readonly ofOrders: number
  /** Why an absence of differences would prove nothing. */
  readonly doubts: readonly string[]
}

/** Compares the gateway's list with the callbacks in the book and with the merchant's orders. Changes nothing anywhere. */
export async function reconcilePayments(options: ReconcilePaymentsOptions): Promise<PaymentsReconciled> {
  const { source, book, orders, range, onChecked } = options
  const listed: ListedPayment[] = []
  let callbacks = 0
  let counted = 0
  for await (const { payments, total } of listedPayments(source, range)) {
    counted = total
    for (const heard of await heardOf(book, payments)) {
      listed.push(toListed(heard, options))
      callbacks += heard.callbacks.length
    }
    onChecked(listed.length)
  }
  const ofOrders = orders ? findingsOfOrders(orders, listed) : []
  const findings = [
    ...listed.flatMap(findingsOf),
    ...(await strangers(options, new Set(listed.map(({ id }) => id)))),
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

function toListed({ payment, hearing }: PaymentHeard, { book, before }: ReconcilePaymentsOptions): ListedPayment {
  const isRecent = hearing !== 'heard' && Date.parse(payment.updated_at) > before
  return {
    id: String(payment.payment_id),
    status: payment.payment_status,
    orderId: payment.order_id,
    price: unitsFrom(payment.price_amount),
    priceCurrency: payment.price_currency,
    due: unitsFrom(payment.pay_amount),
    paid: unitsFrom(payment.actually_paid),
    payCurrency: payment.pay_currency,
    hearing: !book ? 'unknown' : isRecent ? 'recent' : hearing,
  }
}

/** The units of a JSON number, read from its shortest text. */
function unitsFrom(amount: number): bigint {
  return parseUnits(decimalTextOf(amount) ?? '', amountScale)
}

/** Callbacks about payments that the gateway does not know; one outside of the range was only not listed. */
async function strangers({ source, book, range }: ReconcilePaymentsOptions, listed: ReadonlySet<string>) {
  if (!book) return []
  const since = range.from === undefined ? undefined : Date.parse(range.from)
  const rows = await listCallbacks(book, { channel: 'merchant-ipn', kind: 'payment', since })
  const about = new Map(rows.map((row) => [row.subject ?? '', row]))
  const findings: Finding[] = []
  for (const [paymentId, row] of about) {
    if (listed.has(paymentId) || (await isKnown(source, paymentId))) continue
    const message = 'A callback came about a payment that the gateway does not know'
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
  const recent = listed.filter(({ hearing }) => hearing === 'recent').length
  return [
    // Fewer than there are: one slipped past between two pages. More than there are: one was taken away.
    ...(counted === listed.length
      ? []
      : [`The gateway counts ${counted} payments and its list gave ${listed.length}: it changed while it was read`]),
    ...(book ? [] : ['There is no book, so nobody can say which callbacks came: "countroom ipn listen" keeps them']),
    ...(recent > 0 ? [`${recent} payments changed a moment ago, and their callbacks may be on their way`] : []),
  ]
}
