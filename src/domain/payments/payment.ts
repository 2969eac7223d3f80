import type { Ratio } from '../money.ts'

/** The life of a payment (2-payment-gateway-api, "States and transitions"). */

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

/** How long the quoted amount holds: 20 minutes, as the compatible gateway holds it. */
export const quoteMs = 20 * 60_000

/**
 * Returns whether a stated end has come: of a quote, of a payment window, of the hour for a 2FA code. At the end moment
 * itself it is over. Every comparison with such an end is made here, so that all views and periodic jobs agree.
 */
export function hasEnded(end: number, now: number): boolean {
  return now >= end
}

/** Statuses in which an amount is due, and is requoted once its quote has expired. */
export function isDue(status: PaymentStatus): boolean {
  return status === 'waiting' || status === 'partially_paid'
}

/** How long an address is watched for the first payment: 7 days; with a fixed rate only as long as the quote holds. */
export const windowMs = 7 * 24 * 3_600_000

/** The moves there are. Whatever is not listed does not happen. */
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
} as const satisfies Record<PaymentStatus, readonly PaymentStatus[]>

/** Whether a payment may go from one status to another. */
export function mayMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return paymentMoves[from].some((next) => next === to)
}

/** Whether deposits still count toward this payment; later ones become payments of their own. */
export function isOpen(status: PaymentStatus): boolean {
  return status === 'waiting' || status === 'confirming' || status === 'partially_paid'
}

/**
 * The statuses a payment passes through to get from where it is to where its deposits put it, both ends left out and in.
 * A part-paid payment that received more and is still part-paid goes through confirming as well: the merchant hears of it.
 */
export function stepsTo(from: PaymentStatus, to: PaymentStatus, hasReceivedMore = false): readonly PaymentStatus[] {
  if (from === to) return hasReceivedMore && from === 'partially_paid' ? ['confirming', to] : []
  if (mayMove(from, to)) return [to]
  // A deposit can be seen only when it is deep already, after an outage for one: the merchant hears of each step.
  return mayMove(from, 'confirming') && mayMove('confirming', to) ? ['confirming', to] : []
}

/** What the service keeps of a payment: half a percent, cut in the merchant's favour. */
export const serviceFee: Ratio = { numerator: 5n, denominator: 1000n }
