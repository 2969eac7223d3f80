import type { ListPage, RemoteTicket } from './parse.ts'
import type { TicketListQuery, TicketsApi } from './tickets-api.ts'

/** Complete lists over pages, also while tickets change. */

export interface Listed {
  readonly tickets: readonly RemoteTicket[]
  /** Total number; null if the instance does not return it. */
  readonly total: number | null
  readonly pages: number
}

/** Called with new tickets; false stops the read. */
export type Take = (tickets: readonly RemoteTicket[]) => Promise<boolean> | boolean

/** Page size. The document has no maximum; most instances accept 100. */
const pageSize = 100
/** Maximum number of pages in one read. */
const maxPages = 10_000
/** Maximum number of reads of a list that keeps changing. */
const maxRounds = 3
/**
 * Overlap of incremental reads: a change can become visible shortly after one with a later time, because writers do not wait for
 * each other. So the minute before the latest change is read again.
 */
export const overlapMs = 60_000

/**
 * Called after each page with the number of tickets read so far. `total` is the number that match the page's query, if
 * the instance returns it.
 */
export type OnPage = (read: number, total: number | null) => void

const takeAll: Take = () => true

/** Reads tickets up to a limit, in the order of the instance. */
export async function listTickets(
  ticketsApi: TicketsApi,
  query: TicketListQuery,
  limit: number,
  take: Take = takeAll,
): Promise<Listed> {
  const ticketsById = new Map<string, RemoteTicket>()
  let total: number | null = null
  let pages = 0
  await eachPage(ticketsApi, query, Math.min(limit, pageSize), async (read) => {
    const fresh = read.items.filter(({ ticketId }) => !ticketsById.has(ticketId)).slice(0, limit - ticketsById.size)
    for (const ticket of read.items) if (ticketsById.has(ticket.ticketId)) ticketsById.set(ticket.ticketId, ticket)
    for (const ticket of fresh) ticketsById.set(ticket.ticketId, ticket)
    total = read.total ?? total
    pages++
    return (await take(fresh)) && ticketsById.size < limit
  })
  return { tickets: [...ticketsById.values()], total, pages }
}

/** Reads pages until the list ends or `take` returns false. `take` gets each page, and whether it is the last. */
async function eachPage(
  ticketsApi: TicketsApi,
  query: TicketListQuery,
  size: number,
  take: (read: ListPage, isLast: boolean) => Promise<boolean>,
): Promise<void> {
  const seen = new Set<string>()
  for (let page = 1; page <= maxPages; page++) {
    const read = await ticketsApi.page(query, page, size)
    const before = seen.size
    for (const { ticketId } of read.items) seen.add(ticketId)
    const isEnd =
      read.hasMore === false ||
      read.items.length === 0 ||
      // A page without new tickets ends the read: an instance that ignores `page` returns the first page forever.
      (seen.size === before && read.hasMore !== true) ||
      (read.hasMore === null && (read.total === null ? read.items.length < size : seen.size >= read.total))
    if (!(await take(read, isEnd)) || isEnd) return
  }
}

export interface AllTickets {
  readonly tickets: readonly RemoteTicket[]
  /** False if the list changed during every read, so that tickets may be missing. */
  readonly isWhole: boolean
}

/**
 * Reads all tickets of any of the queries, without duplicates. While others work, a ticket can move to a page that was
 * already read. If the instance supports the query for changes, changes are read afterwards. If the count then still
 * differs, the list is read by time instead of pages. On other instances a list with a changed count is read again.
 */
export async function allTickets(
  ticketsApi: TicketsApi,
  queries: readonly TicketListQuery[],
  { take = takeAll, onPage = () => {} }: { take?: Take; onPage?: OnPage } = {},
): Promise<AllTickets> {
  const collected: Collected = { ticketsById: new Map(), take, onPage, wantsMore: true }
  const reads: Read[] = []
  let began: Promise<number | undefined> | undefined
  for (const query of queries) {
    const read = await readPages(ticketsApi, query, collected, async (isLast) => {
      // One page is consistent; a list can change from the second request on.
      if (!isLast || queries.length > 1) began ??= latestChange(ticketsApi)
      await began
    })
    reads.push(read)
    if (!collected.wantsMore) return { tickets: [...collected.ticketsById.values()], isWhole: true }
  }
  if (began === undefined) return { tickets: [...collected.ticketsById.values()], isWhole: true }
  const since = await began
  return since === undefined
    ? readOver(ticketsApi, collected, reads)
    : addLaterChanges(ticketsApi, collected, reads, since)
}

interface Collected {
  readonly ticketsById: Map<string, RemoteTicket>
  readonly take: Take
  readonly onPage: OnPage
  wantsMore: boolean
}

/** Result of reading the pages of a query. */
interface Read {
  readonly query: TicketListQuery
  readonly ids: ReadonlySet<string>
  /** True if the count did not change and equals the number of tickets. */
  readonly isSteady: boolean
}

async function put(collected: Collected, tickets: readonly RemoteTicket[], total: number | null = null): Promise<void> {
  const fresh = tickets.filter(({ ticketId }) => !collected.ticketsById.has(ticketId))
  for (const ticket of tickets) collected.ticketsById.set(ticket.ticketId, ticket)
  if (fresh.length > 0 && !(await collected.take(fresh))) collected.wantsMore = false
  collected.onPage(collected.ticketsById.size, total)
}

async function readPages(
  ticketsApi: TicketsApi,
  query: TicketListQuery,
  collected: Collected,
  between: (isLast: boolean) => Promise<void> = async () => {},
): Promise<Read> {
  const ids = new Set<string>()
  const totals = new Set<number | null>()
  let came = 0
  await eachPage(ticketsApi, query, pageSize, async ({ items, total }, isLast) => {
    for (const { ticketId } of items) ids.add(ticketId)
    came += items.length
    totals.add(total)
    await put(collected, items, total)
    if (collected.wantsMore) await between(isLast)
    return collected.wantsMore
  })
  const [total = null] = totals
  return { query, ids, isSteady: totals.size <= 1 && came === ids.size && (total === null || total === ids.size) }
}

/** Returns the time of the latest change; undefined if the instance does not support the query for changes. */
async function latestChange(ticketsApi: TicketsApi): Promise<number | undefined> {
  // Only our own instance has readable forms and the query for changes.
  if (!(await ticketsApi.forms())) return undefined
  const [latest] = (await ticketsApi.page({}, 1, 1)).items
  return latest === undefined || Number.isNaN(latest.updatedAt) ? undefined : latest.updatedAt
}

/** Reads a list again until its count does not change. */
async function readOver(ticketsApi: TicketsApi, collected: Collected, first: readonly Read[]): Promise<AllTickets> {
  const known = new Set<string>()
  let isWhole = true
  for (const read of first) {
    const ids = new Set(read.ids)
    let last = read
    for (let round = 2; !last.isSteady && round <= maxRounds && collected.wantsMore; round++) {
      last = await readPages(ticketsApi, last.query, collected)
      for (const id of last.ids) ids.add(id)
    }
    isWhole &&= last.isSteady
    // Tickets that a stable list no longer has do not belong to it anymore.
    for (const id of last.isSteady ? last.ids : ids) known.add(id)
  }
  return { tickets: [...collected.ticketsById.values()].filter(({ ticketId }) => known.has(ticketId)), isWhole }
}

/** Adds changes since the start of the read; if tickets are missing, reads the list in the order of changes. */
async function addLaterChanges(
  ticketsApi: TicketsApi,
  collected: Collected,
  reads: readonly Read[],
  began: number,
): Promise<AllTickets> {
  const { ticketsById } = collected
  const queries = reads.map(({ query }) => query)
  const ticketsOfQuery = (query: TicketListQuery) =>
    [...ticketsById.values()].filter((ticket) => hasStatus(ticket, query))
  const all = () => [...ticketsById.values()].filter((ticket) => queries.some((query) => hasStatus(ticket, query)))
  // Without the status filter, because a ticket that left the list has another status.
  const wide = [...new Set(queries.map(({ status: _status, ...rest }) => JSON.stringify(rest)))]
  let isSteady = reads.every((read) => read.isSteady)
  for (let round = 1; round <= maxRounds && collected.wantsMore; round++) {
    const changed = new Map<string, RemoteTicket>()
    for (const query of wide) await readInOrder(ticketsApi, JSON.parse(query), Math.max(0, began - overlapMs), changed)
    const newer = [...changed.values()].filter((ticket) => {
      const known = ticketsById.get(ticket.ticketId)
      return known === undefined
        ? queries.some((query) => hasStatus(ticket, query))
        : stampOf(known) !== stampOf(ticket)
    })
    if (isSteady && newer.length === 0) return { tickets: all(), isWhole: true }
    await put(collected, newer)
    let missing = 0
    for (const query of queries) {
      const { total } = await ticketsApi.page(query, 1, 1)
      if (total === null || total === ticketsOfQuery(query).length) continue
      missing++
      const read = new Map<string, RemoteTicket>()
      await readInOrder(ticketsApi, query, 0, read)
      await put(collected, [...read.values()])
    }
    // Reading in the order of changes misses nothing; the next round shows further changes.
    isSteady = missing === 0
    if (isSteady) return { tickets: all(), isWhole: true }
  }
  return { tickets: all(), isWhole: false }
}

function hasStatus({ status }: RemoteTicket, query: TicketListQuery): boolean {
  return query.status === undefined || query.status.split(',').some((code) => code.trim() === status)
}

/** Returns a key of a ticket's state. */
export const stampOf = ({ version, updatedAt, status }: RemoteTicket): string =>
  version === null ? `${updatedAt} ${status}` : String(version)

export const momentOf = ({ updatedAt }: RemoteTicket): number => (Number.isNaN(updatedAt) ? 0 : updatedAt)

/** Query for changes at or after a time, in their order. */
export const changedSince = (at: number) => ({
  updatedSince: new Date(at).toISOString(),
  sort: 'updatedAt' as const,
})

/**
 * Reads by time of change instead of page numbers. A ticket that changes during the read moves to the end, and would
 * move another one to a page that was already read.
 */
export async function readInOrder(
  ticketsApi: TicketsApi,
  query: TicketListQuery,
  from: number,
  ticketsById: Map<string, RemoteTicket>,
  onPage: OnPage = () => {},
): Promise<void> {
  let since = from
  let page = 1
  for (let pageCount = 0; pageCount < maxPages; pageCount++) {
    const { items, hasMore, total } = await ticketsApi.page({ ...query, ...changedSince(since) }, page, pageSize)
    for (const ticket of items) ticketsById.set(ticket.ticketId, ticket)
    onPage(ticketsById.size, total)
    if (hasMore !== true) return
    const latest = Math.max(...items.map(momentOf))
    // More tickets than a page can have the same time: then the pages of that time are read.
    page = latest > since ? 1 : page + 1
    since = Math.max(since, latest)
  }
}
