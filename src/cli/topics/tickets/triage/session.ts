import type { BulkAction } from '../../../../domain/tickets/bulk-action.ts'
import type { Book } from '../../../../operator/book/book.ts'
import type { Audit } from '../../../../operator/tickets/audit-log.ts'
import type { RoomsApi } from '../../../../operator/tickets/rooms-api.ts'
import type { Stakes } from '../../../../operator/tickets/stakes.ts'
import type { Phrases } from '../../../../operator/tickets/text/phrases.ts'
import type { TicketsApi } from '../../../../operator/tickets/tickets-api.ts'
import type { Keyboard } from '../../../terminal/keyboard.ts'

/** A triage session. Its decisions are stored in the same journal as bulk actions. */

export interface Session {
  readonly ticketsApi: TicketsApi
  readonly rooms: RoomsApi
  readonly book: Book
  /** The queue and the current position. */
  readonly queue: BulkAction
  readonly target: string
  readonly keyboard: Keyboard
  readonly phrases: Phrases
  /** Open amounts of the customers. */
  readonly stakes: Stakes
  readonly actor: string | undefined
  readonly audit?: Audit
  readonly stop: AbortSignal
  readonly makeId: () => string
  readonly now: () => Promise<number>
  readonly print: (text: string) => void
  /** Current width of the screen. */
  readonly width: () => number
  /** Time in which a public text can be canceled. */
  readonly undoWindowMs: number
}

export interface SessionSummary {
  readonly seen: number
  readonly decided: number
  readonly skipped: number
  readonly undone: number
  readonly left: number
}

/** Keys and their actions, for the help. */
export const keys = [
  's status',
  'c internal note',
  'r reply to the customer',
  'm reply with a macro',
  'p priority',
  'a assignee',
  'z snooze',
  'd duplicate of another ticket',
  'o room: read, reply',
  'x full text and all comments',
  'u undo',
  'n or space: skip',
  'q quit, resume later',
] as const

/** Maximum number of colleagues with a key each; with self, unassigned and other there are nine keys. */
export const maxNamed = 6
