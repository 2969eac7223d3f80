/**
 * Statuses and transitions of a subscription (2-payment-gateway-api, "States and transitions"). The clock charges it
 * ahead of each period.
 */

export const subscriptionStatuses = ['active', 'past_due', 'paused', 'cancelled'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

const dayMs = 24 * 3_600_000
/** Interval and total time of retries after a failed charge: 7 days, as at the compatible gateway. */
export const retryMs = dayMs
export const graceMs = 7 * dayMs

/** Time before a period at which its bill is mailed: 1 day, as at the compatible gateway. */
export const billLeadMs = dayMs

/** Returns when the bill of the next period is mailed: at once when less than the lead time is left. */
export function billDueAt(paidUntil: number, now: number): number {
  return Math.max(now, paidUntil - billLeadMs)
}

export interface SubscriptionState {
  readonly status: SubscriptionStatus
  /** End of the paid period; at first, the start of the subscription. */
  readonly paidUntil: number
  /** Time of the next charge; null for none. */
  readonly dueAt: number | null
}

/** Returns the state after a charge was due: paid for another period, past due, or cancelled. */
export function afterCharge(
  state: SubscriptionState,
  isPaid: boolean,
  intervalDays: number,
  now: number,
): SubscriptionState {
  if (isPaid) {
    // A late payment buys its period from today, because the unpaid days were not served.
    const isLate = state.status === 'past_due' || (state.status === 'paused' && now > state.paidUntil)
    const from = isLate ? now : state.paidUntil
    const paidUntil = from + intervalDays * dayMs
    return { status: 'active', paidUntil, dueAt: paidUntil }
  }
  if (now >= state.paidUntil + graceMs) return { ...state, status: 'cancelled', dueAt: null }
  return { ...state, status: 'past_due', dueAt: Math.min(now + retryMs, state.paidUntil + graceMs) }
}

/** Pauses a subscription. Charges stop, the paid period continues; after resuming, the next charge is at its end. */
export function paused(state: SubscriptionState): SubscriptionState {
  return { ...state, status: 'paused', dueAt: null }
}

export function resumed(state: SubscriptionState, now: number): SubscriptionState {
  const paidUntil = Math.max(now, state.paidUntil)
  return { status: 'active', paidUntil, dueAt: paidUntil }
}
