import type { TenantRow } from '../../../db/schema/casino.ts'
import { limitsOf, type PlanLimits } from '../../../domain/account/plan-limits.ts'
import { isOver, type Plan } from '../../../domain/account/state.ts'

/** Returns the plan that applies to a tenant now: the free one after a downgrade. */
export function planNow(tenant: TenantRow): Plan {
  return tenant.state === 'DOWNGRADED' ? 'free' : tenant.plan
}

/** Returns a tenant's current limits: those of its plan, overridden by its own. */
export function limitsFor(tenant: TenantRow): PlanLimits {
  const limits = limitsOf(planNow(tenant), tenant.environment)
  return {
    ...limits,
    rate: {
      perSecond: tenant.rate_per_second ?? limits.rate.perSecond,
      burst: tenant.rate_burst ?? limits.rate.burst,
    },
    tables: limits.tables === null ? null : (tenant.tables_quota ?? limits.tables),
    players: limits.players === null ? null : (tenant.players_limit ?? limits.players),
    online: limits.online === null ? null : (tenant.online_limit ?? limits.online),
    viewers: limits.viewers === null ? null : (tenant.viewers_limit ?? limits.viewers),
    viewMinutes: limits.viewMinutes === null ? null : (tenant.view_minutes ?? limits.viewMinutes) || null,
    isDemo: limits.isDemo && tenant.day_bets_limited !== 0,
    idleDays: limits.idleDays === null ? null : (tenant.idle_days ?? limits.idleDays) || null,
  }
}

/**
 * Returns whether a tenant is billed for its tables: a live one on the paid plan, including grace, unless play is
 * impossible.
 */
export function isPaying(tenant: TenantRow): boolean {
  return tenant.environment === 'live' && planNow(tenant) === 'paid' && !isOver(tenant.state)
}
