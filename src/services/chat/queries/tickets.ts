import type {
  ChatCommentRow,
  ChatFormRow,
  ChatHistoryRow,
  ChatRoomRow,
  ChatTicketRow,
} from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'

export async function insertTicket({ q }: Tx, row: ChatTicketRow): Promise<void> {
  await q.insertInto('chat_tickets').values(row).execute()
}

export async function saveTicket({ q }: Tx, { id, ...change }: ChatTicketRow): Promise<void> {
  await q.updateTable('chat_tickets').set(change).where('id', '=', id).execute()
}

/** Assigns an account's tickets that have no room to its new room. */
export async function giveTicketsTo({ q }: Tx, { tenant, customer_account, id }: ChatRoomRow): Promise<void> {
  await q
    .updateTable('chat_tickets')
    .set({ room_id: id })
    .where('tenant', '=', tenant)
    .where('customer_account', '=', customer_account)
    .where('room_id', 'is', null)
    .execute()
}

/** Returns a ticket by id or number. */
export function ticketOf({ q }: Reader, tenant: string, key: string): Promise<ChatTicketRow | undefined> {
  const query = q.selectFrom('chat_tickets').selectAll().where('tenant', '=', tenant)
  return (
    key.startsWith('tkt_') ? query.where('id', '=', key) : query.where('number', '=', Number(key))
  ).executeTakeFirst()
}

export async function ticketCounts({ q }: Reader, tenant: string): Promise<{ status: string; count: number }[]> {
  const rows = await q
    .selectFrom('chat_tickets')
    .select((eb) => ['status', eb.fn.countAll<number | string>().as('count')])
    .where('tenant', '=', tenant)
    .groupBy('status')
    .orderBy('status')
    .execute()
  return rows.map(({ status, count }) => ({ status, count: Number(count) }))
}

// ── Comments and history ──

export async function insertComment({ q }: Tx, row: ChatCommentRow): Promise<void> {
  await q.insertInto('chat_ticket_comments').values(row).execute()
}

export function commentOfClient(
  { q }: Reader,
  ticketId: string,
  clientId: string,
): Promise<ChatCommentRow | undefined> {
  return q
    .selectFrom('chat_ticket_comments')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .where('client_comment_id', '=', clientId)
    .executeTakeFirst()
}

/** Lists the latest comments, oldest first. */
export async function latestComments({ q }: Reader, ticketId: string, limit: number): Promise<ChatCommentRow[]> {
  const rows = await q
    .selectFrom('chat_ticket_comments')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse()
}

/** Lists the latest comments that the customer may see, oldest first. */
export async function latestPublicComments({ q }: Reader, ticketId: string, limit: number): Promise<ChatCommentRow[]> {
  const rows = await q
    .selectFrom('chat_ticket_comments')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .where('visibility', '=', 'public')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse()
}

export async function insertHistory({ q }: Tx, row: ChatHistoryRow): Promise<void> {
  await q.insertInto('chat_ticket_history').values(row).execute()
}

/** Returns the latest status change of a ticket. */
export function latestStatusChange({ q }: Reader, ticketId: string): Promise<ChatHistoryRow | undefined> {
  return q
    .selectFrom('chat_ticket_history')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .where('kind', '=', 'statusChanged')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function latestHistory({ q }: Reader, ticketId: string, limit: number): Promise<ChatHistoryRow[]> {
  const rows = await q
    .selectFrom('chat_ticket_history')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse()
}

// ── Forms ──

export async function insertForm({ q }: Tx, row: ChatFormRow): Promise<void> {
  await q.insertInto('chat_forms').values(row).execute()
}

/** Returns the current version of a form. */
export function currentForm({ q }: Reader, tenant: string, code: string): Promise<ChatFormRow | undefined> {
  return q
    .selectFrom('chat_forms')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('code', '=', code)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Lists every version of these forms, or of all forms. */
export function formVersions({ q }: Reader, tenant: string, codes?: readonly string[]): Promise<ChatFormRow[]> {
  const query = q.selectFrom('chat_forms').selectAll().where('tenant', '=', tenant)
  return (codes ? query.where('code', 'in', codes) : query).orderBy('code').orderBy('version').execute()
}

/** Lists the unfinished tickets of a room, newest first. */
export function unfinishedTickets({ q }: Reader, room: Pick<ChatRoomRow, 'id' | 'tenant'>): Promise<ChatTicketRow[]> {
  return q
    .selectFrom('chat_tickets')
    .selectAll()
    .where('room_id', '=', room.id)
    .where('tenant', '=', room.tenant)
    .where('status_category', 'not in', ['resolved', 'closed'])
    .orderBy('number', 'desc')
    .execute()
}

/** Lists the tickets of one version of a form with numbers above `after`, oldest first. */
export function ticketsOfForm(
  { q }: Reader,
  { tenant, code, version }: Pick<ChatFormRow, 'tenant' | 'code' | 'version'>,
  { after = 0, limit }: { after?: number; limit?: number } = {},
): Promise<ChatTicketRow[]> {
  const query = q
    .selectFrom('chat_tickets')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('form_code', '=', code)
    .where('form_version', '=', version)
    .where('number', '>', after)
    .orderBy('number')
  return (limit === undefined ? query : query.limit(limit)).execute()
}
