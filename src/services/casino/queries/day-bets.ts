import type { DayBetsRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

export function dayBets({ q }: Reader, tenant: string, day: string): Promise<DayBetsRow[]> {
  return q.selectFrom('casino_day_bets').selectAll().where('tenant', '=', tenant).where('day', '=', day).execute()
}

export async function saveDayBets({ q }: Tx, row: DayBetsRow): Promise<void> {
  await q
    .insertInto('casino_day_bets')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant', 'day', 'currency']).doUpdateSet({ total: row.total }))
    .execute()
}

/** Deletes the days before one; returns the number of rows. */
export async function forgetDayBets({ q }: Tx, before: string): Promise<number> {
  const { numDeletedRows } = await q.deleteFrom('casino_day_bets').where('day', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
