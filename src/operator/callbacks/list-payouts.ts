import { type CallbackEvidence, callbackEvidenceOf } from '../../domain/reconcile/callback-evidence.ts'
import type { Client } from '../../http/contract/contract.ts'
import type { gateway } from '../../services/gateway/api/contract.ts'
import type { Payout } from '../../services/gateway/api/schemas.ts'
import type { Book } from '../book/book.ts'
import { listCallbacks } from './inbox.ts'
import { type ListRange, tooManyPages } from './list-payments.ts'

/** Gateway calls for payouts. */
export type PayoutSource = Pick<Client<typeof gateway>, 'payouts' | 'payout'>

/** Maximum page size. */
const pageSize = 500
/** Maximum number of pages, for a list that never ends. */
const maxPages = 20_000

/** Reads all payouts of a range in the order of creation, without duplicates. */
export async function* listedPayouts(source: PayoutSource, { from, to }: ListRange): AsyncGenerator<Payout[]> {
  const seen = new Set<string>()
  for (let page = 0; page < maxPages; page++) {
    const range = { ...(from === undefined ? {} : { date_from: from }), ...(to === undefined ? {} : { date_to: to }) }
    const query = { limit: pageSize, page, order_by: 'dateCreated', order: 'asc', ...range }
    const { payouts } = await source.payouts({ query })
    const fresh = payouts.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    if (fresh.length > 0) yield fresh
    // A page can have fewer entries than requested; only an empty page ends the list.
    if (payouts.length === 0) return
  }
  throw tooManyPages('payouts')
}

/** Returns the payout of an ID, or the payouts of a batch. */
export async function payoutsOfId(source: PayoutSource, id: string): Promise<readonly Payout[]> {
  const response = await source.payout({ params: { id } })
  return Array.isArray(response) ? response : response.withdrawals
}

/** Returns the payouts with their callbacks in the book. A payout has each status once, so the status identifies the callback. */
export async function callbacksOfPayouts(
  book: Book | undefined,
  payouts: readonly Payout[],
): Promise<{ readonly payout: Payout; readonly evidence: CallbackEvidence }[]> {
  const ids = payouts.map(({ id }) => id)
  const rows = book ? await listCallbacks(book, { channel: 'merchant-ipn', kind: 'payout', ids }) : []
  const about = Map.groupBy(rows, (row) => row.subject)
  return payouts.map((payout) => {
    const reported = (about.get(payout.id) ?? []).map(({ event }) => ({ status: event, paid: 0 }))
    return { payout, evidence: callbackEvidenceOf({ status: payout.status.toLowerCase(), paid: 0 }, reported) }
  })
}
