import type { TableRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import { dayMs } from '../../../domain/time/calendar.ts'
import { limitsFor } from '../api/limits.ts'
import { saveTenant, tenantOf } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'

/**
 * Idle pause of the demo plan: after some days without a Console login or a bet the tables pause, and a login restores
 * them. A command about a tenant counts as a login.
 */

/** Returns whether a tenant's tables pause at a moment. */
export function isIdle(tenant: TenantRow, now: number): boolean {
  const { idleDays } = limitsFor(tenant)
  return idleDays !== null && tenant.active_at !== null && now - tenant.active_at >= idleDays * dayMs
}

/** Returns the status of a table for a tenant's players: a paused table looks like one in maintenance. */
export function statusFor(table: TableRow, tenant: TenantRow, now: number): TableRow['status'] {
  return isIdle(tenant, now) ? 'maintenance' : table.status
}

/** Resolution of recorded activity: bets within one second need not wait for each other's row. */
const noticeMs = 1_000

/** Records activity of a tenant, if its plan depends on it. */
export async function recordActivity(tx: Tx, tenant: TenantRow): Promise<void> {
  if (limitsFor(tenant).idleDays === null || tx.now - (tenant.active_at ?? 0) < noticeMs) return
  await saveTenant(tx, tenant.code, { active_at: tx.now })
}

/** Logs into a tenant's Console, which restores paused tables. Ignores unknown tenants: the caller reports those. */
export async function logIntoConsole(app: Casino, code: string): Promise<void> {
  const tenant = await app.store.read((reader) => tenantOf(reader, code.toUpperCase()))
  if (tenant && limitsFor(tenant).idleDays !== null) await app.store.write((tx) => recordActivity(tx, tenant))
}
