import type { Reader } from '../../../db/store.ts'
import { bankerDrawTable, payTable } from '../../../domain/games/pay-table.ts'
import type { RulesView } from '../player-page/browser/views.ts'
import type { PlayerVisit } from '../players/sessions.ts'
import { asOffered, openTable, variantsAt } from '../rounds/rounds.ts'
import { tableFor } from './play.ts'

/** Returns the pay table of a table as this player's tenant offers it. */
export async function rulesView(reader: Reader, visit: PlayerVisit, tableId: string): Promise<RulesView> {
  const row = await tableFor(reader, visit, tableId)
  const table = await openTable(reader, row.environment, row.table_id)
  const { game, settings } = asOffered(visit.tenant, table)
  return {
    pays: Object.fromEntries(variantsAt(table).map((variant) => [variant, payTable(game, variant, settings)])),
    draws: game.name === 'baccarat' ? bankerDrawTable() : [],
  }
}
