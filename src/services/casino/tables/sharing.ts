import type { TableRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { isSharingOn } from '../queries/live.ts'
import { endSpan, tableOf, tablesOf, tenantsEnabling } from '../queries/tables.ts'

/**
 * Tables available to a tenant: the platform's, its own, and those shared by other merchants. A tenant's players bet at
 * a shared table within the tenant's own limits, and their slips belong to the tenant.
 */

/** Returns the tables a tenant may enable, in the platform's order. */
export async function tablesBefore(reader: Reader, tenant: TenantRow): Promise<TableRow[]> {
  const isOn = await isSharingOn(reader)
  return (await tablesOf(reader, tenant.environment)).filter((table) => isBefore(table, tenant.code, isOn))
}

/** Returns the table with this id, if it is available to the tenant. */
export async function tableBefore(reader: Reader, tenant: TenantRow, tableId: string): Promise<TableRow | undefined> {
  const table = await tableOf(reader, tenant.environment, tableId)
  return table && isBefore(table, tenant.code, await isSharingOn(reader)) ? table : undefined
}

/** Shared only while sharing is enabled, the share is approved, and it includes the tenant. */
function isBefore({ owner, shared_with, share_approved }: TableRow, code: string, isSharing: boolean): boolean {
  if (owner === null || owner === code) return true
  return isSharing && share_approved === 1 && sharesOf(shared_with).includes(code)
}

/** Returns the tenants that a merchant shares a table with. */
export function sharesOf(text: string | null): readonly string[] {
  return text === null ? [] : JSON.parse(text)
}

/** Disables a table for tenants that it is no longer available to: their players lose access at once. */
export async function closeToOthers(tx: Tx, table: TableRow): Promise<void> {
  const isOn = await isSharingOn(tx)
  for (const code of await tenantsEnabling(tx, table))
    if (!isBefore(table, code, isOn)) await endSpan(tx, code, table.table_id)
}
