import type { Environment } from '../../domain/account.ts'
import type { TableRow } from '../../store/tables/casino.ts'
import type { Casino } from '../casino.ts'
import { refuse } from '../contract.ts'
import { saveTableStatus } from '../queries/tables.ts'

/** Opens a table or takes it into maintenance, for all tenants of an environment. There, no bets are taken. */
export function setTableStatus(app: Casino, environment: Environment, tableId: string, status: TableRow['status']) {
  return app.store.write(async (tx) => {
    if (!(await saveTableStatus(tx, { environment, table_id: tableId, status })))
      throw refuse('NOT_FOUND', `There is no table ${tableId}`)
    return { environment, tableId, status }
  })
}
