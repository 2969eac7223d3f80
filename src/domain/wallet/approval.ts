import { coinOf } from '../chains/coins.ts'
import { parseAmount } from '../money.ts'

/** Second-person approval of money movements. */

/** Total moved in a currency, in and out together. */
export interface Moved {
  readonly currency: string
  readonly amount: string
}

/** Amount of each currency above which an approval is required. */
export type ApprovalLimits = ReadonlyMap<string, bigint>

const limitPattern = /^\s*(\d{1,15}(?:[.]\d{1,4})?):([A-Za-z0-9]{2,20})\s*$/

/** Parses `1000:USD,500:usdttrc20`; null for other text. */
export function approvalLimits(text: string): ApprovalLimits | null {
  const limits = new Map<string, bigint>()
  for (const part of text.split(',')) {
    const [, amount = '', currency = ''] = limitPattern.exec(part) ?? []
    if (amount === '' || !(/^[A-Za-z]{3,5}$/.test(currency) || coinOf(currency)) || limits.has(currency.toUpperCase()))
      return null
    limits.set(currency.toUpperCase(), parseAmount(amount))
  }
  return limits
}

/** Returns the currencies that require an approval. With limits set, a currency without one always does. */
export function aboveLimits(moved: readonly Moved[], limits: ApprovalLimits | undefined): Moved[] {
  if (limits === undefined) return []
  return moved.filter(({ currency, amount }) => parseAmount(amount) > (limits.get(currency) ?? 0n))
}

/** Returns the normalized name that people are compared by. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
}

/** Returns when an approval expires, so that it cannot release money months later. */
export function approvalEnd(approvedAt: number, days: number): number {
  return approvedAt + days * 86_400_000
}

/** An approval: who, when, and of which content. */
export interface Approval {
  readonly nameKey: string
  readonly digest: string
}

/**
 * Returns whether a batch may be applied: approved by another person, not approved as it is, or approved only by its
 * author.
 */
export function approvalStanding(
  batch: { readonly digest: string; readonly madeBy: string },
  approvals: readonly Approval[],
  needsAnother: boolean,
): 'none' | 'own-only' | 'approved' {
  const valid = approvals.filter(({ digest }) => digest === batch.digest)
  if (valid.length === 0) return 'none'
  const maker = foldName(batch.madeBy)
  return needsAnother && valid.every(({ nameKey }) => nameKey === maker) ? 'own-only' : 'approved'
}
