import type { PaymentRow } from '../../../db/schema/gateway.ts'
import type { Tx } from '../../../db/store.ts'
import { mayMove, type PaymentStatus } from '../../../domain/payments/payment.ts'
import { tell } from '../ipn/ipns.ts'
import { savePayment } from '../queries/payments.ts'
import type { Gateway } from '../service.ts'
import { noteBillPaid } from './email-bills.ts'

/** Moves a payment to a status and tells the merchant, or does neither. */
export async function advance(
  app: Gateway,
  tx: Tx,
  payment: PaymentRow,
  status: PaymentStatus,
  change: Partial<PaymentRow> = {},
): Promise<PaymentRow> {
  if (!mayMove(payment.status, status))
    throw new Error(`payment ${payment.id} may not go ${payment.status} → ${status}`)
  const moved = { ...payment, ...change, status, updated_at: tx.now }
  await savePayment(tx, payment.id, { ...change, status, updated_at: tx.now })
  // A payment beyond the invoice's own, a few cents perhaps, pays no bill.
  if (status === 'finished' && payment.invoice_id !== null && payment.parent_id === null)
    await noteBillPaid(app, tx, payment.invoice_id)
  await tell(tx, app, moved)
  return moved
}
