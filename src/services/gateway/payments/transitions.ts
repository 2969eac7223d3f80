import type { PaymentRow } from '../../../db/schema/gateway.ts'
import type { Tx } from '../../../db/store.ts'
import { isPaymentTransition, type PaymentStatus } from '../../../domain/payments/payment.ts'
import { enqueuePaymentIpn } from '../ipn/ipns.ts'
import { savePayment } from '../queries/payments.ts'
import type { Gateway } from '../service.ts'
import { recordBillPaid } from './email-bills.ts'

/** Moves a payment to a status and enqueues the callback, or does neither. */
export async function advance(
  app: Gateway,
  tx: Tx,
  payment: PaymentRow,
  status: PaymentStatus,
  change: Partial<PaymentRow> = {},
): Promise<PaymentRow> {
  if (!isPaymentTransition(payment.status, status))
    throw new Error(`payment ${payment.id} cannot change from ${payment.status} to ${status}`)
  const moved = { ...payment, ...change, status, updated_at: tx.now }
  await savePayment(tx, payment.id, { ...change, status, updated_at: tx.now })
  // A further payment, possibly of a few cents, does not pay a bill.
  if (status === 'finished' && payment.invoice_id !== null && payment.parent_id === null)
    await recordBillPaid(app, tx, payment.invoice_id)
  await enqueuePaymentIpn(tx, app, moved)
  return moved
}
