import type { BookCallbackRow } from '../../db/schema/book.ts'
import { type CallbackEvidence, callbackEvidenceOf, type PaymentNow } from '../../domain/reconcile/callback-evidence.ts'
import type { Client } from '../../http/contract/contract.ts'
import { remoteCodes } from '../../http/contract/wire-types.ts'
import { Problem } from '../../kit/problem.ts'
import type { gateway } from '../../services/gateway/api/contract.ts'
import type { Payment } from '../../services/gateway/api/schemas.ts'
import type { Book } from '../book/book.ts'
import { bytesOf, listCallbacks } from './inbox.ts'
import { fieldsOf } from './parse.ts'

/** Gateway calls for payments. */
export type PaymentSource = Pick<Client<typeof gateway>, 'payments' | 'payment'>

/** Maximum page size. */
const pageSize = 500
/** Maximum number of pages, for a list that never ends. */
const maxPages = 20_000

/** A payment, its callbacks in the book, and their state. */
export interface PaymentCallbacks {
  readonly payment: Payment
  readonly callbacks: readonly BookCallbackRow[]
  readonly evidence: CallbackEvidence
}

export interface ListRange {
  /** Range of creation times (ISO). */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** One page of the list. */
export interface ListedPage {
  /** Payments that were on no earlier page. */
  readonly payments: readonly Payment[]
  /** Total number reported with this page. */
  readonly total: number
}

/**
 * Reads all payments of a range in the order of creation. New ones are added at the end and move nothing; duplicates are
 * skipped. The last page, which is empty, is returned too, because its total counts everything.
 */
export async function* listedPayments(source: PaymentSource, { from, to }: ListRange): AsyncGenerator<ListedPage> {
  const seen = new Set<number>()
  for (let page = 0; page < maxPages; page++) {
    const range = { ...(from === undefined ? {} : { dateFrom: from }), ...(to === undefined ? {} : { dateTo: to }) }
    const query = { limit: pageSize, page, sortBy: 'created_at', orderBy: 'asc', ...range }
    const { data, total } = await source.payments({ query })
    const fresh = data.filter(({ payment_id: id }) => !seen.has(id))
    for (const { payment_id: id } of fresh) seen.add(id)
    yield { payments: fresh, total }
    // A page can have fewer entries than requested; only an empty page ends the list.
    if (data.length === 0) return
  }
  throw tooManyPages('payments')
}

/** Creates the problem for a list that does not end. */
export function tooManyPages(resource: string): Problem {
  const message = `The gateway's list of ${resource} did not end after ${maxPages} pages of ${pageSize}. Narrow it with --since`
  return new Problem(remoteCodes.unintelligible, message, { pages: maxPages })
}

/** Returns the payments with their callbacks in the book. */
export async function callbacksOfPayments(
  book: Book | undefined,
  payments: readonly Payment[],
): Promise<PaymentCallbacks[]> {
  const ids = payments.map(({ payment_id: id }) => String(id))
  const rows = book ? await listCallbacks(book, { channel: 'merchant-ipn', kind: 'payment', ids }) : []
  const about = Map.groupBy(rows, (row) => row.subject)
  return payments.map((payment) => {
    const callbacks = about.get(String(payment.payment_id)) ?? []
    const now = { status: payment.payment_status, paid: payment.actually_paid }
    return { payment, callbacks, evidence: callbackEvidenceOf(now, callbacks.map(paymentIn)) }
  })
}

function paymentIn(row: BookCallbackRow): PaymentNow {
  const paid = fieldsOf(bytesOf(row))?.['actually_paid']
  return { status: row.event, paid: Number(paid) }
}
