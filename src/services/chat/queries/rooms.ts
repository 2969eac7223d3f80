import { sql } from 'kysely'
import type { ChatEventRow, ChatMessageRow, ChatRoomRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { likeText } from './ticket-search.ts'

export function roomOf({ q }: Reader, tenant: string, id: string): Promise<ChatRoomRow | undefined> {
  return q.selectFrom('chat_rooms').selectAll().where('id', '=', id).where('tenant', '=', tenant).executeTakeFirst()
}

export function roomOfAccount({ q }: Reader, tenant: string, account: string): Promise<ChatRoomRow | undefined> {
  return q
    .selectFrom('chat_rooms')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('customer_account', '=', account)
    .executeTakeFirst()
}

/** Inserts a room. Returns false if the account already has one. */
export async function insertRoom({ q }: Tx, row: ChatRoomRow): Promise<boolean> {
  const inserted = await q
    .insertInto('chat_rooms')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant', 'customer_account']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function saveRoom({ q }: Tx, { id, ...change }: ChatRoomRow): Promise<void> {
  await q.updateTable('chat_rooms').set(change).where('id', '=', id).execute()
}

/** Invalidates the tokens of a tenant's rooms, or of one, and returns the number of rooms. */
export async function raiseEpochs(
  { q }: Tx,
  tenant: string,
  { roomId, account }: { readonly roomId?: string; readonly account?: string },
): Promise<number> {
  let update = q
    .updateTable('chat_rooms')
    .set(({ eb }) => ({ token_epoch: eb('token_epoch', '+', 1) }))
    .where('tenant', '=', tenant)
  if (roomId !== undefined) update = update.where('id', '=', roomId)
  if (account !== undefined) update = update.where('customer_account', '=', account)
  return Number((await update.executeTakeFirst()).numUpdatedRows)
}

/** Rooms per statement. */
const idsPerQuery = 500

/** Returns the current token epochs of rooms. */
export async function roomEpochs({ q }: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const epochs = new Map<string, number>()
  for (let at = 0; at < ids.length; at += idsPerQuery) {
    const some = ids.slice(at, at + idsPerQuery)
    const rows = await q.selectFrom('chat_rooms').select(['id', 'token_epoch']).where('id', 'in', some).execute()
    for (const row of rows) epochs.set(row.id, row.token_epoch)
  }
  return epochs
}

export async function ensureInbox({ q, now }: Tx, tenant: string, code: string): Promise<void> {
  await q
    .insertInto('chat_inboxes')
    .values({ tenant, code, created_at: now })
    .onConflict((conflict) => conflict.columns(['tenant', 'code']).doNothing())
    .execute()
}

// ── Messages ──

export async function insertMessages({ q }: Tx, rows: readonly ChatMessageRow[]): Promise<void> {
  if (rows.length > 0) await q.insertInto('chat_messages').values(rows).execute()
}

export function messageOfClient({ q }: Reader, roomId: string, clientId: string): Promise<ChatMessageRow | undefined> {
  return q
    .selectFrom('chat_messages')
    .selectAll()
    .where('room_id', '=', roomId)
    .where('client_message_id', '=', clientId)
    .executeTakeFirst()
}

/** Lists messages from a number on, oldest first. */
export function messagesFrom({ q }: Reader, roomId: string, seq: number, limit: number): Promise<ChatMessageRow[]> {
  return q
    .selectFrom('chat_messages')
    .selectAll()
    .where('room_id', '=', roomId)
    .where('seq', '>=', seq)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** Lists the latest messages before a number, oldest first. */
export async function messagesBefore({ q }: Reader, roomId: string, seq: number, limit: number) {
  const rows = await q
    .selectFrom('chat_messages')
    .selectAll()
    .where('room_id', '=', roomId)
    .where('seq', '<', seq)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse()
}

export async function countUnread({ q }: Reader, roomId: string, side: 'customer' | 'agent', readSeq: number) {
  const { count } = await q
    .selectFrom('chat_messages')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('room_id', '=', roomId)
    .where('seq', '>', readSeq)
    .where('unread_for', '=', side)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the time of the customer's first message after the last reply: the customer has waited since then. */
export function firstUnanswered({ q }: Reader, roomId: string): Promise<{ created_at: number } | undefined> {
  return q
    .selectFrom('chat_messages')
    .select('created_at')
    .where('room_id', '=', roomId)
    .where('sender_type', '=', 'customer')
    .where('seq', '>', (eb) =>
      eb
        .selectFrom('chat_messages as answers')
        .select((inner) => inner.fn.coalesce(inner.fn.max('answers.seq'), sql<number>`0`).as('seq'))
        .where('answers.room_id', '=', roomId)
        .where('answers.sender_type', 'in', ['agent', 'bot']),
    )
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
}

// ── Events ──

export async function insertEvents({ q }: Tx, rows: readonly ChatEventRow[]): Promise<void> {
  if (rows.length > 0) await q.insertInto('chat_events').values(rows).execute()
}

// ── Lists ──

export interface RoomFilter {
  readonly status?: ChatRoomRow['status'] | undefined
  readonly assignee?: string | null | undefined
  readonly unread?: boolean | undefined
  readonly inbox?: string | undefined
  readonly keyword?: string | undefined
  /** Only rooms whose customer has been waiting since this time or earlier. */
  readonly waitingSince?: number | undefined
}

/** Returns one page of a tenant's rooms and the total count. */
export async function roomPage(
  { q }: Reader,
  tenant: string,
  filter: RoomFilter,
  page: { sort: 'waiting' | '-updatedAt'; offset: number; limit: number },
): Promise<{ rows: ChatRoomRow[]; total: number }> {
  let query = q.selectFrom('chat_rooms').where('tenant', '=', tenant)
  if (filter.status) query = query.where('status', '=', filter.status)
  if (filter.assignee !== undefined)
    query =
      filter.assignee === null
        ? query.where('assignee_id', 'is', null)
        : query.where('assignee_id', '=', filter.assignee)
  if (filter.unread !== undefined) query = query.where('agent_unread', filter.unread ? '>' : '=', 0)
  if (filter.inbox) query = query.where('inbox', '=', filter.inbox)
  if (filter.waitingSince !== undefined) query = query.where('waiting_since', '<=', filter.waitingSince)
  const keyword = filter.keyword
  if (keyword)
    query = query.where((eb) =>
      eb.or([
        eb('id', '=', keyword),
        // Compared as spelled and in lower case, because one engine lowers only ASCII letters.
        ...(['customer_account', 'customer_display_name'] as const).flatMap((column) => [
          sql<boolean>`${sql.ref(column)} like ${likeText(keyword)} escape '\\'`,
          sql<boolean>`lower(${sql.ref(column)}) like ${likeText(keyword.toLowerCase())} escape '\\'`,
        ]),
      ]),
    )
  const { total } = await query.select((eb) => eb.fn.countAll<number | string>().as('total')).executeTakeFirstOrThrow()
  const ordered =
    page.sort === 'waiting'
      ? // Waiting rooms first, longest waiting at the top; the engines sort null differently.
        query
          .orderBy((eb) => eb.case().when('waiting_since', 'is', null).then(1).else(0).end())
          .orderBy('waiting_since')
          .orderBy('updated_at', 'desc')
          .orderBy('id')
      : query.orderBy('updated_at', 'desc').orderBy('id')
  const rows = await ordered.selectAll().offset(page.offset).limit(page.limit).execute()
  return { rows, total: Number(total) }
}

export async function roomCounts({ q }: Reader, tenant: string) {
  const row = await q
    .selectFrom('chat_rooms')
    .select((eb) => [
      eb.fn.countAll<number | string>().as('open'),
      eb.fn.count<number | string>('waiting_since').as('waiting'),
      eb.fn.min('waiting_since').as('oldest'),
      eb.fn.sum<number | string | null>('agent_unread').as('unread'),
    ])
    .where('tenant', '=', tenant)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow()
  return {
    open: Number(row.open),
    waiting: Number(row.waiting),
    oldest: row.oldest === null ? null : Number(row.oldest),
    unread: Number(row.unread ?? 0),
  }
}
