import type { TableRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import type { Environment } from '../../../domain/account/state.ts'
import { type GameName, gameNames, type TableSettings, variantsOf } from '../../../domain/games/game.ts'
import { games } from '../../../domain/games/index.ts'
import { textLimits } from '../../../domain/text-limits.ts'
import { Problem } from '../../../kit/problem.ts'
import { theTenant } from '../account/tenants.ts'
import { refuse } from '../api/contract.ts'
import { saveSharing } from '../queries/live.ts'
import { insertTable, ownedTables, saveTable, saveTableStatus, tableOf, tablesOf } from '../queries/tables.ts'
import { saveTenant } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'
import { closeToOthers, sharesOf, tableBefore } from '../tables/sharing.ts'
import { checkedText } from './texts.ts'

/** Opens a table or takes it into maintenance, for all tenants of an environment. There, no bets are taken. */
export function setTableStatus(app: Casino, environment: Environment, tableId: string, status: TableRow['status']) {
  return app.store.write(async (tx) => {
    if (!(await saveTableStatus(tx, { environment, table_id: tableId, status })))
      throw refuse('NOT_FOUND', `There is no table ${tableId}`)
    return { environment, tableId, status }
  })
}

/** A table of a merchant's own. */
export interface TableOrder {
  readonly tableId: string
  readonly game: string
  /** Of the game's; the first one without any. */
  readonly variants?: readonly string[]
  /** Its name in English. */
  readonly name?: string
  readonly betSeconds?: number
  readonly settings?: TableSettings
  /** What others see as the provider when it is shared. */
  readonly provider?: string
}

/** Adds a table that belongs to a tenant, in that tenant's environment; others do not see it. */
export async function createTable(app: Casino, code: string, order: TableOrder): Promise<TableRow> {
  const { tableId, betSeconds = 20, settings = {} } = order
  const name = checkedText('name', order.name ?? tableId, textLimits.name)
  const provider = order.provider && checkedText('provider', order.provider, textLimits.name)
  if (!/^[A-Za-z0-9_.-]{1,32}$/.test(tableId))
    throw refuse('INVALID_PARAMETER', 'A table id is 1 to 32 letters, digits or one of _ . -')
  const game = gameNames.find((known): known is GameName => known === order.game)
  if (!game) throw refuse('INVALID_PARAMETER', `${order.game} is none of ${gameNames.join(', ')}`)
  const variants = variantsFor(game, order.variants ?? [])
  checkSettings(game, settings)
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    if (await tableOf(tx, tenant.environment, tableId))
      throw new Problem('CONFLICT', `There is a table ${tableId} already`)
    const row: TableRow = {
      environment: tenant.environment,
      table_id: tableId,
      game,
      variants: JSON.stringify(variants),
      names: JSON.stringify({ ENG: name }),
      status: 'open',
      bet_seconds: betSeconds,
      settings: JSON.stringify(settings),
      provider: provider || tenant.code,
      position: (await tablesOf(tx, tenant.environment)).length,
      owner: tenant.code,
      shared_with: null,
      share_approved: 0,
    }
    await insertTable(tx, row)
    return row
  })
}

/** Refuses settings that the game does not have, or by which it could not be settled. */
function checkSettings(game: GameName, settings: TableSettings): void {
  if (settings.commission !== undefined && game !== 'niuniu')
    throw refuse('INVALID_PARAMETER', `A commission is a setting of niuniu tables, and this one is ${game}`)
  const wrong = games[game].refuseSettings(settings)
  if (wrong) throw refuse('INVALID_PARAMETER', wrong.because)
}

/** The variants of a table. Those of Hold'em are dealt differently, so a table has one of them. */
function variantsFor(game: GameName, asked: readonly string[]): readonly string[] {
  const known: readonly string[] = variantsOf[game]
  const wrong = asked.find((name) => !known.includes(name))
  if (wrong !== undefined) throw refuse('INVALID_PARAMETER', `${wrong} is none of ${known.join(', ')}`)
  if (game === 'holdem' && asked.length > 1)
    throw refuse('INVALID_PARAMETER', "A Hold'em table has one variant: the cards are dealt differently in each")
  return asked.length > 0 ? known.filter((name) => asked.includes(name)) : known.slice(0, 1)
}

/** Turns the side bets of a dragon tiger table (big, small, odd, even) on or off for a tenant's players, at once. */
export function setSideBets(app: Casino, code: string, tableId: string, isOn: boolean) {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const table = await tableBefore(tx, tenant, tableId)
    if (!table) throw refuse('NOT_FOUND', `There is no table ${tableId}`)
    if (table.game !== 'dragontiger') throw new Problem('CONFLICT', `${tableId} is no table of dragon tiger`)
    const others: Record<string, boolean> = JSON.parse(tenant.side_bets ?? '{}')
    await saveTenant(tx, tenant.code, { side_bets: JSON.stringify({ ...others, [tableId]: isOn }) })
    return { companyCode: tenant.code, tableId, sideBets: isOn }
  })
}

/** Shares a merchant's table with these tenants and with no others; with none it is shared no longer. */
export function shareTable(app: Casino, environment: Environment, tableId: string, codes: readonly string[]) {
  return app.store.write(async (tx) => {
    const table = await anOwnedTable(tx, environment, tableId)
    const tenants = []
    for (const code of codes) tenants.push(await tenantToShareWith(tx, table, code))
    return changeTable(tx, { ...table, shared_with: JSON.stringify([...new Set(tenants)].sort()) })
  })
}

/** The platform's word on a merchant's share: without it nobody sees the table but its owner. */
export function approveShare(app: Casino, environment: Environment, tableId: string, isApproved: boolean) {
  return app.store.write(async (tx) => {
    const table = await anOwnedTable(tx, environment, tableId)
    return changeTable(tx, { ...table, share_approved: isApproved ? 1 : 0 })
  })
}

/** Whether merchants may share tables at all. Off, every shared table is closed to all but its owner at once. */
export function setSharing(app: Casino, isOn: boolean): Promise<{ sharing: boolean }> {
  return app.store.write(async (tx) => {
    await saveSharing(tx, isOn)
    for (const table of await ownedTables(tx)) await closeToOthers(tx, table)
    return { sharing: isOn }
  })
}

async function anOwnedTable(tx: Tx, environment: Environment, tableId: string): Promise<TableRow> {
  const table = await tableOf(tx, environment, tableId)
  if (!table) throw refuse('NOT_FOUND', `There is no table ${tableId}`)
  if (table.owner === null) throw new Problem('CONFLICT', `${tableId} is the platform's, and every tenant has it`)
  return table
}

async function tenantToShareWith(tx: Tx, table: TableRow, code: string): Promise<TenantRow['code']> {
  const tenant = await theTenant(tx, code)
  if (tenant.environment !== table.environment || tenant.code === table.owner)
    throw refuse(
      'INVALID_PARAMETER',
      `${table.table_id} is a ${table.environment} table of ${table.owner}: share it with another ${table.environment} tenant`,
    )
  return tenant.code
}

async function changeTable(tx: Tx, table: TableRow) {
  await saveTable(tx, table)
  await closeToOthers(tx, table)
  const { table_id: tableId, environment, owner, share_approved } = table
  return { tableId, environment, owner, sharedWith: sharesOf(table.shared_with), approved: share_approved === 1 }
}
