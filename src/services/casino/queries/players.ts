import { sql } from 'kysely'
import { inParts } from '../../../db/chunks.ts'
import { prepared } from '../../../db/prepared.ts'
import type { PlayerRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { foldUsername } from '../../../domain/players/player.ts'

export async function playerNamed(reader: Reader, tenant: string, username: string): Promise<PlayerRow | undefined> {
  const [row] = await playerByName(reader, { tenant, nameKey: foldUsername(username) })
  return row
}

const playerByName = prepared((q, { tenant, nameKey }: { tenant: string; nameKey: string }) =>
  q.selectFrom('casino_players').selectAll().where('tenant', '=', tenant).where('name_key', '=', nameKey),
)

export function playerOf({ q }: Reader, id: string): Promise<PlayerRow | undefined> {
  return q.selectFrom('casino_players').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the players with these ids, unordered. */
export async function playersOf({ q }: Reader, ids: readonly string[]): Promise<PlayerRow[]> {
  if (ids.length === 0) return []
  return q.selectFrom('casino_players').selectAll().where('id', 'in', ids).execute()
}

export async function countPlayers({ q }: Reader, tenant: string): Promise<number> {
  const { count } = await q
    .selectFrom('casino_players')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('tenant', '=', tenant)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertPlayers({ q }: Tx, rows: readonly PlayerRow[]): Promise<void> {
  await inParts(rows, (part) =>
    q
      .insertInto('casino_players')
      .values([...part])
      .execute(),
  )
}

export async function savePlayer({ q }: Tx, id: string, change: Partial<PlayerRow>): Promise<void> {
  await q.updateTable('casino_players').set(change).where('id', '=', id).execute()
}

/** Updates the balance of one player. */
export function saveBalance(tx: Tx, id: string, balance: string): Promise<void> {
  return updateBalances(tx, [{ id, balance }])
}

/** Updates balances of existing players by their ids. */
export async function updateBalances(tx: Tx, balances: readonly NewBalance[]): Promise<void> {
  await inParts(balances, (part) => setBalances(tx, {}, part))
}

export type NewBalance = Pick<PlayerRow, 'id' | 'balance'>

// Both engines name the columns of `values` column1 and column2.
const setBalances = prepared((q, _: object, balances: readonly NewBalance[]) => {
  const rows = sql.join(balances.map(({ id, balance }) => sql`(${id}, ${balance})`))
  const query = sql<never>`update casino_players set balance = changed.column2
    from (values ${rows}) as changed where casino_players.id = changed.column1`
  return { compile: () => query.compile(q) }
})

/** Updates the balances of existing players. */
export async function saveBalances({ q }: Tx, players: readonly PlayerRow[]): Promise<void> {
  await inParts(players, (part) =>
    q
      .insertInto('casino_players')
      .values([...part])
      .onConflict((conflict) => conflict.column('id').doUpdateSet((eb) => ({ balance: eb.ref('excluded.balance') })))
      .execute(),
  )
}

/** Lists a tenant's first players who may bet. */
export function activePlayers({ q }: Reader, tenant: string, limit: number): Promise<PlayerRow[]> {
  return q
    .selectFrom('casino_players')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('status', '=', 'active')
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Lists a tenant's players whose name begins with a text, by name. */
export function playersNamed(
  { q }: Reader,
  tenant: string,
  { beginning, limit }: { beginning: string; limit: number },
): Promise<PlayerRow[]> {
  const query = q.selectFrom('casino_players').selectAll().where('tenant', '=', tenant)
  const pattern = `${foldUsername(beginning).replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const named = beginning === '' ? query : query.where(sql<boolean>`name_key like ${pattern} escape '\\'`)
  return named.orderBy('name_key').limit(limit).execute()
}
