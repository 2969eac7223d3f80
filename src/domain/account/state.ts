export const plans = ['free', 'paid'] as const
export type Plan = (typeof plans)[number]

/** Billing states of a tenant's account. */
export const accountStates = ['FREE', 'PAID', 'GRACE', 'DOWNGRADED', 'SUSPENDED', 'CLOSED'] as const
export type AccountState = (typeof accountStates)[number]

/** Environments of a tenant: `live` with real money, `sandbox` with test coins. */
export const environments = ['live', 'sandbox'] as const
export type Environment = (typeof environments)[number]

/** Returns whether an account is closed for good: its tenant is refused everywhere. */
export function isOver(state: AccountState): boolean {
  return state === 'SUSPENDED' || state === 'CLOSED'
}
