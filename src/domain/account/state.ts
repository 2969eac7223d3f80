export const plans = ['free', 'paid'] as const
export type Plan = (typeof plans)[number]

/** Where a tenant's account stands with its bill. */
export const accountStates = ['FREE', 'PAID', 'GRACE', 'DOWNGRADED', 'SUSPENDED', 'CLOSED'] as const
export type AccountState = (typeof accountStates)[number]

/** Live money, or the paired tenant that plays with test coins. */
export const environments = ['live', 'sandbox'] as const
export type Environment = (typeof environments)[number]

/** Whether an account can do nothing any more: its tenant is refused everywhere. */
export function isOver(state: AccountState): boolean {
  return state === 'SUSPENDED' || state === 'CLOSED'
}
