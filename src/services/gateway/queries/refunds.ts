import type { AcceptanceRow, FundsRow, RefundRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'

/** Refunds, acceptances, and deposits that credit no payment. */

export async function insertRefund({ q }: Tx, row: RefundRow): Promise<void> {
  await q.insertInto('gateway_refunds').values(row).execute()
}

export async function saveRefund({ q }: Tx, id: string, change: Partial<RefundRow>): Promise<void> {
  await q.updateTable('gateway_refunds').set(change).where('id', '=', id).execute()
}

/** Returns the refunds of a payment without returned deposits, oldest first. */
export function refundsOf({ q }: Reader, paymentId: number): Promise<RefundRow[]> {
  return q
    .selectFrom('gateway_refunds')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('deposit', 'is', null)
    .orderBy('asked_at')
    .orderBy('id')
    .execute()
}

/** Returns the refund or return that a payout sends, or the return that a transfer sends. */
export function refundOfPayout({ q }: Reader, payout: string): Promise<RefundRow | undefined> {
  return q.selectFrom('gateway_refunds').selectAll().where('payout', '=', payout).executeTakeFirst()
}

export function refundWith({ q }: Reader, id: string): Promise<RefundRow | undefined> {
  return q.selectFrom('gateway_refunds').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns a merchant's refunds and returns, newest first. */
export function refundsOfMerchant({ q }: Reader, merchant: string, limit: number): Promise<RefundRow[]> {
  return q
    .selectFrom('gateway_refunds')
    .selectAll()
    .where('merchant', '=', merchant)
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns whether a payment was refunded, or a refund of it is approved or under way. */
export async function isRefunding(reader: Reader, paymentId: number): Promise<boolean> {
  return (await refundingAmong(reader, [paymentId])).has(paymentId)
}

/** Returns the ids of the payments that were refunded, or whose refund is approved or under way. */
export async function refundingAmong({ q }: Reader, paymentIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (paymentIds.length === 0) return new Set()
  const rows = await q
    .selectFrom('gateway_refunds')
    .select('payment_id')
    .where('payment_id', 'in', paymentIds)
    .where('deposit', 'is', null)
    .where('state', 'in', ['approved', 'sent', 'done'])
    .execute()
  return new Set(rows.map((row) => row.payment_id))
}

export function acceptanceOf({ q }: Reader, paymentId: number): Promise<AcceptanceRow | undefined> {
  return q.selectFrom('gateway_acceptances').selectAll().where('payment_id', '=', paymentId).executeTakeFirst()
}

export async function insertAcceptance({ q }: Tx, row: AcceptanceRow): Promise<void> {
  await q.insertInto('gateway_acceptances').values(row).execute()
}

export async function insertFunds({ q }: Tx, row: FundsRow): Promise<void> {
  await q.insertInto('gateway_funds').values(row).execute()
}

export async function saveFunds({ q }: Tx, txId: string, change: Partial<FundsRow>): Promise<void> {
  await q.updateTable('gateway_funds').set(change).where('tx_id', '=', txId).execute()
}

export function fundsOf({ q }: Reader, txId: string): Promise<FundsRow | undefined> {
  return q.selectFrom('gateway_funds').selectAll().where('tx_id', '=', txId).executeTakeFirst()
}

/** Returns a merchant's frozen and foreign deposits, newest first. */
export function fundsOfMerchant({ q }: Reader, merchant: string, limit: number): Promise<FundsRow[]> {
  return q
    .selectFrom('gateway_funds')
    .selectAll()
    .where('merchant', '=', merchant)
    .orderBy('seen_at', 'desc')
    .orderBy('tx_id', 'desc')
    .limit(limit)
    .execute()
}
