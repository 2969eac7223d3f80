import type { TableRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import { dayMs } from '../../../domain/time/calendar.ts'
import { limitsFor } from '../api/limits.ts'
import { saveTenant, tenantOf } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'

/**
 * On a demo plan the tables pause when for so many days nobody has logged into the Console and nobody has bet; logging in
 * restores them. Whoever runs a command about a tenant is in its Console.
 */

/** Whether a tenant's tables pause at a moment. */
export function isIdle(tenant: TenantRow, now: number): boolean {
  const { idleDays } = limitsFor(tenant)
  return idleDays !== null && tenant.active_at !== null && now - tenant.active_at >= idleDays * dayMs
}

/** What a tenant's players find a table to be: where the tables pause they are as closed as in maintenance. */
export function statusFor(table: TableRow, tenant: TenantRow, now: number): TableRow['status'] {
  return isIdle(tenant, now) ? 'maintenance' : table.status
}

/** Activity is noted to the second, so that the days count from the last bet; bets of one second need not wait for each other's row. */
const noticeMs = 1_000

/** Notes that somebody did something for a tenant; only where it counts. */
export async function noteActivity(tx: Tx, tenant: TenantRow): Promise<void> {
  if (limitsFor(tenant).idleDays === null || tx.now - (tenant.active_at ?? 0) < noticeMs) return
  await saveTenant(tx, tenant.code, { active_at: tx.now })
}

/** Logs into a tenant's Console, which restores tables that paused. A tenant nobody knows is left to whoever asks for it. */
export async function logIntoConsole(app: Casino, code: string): Promise<void> {
  const tenant = await app.store.read((reader) => tenantOf(reader, code.toUpperCase()))
  if (tenant && limitsFor(tenant).idleDays !== null) await app.store.write((tx) => noteActivity(tx, tenant))
}
