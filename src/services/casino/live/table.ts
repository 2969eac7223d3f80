import assert from 'node:assert/strict'
import type { LiveTableRow, RoundRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import type { Variant } from '../../../domain/games/game.ts'
import { saveLiveTable } from '../queries/live.ts'
import { type OpenTable, variantsAt } from '../rounds/rounds.ts'
import { type LiveState, noState, packed, unpacked } from './state.ts'

/** A live table in one transaction. */
export interface LiveTable {
  readonly row: LiveTableRow
  readonly state: LiveState
  readonly table: OpenTable
  readonly variant: Variant
}

/** Environment and id of a table. */
export type TableKey = Pick<LiveTableRow, 'environment' | 'table_id'>

/** Returns a table with its live row; a table that was never dealt is idle. */
export function liveTable(table: OpenTable, liveRow: LiveTableRow | undefined): LiveTable {
  const { environment, table_id } = table.row
  const idle = { environment, table_id, round_id: null, phase: 'idle', due_at: null, version: 0 } as const
  const row = liveRow ?? { ...idle, state: packed(noState) }
  return { row, table, variant: variantsAt(table)[0], state: unpacked(row.state) }
}

/** Writes the current state of a table. */
export async function save(
  tx: Tx,
  { row }: LiveTable,
  phase: LiveTableRow['phase'],
  dueAt: number | null,
  state: LiveState,
  roundId: string | null = row.round_id,
): Promise<void> {
  const change = { round_id: roundId, phase, due_at: dueAt, version: row.version + 1, state: packed(state) }
  await saveLiveTable(tx, { ...row, ...change })
}

/** Returns the round a table is dealing. */
export function roundIdOf({ row }: LiveTable): RoundRow['id'] {
  assert(row.round_id, 'a table that is not idle has a round')
  return row.round_id
}

export function isNoLimit({ variant }: Pick<LiveTable, 'variant'>): boolean {
  return variant === 'nlhe'
}
