import type { TenantRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { bankerDrawTable, payTable } from '../../../domain/games/pay-table.ts'
import type { RulesView } from '../player-page/browser/views.ts'
import type { PlayerCaller } from '../players/sessions.ts'
import { asOffered, type OpenTable, openTable, variantsAt } from '../rounds/rounds.ts'
import { tableFor } from './play.ts'

/** Returns the pay table of a table as this player's tenant offers it. */
export async function rulesView(reader: Reader, caller: PlayerCaller, tableId: string): Promise<RulesView> {
  const row = await tableFor(reader, caller, tableId)
  const table = await openTable(reader, row.environment, row.table_id)
  return { pays: paysOf(caller.tenant, table), draws: row.game === 'baccarat' ? bankerDrawTable() : [] }
}

/** Returns the pay table of each variant of a table as a tenant offers it. */
export function paysOf(tenant: TenantRow, table: OpenTable): RulesView['pays'] {
  const { game, settings } = asOffered(tenant, table)
  return Object.fromEntries(variantsAt(table).map((variant) => [variant, payTable(game, variant, settings)]))
}
