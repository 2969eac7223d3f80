/** What a merchant was told of its payments against what is so, as far as one payment goes. */

/** A payment as the gateway has it now. */
export interface PaymentNow {
  readonly status: string
  /** What was paid in all, as the gateway's number reads. */
  readonly paid: number
}

/** How the callbacks that came stand to the payment: the latest arrived, only older ones did, or none. */
export type Hearing = 'heard' | 'stale' | 'missing'

/**
 * Whether the latest change arrived. A callback tells it when it has the payment's present status and sum: a further
 * deposit can be told under the status that was told before. Order says nothing, since none is promised.
 */
export function hearingOf(payment: PaymentNow, told: readonly PaymentNow[]): Hearing {
  if (told.length === 0) return 'missing'
  return told.some(({ status, paid }) => status === payment.status && paid === payment.paid) ? 'heard' : 'stale'
}

/** What a lost callback can be rebuilt for: the gateway can be asked for it, and answers all that its callback says. */
export const healableKinds = ['payment', 'payout'] as const
export type HealableKind = (typeof healableKinds)[number]
