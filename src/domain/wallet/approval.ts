import { parseAmount } from '../money.ts'

/** When money needs the yes of a second person. */

/** What is moved of a currency, in and out together. */
export interface Moved {
  readonly currency: string
  readonly amount: string
}

/** Above which amount of each currency a second person is needed. */
export type ApprovalLimits = ReadonlyMap<string, bigint>

/** `1000:USD,30000:TWD`; null when it is not in form. */
export function approvalLimits(text: string): ApprovalLimits | null {
  const limits = new Map<string, bigint>()
  for (const part of text.split(',')) {
    const [, amount = '', currency = ''] = /^\s*(\d{1,15}(?:[.]\d{1,4})?):([A-Za-z]{3,5})\s*$/.exec(part) ?? []
    if (amount === '' || limits.has(currency.toUpperCase())) return null
    limits.set(currency.toUpperCase(), parseAmount(amount))
  }
  return limits
}

/**
 * The currencies for which a second person is needed. Where limits are set, a currency that none of them names needs one
 * always: whoever set them did not think of it.
 */
export function aboveLimits(moved: readonly Moved[], limits: ApprovalLimits | undefined): Moved[] {
  if (limits === undefined) return []
  return moved.filter(({ currency, amount }) => parseAmount(amount) > (limits.get(currency) ?? 0n))
}

/** The one spelling by which two people are told apart. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
}

/** Until when a yes holds: whoever gave it spoke of those days, and not of money that moves months later. */
export function approvalEnd(approvedAt: number, days: number): number {
  return approvedAt + days * 86_400_000
}

/** Somebody's yes, and to what. */
export interface Approval {
  readonly nameKey: string
  readonly digest: string
}

/** Whether a plan may be carried out: nobody said yes to it as it is, only who made it where that is not enough, or all is well. */
export function approvalStanding(
  plan: { readonly digest: string; readonly madeBy: string },
  approvals: readonly Approval[],
  needsAnother: boolean,
): 'none' | 'own-only' | 'approved' {
  const valid = approvals.filter(({ digest }) => digest === plan.digest)
  if (valid.length === 0) return 'none'
  const maker = foldName(plan.madeBy)
  return needsAnother && valid.every(({ nameKey }) => nameKey === maker) ? 'own-only' : 'approved'
}
