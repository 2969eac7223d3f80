/** States. Source: 2-payment-gateway-api, "States and transitions". */

export const paymentStatuses = [
  'waiting',
  'confirming',
  'confirmed',
  'sending',
  'partially_paid',
  'finished',
  'failed',
  'refunded',
  'expired',
] as const
export const payoutStatuses = [
  'creating',
  'waiting',
  'processing',
  'sending',
  'finished',
  'failed',
  'rejected',
] as const
export const conversionStatuses = ['processing', 'finished', 'failed'] as const
export const transferStatuses = ['processing', 'finished', 'failed'] as const
export const subscriptionStatuses = ['active', 'past_due', 'paused', 'cancelled'] as const

/** The first status of each. */
export const first = { payment: 'waiting', payout: 'creating' } as const

/** Compatibility, section 5, "Statuses": those after which nothing more is expected of a payment. */
export const donePayments = ['finished', 'failed', 'refunded', 'expired'] as const
