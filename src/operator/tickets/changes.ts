import { Problem } from '../../kit/problem.ts'
import { allTickets, changedSince, momentOf as moment, type OnPage, overlapMs, readInOrder, stampOf } from './list.ts'
import type { RemoteTicket } from './parse.ts'
import type { TicketListQuery, TicketsApi } from './tickets-api.ts'

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

const fileKind = 'countroom ticket export'

/** Returns the content of a position file. It names the filter, because the position of another one would skip tickets. */
export const positionText = (filter: string, cursor: ChangesCursor): string =>
  `${JSON.stringify({ kind: fileKind, asksFor: filter, ...cursor })}\n`

/** Reads a position file that an export with the same filter wrote. */
export function positionFrom(text: string, filter: string, file: string): ChangesCursor {
  const invalid = (reason: string) => new Problem('INVALID_FILE', `${file}: ${reason}`, { file })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('not a position file of "tickets export"')
  }
  const content = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  if (content['kind'] !== fileKind || typeof content['since'] !== 'number' || typeof content['seen'] !== 'object')
    throw invalid('not a position file of "tickets export"')
  if (content['asksFor'] !== filter) throw invalid('belongs to an export with other filters')
  // Only an export writes files of this kind.
  return { since: content['since'], seen: (content['seen'] ?? {}) as Record<string, string> }
}

const maxRounds = 3

/** Returns the changed tickets in their current state, in the order of changes, and the next cursor. */
export async function changedTickets(
  ticketsApi: TicketsApi,
  query: TicketListQuery,
  cursor: ChangesCursor | undefined,
  onPage: OnPage = () => {},
): Promise<{ readonly tickets: readonly RemoteTicket[]; readonly next: ChangesCursor; readonly haveTimes: boolean }> {
  const from = cursor === undefined ? 0 : Math.max(0, cursor.since - overlapMs)
  // Only our own instance has readable forms and the query for changes.
  const isOurs = (await ticketsApi.forms()) !== undefined
  const read = isOurs
    ? await inOrder(ticketsApi, query, { from, onPage })
    : (await allTickets(ticketsApi, [query], { onPage })).tickets
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
    haveTimes: hasTimes,
  }
}

/** Returns everything changed since a time; reads again if the list changed and is incomplete. */
async function inOrder(
  ticketsApi: TicketsApi,
  query: TicketListQuery,
  { from, onPage }: { readonly from: number; readonly onPage: OnPage },
): Promise<RemoteTicket[]> {
  const ticketsById = new Map<string, RemoteTicket>()
  for (let round = 1; round <= maxRounds; round++) {
    await readInOrder(ticketsApi, query, from, ticketsById, onPage)
    const { total } = await ticketsApi.page({ ...query, ...changedSince(from) }, 1, 1)
    if (total === null || ticketsById.size >= total) break
  }
  return [...ticketsById.values()]
}
