import type { Ratio } from '../money.ts'

/** Statuses and transitions of a payment (2-payment-gateway-api, "States and transitions"). */

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
export type PaymentStatus = (typeof paymentStatuses)[number]

/** Lifetime of a quote: 20 minutes, as at the compatible gateway. */
export const quoteMs = 20 * 60_000

/**
 * Returns whether an end time has passed: of a quote, a payment window, the hour for a 2FA code. The end itself counts
 * as passed. Every such comparison is made here, so that all views and periodic jobs agree.
 */
export function hasEnded(end: number, now: number): boolean {
  return now >= end
}

/** Statuses in which an amount is due and is requoted after its quote expired. */
export function isDue(status: PaymentStatus): boolean {
  return status === 'waiting' || status === 'partially_paid'
}

/** Time an address is watched for the first payment: 7 days; with a fixed rate only until the quote expires. */
export const windowMs = 7 * 24 * 3_600_000

/** All allowed transitions. */
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
} as const satisfies Record<PaymentStatus, readonly PaymentStatus[]>

/** Returns whether a payment may change from one status to another. */
export function isPaymentTransition(from: PaymentStatus, to: PaymentStatus): boolean {
  return paymentTransitions[from].some((next) => next === to)
}

/** Returns whether deposits still count toward this payment; later ones become payments of their own. */
export function isOpen(status: PaymentStatus): boolean {
  return status === 'waiting' || status === 'confirming' || status === 'partially_paid'
}

/**
 * Returns the statuses a payment passes through on its way to the status its deposits require, without the first and
 * including the last. A part-paid payment that received more and is still part-paid also goes through confirming: the
 * merchant gets an IPN.
 */
export function stepsTo(from: PaymentStatus, to: PaymentStatus, hasReceivedMore = false): readonly PaymentStatus[] {
  if (from === to) return hasReceivedMore && from === 'partially_paid' ? ['confirming', to] : []
  if (isPaymentTransition(from, to)) return [to]
  // A deposit may be first seen when it is already deep, for example after an outage. The merchant still gets an IPN
  // for each step.
  return isPaymentTransition(from, 'confirming') && isPaymentTransition('confirming', to) ? ['confirming', to] : []
}

/** Service fee: 0.5 percent, truncated in the merchant's favor. */
export const serviceFee: Ratio = { numerator: 5n, denominator: 1000n }
