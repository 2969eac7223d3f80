import type { Reader, Tx } from '../../../db/store.ts'
import type { TableSettings } from '../../../domain/games/game.ts'
import { settingsText } from '../../../domain/reconcile/settlement/table-rules.ts'

/** Settings of tables that the operator stated. */

/** Stated settings of a table; null deletes them. */
export type StatedSettings = ReadonlyMap<string, TableSettings | null>

/** Returns the stated settings by table. */
export async function statedSettings({ q }: Reader): Promise<Map<string, TableSettings>> {
  const rows = await q.selectFrom('book_table_settings').selectAll().orderBy('table_id').execute()
  return new Map(rows.map(({ table_id, settings }) => [table_id, JSON.parse(settings)]))
}

/** Stores the stated settings. Returns one sentence per change. */
export async function stateSettings({ q, now }: Tx, stated: StatedSettings, by: string): Promise<string[]> {
  const changes: string[] = []
  for (const [tableId, settings] of stated) {
    const known = await q
      .selectFrom('book_table_settings')
      .selectAll()
      .where('table_id', '=', tableId)
      .executeTakeFirst()
    if (settings === null) {
      await q.deleteFrom('book_table_settings').where('table_id', '=', tableId).execute()
      if (known) changes.push(`${tableId}: stated settings are forgotten`)
      continue
    }
    const row = { settings: JSON.stringify(settings), stated_by: by, stated_at: now }
    if (known?.settings === row.settings) continue
    await q
      .insertInto('book_table_settings')
      .values({ table_id: tableId, ...row })
      .onConflict((conflict) => conflict.column('table_id').doUpdateSet(row))
      .execute()
    changes.push(`${tableId}: ${settingsText(settings) || 'documented defaults'}`)
  }
  return changes
}
