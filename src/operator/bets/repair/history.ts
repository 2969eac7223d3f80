import type { BookRepairRow, BookReplacedRow } from '../../../db/schema/book.ts'
import type { Reader } from '../../../db/store.ts'

/** History of repairs: revisions that were replaced or removed. */

/** Returns the revisions that were replaced or removed after a place. */
export function replacedAfter({ q }: Reader, place: number): Promise<BookReplacedRow[]> {
  return q
    .selectFrom('book_replaced_revisions')
    .selectAll()
    .where('until_place', '>', place)
    .orderBy('slip_id')
    .orderBy('rev')
    .execute()
}

/** Returns the latest repairs, newest first. */
export function latestRepairs({ q }: Reader, limit: number): Promise<BookRepairRow[]> {
  return q.selectFrom('book_repairs').selectAll().orderBy('place', 'desc').limit(limit).execute()
}
