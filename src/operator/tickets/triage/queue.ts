import type { BulkAction } from '../../../domain/tickets/bulk-action.ts'
import { duplicatesOf } from '../../../domain/tickets/duplicates.ts'
import type { RemoteTicket } from '../parse.ts'

/** Maximum number of comparisons; they take 1 to 2 seconds. */
const maxComparisons = 1_000_000

/** Finds the earlier tickets that each ticket of a queue may duplicate. Returns undefined if that takes too many comparisons. */
export function duplicatesIn(
  queue: readonly RemoteTicket[],
  tickets: readonly RemoteTicket[],
  limit = maxComparisons,
): { ticketId: string; why: string; likeness: number }[][] | undefined {
  if (queue.length * tickets.length > limit) return undefined
  return queue.map((ticket) =>
    duplicatesOf(ticket, tickets).map((each) => ({
      ticketId: each.ticket.ticketId,
      why: each.reason,
      likeness: each.likeness,
    })),
  )
}

/** Returns the queue of a new session: the tickets as they are now, without changes. */
export function queueOf(
  tickets: readonly RemoteTicket[],
  { planId, madeAt }: { readonly planId: string; readonly madeAt: number },
): BulkAction {
  return {
    planId,
    madeAt,
    items: tickets.map(({ ticketId, ticketNumber, version, status }) => ({
      ticketId,
      ticketNumber,
      version,
      status,
      actions: [],
    })),
  }
}
