import type { AttemptRow, DeliveryRow } from '../db/schema/outbox.ts'
import type { Reader, Tx } from '../db/store.ts'

export async function insertDelivery({ q }: Tx, row: DeliveryRow): Promise<void> {
  // The same id is the same delivery: it is enqueued once.
  await q
    .insertInto('outbox_deliveries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Returns when the next delivery is due, except for these URLs. */
export async function nextDueAt({ q }: Reader, butNot: readonly string[]): Promise<number | undefined> {
  const row = await q
    .selectFrom('outbox_deliveries')
    .select('due_at')
    .where('state', '=', 'owed')
    .$if(butNot.length > 0, (query) => query.where('url', 'not in', butNot))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at
}

/** Lists URLs with due deliveries, longest waiting first. */
export async function urlsDue({ q, now }: Reader, butNot: readonly string[], limit: number): Promise<string[]> {
  const rows = await q
    .selectFrom('outbox_deliveries')
    .select('url')
    .where('state', '=', 'owed')
    .where('due_at', '<=', now)
    .$if(butNot.length > 0, (query) => query.where('url', 'not in', butNot))
    .groupBy('url')
    .orderBy((eb) => eb.fn.min('due_at'))
    .limit(limit)
    .execute()
  return rows.map((row) => row.url)
}

/** Leases due deliveries of a URL. Nobody else leases them until the lease expires. */
export async function leaseDue(
  { q, now }: Tx,
  url: string,
  { claim, leaseMs, limit }: { claim: string; leaseMs: number; limit: number },
): Promise<DeliveryRow[]> {
  const leased = await q
    .updateTable('outbox_deliveries')
    .set({ due_at: now + leaseMs, claim })
    .where(
      'id',
      'in',
      q
        .selectFrom('outbox_deliveries')
        .select('id')
        .where('state', '=', 'owed')
        .where('url', '=', url)
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('id')
        .limit(limit),
    )
    .returningAll()
    .execute()
  return leased.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Releases a leased delivery that was not sent; it is due again at once. */
export async function releaseLease({ q, now }: Tx, id: string, claim: string): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ due_at: now, claim: null })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'owed')
    .execute()
}

/** Holds a leased delivery back without using an attempt, and records the reason. */
export async function holdBack({ q, now }: Tx, id: string, claim: string, ms: number, why: string): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ due_at: now + ms, claim: null, last_error: why })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'owed')
    .execute()
}

/** Makes deliveries to a URL due that were held back for this reason. */
export async function letGo({ q, now }: Tx, url: string, why: string): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ due_at: now })
    .where('state', '=', 'owed')
    .where('url', '=', url)
    .where('last_error', '=', why)
    .where('claim', 'is', null)
    .execute()
}

/** Postpones what is due, or about to be due, to a URL. Leased deliveries are not touched. */
export async function postponeDue({ q, now }: Tx, url: string, ms: number): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ due_at: now + ms })
    .where('state', '=', 'owed')
    .where('url', '=', url)
    .where('due_at', '<', now + ms)
    .where('claim', 'is', null)
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

/** Lists the deliveries to an owner about one subject, in order. */
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
  readonly state?: DeliveryRow['state'] | undefined
  readonly event?: string | undefined
  readonly since?: number | undefined
  readonly limit: number
}

/** Lists deliveries, newest first. */
export function deliveriesBy({ q }: Reader, asked: DeliveryQuery): Promise<DeliveryRow[]> {
  let query = q.selectFrom('outbox_deliveries').selectAll()
  if (asked.channel !== undefined) query = query.where('channel', '=', asked.channel)
  if (asked.owner !== undefined) query = query.where('owner', '=', asked.owner)
  if (asked.state !== undefined) query = query.where('state', '=', asked.state)
  if (asked.event !== undefined) query = query.where('event', '=', asked.event)
  if (asked.since !== undefined) query = query.where('created_at', '>=', asked.since)
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(asked.limit).execute()
}

/** Changes the URL of an owner's pending deliveries. */
export async function readdressOwed(
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
    .where('state', '=', 'owed')
    .execute()
}

/** Deletes up to `limit` deliveries that ended before a moment, with their attempts. Returns how many were deleted. */
export async function forgetEnded({ q }: Tx, before: number, limit: number): Promise<number> {
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
