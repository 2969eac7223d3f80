import type { ChatMessageRow, ChatRoomRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { type Answer, answer } from '../../../http/contract/contract.ts'
import { unlessKnown } from '../../../http/server/etag.ts'
import { refuse } from '../api/contract.ts'
import type { Message } from '../api/schemas.ts'
import { offsetOf, toMessage, toPage } from '../api/views.ts'
import { messageOfClient, messagesBefore, messagesFrom } from '../queries/rooms.ts'
import { type AgentCaller, type Changed, type Chat, type ChatTenant, type Customer, changing } from '../service.ts'
import { answerTicket } from '../tickets/customer-answer.ts'
import { reopen } from './agent-rooms.ts'
import { attachmentsOf, type Showing } from './attachments.ts'
import { addMessage, addRoomEvent, draftOf, type NewMessage, saveDraft } from './room-changes.ts'
import { theRoom } from './rooms.ts'
import { messageText, wrong } from './text-rules.ts'

type Sent = Message & { duplicate: boolean }

/** Messages per page (3-chat-api). */
const pageSize = 100

/**
 * Writes a message once per client id. A repeat returns the first one without an event; a different message with the
 * same id is refused. A customer's message reopens a closed room.
 */
export async function writeMessage(
  app: Chat,
  tx: Tx,
  room: ChatRoomRow,
  message: NewMessage,
  changes: Changed[],
): Promise<{ row: ChatMessageRow; duplicate: boolean }> {
  const clientId = message.clientMessageId ?? null
  const earlier = clientId === null ? undefined : await messageOfClient(tx, room.id, clientId)
  if (earlier) {
    // A message with a file is never the same here: its sender detects a repeat by the upload.
    const isSame =
      earlier.text === message.text &&
      earlier.sender_type === message.sender.type &&
      earlier.message_type === (message.type ?? 'text') &&
      earlier.attachments === '[]'
    if (!isSame)
      throw refuse('CLIENT_MESSAGE_ID_CONFLICT', `clientMessageId ${clientId} belongs to another message`, {
        details: [{ field: 'clientMessageId', code: 'used', messageId: earlier.id }],
      })
    return { row: earlier, duplicate: true }
  }
  const draft = draftOf(room)
  const isReopened = draft.room.status === 'closed' && message.sender.type === 'customer'
  if (isReopened) reopen(app, tx, draft)
  const row = addMessage(app, tx, draft, message)
  if (isReopened) addRoomEvent(draft)
  await saveDraft(app, tx, draft, changes)
  if (message.sender.type === 'customer')
    await answerTicket(app, tx, draft.room, { text: row.text, preview: message.preview }, changes)
  return { row, duplicate: false }
}

function sent({ row, duplicate }: { row: ChatMessageRow; duplicate: boolean }): Answer<Sent> {
  return answer({ ...toMessage(row), duplicate }, { status: duplicate ? 200 : 201 })
}

/** Writes a customer's message, sent by the merchant's back end or the widget. */
export async function sendCustomerText(
  app: Chat,
  tenant: ChatTenant,
  roomId: string,
  input: { text: string; clientMessageId?: string | undefined },
): Promise<Answer<Sent>> {
  const text = messageText(input.text)
  const written = await changing(app, async (tx, changes) => {
    const room = await theRoom(tx, tenant, roomId)
    const sender = { type: 'customer', id: room.customer_account, name: room.customer_display_name } as const
    return writeMessage(app, tx, room, { sender, text, clientMessageId: input.clientMessageId ?? null }, changes)
  })
  return sent(written)
}

export function sendFromWidget(
  app: Chat,
  { tenant, room }: Customer,
  input: { text: string; clientMessageId: string },
): Promise<Answer<Sent>> {
  return sendCustomerText(app, tenant, room.id, input)
}

/** Replies to the customer. Throws STALE_ROOM if the room has newer messages than the agent expects. */
export async function reply(
  app: Chat,
  { tenant, agentId, displayName }: AgentCaller,
  roomId: string,
  input: { text: string; clientMessageId: string; expectedLastSeq?: number | undefined },
): Promise<Answer<Sent>> {
  const text = messageText(input.text)
  const written = await changing(app, async (tx, changes) => {
    const room = await theRoom(tx, tenant, roomId)
    const known = await messageOfClient(tx, roomId, input.clientMessageId)
    if (!known && input.expectedLastSeq !== undefined && input.expectedLastSeq < room.last_seq) {
      const newer = await messagesFrom(tx, roomId, input.expectedLastSeq + 1, pageSize)
      throw refuse('STALE_ROOM', 'There are newer messages in the room', {
        details: [
          {
            field: 'expectedLastSeq',
            code: 'stale',
            lastSeq: room.last_seq,
            newer: await shownMessages(app, tx, newer),
          },
        ],
      })
    }
    const sender = { type: 'agent', id: agentId, name: displayName } as const
    return writeMessage(app, tx, room, { sender, text, clientMessageId: input.clientMessageId }, changes)
  })
  return sent(written)
}

/** Returns messages by page or after a number, oldest first. A page past the end is empty. */
export async function readMessages(
  app: Chat,
  tenant: ChatTenant,
  roomId: string,
  query: { page?: number | undefined; afterSeq?: number | undefined },
  ifNoneMatch?: string,
) {
  const { page, afterSeq } = query
  if (page !== undefined && afterSeq !== undefined) throw wrong('afterSeq', 'cannot be combined with page')
  return app.store.read(async (reader) => {
    const room = await theRoom(reader, tenant, roomId)
    const from = afterSeq === undefined ? offsetOf(page ?? 1, pageSize) : afterSeq
    // Numbers have no gaps, so the start of a page needs no offset.
    const rows = await messagesFrom(reader, roomId, from + 1, pageSize)
    const shown = { page: page ?? Math.floor(from / pageSize) + 1, pageSize, total: room.last_seq }
    const data = {
      ...toPage(await shownMessages(app, reader, rows), shown),
      hasMore: from + pageSize < room.last_seq,
      lastSeq: room.last_seq,
    }
    return unlessKnown(data, ifNoneMatch, { 'cache-control': 'private, no-cache' })
  })
}

/** Returns the newest messages, or those before a number, and the cursor for a stream, from the same snapshot. */
export async function readWindow(
  app: Chat,
  { tenant, room }: Customer,
  { beforeSeq, limit = 50 }: { beforeSeq?: number | undefined; limit?: number | undefined },
) {
  return app.store.read(async (reader) => {
    const now = await theRoom(reader, tenant, room.id)
    const rows = await messagesBefore(reader, room.id, beforeSeq ?? now.last_seq + 1, limit)
    return {
      items: await shownMessages(app, reader, rows),
      hasMoreBefore: (rows[0]?.seq ?? 1) > 1,
      lastSeq: now.last_seq,
      eventCursor: (await app.cursors.ofRoom(now.id, reader))(now.last_event),
    }
  })
}

/** Returns messages in the API's form, with links to their files. */
export async function shownMessages(app: Showing, reader: Reader, rows: readonly ChatMessageRow[]): Promise<Message[]> {
  const attachments = await attachmentsOf(app, reader, rows)
  return rows.map((row) => toMessage(row, attachments(row)))
}
