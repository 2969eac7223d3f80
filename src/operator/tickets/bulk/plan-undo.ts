import type { BookTicketActionRow } from '../../../db/schema/book.ts'
import type { BulkItem, TriageAction } from '../../../domain/tickets/bulk-action.ts'
import { type UndoObstacle, undoActionsFor } from '../../../domain/tickets/undo.ts'
import type { ItemResult } from '../apply-bulk-action.ts'
import type { RemoteTicket } from '../parse.ts'
import { readIfExists } from '../read-if-exists.ts'
import type { TicketsApi } from '../tickets-api.ts'

/** The undo of a session's changes to one ticket. */
export interface TicketUndo {
  readonly item: BulkItem
  /** Keys of the session's actions that this undoes. */
  readonly keys: readonly string[]
  readonly stays: readonly { readonly action: TriageAction; readonly reason: UndoObstacle | 'gone' }[]
}

/** Plans the undo of actions, by the current state of their tickets. */
export async function planUndo(
  ticketsApi: Pick<TicketsApi, 'read' | 'canChange'>,
  done: readonly BookTicketActionRow[],
  onTicket: (count: number) => void = () => {},
): Promise<TicketUndo[]> {
  const undos: TicketUndo[] = []
  for (const [ticketId, rows] of Map.groupBy(done, (row) => row.ticket_id)) {
    undos.push(undoOf(ticketId, await readIfExists(ticketsApi, ticketId), rows, ticketsApi.canChange))
    onTicket(undos.length)
  }
  return undos
}

function undoOf(
  ticketId: string,
  ticket: RemoteTicket | undefined,
  rows: readonly BookTicketActionRow[],
  canChange: boolean,
): TicketUndo {
  const acts = rows.map(({ key, action, before }) => ({
    key,
    // Only the journal writes these columns.
    action: JSON.parse(action) as TriageAction,
    before: before === null ? null : JSON.parse(before),
  }))
  if (!ticket)
    return {
      item: { ticketId, ticketNumber: 0, version: null, status: '', actions: [] },
      keys: [],
      stays: acts.map(({ action }) => ({ action, reason: 'gone' })),
    }
  const { actions, keys, stays } = undoActionsFor(ticket, acts, canChange)
  const { ticketNumber, version, status } = ticket
  return { item: { ticketId, ticketNumber, version, status, actions }, keys, stays }
}

/** Returns the outcome of an undo for one ticket. Without a result it is planned, or `isApplied` and not started. */
export function undoOutcome(
  { item, stays }: TicketUndo,
  result: ItemResult | undefined,
  isApplied: boolean,
): ItemResult['outcome'] | 'planned' | 'not-begun' | 'stays' {
  if (item.actions.length === 0) return stays.length > 0 ? 'stays' : 'no-op'
  return result?.outcome ?? (isApplied ? 'not-begun' : 'planned')
}

/** Returns the keys of the actions that an undo with this outcome settles. */
export function settledKeys({ keys }: TicketUndo, outcome: ReturnType<typeof undoOutcome>): readonly string[] {
  return outcome === 'applied' || outcome === 'no-op' || outcome === 'stays' ? keys : []
}
