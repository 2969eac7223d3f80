import type { AttemptRow, DeliveryRow } from '../db/schema/outbox.ts'
import type { Reader, Tx } from '../db/store.ts'
import type { DeliveryStatus } from '../domain/webhooks/delivery-status.ts'
import { holdReasons, lostReason } from './fault-injection.ts'

export async function insertDelivery({ q }: Tx, row: DeliveryRow): Promise<void> {
  // The id identifies the event, so a repeated insert is the same delivery.
  await q
    .insertInto('outbox_deliveries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Returns when the next delivery is due, without those to the given URLs and those that another process is sending. */
export async function nextDueAt({ q, now }: Reader, butNot: readonly string[]): Promise<number | undefined> {
  const row = await q
    .selectFrom('outbox_deliveries')
    .select('scheduled_at')
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('status', '!=', 'leased'), eb('scheduled_at', '<=', now)]))
    .$if(butNot.length > 0, (query) => query.where('url', 'not in', butNot))
    .orderBy('scheduled_at')
    .limit(1)
    .executeTakeFirst()
  return row?.scheduled_at
}

/** Counts open deliveries by channel and status, with the earliest time at which one is due. */
export function openDeliveries({ q }: Reader) {
  return q
    .selectFrom('outbox_deliveries')
    .select((eb) => [
      'channel',
      'status',
      eb.fn.countAll<number>().as('count'),
      eb.fn.min('scheduled_at').as('earliest'),
    ])
    .where('ended_at', 'is', null)
    .groupBy(['channel', 'status'])
    .execute()
}

/** Lists URLs with due deliveries, longest due first, without the given ones. */
export async function urlsDue({ q, now }: Reader, butNot: readonly string[], limit: number): Promise<string[]> {
  const rows = await q
    .selectFrom('outbox_deliveries')
    .select('url')
    .where('ended_at', 'is', null)
    .where('scheduled_at', '<=', now)
    .$if(butNot.length > 0, (query) => query.where('url', 'not in', butNot))
    .groupBy('url')
    .orderBy((eb) => eb.fn.min('scheduled_at'))
    .limit(limit)
    .execute()
  return rows.map((row) => row.url)
}

/** Leases due deliveries of a URL. No other process leases them until the lease expires. */
export async function leaseDue(
  { q, now }: Tx,
  url: string,
  { lease, leaseMs, limit }: { lease: string; leaseMs: number; limit: number },
): Promise<DeliveryRow[]> {
  const leased = await q
    .updateTable('outbox_deliveries')
    .set({ status: 'leased', scheduled_at: now + leaseMs, lease })
    .where(
      'id',
      'in',
      q
        .selectFrom('outbox_deliveries')
        .select('id')
        .where('ended_at', 'is', null)
        .where('url', '=', url)
        .where('scheduled_at', '<=', now)
        .orderBy('scheduled_at')
        .orderBy('id')
        .limit(limit),
    )
    .returningAll()
    .execute()
  return leased.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/**
 * Moves the ends of leases with the world's clock. A lease lasts as long as its process may be sending, so it must not
 * expire because another process moved the clock: the delivery would be sent twice.
 */
export async function moveLeases({ q, now }: Tx, byMs: number): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set((eb) => ({ scheduled_at: eb('scheduled_at', '+', byMs) }))
    .where('ended_at', 'is', null)
    .where('status', '=', 'leased')
    .where('scheduled_at', '>', now)
    .execute()
}

/** Releases a leased delivery that was not sent; it is due again at once. */
export async function releaseLease({ q, now }: Tx, id: string, lease: string): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ status: 'pending', scheduled_at: now, lease: null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('status', '=', 'leased')
    .execute()
}

/** Releases all leases. For a copy of a database: the processes that hold the leases do not send from the copy. */
export async function releaseAllLeases({ q, now }: Tx): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ status: 'pending', scheduled_at: now, lease: null })
    .where('ended_at', 'is', null)
    .where('status', '=', 'leased')
    .execute()
}

/** Holds a leased delivery for `ms` without using an attempt. */
export async function holdDelivery(
  { q, now }: Tx,
  id: string,
  lease: string,
  { kind, ms }: { kind: keyof typeof holdReasons; ms: number },
): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ status: 'held', held_by: kind, scheduled_at: now + ms, lease: null, last_error: holdReasons[kind] })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('status', '=', 'leased')
    .execute()
}

/** Makes the deliveries to a URL due that are held until a later one was sent. */
export async function releaseReordered({ q, now }: Tx, url: string): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ status: 'pending', scheduled_at: now })
    .where('ended_at', 'is', null)
    .where('url', '=', url)
    .where('status', '=', 'held')
    .where('held_by', '=', 'reorder')
    .execute()
}

/** Postpones the deliveries to a URL that are due within `ms`, until then. Leased ones are not changed. */
export async function postponeDue({ q, now }: Tx, url: string, ms: number): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ scheduled_at: now + ms })
    .where('ended_at', 'is', null)
    .where('url', '=', url)
    .where('scheduled_at', '<', now + ms)
    .where('status', '!=', 'leased')
    .execute()
}

export function deliveryOf({ q }: Reader, id: string): Promise<DeliveryRow | undefined> {
  return q.selectFrom('outbox_deliveries').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function saveDelivery({ q }: Tx, id: string, change: Partial<DeliveryRow>): Promise<void> {
  await q.updateTable('outbox_deliveries').set(change).where('id', '=', id).execute()
}

export async function insertAttempt({ q }: Tx, row: AttemptRow): Promise<void> {
  await q.insertInto('outbox_attempts').values(row).execute()
}

export function attemptsOf({ q }: Reader, deliveryId: string): Promise<AttemptRow[]> {
  return q.selectFrom('outbox_attempts').selectAll().where('delivery_id', '=', deliveryId).orderBy('number').execute()
}

/** Lists the deliveries to an owner about one subject, oldest first. */
export function deliveriesAbout({ q }: Reader, owner: string, subject: string): Promise<DeliveryRow[]> {
  return q
    .selectFrom('outbox_deliveries')
    .selectAll()
    .where('owner', '=', owner)
    .where('subject', '=', subject)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Filters of a delivery list. */
export interface DeliveryQuery {
  readonly channel?: DeliveryRow['channel'] | undefined
  readonly owner?: string | undefined
  readonly statuses?: readonly DeliveryStatus[] | undefined
  readonly event?: string | undefined
  readonly since?: number | undefined
  readonly limit: number
}

/** Lists deliveries, newest first. */
export function deliveriesBy({ q }: Reader, filters: DeliveryQuery): Promise<DeliveryRow[]> {
  let query = q.selectFrom('outbox_deliveries').selectAll()
  if (filters.channel !== undefined) query = query.where('channel', '=', filters.channel)
  if (filters.owner !== undefined) query = query.where('owner', '=', filters.owner)
  if (filters.statuses !== undefined) query = query.where('status', 'in', filters.statuses)
  if (filters.event !== undefined) query = query.where('event', '=', filters.event)
  if (filters.since !== undefined) query = query.where('created_at', '>=', filters.since)
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(filters.limit).execute()
}

/** Changes the URL of an owner's open deliveries. */
export async function readdressDeliveries(
  { q }: Tx,
  owner: string,
  channel: DeliveryRow['channel'],
  url: string,
): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ url })
    .where('owner', '=', owner)
    .where('channel', '=', channel)
    .where('ended_at', 'is', null)
    .execute()
}

/** Deletes up to `limit` deliveries that ended before a moment, with their attempts. Returns how many were deleted. */
export async function deleteEnded({ q }: Tx, before: number, limit: number): Promise<number> {
  const old = await q
    .selectFrom('outbox_deliveries')
    .select('id')
    .where('ended_at', '<', before)
    .orderBy('ended_at')
    .limit(limit)
    .execute()
  const ids = old.map((row) => row.id)
  if (ids.length === 0) return 0
  await q.deleteFrom('outbox_attempts').where('delivery_id', 'in', ids).execute()
  await q.deleteFrom('outbox_deliveries').where('id', 'in', ids).execute()
  return ids.length
}

/**
 * Lists deliveries that failed after at least one attempt, and counts all deliveries and those that an injected fault
 * lost. Deliveries that were withdrawn before an attempt are not listed.
 */
export async function unacknowledged({ q }: Reader) {
  const failed = await q
    .selectFrom('outbox_deliveries')
    .select(['id', 'event', 'url', 'last_error'])
    .where('status', '=', 'failed')
    .where('total_attempts', '>', 0)
    .orderBy('id')
    .execute()
  const row = await q
    .selectFrom('outbox_deliveries')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.countAll<number>().filterWhere('last_error', '=', lostReason).as('lost'),
    ])
    .executeTakeFirst()
  return { failed, count: Number(row?.count ?? 0), lost: Number(row?.lost ?? 0) }
}
