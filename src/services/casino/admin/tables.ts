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
import { insertTables, ownedTables, saveTable, saveTableStatus, tableOf, tablesOf } from '../queries/tables.ts'
import { saveTenant } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'
import { closeToOthers, sharesOf, tableBefore } from '../tables/sharing.ts'
import { checkedText } from './texts.ts'

/**
 * Opens a table or puts it into maintenance, for all tenants of an environment. A table in maintenance takes no bets.
 */
export function setTableStatus(app: Casino, environment: Environment, tableId: string, status: TableRow['status']) {
  return app.store.write(async (tx) => {
    if (!(await saveTableStatus(tx, { environment, table_id: tableId, status })))
      throw refuse('NOT_FOUND', `There is no table ${tableId}`)
    return { environment, tableId, status }
  })
}

/** A table owned by a tenant. */
export interface TableInput {
  readonly tableId: string
  readonly game: string
  /** Variants of the game; default: the first one. */
  readonly variants?: readonly string[]
  /** Its name in English. */
  readonly name?: string
  readonly betSeconds?: number
  readonly settings?: TableSettings
  /** Provider name shown to others when it is shared. */
  readonly provider?: string
}

/** Creates a table owned by a tenant, in its environment; others do not see it. */
export async function createTable(app: Casino, code: string, input: TableInput): Promise<TableRow> {
  const { tableId, betSeconds = 20, settings = {} } = input
  const provider = input.provider && checkedText('provider', input.provider, textLimits.name)
  if (!/^[A-Za-z0-9_.-]{1,32}$/.test(tableId))
    throw refuse('INVALID_PARAMETER', 'tableId must be 1 to 32 letters, digits or characters of _ . -')
  const name = checkedText('name', input.name ?? tableId, textLimits.name)
  const game = gameNames.find((known): known is GameName => known === input.game)
  if (!game) throw refuse('INVALID_PARAMETER', `game must be one of ${gameNames.join(', ')}, not ${input.game}`)
  const variants = variantsFor(game, input.variants ?? [])
  checkSettings(game, settings)
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    if (await tableOf(tx, tenant.environment, tableId)) throw new Problem('CONFLICT', `Table ${tableId} already exists`)
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
    await insertTables(tx, [row])
    return row
  })
}

/** Refuses settings that the game does not have or cannot be settled with. */
function checkSettings(game: GameName, settings: TableSettings): void {
  if (settings.commission !== undefined && game !== 'niuniu')
    throw refuse('INVALID_PARAMETER', `commission is a setting of niuniu tables, not of ${game}`)
  const wrong = games[game].refuseSettings(settings)
  if (wrong) throw refuse('INVALID_PARAMETER', wrong.because)
}

/** Returns the variants of a table. Those of Hold'em are dealt differently, so a table has one of them. */
function variantsFor(game: GameName, requested: readonly string[]): readonly string[] {
  const known: readonly string[] = variantsOf[game]
  const wrong = requested.find((name) => !known.includes(name))
  if (wrong !== undefined) throw refuse('INVALID_PARAMETER', `${wrong} is not one of ${known.join(', ')}`)
  if (game === 'holdem' && requested.length > 1)
    throw refuse('INVALID_PARAMETER', "A Hold'em table must have exactly one variant: each is dealt differently")
  return requested.length > 0 ? known.filter((name) => requested.includes(name)) : known.slice(0, 1)
}

/**
 * Enables or disables the side bets of a dragon tiger table (big, small, odd, even) for a tenant's players, effective
 * at once.
 */
export function setSideBets(app: Casino, code: string, tableId: string, isOn: boolean) {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const table = await tableBefore(tx, tenant, tableId)
    if (!table) throw refuse('NOT_FOUND', `There is no table ${tableId}`)
    if (table.game !== 'dragontiger') throw new Problem('CONFLICT', `${tableId} is not a dragon tiger table`)
    const sideBets: Record<string, boolean> = JSON.parse(tenant.side_bets ?? '{}')
    await saveTenant(tx, tenant.code, { side_bets: JSON.stringify({ ...sideBets, [tableId]: isOn }) })
    return { companyCode: tenant.code, tableId, sideBets: isOn }
  })
}

/** Shares a merchant's table with exactly these tenants; an empty list ends sharing. */
export function shareTable(app: Casino, environment: Environment, tableId: string, codes: readonly string[]) {
  return app.store.write(async (tx) => {
    const table = await anOwnedTable(tx, environment, tableId)
    const tenants = []
    for (const code of codes) tenants.push(await tenantToShareWith(tx, table, code))
    return changeTable(tx, { ...table, shared_with: JSON.stringify([...new Set(tenants)].sort()) })
  })
}

/** Approves or rejects a merchant's share. Until it is approved, only the owner sees the table. */
export function approveShare(app: Casino, environment: Environment, tableId: string, isApproved: boolean) {
  return app.store.write(async (tx) => {
    const table = await anOwnedTable(tx, environment, tableId)
    return changeTable(tx, { ...table, share_approved: isApproved ? 1 : 0 })
  })
}

/**
 * Enables or disables sharing for all merchants. When disabled, every shared table is closed at once to all but its
 * owner.
 */
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
  if (table.owner === null)
    throw new Problem('CONFLICT', `${tableId} is a table of the platform, which every tenant has`)
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
