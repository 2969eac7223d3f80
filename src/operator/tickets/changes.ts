import { allTickets, changedSince, momentOf as moment, overlapMs, readInOrder, stampOf } from './list.ts'
import type { DeskTicket } from './parse.ts'
import type { TicketDesk, TicketListQuery } from './tickets-api.ts'

/** What changed since it was last looked at, for whoever keeps a copy of the tickets elsewhere. */

/** How far an earlier look came. */
export interface ChangesCursor {
  /** The latest change that was seen, epoch milliseconds. */
  readonly since: number
  /** What was seen of the last minute before it, each ticket with what tells its states apart. */
  readonly seen: Readonly<Record<string, string>>
}

/** A cursor for all that changed at that moment or later. */
export const fromMoment = (since: number): ChangesCursor => ({ since: since + overlapMs, seen: {} })

const mostRounds = 3

/** The tickets that changed since, each once and as it is now, in the order of their changes; and where the next look goes on. */
export async function changedTickets(
  desk: TicketDesk,
  query: TicketListQuery,
  cursor: ChangesCursor | undefined,
): Promise<{ readonly tickets: readonly DeskTicket[]; readonly next: ChangesCursor; readonly isTold: boolean }> {
  const from = cursor === undefined ? 0 : Math.max(0, cursor.since - overlapMs)
  // Only our own instance has forms to read, and lets itself be asked for what changed.
  const read = (await desk.forms()) ? await inOrder(desk, query, from) : (await allTickets(desk, [query])).tickets
  const isTold = read.every(({ updatedAt }) => !Number.isNaN(updatedAt))
  const recent = read.filter(({ updatedAt }) => !(updatedAt < from))
  const tickets = recent
    .filter((ticket) => cursor?.seen[ticket.ticketId] !== stampOf(ticket))
    .sort((a, b) => moment(a) - moment(b) || a.ticketNumber - b.ticketNumber)
  const since = recent.reduce((latest, ticket) => Math.max(latest, moment(ticket)), cursor?.since ?? 0)
  const seen = recent.filter((ticket) => moment(ticket) >= since - overlapMs)
  return {
    tickets,
    next: { since, seen: Object.fromEntries(seen.map((ticket) => [ticket.ticketId, stampOf(ticket)])) },
    isTold,
  }
}

/** All that changed from a moment on; read over where the list moved while it was read and came out short. */
async function inOrder(desk: TicketDesk, query: TicketListQuery, from: number): Promise<DeskTicket[]> {
  const found = new Map<string, DeskTicket>()
  for (let round = 1; round <= mostRounds; round++) {
    await readInOrder(desk, query, from, found)
    const { total } = await desk.page({ ...query, ...changedSince(from) }, 1, 1)
    if (total === null || found.size >= total) break
  }
  return [...found.values()]
}
