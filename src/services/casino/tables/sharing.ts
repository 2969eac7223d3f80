import type { TableRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { isSharingOn } from '../queries/live.ts'
import { endSpan, tableOf, tablesOf, tenantsEnabling } from '../queries/tables.ts'

/**
 * Which tables a tenant has before it: the platform's, its own, and those other merchants share with it. A tenant's own
 * players bet at a shared table within the tenant's own limits, and its slips are the tenant's to settle.
 */

/** The tables a tenant may enable, in the platform's order. */
export async function tablesBefore(reader: Reader, tenant: TenantRow): Promise<TableRow[]> {
  const isOn = await isSharingOn(reader)
  return (await tablesOf(reader, tenant.environment)).filter((table) => isBefore(table, tenant.code, isOn))
}

/** The table of that id, if it is before the tenant. */
export async function tableBefore(reader: Reader, tenant: TenantRow, tableId: string): Promise<TableRow | undefined> {
  const table = await tableOf(reader, tenant.environment, tableId)
  return table && isBefore(table, tenant.code, await isSharingOn(reader)) ? table : undefined
}

/** Shared only while the platform allows sharing at all, the share is approved, and it includes the tenant. */
function isBefore({ owner, shared_with, share_approved }: TableRow, code: string, isSharing: boolean): boolean {
  if (owner === null || owner === code) return true
  return isSharing && share_approved === 1 && sharesOf(shared_with).includes(code)
}

/** The tenants that a merchant shares a table with. */
export function sharesOf(text: string | null): readonly string[] {
  return text === null ? [] : JSON.parse(text)
}

/** Disables a table at those who have it no longer before them: their players lose access at once. */
export async function closeToOthers(tx: Tx, table: TableRow): Promise<void> {
  const isOn = await isSharingOn(tx)
  for (const code of await tenantsEnabling(tx, table))
    if (!isBefore(table, code, isOn)) await endSpan(tx, code, table.table_id)
}
