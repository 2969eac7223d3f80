import type { AcceptanceRow, PaymentRow } from '../../../db/schema/gateway.ts'
import type { Tx } from '../../../db/store.ts'
import { receivedIn } from '../../../domain/payments/deposits.ts'
import { stepsTo } from '../../../domain/payments/payment.ts'
import { minuteText } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import { merchantOf } from '../queries/merchants.ts'
import { isSentOff, liveDeposits } from '../queries/payments.ts'
import { acceptanceOf, insertAcceptance, isRefunding } from '../queries/refunds.ts'
import type { Gateway } from '../service.ts'
import { settle } from './settlement.ts'
import { advance } from './transitions.ts'

/**
 * Finishes a payment with what it received, although less was paid than is due. A part-paid payment is settled like a
 * paid one. An expired one was settled when it expired, so only its status changes. Throws CONFLICT if it was accepted
 * before, is refunded, has another status, or received nothing.
 */
export async function accept(
  app: Gateway,
  tx: Tx,
  payment: PaymentRow,
  { reason, by }: { readonly reason: string; readonly by: string | null },
): Promise<AcceptanceRow> {
  const merchant = await merchantOf(tx, payment.merchant)
  if (!merchant) throw new Error(`payment ${payment.id} has no merchant`)
  const received = receivedIn(await liveDeposits(tx, payment))
  await checkMayAccept(tx, payment, received)
  const row: AcceptanceRow = {
    payment_id: payment.id,
    merchant: payment.merchant,
    status: payment.status,
    received: payment.actually_paid,
    due: payment.pay_amount,
    reason,
    accepted_by: by,
    accepted_at: tx.now,
  }
  await insertAcceptance(tx, row)
  if (payment.status === 'expired') {
    await advance(app, tx, payment, (await isSentOff(tx, payment.id)) ? 'finished' : 'sending')
    return row
  }
  let current = payment
  for (const step of stepsTo(payment.status, 'confirmed')) current = await advance(app, tx, current, step)
  await settle(app, tx, merchant, current, received)
  return row
}

async function checkMayAccept(tx: Tx, payment: PaymentRow, received: bigint): Promise<void> {
  const { id, status } = payment
  const known = await acceptanceOf(tx, id)
  if (known) {
    const who = known.accepted_by === null ? '' : ` by ${known.accepted_by}`
    throw refuse(
      'CONFLICT',
      `Payment ${id} was already accepted${who} at ${minuteText(known.accepted_at)}: ${known.reason}`,
    )
  }
  if (await isRefunding(tx, id)) throw refuse('CONFLICT', `Payment ${id} is refunded, or a refund is under way`)
  if (status !== 'partially_paid' && status !== 'expired')
    throw refuse('CONFLICT', `A ${status} payment does not wait for an acceptance${hints[status] ?? ''}`)
  if (received === 0n) throw refuse('CONFLICT', `Payment ${id} received nothing that could be accepted`)
}

const hints: Readonly<Partial<Record<PaymentRow['status'], string>>> = {
  confirming: ': a deposit is being confirmed. Run this again once it is confirmed',
  failed: ': its funds are frozen. To list them: countroom console merchants funds list',
}
