import type { TableRow, TableSpanRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

type Environment = TableRow['environment']

export function tablesOf({ q }: Reader, environment: Environment): Promise<TableRow[]> {
  return q
    .selectFrom('casino_tables')
    .selectAll()
    .where('environment', '=', environment)
    .orderBy('position')
    .orderBy('table_id')
    .execute()
}

export function tableOf({ q }: Reader, environment: Environment, tableId: string): Promise<TableRow | undefined> {
  return q
    .selectFrom('casino_tables')
    .selectAll()
    .where('environment', '=', environment)
    .where('table_id', '=', tableId)
    .executeTakeFirst()
}

export async function insertTables({ q }: Tx, rows: readonly TableRow[]): Promise<void> {
  await q.insertInto('casino_tables').values(rows).execute()
}

/** Updates an existing table. */
export async function saveTable({ q }: Tx, { environment, table_id, ...change }: TableRow): Promise<void> {
  await q
    .updateTable('casino_tables')
    .set(change)
    .where('environment', '=', environment)
    .where('table_id', '=', table_id)
    .execute()
}

/** Lists tables owned by merchants, of both environments. */
export function ownedTables({ q }: Reader): Promise<TableRow[]> {
  return q.selectFrom('casino_tables').selectAll().where('owner', 'is not', null).execute()
}

/** Lists the tenants of a table's environment that have it enabled. */
export async function tenantsEnabling(
  { q }: Reader,
  table: Pick<TableRow, 'environment' | 'table_id'>,
): Promise<string[]> {
  const rows = await q
    .selectFrom('casino_table_spans')
    .innerJoin('casino_tenants', 'casino_tenants.code', 'casino_table_spans.tenant')
    .select('casino_table_spans.tenant')
    .where('casino_tenants.environment', '=', table.environment)
    .where('casino_table_spans.table_id', '=', table.table_id)
    .where('casino_table_spans.disabled_at', 'is', null)
    .execute()
  return rows.map((row) => row.tenant)
}

/** Returns the ids of a tenant's enabled tables, longest enabled first. */
export async function enabledTables({ q }: Reader, tenant: string): Promise<string[]> {
  const rows = await q
    .selectFrom('casino_table_spans')
    .select('table_id')
    .where('tenant', '=', tenant)
    .where('disabled_at', 'is', null)
    .orderBy('enabled_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.table_id)
}

export async function isTableEnabled({ q }: Reader, tenant: string, tableId: string): Promise<boolean> {
  const row = await q
    .selectFrom('casino_table_spans')
    .select('id')
    .where('tenant', '=', tenant)
    .where('table_id', '=', tableId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertSpan({ q }: Tx, row: TableSpanRow): Promise<void> {
  await q.insertInto('casino_table_spans').values(row).execute()
}

export async function endSpan({ q, now }: Tx, tenant: string, tableId: string): Promise<void> {
  await q
    .updateTable('casino_table_spans')
    .set({ disabled_at: now })
    .where('tenant', '=', tenant)
    .where('table_id', '=', tableId)
    .where('disabled_at', 'is', null)
    .execute()
}

/** Opens or closes a table for all tenants of an environment; false when it does not exist. */
export async function saveTableStatus({ q }: Tx, table: Pick<TableRow, 'environment' | 'table_id' | 'status'>) {
  const { numUpdatedRows } = await q
    .updateTable('casino_tables')
    .set({ status: table.status })
    .where('environment', '=', table.environment)
    .where('table_id', '=', table.table_id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Lists a tenant's periods of enabled tables that overlap [from, to). */
export function spansBetween({ q }: Reader, tenant: string, from: number, to: number): Promise<TableSpanRow[]> {
  return q
    .selectFrom('casino_table_spans')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('enabled_at', '<', to)
    .where((eb) => eb.or([eb('disabled_at', 'is', null), eb('disabled_at', '>=', from)]))
    .execute()
}
