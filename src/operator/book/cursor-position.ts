import type { BookPositionRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'

/** Position of the bet sync. One row, changed only together with the rows it describes. */

export function bookPosition({ q }: Reader): Promise<BookPositionRow | undefined> {
  return q.selectFrom('book_position').selectAll().executeTakeFirst()
}

/** Stores the start of the sync once; an existing one is kept. */
export async function beginAt({ q }: Tx, startedFrom: number): Promise<void> {
  await q
    .insertInto('book_position')
    .values({ id: 'bets', cursor: null, started_from: startedFrom, caught_up_at: null, rows: 0, ahead_ms: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Returns the platform's time as known to the book: this machine's plus the offset at the last read. */
export function platformTime(position: BookPositionRow | undefined, machineNow: number): number {
  return machineNow + (position?.ahead_ms ?? 0)
}

export async function savePosition(
  { q }: Tx,
  change: Partial<Pick<BookPositionRow, 'cursor' | 'caught_up_at' | 'rows' | 'ahead_ms'>>,
): Promise<void> {
  await q.updateTable('book_position').set(change).execute()
}
