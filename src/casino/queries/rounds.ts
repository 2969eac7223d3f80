import type { Reader, Tx } from '../../store/store.ts'
import type { RoundRow, ShoeRow } from '../../store/tables/casino.ts'

export function roundOf({ q }: Reader, id: string): Promise<RoundRow | undefined> {
  return q.selectFrom('casino_rounds').selectAll().where('id', '=', id).executeTakeFirst()
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
  const { shoe, round, cards } = row
  await q
    .insertInto('casino_shoes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['environment', 'table_id']).doUpdateSet({ shoe, round, cards }))
    .execute()
}
