/** The life of a payout (2-payment-gateway-api, "States and transitions"). */

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

/** The moves there are. Whatever is not listed does not happen. */
export const payoutMoves = {
  creating: ['waiting', 'rejected'],
  waiting: ['processing', 'rejected'],
  processing: ['sending', 'failed'],
  sending: ['finished', 'failed'],
  finished: [],
  failed: [],
  rejected: [],
} as const satisfies Record<PayoutStatus, readonly PayoutStatus[]>

/** Whether a payout may go from one status to another. */
export function mayPayoutMove(from: PayoutStatus, to: PayoutStatus): boolean {
  return payoutMoves[from].some((next) => next === to)
}

/** How long a batch waits for its code, and how many wrong ones it takes: as the compatible gateway has it. */
export const verifyWithinMs = 3_600_000
export const mostWrongCodes = 10
