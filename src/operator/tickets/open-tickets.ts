import { type AllTickets, allTickets, listTickets } from './list.ts'
import type { DeskTicket } from './parse.ts'
import type { TicketDesk, TicketListQuery } from './tickets-api.ts'

/** The status codes of the current forms, and which of them mean that nothing is left to do. */
export interface KnownStatuses {
  readonly codes: readonly string[]
  readonly done: readonly string[]
}

export interface OpenTickets extends AllTickets {
  /** The statuses that count as open: those of the current forms, and any other that a ticket was found in. */
  readonly statuses: readonly string[]
  /** How many tickets each done status has; null where the instance gives no total. */
  readonly done: readonly { readonly status: string; readonly count: number | null }[]
}

/**
 * All tickets that are not done. They are read status by status, so that done ones are not read. A ticket can have a status
 * that no current form has: of an older version of its form, or of a form that cannot be read. Where the instance's totals
 * do not add up, or are not given, all tickets are read instead.
 */
export async function openTickets(
  desk: TicketDesk,
  about: TicketListQuery,
  { codes, done }: KnownStatuses,
  { onPage }: { onPage?: (read: number) => void } = {},
): Promise<OpenTickets> {
  const open = codes.filter((code) => !done.includes(code))
  const total = async (query: TicketListQuery) => (await listTickets(desk, query, 1)).total
  const counts = await Promise.all(done.map(async (status) => ({ status, count: await total({ ...about, status }) })))
  const queries = open.map((status) => ({ ...about, status }))
  const read = await allTickets(desk, queries, onPage ? { onPage } : {})
  const accounted = counts.reduce((sum: number, { count }) => sum + (count ?? Number.NaN), read.tickets.length)
  if (accounted === (await total(about))) return { ...read, statuses: open, done: counts }
  const all = await allTickets(desk, [about], onPage ? { onPage } : {})
  const isOpen = ({ status }: DeskTicket) => !done.includes(status)
  const tickets = all.tickets.filter(isOpen)
  return {
    tickets,
    isWhole: all.isWhole,
    statuses: [...new Set([...open, ...tickets.map(({ status }) => status)])],
    done: counts,
  }
}
