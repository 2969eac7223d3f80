import type { BulkAction } from '../../../domain/tickets/bulk-action.ts'
import { openSuspects, type Suspects } from '../duplicate-candidates.ts'
import type { FullTicket } from '../parse.ts'
import { readIfExists } from '../read-if-exists.ts'
import type { TicketsApi } from '../tickets-api.ts'

/** Number of tickets that are loaded in advance. */
const ahead = 5
/** Maximum age of a ticket loaded in advance. */
const freshMs = 10_000

/** The queue to load. */
interface QueueSource {
  readonly ticketsApi: TicketsApi
  readonly queue: BulkAction
  readonly stop: AbortSignal
}

/** Loads the tickets of a queue and their possible duplicates before they are shown. A failed load is tried again. */
export class PreloadedTickets {
  readonly #source: QueueSource
  readonly #reads = new Map<string, { readonly at: number; readonly ticket: Promise<FullTicket | undefined> }>()
  readonly #suspects = new Map<string, Promise<Suspects>>()
  readonly #findSuspects: ReturnType<typeof openSuspects>

  constructor(source: QueueSource) {
    this.#source = source
    this.#findSuspects = openSuspects(source.ticketsApi)
  }

  /** Returns the ticket at a position of the queue; undefined if it is gone. */
  at(index: number): Promise<FullTicket | undefined> {
    const item = this.#source.queue.items[index]
    if (!item) return Promise.resolve(undefined)
    const at = performance.now()
    const before = this.#reads.get(item.ticketId)
    // Another agent may have changed the ticket since it was loaded.
    const isFresh = before !== undefined && at - before.at < freshMs
    const read = isFresh ? before : { at, ticket: readIfExists(this.#source.ticketsApi, item.ticketId) }
    this.#reads.set(item.ticketId, read)
    read.ticket.catch(() => this.#reads.delete(item.ticketId))
    return read.ticket
  }

  /** Starts to load the ticket at a position and those after it. */
  preload(index: number): void {
    for (let i = index; i <= index + ahead; i++) void this.at(i).catch(() => {})
  }

  /** Starts to search duplicates of the ticket at a position and of the next one. */
  searchDuplicates(index: number): void {
    for (const each of [index, index + 1])
      void this.at(each)
        .then((ticket) => (ticket && !this.#source.stop.aborted ? this.suspectsOf(ticket) : undefined))
        .catch(() => {})
  }

  suspectsOf(ticket: FullTicket): Promise<Suspects> {
    const { ticketId } = ticket
    const known = this.#suspects.get(ticketId) ?? this.#findSuspects(ticket)
    this.#suspects.set(ticketId, known)
    known.catch(() => this.#suspects.delete(ticketId))
    return known
  }

  /** Makes the next load of a ticket read it again. */
  remove(ticketId: string): void {
    this.#reads.delete(ticketId)
  }
}
