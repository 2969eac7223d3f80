import { needsReply, urgencyOf } from '../../domain/tickets/priority.ts'
import type { RemoteTicket } from './parse.ts'

/** Counts open tickets, and returns the oldest. Tickets without a creation time have no age. */
export function ticketStats(tickets: readonly RemoteTicket[], at: number) {
  const [oldest] = tickets.filter(({ createdAt }) => !Number.isNaN(createdAt)).sort((a, b) => a.createdAt - b.createdAt)
  return {
    open: tickets.length,
    needsReply: tickets.filter(needsReply).length,
    overdue: tickets.filter((ticket) => urgencyOf(ticket, at).reasons.some(({ kind }) => kind === 'overdue')).length,
    unassigned: tickets.filter(({ assigneeId }) => assigneeId === null).length,
    oldestMs: oldest === undefined ? null : Math.max(0, Math.round(at - oldest.createdAt)),
    oldestTicketId: oldest?.ticketId ?? null,
  }
}
