import type { LiveTableRow, SlipRow, TableRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

const dealing = 'live tables'
const sharing = 'sharing between merchants'

/** Returns whether live dealing is enabled. */
export async function isLiveOn(reader: Reader): Promise<boolean> {
  return (await switchAt(reader, dealing)) ?? false
}

export function saveLive(tx: Tx, isOn: boolean): Promise<void> {
  return saveSwitch(tx, dealing, isOn)
}

/** Returns whether sharing tables is enabled, which is the default. */
export async function isSharingOn(reader: Reader): Promise<boolean> {
  return (await switchAt(reader, sharing)) ?? true
}

export function saveSharing(tx: Tx, isOn: boolean): Promise<void> {
  return saveSwitch(tx, sharing, isOn)
}

async function switchAt({ q }: Reader, name: string): Promise<boolean | undefined> {
  const row = await q.selectFrom('casino_live_switches').select('is_on').where('name', '=', name).executeTakeFirst()
  return row && row.is_on === 1
}

async function saveSwitch({ q }: Tx, name: string, isOn: boolean): Promise<void> {
  const is_on = isOn ? 1 : 0
  await q
    .insertInto('casino_live_switches')
    .values({ name, is_on })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ is_on }))
    .execute()
}

export function liveTables({ q }: Reader): Promise<LiveTableRow[]> {
  return q.selectFrom('casino_live_tables').selectAll().execute()
}

export function liveTableOf({ q }: Reader, environment: LiveTableRow['environment'], tableId: string) {
  return q
    .selectFrom('casino_live_tables')
    .selectAll()
    .where('environment', '=', environment)
    .where('table_id', '=', tableId)
    .executeTakeFirst()
}

export async function saveLiveTable({ q }: Tx, row: LiveTableRow): Promise<void> {
  const { environment: _, table_id: __, ...change } = row
  await q
    .insertInto('casino_live_tables')
    .values(row)
    .onConflict((conflict) => conflict.columns(['environment', 'table_id']).doUpdateSet(change))
    .execute()
}

/** Lists every table of the platform. */
export function allTables({ q }: Reader): Promise<TableRow[]> {
  return q.selectFrom('casino_tables').selectAll().orderBy('environment').orderBy('position').execute()
}

/** Returns `environment/table` of every table that some tenant has enabled. */
export async function visibleTables({ q }: Reader): Promise<Set<string>> {
  const rows = await q
    .selectFrom('casino_table_spans')
    .innerJoin('casino_tenants', 'casino_tenants.code', 'casino_table_spans.tenant')
    .select(['casino_tenants.environment', 'casino_table_spans.table_id'])
    .distinct()
    .where('casino_table_spans.disabled_at', 'is', null)
    .execute()
  return new Set(rows.map((row) => `${row.environment}/${row.table_id}`))
}

/** Returns those of the rounds that have bets. */
export async function roundsWithSlips({ q }: Reader, roundIds: readonly string[]): Promise<Set<string>> {
  if (roundIds.length === 0) return new Set()
  const rows = await q
    .selectFrom('casino_slips')
    .select('round_id')
    .distinct()
    .where('round_id', 'in', roundIds)
    .execute()
  return new Set(rows.map((row) => row.round_id))
}

/** Returns a player's slip in a round. */
export function slipOf({ q }: Reader, roundId: string, playerId: string): Promise<SlipRow | undefined> {
  return q
    .selectFrom('casino_slips')
    .selectAll()
    .where('round_id', '=', roundId)
    .where('player_id', '=', playerId)
    .executeTakeFirst()
}

/** Updates the bets of an unsettled slip. */
export async function savePlaced({ q }: Tx, id: string, change: Pick<SlipRow, 'placed' | 'stake'>): Promise<void> {
  await q.updateTable('casino_slips').set(change).where('id', '=', id).where('status', '=', 'placed').execute()
}

export async function deleteSlip({ q }: Tx, id: string): Promise<void> {
  await q.deleteFrom('casino_slips').where('id', '=', id).where('status', '=', 'placed').execute()
}

/** Lists a table's latest settled or voided rounds, newest first. */
export function latestRounds({ q }: Reader, environment: TableRow['environment'], tableId: string, limit: number) {
  return q
    .selectFrom('casino_rounds')
    .select(['id', 'shoe', 'round', 'status', 'code', 'card_info'])
    .where('environment', '=', environment)
    .where('table_id', '=', tableId)
    .where('status', 'in', ['settled', 'disputed', 'void'])
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Lists a player's latest slips, newest first, or those before one of them. */
export function latestSlips({ q }: Reader, playerId: string, limit: number, before?: SlipRow): Promise<SlipRow[]> {
  const slips = q
    .selectFrom('casino_slips')
    .selectAll()
    .where('player_id', '=', playerId)
    .orderBy('placed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (!before) return slips.execute()
  const { placed_at, id } = before
  return slips
    .where('placed_at', '<=', placed_at)
    .where(({ eb, or }) => or([eb('placed_at', '<', placed_at), eb('id', '<', id)]))
    .execute()
}

/** Lists the amounts of a player's slips since a time. */
export function slipsSince({ q }: Reader, playerId: string, since: number) {
  return q
    .selectFrom('casino_slips')
    .select(['status', 'stake', 'win_loss'])
    .where('player_id', '=', playerId)
    .where('placed_at', '>=', since)
    .execute()
}

/** Returns a slip of a player. */
export function ownSlip({ q }: Reader, playerId: string, id: string): Promise<SlipRow | undefined> {
  return q
    .selectFrom('casino_slips')
    .selectAll()
    .where('id', '=', id)
    .where('player_id', '=', playerId)
    .executeTakeFirst()
}

/** Returns the platform's template of bet limits for a game and a currency. */
export function limitTemplateOf({ q }: Reader, game: TableRow['game'], currency: string) {
  return q
    .selectFrom('casino_limit_profiles')
    .selectAll()
    .where('tenant', 'is', null)
    .where('game', '=', game)
    .where('currency', '=', currency)
    .orderBy('id')
    .executeTakeFirst()
}

/** Gives all tables a version that no page has seen: for a copy of the database, which has other states under old versions. */
export async function renewVersions({ q }: Tx, version: number): Promise<void> {
  await q.updateTable('casino_live_tables').set({ version }).where('version', '<', version).execute()
}
