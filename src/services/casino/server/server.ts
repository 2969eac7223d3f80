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
import type { Casino } from '../service.ts'
import { disableTable, enableTable, listTables } from '../tables/tables.ts'
import { findTransfer, readBalance } from '../wallet.ts'
import { openAdmissionControl, type SignedRequest } from './admission.ts'
import { authenticateTenant } from './auth.ts'
import { openKeyholders } from './keyholders.ts'
import { openMovementControl } from './movements.ts'

/** Callers of the tenant API: always a tenant. */
interface Callers {
  readonly tenant: SignedRequest
}

/** Endpoints of the tenant API, each with its handler. */
export function casinoService(app: Casino): Service {
  const carryOut = openMovementControl(app)
  const handlers: Handlers<typeof casino, Callers> = {
    launch: ({ caller: { tenant }, body, sender }) => launch(reachedBy(app, sender), tenant, body),
    logout: ({ caller: { tenant }, body }) => logout(app, tenant, body.username),
    player: ({ caller: { tenant }, query }) => readPlayer(app, tenant, query.username),
    updatePlayer: ({ caller: { tenant }, body }) => updatePlayer(app, tenant, body),
    deposit: ({ caller, body }) => carryOut(caller, { ...body, dir: 'in' }),
    withdraw: ({ caller, body }) => carryOut(caller, { ...body, dir: 'out' }),
    transfer: ({ caller: { tenant }, query }) => findTransfer(app, tenant, query),
    balance: ({ caller: { tenant }, query }) => readBalance(app, tenant, query.username),
    bets: ({ caller: { tenant }, query }) => readBets(app, tenant, query),
    summary: ({ caller: { tenant }, query }) => readSummary(app, tenant, query.date),
    round: ({ caller: { tenant }, params }) => readRound(app, tenant, params.roundId),
    tables: ({ caller: { tenant } }) => listTables(app, tenant),
    enableTable: ({ caller: { tenant }, body }) => enableTable(app, tenant, body.tableId),
    disableTable: ({ caller: { tenant }, body }) => disableTable(app, tenant, body.tableId),
    account: ({ caller: { tenant } }) => readAccount(app, tenant),
    usage: ({ caller: { tenant }, query }) => readUsage(app, tenant, query),
    statements: ({ caller: { tenant } }) => listStatements(app, tenant),
  }
  const findKeyholder = openKeyholders(app)
  return serve(casino, (request) => authenticateTenant(app, findKeyholder, request), handlers, {
    admission: { check: openAdmissionControl(app), byHandler: ['deposit', 'withdraw'] },
  })
}
