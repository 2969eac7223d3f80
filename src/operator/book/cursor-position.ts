import { prepared } from '../../db/prepared.ts'
import type { BookPositionRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import type { Book } from './book.ts'

/** Position of the bet sync. One row, changed only together with the rows it describes. */

const position = prepared((q) => q.selectFrom('book_position').selectAll())

export async function bookPosition(reader: Reader): Promise<BookPositionRow | undefined> {
  return (await position(reader, {}))[0]
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

/**
 * Returns the transaction at the platform's time. Breaks are opened, snoozed and aged in it, like the days they belong to: a
 * world's clock can be days from this machine's.
 */
export async function atPlatformTime<In extends Reader>(on: In): Promise<In> {
  return { ...on, now: platformTime(await bookPosition(on), on.now) }
}

/** Returns the platform's time as known to the book. */
export function platformNow(book: Book): Promise<number> {
  return book.store.read(async (reader) => (await atPlatformTime(reader)).now)
}

type AfterPage = Pick<BookPositionRow, 'cursor' | 'rows' | 'ahead_ms'>

const setAfterPage = prepared((q, { cursor, rows, ahead_ms }: AfterPage) =>
  q.updateTable('book_position').set({ cursor, rows, ahead_ms }),
)

/** Stores the position after a page. */
export async function savePosition(tx: Tx, after: AfterPage): Promise<void> {
  await setAfterPage(tx, after)
}

/** Stores when the sync last reached the end of the platform's bets. */
export async function saveCaughtUp({ q }: Tx, at: number): Promise<void> {
  await q.updateTable('book_position').set({ caught_up_at: at }).execute()
}

/** Stores the number of rows after a repair. */
export async function saveRowCount({ q }: Tx, rows: number): Promise<void> {
  await q.updateTable('book_position').set({ rows }).execute()
}
