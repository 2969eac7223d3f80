import type { DeskTicket, ListPage } from './parse.ts'
import type { TicketDesk, TicketListQuery } from './tickets-api.ts'

/** Whole lists, by the document's pages, also of a desk that is worked on while it is read. */

export interface Listed {
  readonly tickets: readonly DeskTicket[]
  /** How many there are; null where the instance does not tell. */
  readonly total: number | null
  readonly pages: number
}

/** Called with the tickets that were not seen before, as they come; false ends the reading. */
export type Take = (tickets: readonly DeskTicket[]) => Promise<boolean> | boolean

/** The document names no largest page; 100 is what most take. */
const pageSize = 100
/** A list longer than this is no work list. */
const mostPages = 10_000
/** How often a list that moves is gone after; a desk that never stands still is told as it was last seen. */
const mostRounds = 3
/**
 * A change may become visible a little after one that bears a later moment, since writers do not wait for each other. So the
 * minute before the latest change is looked at again.
 */
export const overlapMs = 60_000

const takeAll: Take = () => true

/** Tickets up to a limit, in the instance's own order. */
export async function listTickets(
  desk: TicketDesk,
  query: TicketListQuery,
  limit: number,
  take: Take = takeAll,
): Promise<Listed> {
  const found = new Map<string, DeskTicket>()
  let total: number | null = null
  let pages = 0
  await eachPage(desk, query, Math.min(limit, pageSize), async (read) => {
    const fresh = read.items.filter(({ ticketId }) => !found.has(ticketId)).slice(0, limit - found.size)
    for (const ticket of read.items) if (found.has(ticket.ticketId)) found.set(ticket.ticketId, ticket)
    for (const ticket of fresh) found.set(ticket.ticketId, ticket)
    total = read.total ?? total
    pages++
    return (await take(fresh)) && found.size < limit
  })
  return { tickets: [...found.values()], total, pages }
}

/** Goes through a list's pages until it ends or no more are wanted; says whether that was its end. */
async function eachPage(
  desk: TicketDesk,
  query: TicketListQuery,
  size: number,
  take: (read: ListPage, isLast: boolean) => Promise<boolean>,
): Promise<void> {
  const seen = new Set<string>()
  for (let page = 1; page <= mostPages; page++) {
    const read = await desk.page(query, page, size)
    const before = seen.size
    for (const { ticketId } of read.items) seen.add(ticketId)
    const isEnd =
      read.hasMore === false ||
      read.items.length === 0 ||
      // A page that brings nothing new ends it too: an instance that ignores `page` would give the first for ever.
      (seen.size === before && read.hasMore !== true) ||
      (read.hasMore === null && (read.total === null ? read.items.length < size : seen.size >= read.total))
    if (!(await take(read, isEnd)) || isEnd) return
  }
}

export interface AllTickets {
  readonly tickets: readonly DeskTicket[]
  /** False where the list moved whenever it was read, so that some may be missing. */
  readonly isWhole: boolean
}

/**
 * All tickets that any of the queries means, once each. While others work, a ticket may slip from a page to come to one that
 * was read already. Where the instance tells what changed since, that is asked for when the pages are through, and where the
 * count is still another the list is read by moments instead of pages; elsewhere a list whose count moved is read over.
 */
export async function allTickets(
  desk: TicketDesk,
  queries: readonly TicketListQuery[],
  { take = takeAll, onPage = () => {} }: { take?: Take; onPage?: (read: number) => void } = {},
): Promise<AllTickets> {
  const gathered: Gathered = { found: new Map(), take, onPage, isWanted: true }
  const reads: Read[] = []
  let began: Promise<number | undefined> | undefined
  for (const query of queries) {
    const read = await readPages(desk, query, gathered, async (isLast) => {
      // A single page is of one moment; from the second request on the list may move.
      if (!isLast || queries.length > 1) began ??= latestChange(desk)
      await began
    })
    reads.push(read)
    if (!gathered.isWanted) return { tickets: [...gathered.found.values()], isWhole: true }
  }
  if (began === undefined) return { tickets: [...gathered.found.values()], isWhole: true }
  const since = await began
  return since === undefined ? readOver(desk, gathered, reads) : goAfter(desk, gathered, reads, since)
}

interface Gathered {
  readonly found: Map<string, DeskTicket>
  readonly take: Take
  readonly onPage: (read: number) => void
  isWanted: boolean
}

/** What came of going through the pages of a query. */
interface Read {
  readonly query: TicketListQuery
  readonly ids: ReadonlySet<string>
  /** Whether the count stayed what it was and is that of the tickets that came. */
  readonly isSteady: boolean
}

async function put(gathered: Gathered, tickets: readonly DeskTicket[]): Promise<void> {
  const fresh = tickets.filter(({ ticketId }) => !gathered.found.has(ticketId))
  for (const ticket of tickets) gathered.found.set(ticket.ticketId, ticket)
  if (fresh.length > 0 && !(await gathered.take(fresh))) gathered.isWanted = false
  gathered.onPage(gathered.found.size)
}

async function readPages(
  desk: TicketDesk,
  query: TicketListQuery,
  gathered: Gathered,
  between: (isLast: boolean) => Promise<void> = async () => {},
): Promise<Read> {
  const ids = new Set<string>()
  const totals = new Set<number | null>()
  let came = 0
  await eachPage(desk, query, pageSize, async ({ items, total }, isLast) => {
    for (const { ticketId } of items) ids.add(ticketId)
    came += items.length
    totals.add(total)
    await put(gathered, items)
    if (gathered.isWanted) await between(isLast)
    return gathered.isWanted
  })
  const [total = null] = totals
  return { query, ids, isSteady: totals.size <= 1 && came === ids.size && (total === null || total === ids.size) }
}

/** The moment of the latest change at the desk; undefined where the instance cannot be asked for what changed since. */
async function latestChange(desk: TicketDesk): Promise<number | undefined> {
  // Only our own instance has forms to read, and lets itself be asked for what changed.
  if (!(await desk.forms())) return undefined
  const [latest] = (await desk.page({}, 1, 1)).items
  return latest === undefined || Number.isNaN(latest.updatedAt) ? undefined : latest.updatedAt
}

/** Reads a list over whose count moved, until it stands still. */
async function readOver(desk: TicketDesk, gathered: Gathered, first: readonly Read[]): Promise<AllTickets> {
  const known = new Set<string>()
  let isWhole = true
  for (const read of first) {
    const ids = new Set(read.ids)
    let last = read
    for (let round = 2; !last.isSteady && round <= mostRounds && gathered.isWanted; round++) {
      last = await readPages(desk, last.query, gathered)
      for (const id of last.ids) ids.add(id)
    }
    isWhole &&= last.isSteady
    // What a list that stands still no longer has is not of it any more.
    for (const id of last.isSteady ? last.ids : ids) known.add(id)
  }
  return { tickets: [...gathered.found.values()].filter(({ ticketId }) => known.has(ticketId)), isWhole }
}

/** Takes in what changed since the reading began; where tickets are missing then, the list is read in the order of its changes. */
async function goAfter(
  desk: TicketDesk,
  gathered: Gathered,
  reads: readonly Read[],
  began: number,
): Promise<AllTickets> {
  const { found } = gathered
  const queries = reads.map(({ query }) => query)
  const meant = (query: TicketListQuery) => [...found.values()].filter((ticket) => hasStatus(ticket, query))
  const all = () => [...found.values()].filter((ticket) => queries.some((query) => hasStatus(ticket, query)))
  // The same filters without the status: what left a list has another one now.
  const wide = [...new Set(queries.map(({ status: _status, ...rest }) => JSON.stringify(rest)))]
  let isSteady = reads.every((read) => read.isSteady)
  for (let round = 1; round <= mostRounds && gathered.isWanted; round++) {
    const changed = new Map<string, DeskTicket>()
    for (const query of wide) await readInOrder(desk, JSON.parse(query), Math.max(0, began - overlapMs), changed)
    const news = [...changed.values()].filter((ticket) => {
      const known = found.get(ticket.ticketId)
      return known === undefined
        ? queries.some((query) => hasStatus(ticket, query))
        : stampOf(known) !== stampOf(ticket)
    })
    if (isSteady && news.length === 0) return { tickets: all(), isWhole: true }
    await put(gathered, news)
    let missing = 0
    for (const query of queries) {
      const { total } = await desk.page(query, 1, 1)
      if (total === null || total === meant(query).length) continue
      missing++
      const read = new Map<string, DeskTicket>()
      await readInOrder(desk, query, 0, read)
      await put(gathered, [...read.values()])
    }
    // What was read in the order of changes lacks nothing; whether it changed again the next round tells.
    isSteady = missing === 0
    if (isSteady) return { tickets: all(), isWhole: true }
  }
  return { tickets: all(), isWhole: false }
}

function hasStatus({ status }: DeskTicket, query: TicketListQuery): boolean {
  return query.status === undefined || query.status.split(',').some((code) => code.trim() === status)
}

/** What tells two states of a ticket apart. */
export const stampOf = ({ version, updatedAt, status }: DeskTicket): string =>
  version === null ? `${updatedAt} ${status}` : String(version)

export const momentOf = ({ updatedAt }: DeskTicket): number => (Number.isNaN(updatedAt) ? 0 : updatedAt)

/** A query for what changed at that moment or later, in the order of the changes. */
export const changedSince = (at: number) => ({
  updatedSince: new Date(at).toISOString(),
  sort: 'updatedAt' as const,
})

/**
 * By the moment of the change and not by page numbers: a ticket that changes while the list is read moves to its end, and
 * another would slip from a page to come to one already read.
 */
export async function readInOrder(
  desk: TicketDesk,
  query: TicketListQuery,
  from: number,
  found: Map<string, DeskTicket>,
): Promise<void> {
  let since = from
  let page = 1
  for (let asked = 0; asked < mostPages; asked++) {
    const { items, hasMore } = await desk.page({ ...query, ...changedSince(since) }, page, pageSize)
    for (const ticket of items) found.set(ticket.ticketId, ticket)
    if (hasMore !== true) return
    const latest = Math.max(...items.map(momentOf))
    // More tickets than a page holds may bear one moment: then the pages of that moment are gone through.
    page = latest > since ? 1 : page + 1
    since = Math.max(since, latest)
  }
}
