import type { LiveTableRow, TableRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import type { RoadItem } from '../player-page/browser/views.ts'
import { allTables, liveTables } from '../queries/live.ts'
import { enabledTables } from '../queries/tables.ts'
import { type RoadReader, roadOf } from './roads.ts'

/** State shared by all pages at one moment, read once. */
export interface LobbyState {
  readonly tables: ReadonlyMap<string, TableRow>
  readonly live: ReadonlyMap<string, LiveTableRow>
  enabledOf(reader: Reader, tenant: string): Promise<ReadonlySet<string>>
  /** Road of a table, read once for all of its viewers. */
  readonly roadOf: RoadReader
}

/** Reads the scene. */
export async function readLobbyState(reader: Reader): Promise<LobbyState> {
  const key = (row: { environment: string; table_id: string }) => `${row.environment}/${row.table_id}`
  const enabled = new Map<string, ReadonlySet<string>>()
  const roads = new Map<string, readonly RoadItem[]>()
  return {
    tables: new Map((await allTables(reader)).map((row) => [key(row), row])),
    live: new Map((await liveTables(reader)).map((row) => [key(row), row])),
    async enabledOf(inReader, tenant) {
      const known = enabled.get(tenant) ?? new Set(await enabledTables(inReader, tenant))
      enabled.set(tenant, known)
      return known
    },
    async roadOf(inReader, row, length) {
      const roadKey = `${key(row)}/${length}`
      const known = roads.get(roadKey) ?? (await roadOf(inReader, row, length))
      roads.set(roadKey, known)
      return known
    },
  }
}
