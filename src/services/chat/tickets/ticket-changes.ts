import type { ChatCommentRow, ChatEventRow, ChatHistoryRow, ChatTicketRow } from '../../../db/schema/chat.ts'
import type { Tx } from '../../../db/store.ts'
import { searched, termsOf } from '../../../domain/tickets/search-terms.ts'
import { momentText } from '../../../kit/moment.ts'
import { insertEvents, roomOf, roomOfAccount } from '../queries/rooms.ts'
import { fileText } from '../queries/ticket-search.ts'
import { insertComment, insertHistory } from '../queries/tickets.ts'
import { addMessage, draftOf, saveDraft } from '../rooms/room-changes.ts'
import type { Changed, Chat } from '../service.ts'

/** Author of a change, as recorded in the history. */
export interface Actor {
  readonly type: 'customer' | 'agent' | 'api' | 'system'
  readonly name: string
}

/** Records one change in the history, and counts it on the ticket, which the caller saves. */
export async function record(
  app: Chat,
  tx: Tx,
  ticket: ChatTicketRow,
  actor: Actor,
  entry: {
    kind: string
    from?: string | null
    to?: string | null
    commentId?: string
    note?: string
    stateBefore?: string
  },
): Promise<void> {
  ticket.history_count += 1
  const row: ChatHistoryRow = {
    id: `his_${app.id()}`,
    ticket_id: ticket.id,
    seq: ticket.history_count,
    kind: entry.kind,
    actor_type: actor.type,
    actor_name: actor.name,
    from_value: entry.from ?? null,
    to_value: entry.to ?? null,
    comment_id: entry.commentId ?? null,
    note: entry.note ?? null,
    state_before: entry.stateBefore ?? null,
    at: tx.now,
  }
  await insertHistory(tx, row)
}

/** Writes a comment, indexes it, records it, and counts it on the ticket, which the caller saves. */
export async function addComment(
  app: Chat,
  tx: Tx,
  ticket: ChatTicketRow,
  actor: Actor,
  comment: { content: string; visibility: 'internal' | 'public'; clientCommentId: string | null },
  changes: Changed[],
): Promise<ChatCommentRow> {
  const id = `cmt_${app.id()}`
  const isPublic = comment.visibility === 'public'
  // A customer is not notified of their own comment.
  const isCustomer = actor.type === 'customer'
  const notified = isPublic && !isCustomer ? [await notify(app, tx, ticket, actor, comment.content, changes)] : []
  ticket.comment_count += 1
  ticket.last_comment_at = tx.now
  if (isPublic) {
    ticket.public_comment_count += 1
    ticket.last_public_author = isCustomer ? 'customer' : 'agent'
    if (!isCustomer) ticket.first_response_at ??= tx.now
  }
  const row: ChatCommentRow = {
    id,
    ticket_id: ticket.id,
    seq: ticket.comment_count,
    content: comment.content,
    visibility: comment.visibility,
    author_type: isCustomer ? 'customer' : 'agent',
    author_name: actor.name,
    client_comment_id: comment.clientCommentId,
    notified: JSON.stringify(notified),
    ticket_version: ticket.version,
    created_at: tx.now,
  }
  await insertComment(tx, row)
  await file(tx, ticket, ticket.comment_count, comment.content)
  await record(app, tx, ticket, actor, { kind: 'commentAdded', to: comment.visibility, commentId: id })
  return row
}

/** Indexes texts of a ticket for the search: part 0 is the ticket's own, the others are its comments. */
async function file(tx: Tx, { tenant, number }: ChatTicketRow, part: number, ...texts: string[]): Promise<void> {
  const text = searched(...texts)
  await fileText(tx, { tenant, number, part, text }, termsOf(text))
}

/** Indexes a ticket's own text. */
export function fileTicket(tx: Tx, ticket: ChatTicketRow): Promise<void> {
  return file(tx, ticket, 0, ticket.title, ticket.description, ticket.customer_account ?? '')
}

/** Posts a public comment to the customer's room, if there is one. */
async function notify(app: Chat, tx: Tx, ticket: ChatTicketRow, actor: Actor, content: string, changes: Changed[]) {
  const account = ticket.customer_account
  const room = account === null ? undefined : await roomOfAccount(tx, ticket.tenant, account)
  if (!room) return { channel: 'none' }
  ticket.room_id = room.id
  const draft = draftOf(room)
  const message = addMessage(app, tx, draft, {
    sender: { type: 'system', id: null, name: actor.name },
    text: content,
    type: 'event',
    eventKind: 'ticketComment',
    ticketId: ticket.id,
    unreadFor: 'customer',
  })
  await saveDraft(app, tx, draft, changes)
  return { channel: 'room', roomId: room.id, messageId: message.id }
}

/** Adds events about a ticket's change for its customer and for the agents. */
export async function addTicketEvents(app: Chat, tx: Tx, ticket: ChatTicketRow, changes: Changed[]): Promise<void> {
  const data = JSON.stringify({
    ticketId: ticket.id,
    ticketNumber: ticket.number,
    status: ticket.status,
    updatedAt: momentText(ticket.updated_at),
  })
  const room = ticket.room_id === null ? undefined : await roomOf(tx, ticket.tenant, ticket.room_id)
  if (room) {
    const draft = draftOf(room)
    draft.events.push({ kind: 'ticket.updated', data })
    return saveDraft(app, tx, draft, changes)
  }
  const event: ChatEventRow = {
    id: app.id(),
    tenant: ticket.tenant,
    room_id: null,
    n: null,
    position: null,
    kind: 'ticket.updated',
    data,
    at: tx.now,
  }
  await insertEvents(tx, [event])
  changes.push({ tenant: ticket.tenant, roomId: null })
}
