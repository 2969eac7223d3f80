import { type Ratio, times } from '../money.ts'
import type { ApprovalLimits } from '../wallet/approval.ts'

/** Refunds: the requested part of what a payment received, and when a second person must approve it. */

/** Requested part of a payment. `rest`: all that was received and not refunded yet. */
export type RefundPart =
  | { readonly kind: 'rest' | 'overpaid' }
  | { readonly kind: 'amount'; readonly units: bigint; readonly text: string }
  | { readonly kind: 'percent'; readonly share: Ratio; readonly text: string }

/** Amounts of a payment in units: received, due, and refunded so far or being refunded. */
export interface RefundBase {
  readonly received: bigint
  readonly due: bigint
  readonly refunded: bigint
  /** Smallest step of a computed amount. */
  readonly step: bigint
}

/** Reason why a part cannot be refunded. */
export type RefundFault = 'nothing-left' | 'not-overpaid' | 'above-received' | 'above-rest' | 'zero'

/**
 * Returns the name that identifies a part: the same part of a payment is refunded once. The overpaid part has no key,
 * because there is only one: a second refund of it would send back a part of the price.
 */
export function partName(part: RefundPart, key: string | undefined): string {
  if (part.kind === 'overpaid') return part.kind
  const name = part.kind === 'amount' || part.kind === 'percent' ? `${part.kind} ${part.text}` : part.kind
  return key === undefined ? name : `${name} ${key}`
}

/** Returns the units of a part. A percentage is of what was received, truncated to the increment of the coin. */
export function partUnits(part: RefundPart, { received, due, refunded, step }: RefundBase): bigint | RefundFault {
  const rest = received - refunded
  if (rest <= 0n) return 'nothing-left'
  if (part.kind === 'rest') return rest
  if (part.kind === 'overpaid' && received <= due) return 'not-overpaid'
  const units = requestedUnits(part, { received, due, step })
  if (units <= 0n) return 'zero'
  if (units > received) return 'above-received'
  return units > rest ? 'above-rest' : units
}

function requestedUnits(part: RefundPart, { received, due, step }: Omit<RefundBase, 'refunded'>): bigint {
  if (part.kind === 'amount') return part.units
  if (part.kind !== 'percent') return received - due
  const exact = times(received, part.share)
  return part.share.numerator === part.share.denominator ? exact : exact - (exact % step)
}

/** Value of a refund, with the earlier ones of the payment, so that parts do not evade a limit. */
export interface RefundValue {
  readonly coin: string
  /** In units of the coin and at its scale. */
  readonly units: bigint
  readonly scale: number
  /** In dollars at `usdScale` decimals; null without a price. */
  readonly usd: bigint | null
  readonly usdScale: number
}

/** Decimals of the limits of the setting. */
const limitScale = 4

/**
 * Returns whether a second person must approve a refund: above the limit of its coin if there is one, else above that of
 * USD. With limits set, a coin without a limit or without a price always needs one.
 */
export function needsSecondPerson(limits: ApprovalLimits | undefined, value: RefundValue): boolean {
  if (limits === undefined) return false
  const ofCoin = limits.get(value.coin.toUpperCase())
  if (ofCoin !== undefined) return exceeds(value.units, value.scale, ofCoin)
  const ofUsd = limits.get('USD')
  return ofUsd === undefined || value.usd === null || exceeds(value.usd, value.usdScale, ofUsd)
}

function exceeds(units: bigint, scale: number, limit: bigint): boolean {
  return units * 10n ** BigInt(limitScale) > limit * 10n ** BigInt(scale)
}
