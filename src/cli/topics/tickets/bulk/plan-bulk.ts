import type { BulkAction, SkippedTicket } from '../../../../domain/tickets/bulk-action.ts'
import { realAmbient } from '../../../../kit/ambient.ts'
import { countText, partText } from '../../../../kit/text/count-text.ts'
import {
  findTickets,
  leftOutText,
  nameIn,
  selectTickets,
  type TicketFilter,
} from '../../../../operator/tickets/bulk/filter.ts'
import { type BulkChange, planItems } from '../../../../operator/tickets/bulk/plan-items.ts'
import type { RemoteTicket } from '../../../../operator/tickets/parse.ts'
import { movedText, nameOfTicket } from '../view.ts'
import type { BookServices } from './book-services.ts'

/** A bulk action that is not applied yet. */
export interface PlannedBulk {
  /** All tickets that match the filter. */
  readonly tickets: readonly RemoteTicket[]
  readonly bulk: BulkAction
  /** Named tickets that are skipped. */
  readonly leftOut: readonly SkippedTicket[]
}

/** Reads the tickets of a filter and plans their changes. Prints what is skipped. */
export async function planBulk(
  services: BookServices,
  filter: TicketFilter,
  change: BulkChange,
  limit: number | undefined,
): Promise<PlannedBulk> {
  const { context } = services
  const ticketsApi = await services.tickets()
  const { now } = await context.services.chat()
  const at = await now()
  const progress = context.progress('Reading tickets')
  const search = await findTickets(ticketsApi, filter, { onPage: (read) => progress.update(read) })
  progress.end(countText(search.tickets.length, 'ticket'))
  if (!search.isWhole) context.warn(movedText)
  for (const doubt of search.doubts) context.warn(doubt)
  const selected = selectTickets(search, filter, at)
  const tickets = selected.queued.map(({ ticket }) => ticket)
  const { items, leftOut: notPlanned } = await planItems(ticketsApi, tickets.slice(0, limit), change)
  if (limit !== undefined && tickets.length > limit)
    context.note(`${partText(limit, tickets.length, 'ticket')}, most urgent first`)
  const skipped = [...selected.leftOut, ...notPlanned]
  warnNotAllowed(services, skipped, change)
  const leftOut = filter.ids.length > 0 ? [...skipped, ...beyondLimit(tickets, limit)] : []
  if (filter.ids.length > 0) warnSkipped(services, leftOut)
  else noteSkipped(services, skipped, selected.snoozedCount)
  return {
    tickets,
    bulk: { planId: realAmbient().id(), madeAt: at, items, ...(leftOut.length > 0 ? { leftOut } : {}) },
    leftOut,
  }
}

function beyondLimit(tickets: readonly RemoteTicket[], limit: number | undefined): SkippedTicket[] {
  if (limit === undefined) return []
  return tickets.slice(limit).map((ticket) => ({ ...nameIn(ticket), why: 'limit', text: `--limit is ${limit}` }))
}

function warnNotAllowed({ context }: BookServices, skipped: readonly SkippedTicket[], change: BulkChange): void {
  const names = skipped
    .filter(({ why }) => why === 'not-allowed')
    .map(({ ticketId, ticketNumber }) => nameOfTicket({ ticketId, ticketNumber: ticketNumber ?? 0 }))
  if (names.length > 0)
    context.warn(`Skipped, because the workflow does not allow the status ${change.status}: ${names.join(', ')}`)
}

/** Warns about named tickets, except those of the warning about the workflow. */
function warnSkipped({ context }: BookServices, leftOut: readonly SkippedTicket[]): void {
  const rest = leftOut.filter(({ why }) => why !== 'not-allowed')
  if (rest.length > 0) context.warn(leftOutText(rest))
}

function noteSkipped({ context }: BookServices, skipped: readonly SkippedTicket[], snoozedCount: number): void {
  const unchanged = skipped.filter(({ why }) => why === 'nothing-to-do').length
  if (unchanged > 0) context.note(`${countText(unchanged, 'ticket needs', 'tickets need')} no change`)
  if (snoozedCount > 0)
    context.note(
      `Skipped ${countText(snoozedCount, 'snoozed ticket')}. To select snoozed tickets, use the filter term "snoozed"`,
    )
}
