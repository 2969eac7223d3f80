import type { ChatEventRow, ChatMessageRow, ChatRoomRow, SenderType } from '../../../db/schema/chat.ts'
import type { Tx } from '../../../db/store.ts'
import { forgetRoomEvents } from '../queries/events.ts'
import { insertEvents, insertMessages, saveRoom } from '../queries/rooms.ts'
import type { Changed, Chat } from '../service.ts'
import { previewOf } from './text-rules.ts'

/**
 * A room being changed: its new state, the added messages and the events. They are collected first and written once. A
 * message then needs few statements, and no event is sent for a change that was not made.
 */
export interface RoomDraft {
  room: ChatRoomRow
  readonly messages: ChatMessageRow[]
  readonly events: Pick<ChatEventRow, 'kind' | 'data'>[]
}

export interface NewMessage {
  readonly sender: { type: SenderType; id: string | null; name: string | null }
  readonly text: string
  readonly type?: ChatMessageRow['message_type']
  readonly clientMessageId?: string | null
  readonly eventKind?: string | null
  readonly ticketId?: string | null
  readonly attachments?: readonly string[]
  /** Preview in lists of rooms for a message without text. */
  readonly preview?: string
  /** Side whose unread count the message adds to. Default: by the sender. */
  readonly unreadFor?: ChatMessageRow['unread_for']
}

export function draftOf(room: ChatRoomRow): RoomDraft {
  return { room: { ...room }, messages: [], events: [] }
}

const countedFor = { customer: 'agent', agent: 'customer', bot: 'customer', system: 'nobody' } as const

/** Adds the next message of a room. A customer's or an agent's message marks all earlier ones as read by that side. */
export function addMessage(app: Chat, tx: Tx, draft: RoomDraft, message: NewMessage): ChatMessageRow {
  const { room } = draft
  const { sender } = message
  const seq = room.last_seq + 1
  const row: ChatMessageRow = {
    room_id: room.id,
    seq,
    id: `msg_${app.id()}`,
    sender_type: sender.type,
    sender_id: sender.id,
    sender_name: sender.name,
    message_type: message.type ?? 'text',
    text: message.text,
    client_message_id: message.clientMessageId ?? null,
    event_kind: message.eventKind ?? null,
    ticket_id: message.ticketId ?? null,
    attachments: JSON.stringify(message.attachments ?? []),
    unread_for: message.unreadFor ?? countedFor[sender.type],
    created_at: tx.now,
  }
  draft.messages.push(row)
  draft.room = {
    ...room,
    last_seq: seq,
    last_message_at: tx.now,
    last_message_preview: previewOf(message.text || (message.preview ?? '')),
    updated_at: tx.now,
    ...(row.unread_for === 'agent' ? { agent_unread: room.agent_unread + 1 } : {}),
    ...(row.unread_for === 'customer' ? { customer_unread: room.customer_unread + 1 } : {}),
    ...(sender.type === 'customer'
      ? { customer_read_seq: seq, customer_unread: 0, waiting_since: room.waiting_since ?? tx.now }
      : {}),
    ...(sender.type === 'agent' ? { agent_read_seq: seq, agent_unread: 0, waiting_since: null } : {}),
    ...(sender.type === 'bot' ? { waiting_since: null } : {}),
  }
  draft.events.push({ kind: 'message.created', data: JSON.stringify({ seq }) })
  return row
}

/** Adds an event that reports the room's new state. */
export function addRoomEvent(draft: RoomDraft): void {
  draft.events.push({ kind: 'room.updated', data: '{}' })
}

/** Number of events that a room keeps. */
const maxEvents = 10_000

/**
 * Writes the draft. Events are numbered by the room's own counter, so that writers of different rooms do not wait for
 * each other.
 */
export async function saveDraft(app: Chat, tx: Tx, draft: RoomDraft, changes: Changed[]): Promise<void> {
  const { room } = draft
  const first = room.last_event + 1
  room.last_event += draft.events.length
  const state = JSON.stringify(stateOf(room))
  const events = draft.events.map(
    ({ kind, data }, i): ChatEventRow => ({
      id: app.id(),
      tenant: room.tenant,
      room_id: room.id,
      n: first + i,
      position: null,
      kind,
      // The room's final state, so that each event alone contains all of it.
      data: kind === 'ticket.updated' ? data : `${data.slice(0, -1)}${data === '{}' ? '' : ','}"room":${state}}`,
      at: tx.now,
    }),
  )
  // The room first: concurrent writers of one room conflict on its row, where the store retries, and not on a duplicate
  // number.
  await saveRoom(tx, room)
  await insertMessages(tx, draft.messages)
  await insertEvents(tx, events)
  // Deletes only with every hundredth event, so a room may keep about 100 more.
  if (Math.floor((first - 1) / 100) < Math.floor(room.last_event / 100) && room.last_event > maxEvents)
    await forgetRoomEvents(tx, room.id, room.last_event - maxEvents)
  if (events.length > 0) changes.push({ tenant: room.tenant, roomId: room.id })
}

/** Returns the columns of a room that its events contain. */
export function stateOf(room: ChatRoomRow): RoomState {
  return {
    status: room.status,
    assignee_id: room.assignee_id,
    customer_display_name: room.customer_display_name,
    customer_language: room.customer_language,
    customer_email: room.customer_email,
    updated_at: room.updated_at,
    closed_at: room.closed_at,
    last_message_at: room.last_message_at,
    last_message_preview: room.last_message_preview,
    last_seq: room.last_seq,
    customer_read_seq: room.customer_read_seq,
    agent_read_seq: room.agent_read_seq,
    customer_unread: room.customer_unread,
    agent_unread: room.agent_unread,
    waiting_since: room.waiting_since,
    closed_seq: room.closed_seq,
    rated_seq: room.rated_seq,
    rating: room.rating,
    rating_comment: room.rating_comment,
    rated_at: room.rated_at,
  }
}

export type RoomState = Omit<
  ChatRoomRow,
  'id' | 'tenant' | 'customer_account' | 'channel' | 'inbox' | 'token_epoch' | 'last_event' | 'created_at'
>
