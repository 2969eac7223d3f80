import type { DetectedBreak } from '../../../domain/reconcile/breaks.ts'
import type { ListRange } from '../../callbacks/list-payments.ts'
import type { Findings } from '../breaks/store.ts'
import type { PaymentsReconciled } from './reconcile.ts'

/** Returns the breaks of a run, and which open breaks it would have found again. */
export function paymentFindings(result: PaymentsReconciled, range: ListRange): Findings {
  return { detected: breaksOf(result), looked: [{ kind: 'payments', covers: coveredBy(result, range) }] }
}

/** Returns one break for each finding about a payment or an order. Both sides can report the same payment. */
function breaksOf({ findings, ofOrders }: PaymentsReconciled): DetectedBreak[] {
  return findings.map(({ kind, paymentId, orderId, message, expected, found }, i) => {
    const side = i < findings.length - ofOrders ? 'payments' : 'orders'
    const named = [paymentId && `payment ${paymentId}`, orderId && `order ${orderId}`]
    return {
      kind: 'payments',
      subject: `${side} ${kind} ${paymentId ?? '-'} ${orderId ?? '-'}`,
      date: null,
      player: null,
      currency: null,
      amount: null,
      message: [message, ...named].filter(Boolean).join(', '),
      fingerprint: JSON.stringify([expected, found]),
      detail: { side, kind, paymentId, orderId, expected, found },
    }
  })
}

/** A finding counts as cleared only if the run read all payments without doubts, and the orders if they caused it. */
function coveredBy(
  { orders, doubts }: PaymentsReconciled,
  { from, to }: ListRange,
): (row: { detail: string }) => boolean {
  if (doubts.length > 0 || from !== undefined || to !== undefined) return () => false
  return ({ detail }) => orders !== null || JSON.parse(detail).side === 'payments'
}
