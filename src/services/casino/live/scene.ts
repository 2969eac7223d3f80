import type { LiveTableRow, TableRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { allTables, liveTables } from '../queries/live.ts'
import { enabledTables } from '../queries/tables.ts'

/** State shared by all pages at one moment, read once. */
export interface LobbyState {
  readonly tables: ReadonlyMap<string, TableRow>
  readonly live: ReadonlyMap<string, LiveTableRow>
  enabledOf(reader: Reader, tenant: string): Promise<ReadonlySet<string>>
}

/** Reads the scene. */
export async function readLobbyState(reader: Reader): Promise<LobbyState> {
  const key = (row: { environment: string; table_id: string }) => `${row.environment}/${row.table_id}`
  const enabled = new Map<string, ReadonlySet<string>>()
  return {
    tables: new Map((await allTables(reader)).map((row) => [key(row), row])),
    live: new Map((await liveTables(reader)).map((row) => [key(row), row])),
    async enabledOf(inReader, tenant) {
      const known = enabled.get(tenant) ?? new Set(await enabledTables(inReader, tenant))
      enabled.set(tenant, known)
      return known
    },
  }
}
