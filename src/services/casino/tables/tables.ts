import type { TableRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { isOver } from '../../../domain/account/state.ts'
import { statusFor } from '../account/demo-idle.ts'
import { refuse } from '../api/contract.ts'
import { limitsFor } from '../api/limits.ts'
import type { Table, TableSwitch } from '../api/schemas/index.ts'
import { toTable } from '../api/views.ts'
import { enabledTables, endSpan, insertSpan, isTableEnabled, tableOf } from '../queries/tables.ts'
import { tenantOf } from '../queries/tenants.ts'
import type { Casino, Tenant } from '../service.ts'
import { tableBefore, tablesBefore } from './sharing.ts'

/** Lists every table available to the tenant, and whether it is enabled. */
export function listTables(app: Casino, tenant: TenantRow): Promise<{ tables: Table[] }> {
  return app.store.read(async (reader) => {
    const enabled = new Set(await enabledTables(reader, tenant.code))
    const tables = await tablesBefore(reader, tenant)
    return {
      tables: tables.map((table) => {
        const seen = { ...table, status: statusFor(table, tenant, reader.now) }
        return toTable(seen, tenant.code, enabled.has(table.table_id))
      }),
    }
  })
}

/** Enables a table for the tenant's players, or refuses; an enabled table is not an error. */
export function enableTable(app: Casino, tenant: Tenant, tableId: string): Promise<TableSwitch> {
  return app.store.write(async (tx) => {
    await theTable(tx, tenant, tableId)
    if (await isAccountLocked(tx, tenant))
      throw refuse('ACCOUNT_LOCKED', 'The account is suspended or closed: tables cannot be enabled')
    const enabled = await enabledTables(tx, tenant.code)
    const quota = limitsFor(tenant).tables
    if (enabled.includes(tableId)) return { tableId, enabled: true, used: enabled.length, quota }
    if (quota !== null && enabled.length >= quota)
      throw refuse('QUOTA_EXCEEDED', `The plan's quota of ${quota} tables is reached`)
    const span = { id: app.id(), tenant: tenant.code, table_id: tableId, enabled_at: tx.now, disabled_at: null }
    await insertSpan(tx, span)
    return { tableId, enabled: true, used: enabled.length + 1, quota }
  })
}

/** Disables a table for the tenant's players at once; a disabled table is not an error. */
export function disableTable(app: Casino, tenant: Tenant, tableId: string): Promise<TableSwitch> {
  return app.store.write(async (tx) => {
    await theTable(tx, tenant, tableId)
    await endSpan(tx, tenant.code, tableId)
    const { length: used } = await enabledTables(tx, tenant.code)
    return { tableId, enabled: false, used, quota: limitsFor(tenant).tables }
  })
}

/** Disables tables beyond the plan's quota. Those enabled longest stay. */
export async function keepWithinQuota(tx: Tx, tenant: TenantRow): Promise<void> {
  const quota = limitsFor(tenant).tables
  if (quota === null) return
  for (const tableId of (await enabledTables(tx, tenant.code)).slice(quota)) await endSpan(tx, tenant.code, tableId)
}

/** Returns the table, if the tenant has it enabled. */
export async function enabledTable(reader: Reader, tenant: TenantRow, tableId: string): Promise<TableRow | undefined> {
  const table = await tableOf(reader, tenant.environment, tableId)
  return table && (await isTableEnabled(reader, tenant.code, tableId)) ? table : undefined
}

async function theTable(reader: Reader, tenant: TenantRow, tableId: string): Promise<TableRow> {
  const table = await tableBefore(reader, tenant, tableId)
  if (!table) throw refuse('NOT_FOUND', `There is no table ${tableId}`)
  return table
}

/**
 * The account is the live tenant's: its suspension also blocks enabling tables in the sandbox, which otherwise stays
 * usable.
 */
async function isAccountLocked(reader: Reader, tenant: Tenant): Promise<boolean> {
  const account = await tenantOf(reader, tenant.live_code)
  return account !== undefined && isOver(account.state)
}
