import type { BookAlarmRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'

/** Stored alarms, which a person has to check. Written in the transaction that found them, so that a crash loses none. */

export type Alarm = Omit<BookAlarmRow, 'found_at'>

/** Stores new alarms and returns them. */
export async function keepAlarms({ q, now }: Tx, alarms: readonly Alarm[]): Promise<Alarm[]> {
  const newAlarms: Alarm[] = []
  for (const alarm of alarms) {
    const row = await q
      .insertInto('book_alarms')
      .values({ ...alarm, found_at: now })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) newAlarms.push(alarm)
  }
  return newAlarms
}

/** Returns the first alarms, sorted by ID, and their number. */
export async function bookAlarms({ q }: Reader, limit: number): Promise<{ count: number; alarms: BookAlarmRow[] }> {
  const { count } = await q
    .selectFrom('book_alarms')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const alarms = await q.selectFrom('book_alarms').selectAll().orderBy('id').limit(limit).execute()
  return { count, alarms }
}

/** Returns the alarms about a slip. */
export function alarmsAbout({ q }: Reader, slipId: string): Promise<BookAlarmRow[]> {
  return q.selectFrom('book_alarms').selectAll().where('slip_id', '=', slipId).orderBy('id').execute()
}
