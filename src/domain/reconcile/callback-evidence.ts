/** Compares the callbacks a merchant received for a payment with the payment itself. */

/** A payment as the gateway has it. */
export interface PaymentNow {
  readonly status: string
  /** Total paid, as the gateway's number. */
  readonly paid: number
}

/** Callbacks of a payment: the latest arrived, only older ones did, or none. */
export type CallbackEvidence = 'received' | 'stale' | 'missing'

/**
 * Returns whether the latest change arrived. A callback matches if it has the payment's current status and sum, because
 * a further deposit may come under the same status. The order of callbacks does not matter: none is promised.
 */
export function callbackEvidenceOf(payment: PaymentNow, reported: readonly PaymentNow[]): CallbackEvidence {
  if (reported.length === 0) return 'missing'
  return reported.some(({ status, paid }) => status === payment.status && paid === payment.paid) ? 'received' : 'stale'
}

/** Kinds of callbacks that can be rebuilt: the gateway returns everything their callback contains. */
export const healableKinds = ['payment', 'payout'] as const
export type HealableKind = (typeof healableKinds)[number]
