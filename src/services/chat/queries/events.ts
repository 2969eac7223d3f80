import { sql } from 'kysely'
import { nextRunOf } from '../../../db/counter.ts'
import type { ChatEventRow, ChatMessageRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'

/** Returns the random mark of this database, which differs even between databases of the same seed. */
export async function lifeOf({ q }: Reader): Promise<string> {
  return (await q.selectFrom('chat_life').select('life').executeTakeFirstOrThrow()).life
}

/** Replaces the mark of this database, so that earlier cursors are not accepted. */
export async function renewLife({ q }: Tx, life: string): Promise<void> {
  await q.updateTable('chat_life').set({ life }).execute()
}

/** Lists a room's events after a number, in order. */
export function roomEventsAfter({ q }: Reader, roomId: string, n: number, limit: number): Promise<ChatEventRow[]> {
  return q
    .selectFrom('chat_events')
    .selectAll()
    .where('room_id', '=', roomId)
    .where('n', '>', n)
    .orderBy('n')
    .limit(limit)
    .execute()
}

/** Returns the number of a room's oldest stored event. */
export async function oldestRoomEvent({ q }: Reader, roomId: string): Promise<number | undefined> {
  const row = await q
    .selectFrom('chat_events')
    .select('n')
    .where('room_id', '=', roomId)
    .orderBy('n')
    .limit(1)
    .executeTakeFirst()
  return row?.n ?? undefined
}

/** Lists a tenant's events after a position in its order. */
export function tenantEventsAfter({ q }: Reader, tenant: string, position: number, limit: number) {
  return q
    .selectFrom('chat_events')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('position', '>', position)
    .orderBy('position')
    .limit(limit)
    .execute()
}

export async function oldestPosition({ q }: Reader, tenant: string): Promise<number | undefined> {
  const row = await q
    .selectFrom('chat_events')
    .select('position')
    .where('tenant', '=', tenant)
    .where('position', '>', 0)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row?.position ?? undefined
}

/** Returns the counter series of a tenant's event positions. */
export function positionsOf(tenant: string): string {
  return `chat-events/${tenant}`
}

/** Lists committed events without a position in their tenant's order. */
export function unsequencedEvents({ q }: Reader, limit: number) {
  return q
    .selectFrom('chat_events')
    .select(['id', 'tenant', 'room_id', 'n'])
    .where('position', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * Assigns positions to events after the existing ones. The list may be older than this transaction: events with a
 * position keep it, and their numbers are skipped.
 */
export async function sequenceEvents(tx: Tx, events: Awaited<ReturnType<typeof unsequencedEvents>>): Promise<void> {
  for (const [tenant, list] of Map.groupBy(inRoomOrder(events), (event) => event.tenant)) {
    const first = await nextRunOf(tx, positionsOf(tenant), list.length)
    const cases = sql.join(
      list.map(({ id }, i) => sql`when ${id} then cast(${first + i} as bigint)`),
      sql` `,
    )
    await tx.q
      .updateTable('chat_events')
      .set({ position: sql<number>`case id ${cases} end` })
      .where('position', 'is', null)
      .where(
        'id',
        'in',
        list.map(({ id }) => id),
      )
      .execute()
  }
}

/**
 * Sorts the events of each room by number. Ids of several processes do not always increase in commit order; the numbers
 * of a room do.
 */
function inRoomOrder<E extends { room_id: string | null; n: number | null }>(events: readonly E[]): E[] {
  const waiting = Map.groupBy(events, (event) => event.room_id)
  for (const list of waiting.values()) list.sort((a, b) => (b.n ?? 0) - (a.n ?? 0))
  return events.flatMap((event) => (event.room_id === null ? [event] : (waiting.get(event.room_id)?.splice(-1) ?? [])))
}

/** Lists the rooms with events after a position in the tenant's order, each with the number of its latest event. */
export async function roomsChangedAfter({ q }: Reader, tenant: string, position: number) {
  const rows = await q
    .selectFrom('chat_events')
    .select((eb) => ['room_id', eb.fn.max('n').as('latest')])
    .where('tenant', '=', tenant)
    .where('position', '>', position)
    .groupBy('room_id')
    .execute()
  return rows.flatMap(({ room_id, latest }) => (room_id === null ? [] : [{ roomId: room_id, latest: latest ?? 0 }]))
}

/** Returns the messages that events refer to, by room and number. */
export async function messagesBySeq({ q }: Reader, refs: readonly { roomId: string; seq: number }[]) {
  const messages = new Map<string, ChatMessageRow>()
  for (const [roomId, list] of Map.groupBy(refs, (each) => each.roomId)) {
    const rows = await q
      .selectFrom('chat_messages')
      .selectAll()
      .where('room_id', '=', roomId)
      .where(
        'seq',
        'in',
        list.map(({ seq }) => seq),
      )
      .execute()
    for (const row of rows) messages.set(`${roomId}/${row.seq}`, row)
  }
  return (roomId: string, seq: number) => messages.get(`${roomId}/${seq}`)
}

/** Deletes events from before a moment; returns their number. */
export async function forgetEvents({ q }: Tx, before: number, limit: number): Promise<number> {
  const result = await q
    .deleteFrom('chat_events')
    .where('id', 'in', (eb) =>
      eb.selectFrom('chat_events').select('id').where('at', '<', before).orderBy('at').limit(limit),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes a room's events up to a number. */
export async function forgetRoomEvents({ q }: Tx, roomId: string, upTo: number): Promise<void> {
  await q.deleteFrom('chat_events').where('room_id', '=', roomId).where('n', '<=', upTo).execute()
}
