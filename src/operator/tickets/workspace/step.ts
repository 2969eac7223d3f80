import type { Message, Room } from '../../../services/chat/api/schemas.ts'
import type { ChatEvent } from '../rooms/events.ts'
import { addMessages, applyChatEvent, catchUp } from './chat-events.ts'
import { inserted, textAtEnd } from './edited-text.ts'
import type { PressedKey } from './key-codes.ts'
import { pressed } from './keys.ts'
import { isSnoozed, queueOf, usedRooms } from './queue.ts'
import { arrived, failed, hold, keptRoom, returnToDrafts, type SendFailure, sendDue } from './sending.ts'
import {
  does,
  draftOf,
  type Effect,
  type Next,
  noticed,
  type Outgoing,
  type Snooze,
  still,
  type WorkspaceState,
  withEntry,
  withoutEntry,
} from './state.ts'

/** Everything that can happen to the screen. */
export type WorkspaceEvent =
  | { readonly kind: 'tick'; readonly now: number }
  | { readonly kind: 'connection'; readonly connection: WorkspaceState['connection'] }
  | { readonly kind: 'chat'; readonly event: ChatEvent }
  | { readonly kind: 'queue'; readonly rooms: readonly Room[]; readonly total: number; readonly asOf: number }
  | { readonly kind: 'queue-failed'; readonly text: string }
  | { readonly kind: 'room'; readonly room: Room }
  | { readonly kind: 'messages'; readonly roomId: string; readonly messages: readonly Message[] }
  | { readonly kind: 'messages-failed'; readonly roomId: string; readonly text: string }
  | { readonly kind: 'sent'; readonly message: Message }
  | { readonly kind: 'send-failed'; readonly key: string; readonly failure: SendFailure }
  | { readonly kind: 'restored'; readonly stored: Stored }
  | { readonly kind: 'macro'; readonly roomId: string; readonly text: string }
  | {
      readonly kind: 'file-to-send'
      readonly roomId: string
      readonly path: string
      readonly name: string
      readonly key: string
    }
  | { readonly kind: 'file-saved'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'notice'; readonly text: string; readonly isBad: boolean }
  | { readonly kind: 'key'; readonly key: PressedKey }
  | { readonly kind: 'stop' }

/** State of an earlier run in the book. */
export interface Stored {
  readonly drafts: ReadonlyMap<string, string>
  readonly snoozes: ReadonlyMap<string, Snooze>
  /** Texts of which it is unknown whether they arrived, and those that were never sent. */
  readonly attempted: readonly Outgoing[]
  readonly held: readonly Outgoing[]
}

/** State of a new screen. */
export function workspaceState(
  about: Pick<WorkspaceState, 'me' | 'now' | 'macros' | 'internalWords' | 'undoWindowMs' | 'isReadOnly'>,
): WorkspaceState {
  return {
    ...about,
    connection: 'connecting',
    rooms: new Map(),
    list: 'loading',
    total: 0,
    filter: { whose: 'all', keyword: '' },
    snoozes: new Map(),
    conversations: new Map(),
    drafts: new Map(),
    outgoing: [],
    typing: new Map(),
    selected: undefined,
    open: undefined,
    focus: 'queue',
    scroll: 0,
    dialog: undefined,
    notice: undefined,
    sent: 0,
    answered: new Set(),
    confirmedHolders: new Map(),
    dirty: new Set(),
    typingReportedAt: 0,
    end: 'running',
  }
}

/** Applies an event. The only way in which the state changes. */
export function step(state: WorkspaceState, event: WorkspaceEvent): Next {
  const before = queueOf(state)
  const next = applied(state, event)
  const chosen = selecting(before, next.state)
  const read = reading(chosen)
  const due = sendDue(read.state)
  const end = due.state.end === 'sending' && due.state.outgoing.length === 0 ? 'ended' : due.state.end
  const ended: Effect[] =
    end === 'ended' && state.end !== 'ended' ? [...due.state.dirty].map((roomId) => keptRoom(due.state, roomId)) : []
  return { state: { ...due.state, end }, effects: [...next.effects, ...read.effects, ...due.effects, ...ended] }
}

function applied(state: WorkspaceState, event: WorkspaceEvent): Next {
  switch (event.kind) {
    case 'tick':
      return ticked(state, event.now)
    case 'connection':
      return connectionChanged(state, event.connection)
    case 'chat':
      return applyChatEvent(state, event.event)
    case 'queue':
      return still(queueLoaded(state, event))
    case 'queue-failed':
      return still(noticed({ ...state, list: 'failed' }, event.text, true))
    case 'room':
      return still({ ...state, rooms: withEntry(state.rooms, event.room.roomId, event.room) })
    case 'messages':
      return addMessages(state, event.roomId, event.messages, true)
    case 'messages-failed':
      return still(noticed(notLoading(state, event.roomId), event.text, true))
    case 'sent':
      return sent(state, event.message)
    case 'send-failed':
      return failed(state, event.key, event.failure)
    case 'restored':
      return restored(state, event.stored)
    case 'macro': {
      const drafts = withEntry(state.drafts, event.roomId, inserted(draftOf(state, event.roomId), event.text))
      return still({ ...state, drafts, dirty: new Set(state.dirty).add(event.roomId), focus: 'answer' })
    }
    case 'file-to-send':
      return hold(state, { roomId: event.roomId, text: event.name, key: event.key, file: event.path })
    case 'file-saved':
      return still({
        ...noticed(state, `Saved ${event.path} (${event.bytes} bytes).`),
        dialog: { kind: 'open-file', path: event.path },
      })
    case 'notice':
      return still(noticed(state, event.text, event.isBad))
    case 'key':
      return pressed(state, event.key)
    case 'stop':
      return still({ ...state, end: 'ended' })
  }
}

function ticked(state: WorkspaceState, now: number): Next {
  const typing = [...state.typing].filter(([, { until }]) => until > now)
  const next: WorkspaceState = {
    ...state,
    now,
    typing: typing.length === state.typing.size ? state.typing : new Map(typing),
    notice: state.notice && state.notice.until > now ? state.notice : undefined,
    dirty: new Set(),
  }
  return does(next, ...[...state.dirty].map((roomId) => keptRoom(next, roomId)))
}

function connectionChanged(state: WorkspaceState, connection: WorkspaceState['connection']): Next {
  const wasLost = state.connection === 'lost'
  const next = { ...state, connection }
  if (connection !== 'live' || !wasLost) return still(next)
  // The stream continues where it was; what failed in the meantime is retried at once.
  const outgoing = state.outgoing.map((each) => (each.state === 'unknown' ? { ...each, dueAt: state.now } : each))
  return does({ ...next, outgoing }, ...(state.open === undefined ? [] : [catchUp(state, state.open)]))
}

/**
 * Adds the rooms of a list. For each, the later state counts, because events arrive while the list is read. Rooms that
 * are not in a complete list are removed, unless they changed since it was read or are in use.
 */
function queueLoaded(
  state: WorkspaceState,
  { rooms, total, asOf }: Extract<WorkspaceEvent, { kind: 'queue' }>,
): WorkspaceState {
  const inUse = usedRooms(state)
  const isWhole = rooms.length >= total
  const staying = [...state.rooms].filter(
    ([roomId, room]) => !isWhole || inUse.has(roomId) || Date.parse(room.updatedAt) >= asOf,
  )
  const merged = new Map(staying)
  for (const room of rooms) {
    const known = state.rooms.get(room.roomId)
    const isOlder = known !== undefined && Date.parse(known.updatedAt) > Date.parse(room.updatedAt)
    merged.set(room.roomId, isOlder ? known : room)
  }
  return { ...state, rooms: merged, total, list: 'read' }
}

function notLoading(state: WorkspaceState, roomId: string): WorkspaceState {
  const conversation = state.conversations.get(roomId)
  if (!conversation) return state
  return { ...state, conversations: withEntry(state.conversations, roomId, { ...conversation, isLoading: false }) }
}

function sent(state: WorkspaceState, message: Message): Next {
  const own = arrived(state, message)
  const added = addMessages(own.state, message.roomId, [message])
  return { state: added.state, effects: [...own.effects, ...added.effects] }
}

function restored(state: WorkspaceState, { drafts, snoozes, attempted, held }: Stored): Next {
  const known: WorkspaceState = {
    ...state,
    drafts: new Map([...drafts].map(([roomId, text]) => [roomId, textAtEnd(text)])),
    snoozes,
    outgoing: attempted,
  }
  const next = returnToDrafts(known, held)
  const rooms = new Set([...drafts.keys(), ...snoozes.keys(), ...held.map(({ roomId }) => roomId)])
  const loads = [...rooms].map((roomId): Effect => ({ kind: 'load-room', roomId }))
  return { ...next, effects: [...next.effects, ...loads] }
}

/** Keeps a row selected: the same room, or if it left the queue, the one that took its place. */
function selecting(before: readonly Room[], state: WorkspaceState): WorkspaceState {
  const queue = queueOf(state)
  if (queue.some(({ roomId }) => roomId === state.selected)) return state
  const at = before.findIndex(({ roomId }) => roomId === state.selected)
  const selected = queue[Math.min(Math.max(0, at), queue.length - 1)]?.roomId
  return selected === state.selected ? state : { ...state, selected }
}

/** Marks the open conversation as read as far as it is on the screen, and forgets snoozes that ended. */
function reading(state: WorkspaceState): Next {
  const effects: Effect[] = []
  let next = state
  for (const [roomId, snooze] of state.snoozes) {
    const room = state.rooms.get(roomId)
    if (!room || isSnoozed(snooze, room, state.now)) continue
    next = { ...next, snoozes: withoutEntry(next.snoozes, roomId) }
    effects.push(keptRoom(next, roomId))
  }
  const room = next.open === undefined ? undefined : next.rooms.get(next.open)
  const seq = next.open === undefined ? 0 : (next.conversations.get(next.open)?.messages.at(-1)?.seq ?? 0)
  if (!room || next.isReadOnly || room.agentUnreadCount === 0 || seq < room.lastSeq) return { state: next, effects }
  const read = { ...room, agentReadSeq: seq, agentUnreadCount: 0 }
  return {
    state: { ...next, rooms: withEntry(next.rooms, room.roomId, read) },
    effects: [...effects, { kind: 'read', roomId: room.roomId, seq }],
  }
}
