import type { Handlers } from '../wire/contract.ts'
import { reachedBy } from '../wire/public-url.ts'
import { type Service, serve } from '../wire/serve.ts'
import { listStatements, readAccount, readUsage } from './account.ts'
import { readBets, readSummary } from './bets.ts'
import { tenantCalling } from './callers.ts'
import type { Casino, Tenant } from './casino.ts'
import { casino } from './contract.ts'
import { openEntrance } from './entrance.ts'
import { launch } from './launches.ts'
import { logout, readPlayer, updatePlayer } from './players.ts'
import { readRound } from './rounds.ts'
import { disableTable, enableTable, listTables } from './tables.ts'
import { deposit, findTransfer, readBalance, withdraw } from './wallets.ts'

/** Who may call: every endpoint of the tenant API is for a tenant. */
interface Callers {
  readonly tenant: Tenant
}

/** The tenant API's table of contents: pick a line and follow it down. */
export function casinoService(app: Casino): Service {
  const handlers: Handlers<typeof casino, Callers> = {
    launch: ({ caller, body, sender }) => launch(reachedBy(app, sender), caller, body),
    logout: ({ caller, body }) => logout(app, caller, body.username),
    player: ({ caller, query }) => readPlayer(app, caller, query.username),
    updatePlayer: ({ caller, body }) => updatePlayer(app, caller, body),
    deposit: ({ caller, body }) => deposit(app, caller, body),
    withdraw: ({ caller, body }) => withdraw(app, caller, body),
    transfer: ({ caller, query }) => findTransfer(app, caller, query),
    balance: ({ caller, query }) => readBalance(app, caller, query.username),
    bets: ({ caller, query }) => readBets(app, caller, query),
    summary: ({ caller, query }) => readSummary(app, caller, query.date),
    round: ({ caller, params }) => readRound(app, caller, params.roundId),
    tables: ({ caller }) => listTables(app, caller),
    enableTable: ({ caller, body }) => enableTable(app, caller, body.tableId),
    disableTable: ({ caller, body }) => disableTable(app, caller, body.tableId),
    account: ({ caller }) => readAccount(app, caller),
    usage: ({ caller, query }) => readUsage(app, caller, query),
    statements: ({ caller }) => listStatements(app, caller),
  }
  const entrance = openEntrance(app)
  return serve(casino, (request) => tenantCalling(app, entrance, request), handlers)
}
