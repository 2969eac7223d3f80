import type { TenantRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { Problem } from '../../../kit/problem.ts'
import { refuse } from '../api/contract.ts'
import { enabledTables, tablesOf } from '../queries/tables.ts'
import { asOffered, type OpenTable, openTable } from '../rounds/rounds.ts'

/** Returns the requested tables, or all that a tenant has enabled; throws NOT_FOUND for one that is not enabled. */
export async function tablesToPlay(
  reader: Reader,
  tenant: TenantRow,
  tableIds: readonly string[],
): Promise<readonly OpenTable[]> {
  const enabled = new Set(await enabledTables(reader, tenant.code))
  const rows = await tablesOf(reader, tenant.environment)
  const chosen =
    tableIds.length > 0 ? tableIds : rows.filter((row) => enabled.has(row.table_id)).map((row) => row.table_id)
  const closed = chosen.find((id) => !enabled.has(id))
  if (closed !== undefined)
    throw refuse('NOT_FOUND', `Table ${closed} is not enabled for ${tenant.code}`, { disabledTable: closed })
  if (chosen.length === 0) throw new Problem('CONFLICT', `${tenant.code} has no enabled table to play at`)
  const tables: OpenTable[] = []
  for (const id of chosen) tables.push(asOffered(tenant, await openTable(reader, tenant.environment, id)))
  return tables
}
