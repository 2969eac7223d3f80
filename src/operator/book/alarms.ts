import type { BookAlarmRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'

/** What a person has to look at. Kept in the transaction that found it, so that no crash can lose it. */

export type Alarm = Omit<BookAlarmRow, 'found_at'>

/** Keeps those that are not kept yet, and answers with them. */
export async function keepAlarms({ q, now }: Tx, alarms: readonly Alarm[]): Promise<Alarm[]> {
  const kept: Alarm[] = []
  for (const alarm of alarms) {
    const row = await q
      .insertInto('book_alarms')
      .values({ ...alarm, found_at: now })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) kept.push(alarm)
  }
  return kept
}

/** The first of the alarms, in the order of their ids, and how many there are. */
export async function bookAlarms({ q }: Reader, limit: number): Promise<{ count: number; alarms: BookAlarmRow[] }> {
  const { count } = await q
    .selectFrom('book_alarms')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const alarms = await q.selectFrom('book_alarms').selectAll().orderBy('id').limit(limit).execute()
  return { count, alarms }
}

/** The alarms about one slip. */
export function alarmsAbout({ q }: Reader, slipId: string): Promise<BookAlarmRow[]> {
  return q.selectFrom('book_alarms').selectAll().where('slip_id', '=', slipId).orderBy('id').execute()
}
