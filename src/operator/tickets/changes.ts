import { allTickets, changedSince, momentOf as moment, overlapMs, readInOrder, stampOf } from './list.ts'
import type { DeskTicket } from './parse.ts'
import type { TicketDesk, TicketListQuery } from './tickets-api.ts'

/** Incremental reading of changed tickets, for copies in other systems. */

/** Position of an earlier read. */
export interface ChangesCursor {
  /** Time of the latest change seen, epoch milliseconds. */
  readonly since: number
  /** Tickets of the last minute before it, with their versions. */
  readonly seen: Readonly<Record<string, string>>
}

/** Creates a cursor for all changes at or after a time. */
export const fromMoment = (since: number): ChangesCursor => ({ since: since + overlapMs, seen: {} })

const mostRounds = 3

/** Returns the changed tickets in their current state, in the order of changes, and the next cursor. */
export async function changedTickets(
  desk: TicketDesk,
  query: TicketListQuery,
  cursor: ChangesCursor | undefined,
): Promise<{ readonly tickets: readonly DeskTicket[]; readonly next: ChangesCursor; readonly isTold: boolean }> {
  const from = cursor === undefined ? 0 : Math.max(0, cursor.since - overlapMs)
  // Only our own instance has readable forms and the query for changes.
  const read = (await desk.forms()) ? await inOrder(desk, query, from) : (await allTickets(desk, [query])).tickets
  const hasTimes = read.every(({ updatedAt }) => !Number.isNaN(updatedAt))
  const recent = read.filter(({ updatedAt }) => !(updatedAt < from))
  const tickets = recent
    .filter((ticket) => cursor?.seen[ticket.ticketId] !== stampOf(ticket))
    .sort((a, b) => moment(a) - moment(b) || a.ticketNumber - b.ticketNumber)
  const since = recent.reduce((latest, ticket) => Math.max(latest, moment(ticket)), cursor?.since ?? 0)
  const seen = recent.filter((ticket) => moment(ticket) >= since - overlapMs)
  return {
    tickets,
    next: { since, seen: Object.fromEntries(seen.map((ticket) => [ticket.ticketId, stampOf(ticket)])) },
    isTold: hasTimes,
  }
}

/** Returns everything changed since a time; reads again if the list changed and is incomplete. */
async function inOrder(desk: TicketDesk, query: TicketListQuery, from: number): Promise<DeskTicket[]> {
  const found = new Map<string, DeskTicket>()
  for (let round = 1; round <= mostRounds; round++) {
    await readInOrder(desk, query, from, found)
    const { total } = await desk.page({ ...query, ...changedSince(from) }, 1, 1)
    if (total === null || found.size >= total) break
  }
  return [...found.values()]
}
