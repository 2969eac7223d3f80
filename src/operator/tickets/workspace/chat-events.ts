import type { Message, Room } from '../../../services/chat/api/schemas.ts'
import { type ChatEvent, field } from '../rooms/events.ts'
import { arrived, returnToDrafts } from './sending.ts'
import {
  type Conversation,
  customerOf,
  does,
  type Effect,
  type Next,
  noticed,
  seenSeq,
  still,
  type WorkspaceState,
  withEntry,
  withoutEntry,
} from './state.ts'

/** Events of the agents' stream, applied to the state. After a lost connection an event can be replayed. */

/** Time that a typing notice is valid. */
const typingMs = 6_000

export function applyChatEvent(state: WorkspaceState, { event, data }: ChatEvent): Next {
  switch (event) {
    case 'message.created':
      return messageCreated(state, data)
    case 'room.updated':
      return roomUpdated(state, data)
    case 'typing':
      return still(typingChanged(state, data))
    case 'resync':
      // Events are missing, so everything on the screen is read again.
      return does(state, { kind: 'load-queue' }, ...(state.open === undefined ? [] : [catchUp(state, state.open)]))
    default:
      return still(state)
  }
}

export const catchUp = (state: WorkspaceState, roomId: string): Effect => {
  const after = seenSeq(state, roomId)
  return { kind: 'load-messages', roomId, part: after === 0 ? 'latest' : { after } }
}

function messageCreated(state: WorkspaceState, data: unknown): Next {
  const message = messageIn(data)
  if (!message) return still(state)
  const { roomId, senderType } = message
  const isFromCustomer = senderType === 'customer'
  const room = roomUpdated(state, data)
  const own = arrived(room.state, message)
  const typing = isFromCustomer ? withoutEntry(own.state.typing, roomId) : own.state.typing
  const added = addMessages({ ...own.state, typing }, roomId, [message])
  const interrupted = isFromCustomer ? withdraw(added.state, roomId) : still(added.state)
  return {
    state: interrupted.state,
    effects: [...room.effects, ...own.effects, ...added.effects, ...interrupted.effects],
  }
}

/** Returns held texts to the draft when the customer writes, so that the agent decides again. */
function withdraw(state: WorkspaceState, roomId: string): Next {
  const held = state.outgoing.filter(
    (each) => each.roomId === roomId && each.state === 'held' && each.file === undefined,
  )
  if (held.length === 0) return still(state)
  const room = state.rooms.get(roomId)
  const next = returnToDrafts(state, held)
  const who = room ? customerOf(room) : 'the customer'
  return {
    ...next,
    state: noticed(next.state, `Not sent: ${who} sent a message. Read it, then press Enter to send your text.`, true),
  }
}

function roomUpdated(state: WorkspaceState, data: unknown): Next {
  const roomId = field(data, 'roomId')
  const changed = field(data, 'room')
  if (typeof roomId !== 'string' || typeof changed !== 'object' || changed === null) return still(state)
  const room = state.rooms.get(roomId)
  if (!room) {
    const isWanted = state.filter.keyword === '' && field(changed, 'status') === 'open'
    return isWanted ? does(state, { kind: 'load-room', roomId }) : still(state)
  }
  // Replayed events may be older than what was read.
  const at = field(changed, 'updatedAt')
  if (typeof at === 'string' && Date.parse(at) < Date.parse(room.updatedAt)) return still(state)
  // The platform sends these fields whole, in the form of its rooms.
  return still({ ...state, rooms: withEntry(state.rooms, roomId, { ...room, ...(changed as Partial<Room>) }) })
}

function typingChanged(state: WorkspaceState, data: unknown): WorkspaceState {
  const roomId = field(data, 'roomId')
  if (typeof roomId !== 'string' || field(data, 'senderType') !== 'customer') return state
  if (field(data, 'typing') !== true) return { ...state, typing: withoutEntry(state.typing, roomId) }
  const name = String(field(data, 'displayName') ?? '')
  return { ...state, typing: withEntry(state.typing, roomId, { name, until: state.now + typingMs }) }
}

function messageIn(data: unknown): Message | undefined {
  const message = field(data, 'message')
  const isOurs = typeof field(message, 'roomId') === 'string' && typeof field(message, 'seq') === 'number'
  // The platform sends messages whole, in the form of its pages.
  return isOurs ? (message as Message) : undefined
}

/** Maximum number of conversations that are kept in memory. */
const maxConversations = 30

/**
 * Adds messages to a conversation. Messages with a gap before them are not added: those in between are loaded, so that a
 * conversation never hides that one is missing.
 */
export function addMessages(
  state: WorkspaceState,
  roomId: string,
  messages: readonly Message[],
  isFirst = false,
): Next {
  const before = state.conversations.get(roomId)
  if (!before && !isFirst) return still(state)
  const known = before?.messages ?? []
  const bySeq = new Map([...known, ...messages].map((message) => [message.seq, message]))
  const all = [...bySeq.values()].sort((a, b) => a.seq - b.seq)
  const gap = all.findIndex(({ seq }, i) => i > 0 && seq !== (all[i - 1]?.seq ?? 0) + 1)
  const whole = gap < 0 ? all : all.slice(0, gap)
  const conversation: Conversation = { messages: whole, isLoading: isFirst ? false : (before?.isLoading ?? false) }
  const next = { ...state, conversations: recent(withEntry(state.conversations, roomId, conversation), state.open) }
  return gap < 0 ? still(next) : does(next, catchUp(next, roomId))
}

function recent(
  conversations: WorkspaceState['conversations'],
  open: string | undefined,
): WorkspaceState['conversations'] {
  if (conversations.size <= maxConversations) return conversations
  const oldest = [...conversations.keys()].find((roomId) => roomId !== open)
  return oldest === undefined ? conversations : withoutEntry(conversations, oldest)
}
