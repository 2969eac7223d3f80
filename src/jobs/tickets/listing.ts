import type { TicketDesk, TicketListQuery } from './desk.ts'
import type { DeskTicket } from './reading.ts'

/** Whole lists, by the document's pages. */

export interface Listed {
  readonly tickets: readonly DeskTicket[]
  /** How many there are; null where the instance does not tell. */
  readonly total: number | null
  readonly pages: number
}

/** The document names no largest page; 100 is what most take. */
const pageSize = 100
/** A list longer than this is no work list. */
const mostPages = 10_000
/** While others work, a ticket may jump from a page to come to one already read; then all is read over, so often at most. */
const mostRounds = 3

/** Tickets up to a limit, in the instance's own order. */
export async function listTickets(desk: TicketDesk, query: TicketListQuery, limit: number): Promise<Listed> {
  const size = Math.min(limit, pageSize)
  const found = new Map<string, DeskTicket>()
  let total: number | null = null
  let pages = 0
  for (let page = 1; page <= mostPages && found.size < limit; page++) {
    const read = await desk.page(query, page, size)
    const before = found.size
    for (const ticket of read.items) found.set(ticket.ticketId, ticket)
    total = read.total ?? total
    pages++
    const isEnd = read.hasMore === false || (read.hasMore === null && read.items.length < size && read.total === null)
    // A page that brings nothing new ends it too: an instance that ignores `page` would give the first for ever.
    if (isEnd || read.items.length === 0 || (found.size === before && read.hasMore !== true)) break
    if (read.hasMore === null && total !== null && found.size >= total) break
  }
  return { tickets: [...found.values()].slice(0, limit), total, pages }
}

/** All tickets there are, once each: read over when the list moved while it was read. */
export async function allTickets(
  desk: TicketDesk,
  queries: readonly TicketListQuery[],
  onPage: (read: number) => void = () => {},
): Promise<DeskTicket[]> {
  const found = new Map<string, DeskTicket>()
  for (const query of queries) {
    for (let round = 1; round <= mostRounds; round++) {
      const { tickets, total } = await listTickets(desk, query, mostPages * pageSize)
      for (const ticket of tickets) found.set(ticket.ticketId, ticket)
      onPage(found.size)
      if (total === null || tickets.length >= total) break
    }
  }
  return [...found.values()]
}
