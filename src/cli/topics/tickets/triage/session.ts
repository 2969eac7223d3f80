import type { TriagePlan } from '../../../../domain/tickets/bulk-plan.ts'
import { isProblem } from '../../../../kit/problem.ts'
import type { Book } from '../../../../operator/book/book.ts'
import type { Audit } from '../../../../operator/tickets/audit-log.ts'
import type { WholeDeskTicket } from '../../../../operator/tickets/parse.ts'
import { orderOfSession } from '../../../../operator/tickets/plan-journal.ts'
import type { DeskRooms } from '../../../../operator/tickets/rooms-api.ts'
import type { TicketDesk } from '../../../../operator/tickets/tickets-api.ts'
import type { Keyboard } from '../../../terminal/keyboard.ts'
import type { Phrasebook } from '../../chat/outgoing-text.ts'

/** Going through a queue of tickets, one key each. What is decided goes through the same journal as a bulk order. */

export interface Session {
  readonly desk: TicketDesk
  readonly rooms: DeskRooms
  readonly book: Book
  /** The queue, and how far it was gone through. */
  readonly queue: TriagePlan
  readonly target: string
  readonly keyboard: Keyboard
  readonly phrases: Phrasebook
  readonly actor: string | undefined
  readonly audit?: Audit
  readonly stop: AbortSignal
  readonly makeId: () => string
  readonly now: () => Promise<number>
  readonly say: (text: string) => void
  /** How wide the screen is at this moment. */
  readonly width: () => number
  /** How long a public text can still be taken back. */
  readonly takeBackMs: number
}

export interface SessionSummary {
  readonly seen: number
  readonly decided: number
  readonly skipped: number
  readonly undone: number
  readonly left: number
}

export const keys = [
  's status',
  'c internal note',
  'r reply to the customer',
  'm macro',
  'p priority',
  'a whose it is',
  'z sleep',
  'd duplicate of another',
  'o the room: read, answer',
  'x all of it: every line and comment',
  'u undo',
  'n or space: skip',
  'q quit, and go on later',
] as const

/** The name under which the decisions of a session are kept, so that a crash between deciding and doing is made good. */
export const orderOf = (queue: TriagePlan): string => orderOfSession(queue.planId)

export async function readOrGone(desk: TicketDesk, ticketId: string): Promise<WholeDeskTicket | undefined> {
  try {
    return await desk.read(ticketId)
  } catch (error) {
    if (isProblem(error) && error.detail['status'] === 404) return undefined
    throw error
  }
}

/** How many colleagues are offered by a key each: with oneself, nobody and the rest there are nine keys. */
export const mostNamed = 6
