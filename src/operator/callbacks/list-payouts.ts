import { type Hearing, hearingOf } from '../../domain/reconcile/callback-evidence.ts'
import type { Client } from '../../http/contract/contract.ts'
import type { gateway } from '../../services/gateway/api/contract.ts'
import type { Payout } from '../../services/gateway/api/schemas.ts'
import type { Book } from '../book/book.ts'
import { listCallbacks } from './inbox.ts'
import { endless, type ListRange } from './list-payments.ts'

/** The calls of the gateway that are needed to know of payouts. */
export type PayoutSource = Pick<Client<typeof gateway>, 'payouts' | 'payout'>

/** The most a page can have. */
const pageSize = 500
/** More pages than any merchant has payouts for; what never ends is not read for ever. */
const mostPages = 20_000

/** All payouts of a range by the order of their creation, page after page; one that is listed twice is given once. */
export async function* listedPayouts(source: PayoutSource, { from, to }: ListRange): AsyncGenerator<Payout[]> {
  const seen = new Set<string>()
  for (let page = 0; page < mostPages; page++) {
    const range = { ...(from === undefined ? {} : { date_from: from }), ...(to === undefined ? {} : { date_to: to }) }
    const query = { limit: pageSize, page, order_by: 'dateCreated', order: 'asc', ...range }
    const { payouts } = await source.payouts({ query })
    const fresh = payouts.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    if (fresh.length > 0) yield fresh
    // A page may hold fewer than were asked for without being the last: only an empty one ends the list.
    if (payouts.length === 0) return
  }
  throw endless('payouts')
}

/** The payouts of an id: its own, or those of the batch that it names. */
export async function payoutsOfId(source: PayoutSource, id: string): Promise<readonly Payout[]> {
  const found = await source.payout({ params: { id } })
  return Array.isArray(found) ? found : found.withdrawals
}

/** The payouts with what the book heard of each. A payout has each of its statuses once, so the status tells the callback. */
export async function payoutsHeard(
  book: Book | undefined,
  payouts: readonly Payout[],
): Promise<{ readonly payout: Payout; readonly hearing: Hearing }[]> {
  const ids = payouts.map(({ id }) => id)
  const rows = book ? await listCallbacks(book, { channel: 'merchant-ipn', kind: 'payout', ids }) : []
  const about = Map.groupBy(rows, (row) => row.subject)
  return payouts.map((payout) => {
    const told = (about.get(payout.id) ?? []).map(({ event }) => ({ status: event, paid: 0 }))
    return { payout, hearing: hearingOf({ status: payout.status.toLowerCase(), paid: 0 }, told) }
  })
}
