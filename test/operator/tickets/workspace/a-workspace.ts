import { emptyText } from '../../../../src/operator/tickets/workspace/edited-text.ts'
import type { Effect, WorkspaceState } from '../../../../src/operator/tickets/workspace/state.ts'
import { step, type WorkspaceEvent, workspaceState } from '../../../../src/operator/tickets/workspace/step.ts'
import type { Message, Room } from '../../../../src/services/chat/api/schemas.ts'

/** Makers of states and events of the agent's screen. */

export const start = Date.UTC(2026, 2, 1, 8)
const moment = (at: number) => new Date(at).toISOString()

export function aRoom(id: string, change: Partial<Room> = {}): Room {
  return {
    roomId: id,
    customerAccount: `account-${id}`,
    customerDisplayName: `Customer ${id}`,
    customerLanguage: 'en',
    customerEmail: null,
    channel: 'web',
    inboxCategoryCode: 'default',
    createdAt: moment(start),
    status: 'open',
    assignee: null,
    updatedAt: moment(start),
    closedAt: null,
    lastMessageAt: moment(start),
    lastMessagePreview: 'Hello',
    lastSeq: 1,
    messageCount: 1,
    customerReadSeq: 1,
    agentReadSeq: 0,
    customerUnreadCount: 0,
    agentUnreadCount: 1,
    waitingSince: moment(start),
    ...change,
  }
}

export function aMessage(roomId: string, seq: number, change: Partial<Message> = {}): Message {
  return {
    messageId: `msg-${roomId}-${seq}`,
    roomId,
    seq,
    senderType: 'customer',
    senderId: `account-${roomId}`,
    senderDisplayName: `Customer ${roomId}`,
    messageType: 'text',
    text: `Message ${seq}`,
    attachments: [],
    clientMessageId: null,
    createdAt: moment(start),
    ...change,
  }
}

export const me = { agentId: 'agt_1', displayName: 'Desk 1' }
export const own = { senderType: 'agent', senderId: me.agentId } as const

/** A screen that is driven by events, with its effects. */
export function aScreen(change: Partial<WorkspaceState> = {}) {
  let state: WorkspaceState = {
    ...workspaceState({ me, now: start, macros: [], internalWords: [], undoWindowMs: 5_000, isReadOnly: false }),
    ...change,
  }
  let keys = 0
  const effects: Effect[] = []
  const screen = {
    get state() {
      return state
    },
    /** Counts keys from 1 again. */
    countKeys() {
      keys = 0
    },
    /** Effects since the last call. */
    effects: () => effects.splice(0),
    event(event: WorkspaceEvent) {
      const next = step(state, event)
      state = next.state
      effects.push(...next.effects)
      return screen
    },
    press(...pressed: readonly string[]) {
      for (const key of pressed) {
        keys += 1
        screen.event({ kind: 'key', key: { key, isPasted: false, id: `key-${keys}`, page: 10, maxScroll: 100 } })
      }
      return screen
    },
    type: (text: string) => screen.press(...text),
    tick: (ms: number) => screen.event({ kind: 'tick', now: state.now + ms }),
    chat: (event: string, data: unknown) => screen.event({ kind: 'chat', event: { id: null, event, data } }),
    message: (message: Message, room: Partial<Room> = {}) =>
      screen.chat('message.created', {
        message,
        roomId: message.roomId,
        room: { updatedAt: moment(state.now), lastSeq: message.seq, ...room },
      }),
    rooms: (...rooms: readonly Room[]) =>
      screen.event({ kind: 'queue', rooms, total: rooms.length, asOf: start - 5_000 }),
    messages: (roomId: string, ...messages: readonly Message[]) => screen.event({ kind: 'messages', roomId, messages }),
    draft: (roomId: string) => (state.drafts.get(roomId) ?? emptyText).text,
    sends: () => effects.splice(0).filter((effect) => effect.kind === 'send'),
  }
  return screen
}

/** A screen with one open room, whose first message is shown. */
export function anOpenRoom(change: Partial<WorkspaceState> = {}) {
  const screen = aScreen(change)
  screen.rooms(aRoom('r1')).press('\r').messages('r1', aMessage('r1', 1))
  screen.effects()
  screen.countKeys()
  return screen
}
