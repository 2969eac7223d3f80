import { distinctiveWords, duplicatesOf, type Suspicion } from '../../domain/tickets/duplicates.ts'
import { isProblem } from '../../kit/problem.ts'
import type { ListPage, RemoteTicket } from './parse.ts'
import type { TicketListQuery, TicketsApi } from './tickets-api.ts'

/** Finds earlier tickets that a ticket may duplicate, with a limited number of list requests. */

export interface Suspects {
  readonly suspects: readonly Suspicion<RemoteTicket>[]
  /** Number of tickets compared. */
  readonly looked: number
  /** Total number of tickets; null if the instance does not return it. */
  readonly total: number | null
  /** Keywords searched in all tickets. */
  readonly words: readonly string[]
}

const pageSize = 100
/**
 * Maximum number of pages per search, and of searches. With the newest tickets and the customer's own, that is at most
 * 8 requests.
 */
const maxPages = 2
const maxSearches = 3
/** Time during which the newest tickets are not read again. */
const freshMs = 60_000

/** Creates a finder for one session, which caches what is the same for all tickets. */
export function openSuspects(ticketsApi: TicketsApi, now: () => number = () => performance.now()) {
  let latest: { readonly at: number; readonly page: Promise<ListPage> } | undefined
  const latestPage = (): Promise<ListPage> => {
    if (latest === undefined || now() - latest.at > freshMs) {
      const read = { at: now(), page: ticketsApi.page({}, 1, pageSize) }
      latest = read
      read.page.catch(() => {
        if (latest === read) latest = undefined
      })
    }
    return latest.page
  }

  async function pagesOf(query: TicketListQuery): Promise<RemoteTicket[]> {
    const items: RemoteTicket[] = []
    for (let page = 1; page <= maxPages; page++) {
      const read = await ticketsApi.page(query, page, pageSize)
      items.push(...read.items)
      if (read.hasMore === false || read.items.length < pageSize) break
    }
    return items
  }

  // A search that the instance rejects is replaced by the other searches.
  const orNone = (error: unknown): RemoteTicket[] => {
    if (isProblem(error) && [400, 404, 422, 501].includes(Number(error.detail['status']))) return []
    throw error
  }

  return async function suspectsOf(ticket: RemoteTicket): Promise<Suspects> {
    const { customerAccount } = ticket
    const recent = await latestPage()
    const words = distinctiveWords(ticket, recent.items)
    // All words together find an exact repetition of any age; two single words find other wordings.
    const keywords = [...new Set([words.join(' '), ...words.slice(0, maxSearches - 1)])].filter((word) => word !== '')
    const results = await Promise.all([
      ...(customerAccount === null
        ? []
        : [ticketsApi.page({ customerAccount }, 1, pageSize).then(({ items }) => items)]),
      ...keywords.map((keyword) => pagesOf({ keyword }).catch(orNone)),
    ])
    const candidates = new Map([...recent.items, ...results.flat()].map((each) => [each.ticketId, each]))
    candidates.delete(ticket.ticketId)
    return {
      suspects: duplicatesOf(ticket, [...candidates.values()]),
      looked: candidates.size,
      total: recent.total ?? (recent.hasMore === false ? recent.items.length : null),
      words,
    }
  }
}
