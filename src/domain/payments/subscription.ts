/** The life of a subscription (2-payment-gateway-api, "States and transitions"): charged by the clock, ahead of each period. */

export const subscriptionStatuses = ['active', 'past_due', 'paused', 'cancelled'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

const dayMs = 24 * 3_600_000
/** How often a charge that could not be made is tried again, and for how long: seven days, as the compatible gateway waits. */
export const retryMs = dayMs
export const graceMs = 7 * dayMs

/** How long before a period begins its bill is mailed: a day, as the compatible gateway mails its links. */
export const billLeadMs = dayMs

/** When the bill of the next period is mailed: at once where the lead is longer than what is left. */
export function billDueAt(paidUntil: number, now: number): number {
  return Math.max(now, paidUntil - billLeadMs)
}

export interface SubscriptionState {
  readonly status: SubscriptionStatus
  /** Until when it is paid for; at the beginning, when it began. */
  readonly paidUntil: number
  /** When it is charged next; null when it is not. */
  readonly dueAt: number | null
}

/** What becomes of a subscription that was due: paid for another period, or owing, or given up. */
export function afterCharge(
  state: SubscriptionState,
  isPaid: boolean,
  intervalDays: number,
  now: number,
): SubscriptionState {
  if (isPaid) {
    // A late payment buys its period from today: the days that were not paid for were not served either.
    const isLate = state.status === 'past_due' || (state.status === 'paused' && now > state.paidUntil)
    const from = isLate ? now : state.paidUntil
    const paidUntil = from + intervalDays * dayMs
    return { status: 'active', paidUntil, dueAt: paidUntil }
  }
  if (now >= state.paidUntil + graceMs) return { ...state, status: 'cancelled', dueAt: null }
  return { ...state, status: 'past_due', dueAt: Math.min(now + retryMs, state.paidUntil + graceMs) }
}

/** A pause stops the charges and not the period that was paid for; going on, it is charged when that is over. */
export function paused(state: SubscriptionState): SubscriptionState {
  return { ...state, status: 'paused', dueAt: null }
}

export function resumed(state: SubscriptionState, now: number): SubscriptionState {
  const paidUntil = Math.max(now, state.paidUntil)
  return { status: 'active', paidUntil, dueAt: paidUntil }
}
