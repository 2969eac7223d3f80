import { sql } from 'kysely'
import type { BatchRow, PayoutRow, WhitelistRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { frozenMerchants } from './merchants.ts'
import { type Pagination, pageOf } from './pagination.ts'

export function batchOf({ q }: Reader, id: string): Promise<BatchRow | undefined> {
  return q.selectFrom('gateway_batches').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertBatch({ q }: Tx, row: BatchRow): Promise<void> {
  await q.insertInto('gateway_batches').values(row).execute()
}

export async function saveBatch({ q }: Tx, id: string, change: Partial<BatchRow>): Promise<void> {
  await q.updateTable('gateway_batches').set(change).where('id', '=', id).execute()
}

export function payoutOf({ q }: Reader, id: string): Promise<PayoutRow | undefined> {
  return q.selectFrom('gateway_payouts').selectAll().where('id', '=', id).executeTakeFirst()
}

export function payoutsIn({ q }: Reader, batch: string): Promise<PayoutRow[]> {
  return q.selectFrom('gateway_payouts').selectAll().where('batch', '=', batch).orderBy('id').execute()
}

export interface PayoutFilter {
  readonly merchant: string
  readonly batch?: string | undefined
  readonly statuses?: readonly PayoutRow['status'][] | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/**
 * Sort keys of payouts. Text columns contain only codes of lower-case letters and digits, which every engine sorts
 * alike.
 */
export type PayoutSortKey = 'id' | 'batch' | 'created_at' | 'requested_at' | 'updated_at' | 'currency' | 'status'

/** Returns one page of matching payouts; null dates come first. */
export function payoutsOf(
  { q }: Reader,
  { merchant, batch, statuses, from, to }: PayoutFilter,
  order: PayoutSortKey,
  pagination: Pagination,
): Promise<PayoutRow[]> {
  let query = q.selectFrom('gateway_payouts').where('merchant', '=', merchant)
  if (batch !== undefined) query = query.where('batch', '=', batch)
  if (statuses !== undefined) query = query.where('status', 'in', statuses)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (to !== undefined) query = query.where('created_at', '<=', to)
  return pageOf(query, [order === 'requested_at' ? sql`coalesce(requested_at, 0)` : order, 'id'], pagination)
}

/** Returns a merchant's payouts created since a moment, without rejected, failed and staff payouts. */
export function payoutsSince({ q }: Reader, merchant: string, since: number): Promise<PayoutRow[]> {
  return q
    .selectFrom('gateway_payouts')
    .selectAll()
    .where('merchant', '=', merchant)
    .where('created_at', '>=', since)
    .where('status', 'not in', ['failed', 'rejected'])
    .where('purpose', 'is', null)
    .execute()
}

/** Returns a merchant's payouts sent since a moment, without failed and staff payouts. */
export function payoutsSentSince({ q }: Reader, merchant: string, since: number): Promise<PayoutRow[]> {
  return q
    .selectFrom('gateway_payouts')
    .selectAll()
    .where('merchant', '=', merchant)
    .where('sent_at', '>=', since)
    .where('status', '!=', 'failed')
    .where('purpose', 'is', null)
    .execute()
}

export async function insertPayout({ q }: Tx, row: PayoutRow): Promise<void> {
  await q.insertInto('gateway_payouts').values(row).execute()
}

export async function savePayout({ q }: Tx, id: string, change: Partial<PayoutRow>): Promise<void> {
  await q.updateTable('gateway_payouts').set(change).where('id', '=', id).execute()
}

/**
 * Returns payouts ready to send, longest due first, without those of accounts that cannot send now. Includes processing
 * ones, so that an interrupted send is repeated.
 */
export function readyPayouts({ q, now }: Reader, limit: number): Promise<PayoutRow[]> {
  return q
    .selectFrom('gateway_payouts')
    .selectAll()
    .where('status', 'in', ['waiting', 'processing'])
    .where('due_at', 'is not', null)
    .where('due_at', '<=', now)
    .where('merchant', 'not in', frozenMerchants(q))
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function nextReadyPayout({ q }: Reader): Promise<number | undefined> {
  const row = await q
    .selectFrom('gateway_payouts')
    .select('due_at')
    .where('status', 'in', ['waiting', 'processing'])
    .where('due_at', 'is not', null)
    .where('merchant', 'not in', frozenMerchants(q))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** Returns payouts of unverified batches created until a moment. */
export function unverifiedPayouts({ q }: Reader, madeBefore: number, limit: number): Promise<PayoutRow[]> {
  return q
    .selectFrom('gateway_payouts')
    .selectAll()
    .where('status', '=', 'creating')
    .where('created_at', '<=', madeBefore)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

export async function earliestUnverified({ q }: Reader): Promise<number | undefined> {
  const row = await q
    .selectFrom('gateway_payouts')
    .select('created_at')
    .where('status', '=', 'creating')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

export async function isWhitelisted({ q }: Reader, merchant: string, coin: string, address: string): Promise<boolean> {
  const row = await q
    .selectFrom('gateway_whitelist')
    .select('address')
    .where('merchant', '=', merchant)
    .where('coin', '=', coin)
    .where('address', '=', address)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertWhitelisted({ q }: Tx, merchant: string, coin: string, address: string): Promise<void> {
  await q
    .insertInto('gateway_whitelist')
    .values({ merchant, coin, address })
    .onConflict((conflict) => conflict.columns(['merchant', 'coin', 'address']).doNothing())
    .execute()
}

export async function removeWhitelisted({ q }: Tx, merchant: string, coin: string, address: string): Promise<void> {
  await q
    .deleteFrom('gateway_whitelist')
    .where('merchant', '=', merchant)
    .where('coin', '=', coin)
    .where('address', '=', address)
    .execute()
}

/** Returns a merchant's whitelisted payout addresses. */
export function whitelistOf({ q }: Reader, merchant: string): Promise<WhitelistRow[]> {
  return q
    .selectFrom('gateway_whitelist')
    .selectAll()
    .where('merchant', '=', merchant)
    .orderBy('coin')
    .orderBy('address')
    .execute()
}
