import type { Handlers } from '../../../http/contract/contract.ts'
import { type Service, serve } from '../../../http/server/handle.ts'
import { reachedBy } from '../../../http/server/public-url.ts'
import { listStatements, readAccount, readUsage } from '../account/read.ts'
import { casino } from '../api/contract.ts'
import { readBets } from '../bets/read.ts'
import { readSummary } from '../bets/summary.ts'
import { launch } from '../players/launches.ts'
import { logout, readPlayer, updatePlayer } from '../players/players.ts'
import { readRound } from '../rounds/rounds.ts'
import type { Casino, Tenant } from '../service.ts'
import { disableTable, enableTable, listTables } from '../tables/tables.ts'
import { deposit, findTransfer, readBalance, withdraw } from '../wallet.ts'
import { openAdmissionControl } from './admission.ts'
import { authenticateTenant } from './auth.ts'
import { openKeyholders } from './keyholders.ts'

/** Callers of the tenant API: always a tenant. */
interface Callers {
  readonly tenant: Tenant
}

/** Endpoints of the tenant API, each with its handler. */
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
  const checks = { findKeyholder: openKeyholders(app), admissionControl: openAdmissionControl(app) }
  return serve(casino, (request) => authenticateTenant(app, checks, request), handlers)
}
