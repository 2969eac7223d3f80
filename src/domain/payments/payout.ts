/** Statuses and transitions of a payout (2-payment-gateway-api, "States and transitions"). */

export const payoutStatuses = [
  'creating',
  'waiting',
  'processing',
  'sending',
  'finished',
  'failed',
  'rejected',
] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

/** All allowed transitions. */
export const payoutTransitions = {
  creating: ['waiting', 'rejected'],
  waiting: ['processing', 'rejected'],
  processing: ['sending', 'failed'],
  sending: ['finished', 'failed'],
  finished: [],
  failed: [],
  rejected: [],
} as const satisfies Record<PayoutStatus, readonly PayoutStatus[]>

/** Returns whether a payout may change from one status to another. */
export function isPayoutTransition(from: PayoutStatus, to: PayoutStatus): boolean {
  return payoutTransitions[from].some((next) => next === to)
}

/** Time to enter the code of a batch and number of wrong codes it accepts, as at the compatible gateway. */
export const verifyWithinMs = 3_600_000
export const maxWrongCodes = 10
