import type { Handlers } from '../../../http/contract/contract.ts'
import { type Service, serve } from '../../../http/server/handle.ts'
import type { TableView } from '../player-page/browser/views.ts'
import type { PlayerCaller } from '../players/sessions.ts'
import { liveTableOf } from '../queries/live.ts'
import { playerOf } from '../queries/players.ts'
import { openTable } from '../rounds/rounds.ts'
import type { Casino } from '../service.ts'
import { play } from './contract.ts'
import { decide, placeBets, tableFor, takeSeat, takeTurn } from './play.ts'
import { rulesView } from './rules-view.ts'
import { authenticatePlayer, leave } from './session-state.ts'
import { sessionView, slipsView } from './slips-view.ts'
import { liveTable } from './table.ts'
import { checkMayView } from './viewing.ts'
import { meView, tableEntry, tableView } from './views.ts'

interface Callers {
  readonly player: PlayerCaller
}

/** Endpoints of the player's page. */
export function playService(app: Casino): Service {
  const read = app.store.read
  const viewAfter = async (caller: PlayerCaller, tableId: string, work: Promise<void>): Promise<TableView> => {
    await work
    return read(async (reader) => {
      const row = await tableFor(reader, caller, tableId)
      const player = (await playerOf(reader, caller.player.id)) ?? caller.player
      const table = await openTable(reader, row.environment, row.table_id)
      return tableView(
        reader,
        { ...caller, player },
        liveTable(table, await liveTableOf(reader, row.environment, row.table_id)),
      )
    })
  }
  const handlers: Handlers<typeof play, Callers> = {
    me: async ({ caller }) => meView(caller),
    table: async ({ caller, params: { tableId } }) => {
      await read((reader) => tableFor(reader, caller, tableId))
      await checkMayView(app, caller, tableId)
      return read((reader) => tableEntry(reader, caller, tableId))
    },
    rules: ({ caller, params: { tableId } }) => read((reader) => rulesView(reader, caller, tableId)),
    bet: async ({ caller, params: { tableId }, body }) => {
      await checkMayView(app, caller, tableId)
      return viewAfter(caller, tableId, placeBets(app, caller, tableId, body))
    },
    seat: async ({ caller, params: { tableId }, body }) => {
      await checkMayView(app, caller, tableId)
      return viewAfter(caller, tableId, takeSeat(app, caller, tableId, body))
    },
    decide: ({ caller, params: { tableId }, body }) => viewAfter(caller, tableId, decide(app, caller, tableId, body)),
    turn: ({ caller, params: { tableId }, body }) => viewAfter(caller, tableId, takeTurn(app, caller, tableId, body)),
    slips: ({ caller, query: { before } }) => read((reader) => slipsView(reader, caller, before)),
    session: ({ caller }) => read((reader) => sessionView(reader, caller)),
    leave: ({ caller }) => leave(app, caller),
  }
  return serve(play, (request) => authenticatePlayer(app, request), handlers)
}
