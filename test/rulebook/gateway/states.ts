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

export const statuses = {
  payment: paymentStatuses,
  payout: payoutStatuses,
  conversion: conversionStatuses,
  transfer: transferStatuses,
  subscription: subscriptionStatuses,
} as const

/** The lists that can be filtered by status: compatibility, sections 5 and 7 to 10; the filter of a payment list is our own. */
export const lists = [
  { endpoint: '/payment/', statuses: paymentStatuses },
  { endpoint: '/sub-partner/payments', statuses: paymentStatuses },
  { endpoint: '/payout', statuses: payoutStatuses },
  { endpoint: '/conversion', statuses: conversionStatuses },
  { endpoint: '/sub-partner/transfers', statuses: transferStatuses },
  { endpoint: '/subscriptions', statuses: subscriptionStatuses },
] as const
