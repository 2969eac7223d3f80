import { limitsOf, type PlanLimits } from '../domain/plan.ts'
import type { TenantRow } from '../store/tables/casino.ts'

/** The limits a tenant has now: its plan's, those of the free plan after a downgrade, and what the platform set apart from them. */
export function limitsFor(tenant: TenantRow): PlanLimits {
  const plan = tenant.state === 'DOWNGRADED' ? 'free' : tenant.plan
  const limits = limitsOf(plan, tenant.environment)
  return {
    ...limits,
    rate: {
      perSecond: tenant.rate_per_second ?? limits.rate.perSecond,
      burst: tenant.rate_burst ?? limits.rate.burst,
    },
    tables: limits.tables === null ? null : (tenant.tables_quota ?? limits.tables),
    players: limits.players === null ? null : (tenant.players_limit ?? limits.players),
    online: limits.online === null ? null : (tenant.online_limit ?? limits.online),
  }
}

/** Whether a tenant is billed for its tables: it is live and on the paid plan, in grace too. */
export function isPaying(tenant: TenantRow): boolean {
  return tenant.environment === 'live' && tenant.plan === 'paid' && tenant.state !== 'DOWNGRADED'
}
