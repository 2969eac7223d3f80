import type { BookCallbackRow } from '../../db/schema/book.ts'
import { type Hearing, hearingOf, type PaymentNow } from '../../domain/reconcile/callback-evidence.ts'
import type { Client } from '../../http/contract/contract.ts'
import { remoteCodes } from '../../http/contract/wire-types.ts'
import { Problem } from '../../kit/problem.ts'
import type { gateway } from '../../services/gateway/api/contract.ts'
import type { Payment } from '../../services/gateway/api/schemas.ts'
import type { Book } from '../book/book.ts'
import { bytesOf, listCallbacks } from './inbox.ts'
import { fieldsOf } from './parse.ts'

/** The calls of the gateway that are needed to know of payments. */
export type PaymentSource = Pick<Client<typeof gateway>, 'payments' | 'payment'>

/** The most a page can have. */
const pageSize = 500
/** More pages than any merchant has payments for; what never ends is not read for ever. */
const mostPages = 20_000

/** One payment, with the callbacks of the book about it and what they come to. */
export interface PaymentHeard {
  readonly payment: Payment
  readonly callbacks: readonly BookCallbackRow[]
  readonly hearing: Hearing
}

export interface ListRange {
  /** Created since then, and until then: ISO. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** What one page of the list gave. */
export interface ListedPage {
  /** Those that were on no page before. */
  readonly payments: readonly Payment[]
  /** How many the gateway said there were in all, when it gave this page. */
  readonly total: number
}

/**
 * All payments of a range by the order of their creation, page after page. What is created meanwhile comes at the end, and
 * moves nothing that was not read yet; one that is listed twice all the same is given once. The last page, which is empty, is given too: its total
 * is what the gateway counted when everything had been read.
 */
export async function* listedPayments(source: PaymentSource, { from, to }: ListRange): AsyncGenerator<ListedPage> {
  const seen = new Set<number>()
  for (let page = 0; page < mostPages; page++) {
    const range = { ...(from === undefined ? {} : { dateFrom: from }), ...(to === undefined ? {} : { dateTo: to }) }
    const query = { limit: pageSize, page, sortBy: 'created_at', orderBy: 'asc', ...range }
    const { data, total } = await source.payments({ query })
    const fresh = data.filter(({ payment_id: id }) => !seen.has(id))
    for (const { payment_id: id } of fresh) seen.add(id)
    yield { payments: fresh, total }
    // A page may hold fewer than were asked for without being the last: only an empty one ends the list.
    if (data.length === 0) return
  }
  throw endless('payments')
}

/** The refusal to take a list for read that has not come to an end. */
export function endless(what: string): Problem {
  const message = `The gateway's list of ${what} did not end after ${mostPages} pages of ${pageSize}: narrow it with --since`
  return new Problem(remoteCodes.unintelligible, message, { pages: mostPages })
}

/** The payments with what the book heard of each. */
export async function heardOf(book: Book | undefined, payments: readonly Payment[]): Promise<PaymentHeard[]> {
  const ids = payments.map(({ payment_id: id }) => String(id))
  const rows = book ? await listCallbacks(book, { channel: 'merchant-ipn', kind: 'payment', ids }) : []
  const about = Map.groupBy(rows, (row) => row.subject)
  return payments.map((payment) => {
    const callbacks = about.get(String(payment.payment_id)) ?? []
    const now = { status: payment.payment_status, paid: payment.actually_paid }
    return { payment, callbacks, hearing: hearingOf(now, callbacks.map(toldBy)) }
  })
}

function toldBy(row: BookCallbackRow): PaymentNow {
  const paid = fieldsOf(bytesOf(row))?.['actually_paid']
  return { status: row.event, paid: Number(paid) }
}
