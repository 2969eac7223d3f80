import type { AttemptRow, DeliveryRow } from '../db/schema/outbox.ts'
import type { Reader, Tx } from '../db/store.ts'

export async function insertDelivery({ q }: Tx, row: DeliveryRow): Promise<void> {
  // The same id again is the same message again: it is owed once.
  await q
    .insertInto('outbox_deliveries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** When the next message to somebody other than these is due. */
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

/** The URLs to which something is due, the longest waiting first. */
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

/** Takes what is due to a URL for as long as the lease; nobody else takes it meanwhile. */
export async function claimDue(
  { q, now }: Tx,
  url: string,
  { claim, leaseMs, limit }: { claim: string; leaseMs: number; limit: number },
): Promise<DeliveryRow[]> {
  const claimed = await q
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
  return claimed.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Gives back what was claimed and not sent: due again at once. */
export async function releaseClaim({ q, now }: Tx, id: string, claim: string): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ due_at: now, claim: null })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'owed')
    .execute()
}

/** Holds a claimed message back without a try's being lost, and says why. */
export async function holdBack({ q, now }: Tx, id: string, claim: string, ms: number, why: string): Promise<void> {
  await q
    .updateTable('outbox_deliveries')
    .set({ due_at: now + ms, claim: null, last_error: why })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'owed')
    .execute()
}

/** Makes due what was held back for this reason on its way to a URL. */
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

/** Puts off what is due to a URL and what is about to be, so that it rests. What somebody holds is theirs. */
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

/** What an owner was told of one thing, in order. */
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

/** What a list of deliveries is narrowed by. */
export interface DeliveryQuery {
  readonly channel?: DeliveryRow['channel'] | undefined
  readonly owner?: string | undefined
  readonly state?: DeliveryRow['state'] | undefined
  readonly event?: string | undefined
  readonly since?: number | undefined
  readonly limit: number
}

/** Deliveries, the newest first. */
export function deliveriesBy({ q }: Reader, asked: DeliveryQuery): Promise<DeliveryRow[]> {
  let query = q.selectFrom('outbox_deliveries').selectAll()
  if (asked.channel !== undefined) query = query.where('channel', '=', asked.channel)
  if (asked.owner !== undefined) query = query.where('owner', '=', asked.owner)
  if (asked.state !== undefined) query = query.where('state', '=', asked.state)
  if (asked.event !== undefined) query = query.where('event', '=', asked.event)
  if (asked.since !== undefined) query = query.where('created_at', '>=', asked.since)
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(asked.limit).execute()
}

/** Sends what an owner is still owed to another place from now on. */
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

/** Forgets messages that were ended before a moment, with their attempts, some at a time; says how many. */
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
