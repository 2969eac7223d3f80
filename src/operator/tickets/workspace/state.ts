import type { Message, Room } from '../../../services/chat/api/schemas.ts'
import type { TicketAgent } from '../tickets-api.ts'
import { type EditedText, emptyText } from './edited-text.ts'

/**
 * State of the agent's screen. It changes only through `step`, which is pure: the same events give the same state and the
 * same effects.
 */
export interface WorkspaceState {
  readonly me: TicketAgent
  /** The platform's time, epoch milliseconds. */
  readonly now: number
  readonly connection: 'connecting' | 'live' | 'lost'
  readonly rooms: ReadonlyMap<string, Room>
  /** `failed` if the list could not be read: rooms may then be missing, and it is read again. */
  readonly list: 'loading' | 'read' | 'failed'
  /** Number of rooms that match the filter at the platform; the queue may hold fewer. */
  readonly total: number
  readonly filter: QueueFilter
  readonly snoozes: ReadonlyMap<string, Snooze>
  readonly conversations: ReadonlyMap<string, Conversation>
  /** Unsent texts by room. */
  readonly drafts: ReadonlyMap<string, EditedText>
  /** Texts and files on their way, oldest first. */
  readonly outgoing: readonly Outgoing[]
  readonly typing: ReadonlyMap<string, { readonly name: string; readonly until: number }>
  /** Room whose row is selected in the queue. */
  readonly selected: string | undefined
  /** Room whose conversation is shown. */
  readonly open: string | undefined
  readonly focus: 'queue' | 'answer'
  /** Lines between the end of the conversation and the lowest line shown. */
  readonly scroll: number
  readonly dialog: Dialog | undefined
  readonly notice: { readonly text: string; readonly isBad: boolean; readonly until: number } | undefined
  readonly macros: readonly string[]
  readonly internalWords: readonly string[]
  /** Time in which a sent text can be canceled. */
  readonly undoWindowMs: number
  /** True if nothing may be sent or changed (`--dry-run`). */
  readonly isReadOnly: boolean
  /** Number of messages that arrived, and the rooms they went to. */
  readonly sent: number
  readonly answered: ReadonlySet<string>
  /** By room, the other agent who held it when this agent decided to write there anyway. */
  readonly confirmedHolders: ReadonlyMap<string, string>
  /** Rooms whose draft changed since it was stored. */
  readonly dirty: ReadonlySet<string>
  /** Time at which this agent's typing was last reported. */
  readonly typingReportedAt: number
  readonly end: 'running' | 'sending' | 'ended'
}

export interface QueueFilter {
  readonly whose: 'all' | 'mine' | 'unassigned' | 'snoozed'
  /** Text that the platform searches for, or an empty text. */
  readonly keyword: string
}

/** A room that is out of the queue until a time, or until the customer writes again. */
export interface Snooze {
  readonly until: number
  readonly seq: number
}

export interface Conversation {
  /** By number, without gaps. */
  readonly messages: readonly Message[]
  readonly isLoading: boolean
}

/** A text or file to a customer. The key makes it one message for any number of attempts. */
export interface Outgoing {
  readonly key: string
  readonly roomId: string
  readonly text: string
  /** Path of the file; the text is then its name. */
  readonly file?: string | undefined
  /** Last message that the agent had on the screen. */
  readonly seenSeq: number
  /** `held` can be canceled; `unknown` got no response and is sent again with the same key. */
  readonly state: 'held' | 'sending' | 'unknown'
  /** Time at which it is sent, or sent again. */
  readonly dueAt: number
  readonly failures: number
}

/** A question or list in front of the conversation. It keeps the room that it is about, because events move the queue. */
export type Dialog =
  | { readonly kind: 'help' }
  | { readonly kind: 'macros'; readonly at: number }
  | { readonly kind: 'files'; readonly at: number }
  | {
      readonly kind: 'line'
      readonly question: LineQuestion
      readonly roomId: string | undefined
      readonly typed: EditedText
    }
  | {
      readonly kind: 'guard'
      readonly roomId: string
      readonly text: string
      readonly rules: readonly string[]
      readonly typed: EditedText
      readonly hits: string
    }
  | { readonly kind: 'take'; readonly roomId: string; readonly holder: string; readonly holderId: string }
  | {
      readonly kind: 'other-holder'
      readonly roomId: string
      readonly holder: string
      readonly holderId: string
      /** The text to be sent, or undefined for a file. */
      readonly text: string | undefined
    }
  | { readonly kind: 'open-file'; readonly path: string }

export type LineQuestion = 'file' | 'snooze' | 'search'

export const questions: Readonly<Record<LineQuestion, string>> = {
  file: 'File to send:',
  snooze: 'Snooze for (such as 30m or 2h):',
  search: 'Customer name or account:',
}

/** Work outside of the state, requested by a step. */
export type Effect =
  | { readonly kind: 'load-queue' }
  | { readonly kind: 'load-room'; readonly roomId: string }
  | {
      readonly kind: 'load-messages'
      readonly roomId: string
      readonly part: 'latest' | { readonly before: number } | { readonly after: number }
    }
  | { readonly kind: 'send'; readonly outgoing: Outgoing; readonly expectedLastSeq: number }
  | { readonly kind: 'keep-outgoing'; readonly outgoing: Outgoing }
  | { readonly kind: 'forget-outgoing'; readonly key: string }
  | { readonly kind: 'keep-room'; readonly roomId: string; readonly draft: string; readonly snooze: Snooze | undefined }
  | { readonly kind: 'typing'; readonly roomId: string; readonly isTyping: boolean }
  | { readonly kind: 'read'; readonly roomId: string; readonly seq: number }
  | { readonly kind: 'unread'; readonly roomId: string; readonly seq: number }
  | {
      readonly kind: 'assign'
      readonly roomId: string
      readonly agentId: string | null
      readonly expected: string | null
    }
  | { readonly kind: 'set-open'; readonly roomId: string; readonly isOpen: boolean }
  | { readonly kind: 'fill-macro'; readonly roomId: string; readonly macro: string }
  | { readonly kind: 'save-file'; readonly roomId: string; readonly seq: number; readonly mediaId: string }
  | { readonly kind: 'open-file'; readonly path: string }
  | { readonly kind: 'read-file'; readonly roomId: string; readonly path: string }

export interface Next {
  readonly state: WorkspaceState
  readonly effects: readonly Effect[]
}

export const still = (state: WorkspaceState): Next => ({ state, effects: [] })
export const does = (state: WorkspaceState, ...effects: readonly Effect[]): Next => ({ state, effects })

/** Time that a notice is shown. */
const noticeMs = 8_000

export const noticed = (state: WorkspaceState, text: string, isBad = false): WorkspaceState => ({
  ...state,
  notice: { text, isBad, until: state.now + noticeMs },
})

export const withEntry = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> =>
  new Map(map).set(key, value)

export function withoutEntry<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map
  const rest = new Map(map)
  rest.delete(key)
  return rest
}

export const draftOf = (state: WorkspaceState, roomId: string | undefined): EditedText =>
  (roomId === undefined ? undefined : state.drafts.get(roomId)) ?? emptyText

export const customerOf = (room: Room): string => room.customerDisplayName || room.customerAccount

/** Number of the last message of a room on the screen. */
export const seenSeq = (state: WorkspaceState, roomId: string): number =>
  state.conversations.get(roomId)?.messages.at(-1)?.seq ?? 0
