/**
 * Transitions between statuses. Source: 2-payment-gateway-api, "States and transitions", whose meanings define the
 * condition of each status; compatibility, sections 5, 7 and 10. Open points: docs/gateway.md, "State machines". Transitions
 * that are not listed do not happen.
 */

export const paymentTransitions = {
  waiting: ['confirming', 'failed', 'expired'],
  confirming: ['waiting', 'confirmed', 'partially_paid', 'failed', 'expired'],
  partially_paid: ['confirming', 'failed', 'refunded', 'expired'],
  confirmed: ['sending', 'finished', 'refunded'],
  sending: ['finished'],
  finished: ['refunded'],
  expired: ['sending', 'finished', 'refunded'],
  failed: [],
  refunded: [],
} as const

export const payoutTransitions = {
  creating: ['waiting', 'rejected'],
  waiting: ['processing', 'rejected'],
  processing: ['sending', 'failed'],
  sending: ['finished', 'failed'],
  finished: [],
  failed: [],
  rejected: [],
} as const

export const subscriptionTransitions = {
  active: ['past_due', 'paused', 'cancelled'],
  past_due: ['active', 'paused', 'cancelled'],
  paused: ['active', 'cancelled'],
  cancelled: [],
} as const

/** Histories of a payment of 100 usdttrc20: its events, and every status in its merchant's callbacks. */
export const paymentHistories = [
  { steps: ['all'], statuses: ['waiting', 'confirming', 'confirmed', 'finished'] },
  { steps: ['all'], settled: true, statuses: ['waiting', 'confirming', 'confirmed', 'sending', 'finished'] },
  { steps: ['window'], statuses: ['waiting', 'expired'] },
  { steps: ['half', 'window'], statuses: ['waiting', 'confirming', 'partially_paid', 'expired'] },
  {
    steps: ['half', 'rest'],
    statuses: ['waiting', 'confirming', 'partially_paid', 'confirming', 'confirmed', 'finished'],
  },
  {
    steps: ['seen', 'reorganized', 'all'],
    statuses: ['waiting', 'confirming', 'waiting', 'confirming', 'confirmed', 'finished'],
  },
  { steps: ['seen', 'reorganized', 'window'], statuses: ['waiting', 'confirming', 'waiting', 'expired'] },
  { steps: ['sanctioned'], statuses: ['waiting', 'confirming', 'failed'] },
  { steps: ['sanctioned and deep'], statuses: ['waiting', 'failed'] },
  // After its window a payment expires without a callback that would request money.
  {
    steps: ['almost the window', 'seen', 'past the window', 'reorganized'],
    statuses: ['waiting', 'confirming', 'expired'],
  },
  { steps: ['almost the window', 'half'], statuses: ['waiting', 'confirming', 'expired'] },
  // Money after the end is a separate payment, which no customer is asked to complete.
  { steps: ['all', 'seen', 'reorganized'], child: true, statuses: ['confirming', 'expired'] },
  { steps: ['all', 'half'], child: true, statuses: ['confirming', 'confirmed', 'finished'] },
  {
    steps: ['almost the window', 'seen', 'past the window', 'deep'],
    statuses: ['waiting', 'confirming', 'confirmed', 'finished'],
  },
  { steps: ['half', 'refund'], statuses: ['waiting', 'confirming', 'partially_paid', 'refunded'] },
  { steps: ['all', 'refund'], statuses: ['waiting', 'confirming', 'confirmed', 'finished', 'refunded'] },
  // Accepted by staff with its received amount; an expired payment was settled already, or is being settled.
  {
    steps: ['half', 'accept'],
    statuses: ['waiting', 'confirming', 'partially_paid', 'confirming', 'confirmed', 'finished'],
  },
  {
    steps: ['half', 'window', 'accept'],
    statuses: ['waiting', 'confirming', 'partially_paid', 'expired', 'finished'],
  },
  {
    steps: ['half', 'to the end', 'accept', 'deep'],
    settled: true,
    statuses: ['waiting', 'confirming', 'partially_paid', 'expired', 'sending', 'finished'],
  },
  { steps: ['half', 'window', 'refund'], statuses: ['waiting', 'confirming', 'partially_paid', 'expired', 'refunded'] },
] as const

/** Histories of a payout. */
export const payoutHistories = [
  { steps: ['verify', 'wait'], statuses: ['creating', 'waiting', 'processing', 'sending', 'finished'] },
  { steps: ['hour'], statuses: ['creating', 'rejected'] },
  { steps: ['verify', 'drop', 'wait'], statuses: ['creating', 'waiting', 'processing', 'sending', 'failed'] },
  { steps: ['ceiling', 'verify', 'reject'], statuses: ['creating', 'waiting', 'rejected'] },
  {
    steps: ['ceiling', 'verify', 'approve', 'wait'],
    statuses: ['creating', 'waiting', 'processing', 'sending', 'finished'],
  },
  { steps: ['schedule', 'cancel'], statuses: ['creating', 'rejected'] },
  { steps: ['schedule', 'verify', 'cancel'], statuses: ['creating', 'waiting', 'rejected'] },
  { steps: ['schedule', 'verify', 'unlist', 'wait'], statuses: ['creating', 'waiting', 'rejected'] },
] as const

/** Histories of a subscription that is charged to a sub-account with or without enough money. */
export const subscriptionHistories = [
  { funds: true, steps: ['cancel'], statuses: ['active', 'cancelled'] },
  { funds: true, steps: ['period'], statuses: ['active', 'past_due'] },
  { funds: true, steps: ['period', 'week'], statuses: ['active', 'past_due', 'cancelled'] },
  { funds: true, steps: ['pause', 'resume'], statuses: ['active', 'paused', 'active'] },
  { funds: true, steps: ['pause', 'cancel'], statuses: ['active', 'paused', 'cancelled'] },
  { funds: false, steps: ['week'], statuses: ['past_due', 'cancelled'] },
  { funds: false, steps: ['fill', 'day'], statuses: ['past_due', 'active'] },
  { funds: false, steps: ['cancel'], statuses: ['past_due', 'cancelled'] },
  { funds: false, steps: ['pause', 'cancel'], statuses: ['past_due', 'paused', 'cancelled'] },
] as const

/** Transitions of the tables that a simulated world cannot produce, each with its cause. */
export const unreachable = {
  payment: [
    // A sanctioned deposit found first after a clean one was counted; docs/decisions.md, "Payments and invoices".
    'partially_paid failed',
    // A refund between the confirmation and the settlement, which are one transaction here.
    'confirmed refunded',
  ],
  // A chain that refuses a transfer.
  payout: ['processing failed'],
} as const
