import type { RoundRow, ShoeRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

export function roundOf({ q }: Reader, id: string): Promise<RoundRow | undefined> {
  return q.selectFrom('casino_rounds').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the numbers of rounds, by their ids. */
export async function roundNumbers({ q }: Reader, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Pick<RoundRow, 'shoe' | 'round'>>()
  const rows = await q.selectFrom('casino_rounds').select(['id', 'shoe', 'round']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, shoe, round }) => [id, { shoe, round }]))
}

export async function insertRound({ q }: Tx, row: RoundRow): Promise<void> {
  await q.insertInto('casino_rounds').values(row).execute()
}

export async function saveRound({ q }: Tx, id: string, change: Partial<RoundRow>): Promise<void> {
  await q.updateTable('casino_rounds').set(change).where('id', '=', id).execute()
}

export function shoeOf({ q }: Reader, environment: ShoeRow['environment'], tableId: string) {
  return q
    .selectFrom('casino_shoes')
    .selectAll()
    .where('environment', '=', environment)
    .where('table_id', '=', tableId)
    .executeTakeFirst()
}

export async function saveShoe({ q }: Tx, row: ShoeRow): Promise<void> {
  const { shoe, round, cards, button } = row
  await q
    .insertInto('casino_shoes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['environment', 'table_id']).doUpdateSet({ shoe, round, cards, button }))
    .execute()
}

/** Returns the seat with the button in a table's last hand. */
export async function lastButton(reader: Reader, environment: ShoeRow['environment'], tableId: string) {
  return (await shoeOf(reader, environment, tableId))?.button ?? null
}

/** Lists tables with rounds due for deletion. */
export function tablesWithDueRounds({ q, now }: Tx): Promise<Pick<RoundRow, 'environment' | 'table_id'>[]> {
  return q
    .selectFrom('casino_tables as tables')
    .select(['tables.environment', 'tables.table_id'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('casino_rounds as rounds')
          .select('rounds.id')
          .whereRef('rounds.environment', '=', 'tables.environment')
          .whereRef('rounds.table_id', '=', 'tables.table_id')
          .where('rounds.forget_at', '<=', now),
      ),
    )
    .orderBy('tables.environment')
    .orderBy('tables.position')
    .execute()
}

/** Deletes due rounds of a table, oldest first, except the newest ones shown to players; returns their number. */
export async function forgetRounds(
  { q, now }: Tx,
  { environment, table_id }: Pick<RoundRow, 'environment' | 'table_id'>,
  keepCount: number,
  limit: number,
): Promise<number> {
  const ofTable = q.selectFrom('casino_rounds').where('environment', '=', environment).where('table_id', '=', table_id)
  const newest = await ofTable
    .select('opened_at')
    .orderBy('opened_at', 'desc')
    .offset(keepCount)
    .limit(1)
    .executeTakeFirst()
  if (!newest) return 0
  const { numDeletedRows } = await q
    .deleteFrom('casino_rounds')
    .where(
      'id',
      'in',
      ofTable
        .select('id')
        .where('forget_at', '<=', now)
        .where('opened_at', '<=', newest.opened_at)
        .orderBy('forget_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Lists the latest rounds of a table, newest first. */
export function latestRoundsAt(
  { q }: Reader,
  { environment, table_id }: Pick<RoundRow, 'environment' | 'table_id'>,
  limit: number,
): Promise<RoundRow[]> {
  return q
    .selectFrom('casino_rounds')
    .selectAll()
    .where('environment', '=', environment)
    .where('table_id', '=', table_id)
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
