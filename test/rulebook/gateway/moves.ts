/**
 * Transitions between statuses. Source: 2-payment-gateway-api, "States and transitions", whose meanings say what each status waits for;
 * compatibility, sections 5, 7 and 10; what the document leaves open: docs/gateway.md, "The lives". What is not listed does not happen.
 */

export const paymentMoves = {
  waiting: ['confirming', 'failed', 'expired'],
  confirming: ['waiting', 'confirmed', 'partially_paid', 'failed', 'expired'],
  partially_paid: ['confirming', 'failed', 'refunded', 'expired'],
  confirmed: ['sending', 'finished', 'refunded'],
  sending: ['finished'],
  finished: ['refunded'],
  expired: ['refunded'],
  failed: [],
  refunded: [],
} as const

export const payoutMoves = {
  creating: ['waiting', 'rejected'],
  waiting: ['processing', 'rejected'],
  processing: ['sending', 'failed'],
  sending: ['finished', 'failed'],
  finished: [],
  failed: [],
  rejected: [],
} as const

export const subscriptionMoves = {
  active: ['past_due', 'paused', 'cancelled'],
  past_due: ['active', 'paused', 'cancelled'],
  paused: ['active', 'cancelled'],
  cancelled: [],
} as const

/** Lives of a payment of 100 usdttrc20: what happens to it, and every status in its merchant's callbacks. */
export const paymentLives = [
  { steps: ['all'], told: ['waiting', 'confirming', 'confirmed', 'finished'] },
  { steps: ['all'], settled: true, told: ['waiting', 'confirming', 'confirmed', 'sending', 'finished'] },
  { steps: ['window'], told: ['waiting', 'expired'] },
  { steps: ['half', 'window'], told: ['waiting', 'confirming', 'partially_paid', 'expired'] },
  {
    steps: ['half', 'rest'],
    told: ['waiting', 'confirming', 'partially_paid', 'confirming', 'confirmed', 'finished'],
  },
  {
    steps: ['seen', 'reorganized', 'all'],
    told: ['waiting', 'confirming', 'waiting', 'confirming', 'confirmed', 'finished'],
  },
  { steps: ['seen', 'reorganized', 'window'], told: ['waiting', 'confirming', 'waiting', 'expired'] },
  { steps: ['sanctioned'], told: ['waiting', 'confirming', 'failed'] },
  { steps: ['sanctioned and deep'], told: ['waiting', 'failed'] },
  // After its window a payment waits for nothing: it expires without a callback that would ask for money.
  {
    steps: ['almost the window', 'seen', 'past the window', 'reorganized'],
    told: ['waiting', 'confirming', 'expired'],
  },
  { steps: ['almost the window', 'half'], told: ['waiting', 'confirming', 'expired'] },
  // What comes after the end is a payment of its own, which nobody is asked for.
  { steps: ['all', 'seen', 'reorganized'], child: true, told: ['confirming', 'expired'] },
  { steps: ['all', 'half'], child: true, told: ['confirming', 'confirmed', 'finished'] },
  {
    steps: ['almost the window', 'seen', 'past the window', 'deep'],
    told: ['waiting', 'confirming', 'confirmed', 'finished'],
  },
  { steps: ['half', 'refund'], told: ['waiting', 'confirming', 'partially_paid', 'refunded'] },
  { steps: ['all', 'refund'], told: ['waiting', 'confirming', 'confirmed', 'finished', 'refunded'] },
  { steps: ['half', 'window', 'refund'], told: ['waiting', 'confirming', 'partially_paid', 'expired', 'refunded'] },
] as const

/** Lives of a payout. */
export const payoutLives = [
  { steps: ['verify', 'wait'], told: ['creating', 'waiting', 'processing', 'sending', 'finished'] },
  { steps: ['hour'], told: ['creating', 'rejected'] },
  { steps: ['verify', 'drop', 'wait'], told: ['creating', 'waiting', 'processing', 'sending', 'failed'] },
  { steps: ['ceiling', 'verify', 'reject'], told: ['creating', 'waiting', 'rejected'] },
  {
    steps: ['ceiling', 'verify', 'approve', 'wait'],
    told: ['creating', 'waiting', 'processing', 'sending', 'finished'],
  },
  { steps: ['schedule', 'cancel'], told: ['creating', 'rejected'] },
  { steps: ['schedule', 'verify', 'cancel'], told: ['creating', 'waiting', 'rejected'] },
  { steps: ['schedule', 'verify', 'unlist', 'wait'], told: ['creating', 'waiting', 'rejected'] },
] as const

/** Lives of a subscription that is charged to a sub-account with enough or too little in it. */
export const subscriptionLives = [
  { funds: true, steps: ['cancel'], told: ['active', 'cancelled'] },
  { funds: true, steps: ['period'], told: ['active', 'past_due'] },
  { funds: true, steps: ['period', 'week'], told: ['active', 'past_due', 'cancelled'] },
  { funds: true, steps: ['pause', 'resume'], told: ['active', 'paused', 'active'] },
  { funds: true, steps: ['pause', 'cancel'], told: ['active', 'paused', 'cancelled'] },
  { funds: false, steps: ['week'], told: ['past_due', 'cancelled'] },
  { funds: false, steps: ['fill', 'day'], told: ['past_due', 'active'] },
  { funds: false, steps: ['cancel'], told: ['past_due', 'cancelled'] },
  { funds: false, steps: ['pause', 'cancel'], told: ['past_due', 'paused', 'cancelled'] },
] as const

/** Moves of the tables that a simulated world cannot bring about, each with what would. */
export const unlived = {
  payment: [
    // A sanctioned deposit found first after a clean one was counted; docs/decisions.md, "Payments and invoices".
    'partially_paid failed',
    // A refund between the confirmation and the settlement, which are one transaction here.
    'confirmed refunded',
  ],
  // A chain that refuses a transfer.
  payout: ['processing failed'],
} as const
