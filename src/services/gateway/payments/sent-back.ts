import assert from 'node:assert/strict'
import type { PaymentRow, RefundRow } from '../../../db/schema/gateway.ts'
import type { Tx } from '../../../db/store.ts'
import { sum } from '../../../domain/money.ts'
import type { Account, AccountKind } from '../../../domain/payments/ledger.ts'
import { isPaymentTransition } from '../../../domain/payments/payment.ts'
import { accountOf } from '../ledger.ts'
import { depositsOf, paymentOf } from '../queries/payments.ts'
import { refundOfPayout, refundsOf, refundWith, saveFunds, saveRefund } from '../queries/refunds.ts'
import type { Gateway } from '../service.ts'
import { advance } from './transitions.ts'

/** Results of refunds and returns: their payout or transfer was confirmed, or failed. */

/** Records a confirmed refund. The payment is refunded once everything that it received was sent back. */
export async function recordRefunded(app: Gateway, tx: Tx, refundId: string, payment: PaymentRow): Promise<void> {
  const refund = await refundWith(tx, refundId)
  if (refund?.state !== 'sent') return
  await saveRefund(tx, refundId, { state: 'done' })
  const done = (await refundsOf(tx, payment.id)).filter(({ id, state }) => id === refundId || state === 'done')
  const sentBack = sum(done.map(({ units }) => BigInt(units)))
  if (sentBack < (await receivedUnits(tx, payment.id)) || !isPaymentTransition(payment.status, 'refunded')) return
  // A payment that was never credited has no outcome.
  const outcome = payment.status === 'partially_paid' ? { outcome_amount: '0' } : {}
  await advance(app, tx, payment, 'refunded', outcome)
}

/** Returns the sum of a payment's confirmed deposits in units, without frozen ones. */
export async function receivedUnits(tx: Tx, paymentId: number): Promise<bigint> {
  const deposits = (await depositsOf(tx, paymentId)).filter(({ state }) => state === 'confirmed')
  return sum(deposits.map(({ units }) => BigInt(units)))
}

/** Records that the payout of a refund or return is confirmed on its chain. */
export async function recordPaidBack(app: Gateway, tx: Tx, payoutId: string): Promise<void> {
  const refund = await theRefund(tx, payoutId)
  if (refund.deposit !== null) {
    await saveRefund(tx, refund.id, { state: 'done' })
    await saveFunds(tx, refund.deposit, { state: 'returned' })
    return
  }
  const payment = await paymentOf(tx, refund.payment_id)
  if (payment) await recordRefunded(app, tx, refund.id, payment)
}

/**
 * Records that the payout of a refund or return failed, so that it can be requested again. Returns the account for the
 * reserved funds, and the payment of a refund.
 */
export async function recordNotPaidBack(
  tx: Tx,
  payoutId: string,
): Promise<{ readonly account: Account; readonly payment: PaymentRow | undefined }> {
  const refund = await theRefund(tx, payoutId)
  await saveRefund(tx, refund.id, { state: 'failed' })
  const payment = await paymentOf(tx, refund.payment_id)
  if (refund.deposit === null) return { account: sourceOf(refund, payment), payment }
  await saveFunds(tx, refund.deposit, { state: 'held', result: null })
  return { account: sourceOf(refund, payment), payment: undefined }
}

/** Returns the account that a refund's funds come from; the row stores only its kind. */
export function sourceOf(
  { source, environment, merchant, coin }: Pick<RefundRow, 'source' | 'environment' | 'merchant' | 'coin'>,
  payment: PaymentRow | undefined,
): Account {
  // A payment that expired during its refund has no pending funds anymore.
  const kind = source === 'pending' && payment?.status !== 'partially_paid' ? 'available' : (source as AccountKind)
  if (kind === 'chain') return accountOf('chain', environment, coin)
  return accountOf(kind, kind === 'sub' ? (payment?.subaccount ?? merchant) : merchant, coin)
}

async function theRefund(tx: Tx, payoutId: string): Promise<RefundRow> {
  const refund = await refundOfPayout(tx, payoutId)
  assert(refund, `payout ${payoutId} has a refund`)
  return refund
}
