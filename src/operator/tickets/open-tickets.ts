import { type AllTickets, allTickets, listTickets } from './list.ts'
import type { TicketListQuery, TicketsApi } from './tickets-api.ts'

/** Status codes of the current forms, and which of them are done. */
export interface KnownStatuses {
  readonly codes: readonly string[]
  readonly done: readonly string[]
}

/** Number of tickets in a status; null if the instance gives no total. */
export interface StatusCount {
  readonly status: string
  readonly count: number | null
}

/** Receives the progress of a read. */
export interface ReadProgress {
  /** Called with the number of tickets per status before they are read. */
  readonly onCounts?: ((counts: readonly StatusCount[]) => Promise<unknown>) | undefined
  /** Called with the number of tickets read so far. */
  readonly onPage?: (read: number) => void
}

export interface OpenTickets extends AllTickets {
  /** Open statuses: those of the current forms, and any other found on a ticket. */
  readonly statuses: readonly string[]
  /** Number of tickets per done status. */
  readonly done: readonly StatusCount[]
}

/**
 * Reads all tickets that are not done, status by status, so that done ones are not read. A ticket can have a status that no
 * current form has: from an older version of its form, or from an unreadable form. If the totals show such tickets, or the
 * instance returns no totals, all tickets are read.
 */
export async function openTickets(
  ticketsApi: TicketsApi,
  about: TicketListQuery,
  { codes, done }: KnownStatuses,
  { onCounts, ...progress }: ReadProgress = {},
): Promise<OpenTickets> {
  const open = codes.filter((code) => !done.includes(code))
  const totals = await settledTotals(ticketsApi, about, codes)
  const counts = countsOf(totals, done)
  if (totals.isComplete) {
    await onCounts?.(countsOf(totals, open))
    const queries = open.map((status) => ({ ...about, status }))
    return { ...(await allTickets(ticketsApi, queries, progress)), statuses: open, done: counts }
  }
  const { tickets: all, isWhole } = await allTickets(ticketsApi, [about], progress)
  const tickets = all.filter(({ status }) => !done.includes(status))
  return { tickets, isWhole, statuses: [...new Set([...open, ...tickets.map(({ status }) => status)])], done: counts }
}

/** Returns the number of tickets per status. */
export async function countedStatuses(
  ticketsApi: TicketsApi,
  about: TicketListQuery,
  codes: readonly string[],
): Promise<readonly StatusCount[]> {
  return countsOf(await totalsOf(ticketsApi, about, codes), codes)
}

const countsOf = ({ byStatus }: Totals, codes: readonly string[]): readonly StatusCount[] =>
  codes.map((status) => ({ status, count: byStatus.get(status) ?? null }))

interface Totals {
  readonly byStatus: ReadonlyMap<string, number | null>
  /** True if the tickets of the known statuses are all there are. */
  readonly isComplete: boolean
}

/** Counts twice before it concludes that there are other tickets, because tickets change while it counts. */
async function settledTotals(
  ticketsApi: TicketsApi,
  about: TicketListQuery,
  codes: readonly string[],
): Promise<Totals> {
  const first = await totalsOf(ticketsApi, about, codes)
  return first.isComplete ? first : totalsOf(ticketsApi, about, codes)
}

async function totalsOf(ticketsApi: TicketsApi, about: TicketListQuery, codes: readonly string[]): Promise<Totals> {
  const total = async (query: TicketListQuery) => (await listTickets(ticketsApi, query, 1)).total
  const [whole, ...each] = await Promise.all([total(about), ...codes.map((status) => total({ ...about, status }))])
  const known = each.filter((count) => count !== null).reduce((sum, count) => sum + count, 0)
  const isComplete = whole !== null && !each.includes(null) && known === whole
  return { byStatus: new Map(codes.map((status, index) => [status, each[index] ?? null])), isComplete }
}
