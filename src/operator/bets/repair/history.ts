import type { BookRepairRow, BookReplacedRow } from '../../../db/schema/book.ts'
import type { Reader } from '../../../db/store.ts'
import type { SequenceBreak } from '../../../domain/bets/slip-history.ts'
import { bookPosition } from '../../book/cursor-position.ts'
import { unexplainedGaps } from './free-places.ts'

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

/** Returns the slips with a revision that a repair added after a place. */
export async function slipsRepairedAfter({ q }: Reader, place: number): Promise<string[]> {
  const repairs = await q.selectFrom('book_repairs').selectAll().where('place', '>', place).orderBy('place').execute()
  const ids = new Set<string>()
  for (const repair of repairs) {
    const { from, to } = placesOf(repair)
    const rows = await q
      .selectFrom('book_revisions')
      .select('slip_id')
      .where('place', '>=', from)
      .where('place', '<=', to)
      .execute()
    for (const { slip_id: id } of rows) ids.add(id)
  }
  return [...ids]
}

/** Returns the places at which the rows of a repair arrived. It may name a few more, because some rows got their former places. */
function placesOf({ place, added, replaced }: BookRepairRow): { from: number; to: number } {
  return { from: place + 1, to: place + added + replaced }
}

/** Returns a test for breaks in the order of arrival that come from repairs and are no damage. */
export async function repairGaps(reader: Reader): Promise<{ explain(found: SequenceBreak): boolean }> {
  const repairs = await reader.q.selectFrom('book_repairs').selectAll().execute()
  if (repairs.length === 0) return { explain: () => false }
  const position = await bookPosition(reader)
  const gaps = await unexplainedGaps(reader, position?.rows ?? 0)
  const late = new Set(await slipsRepairedAfter(reader, 0))
  return {
    explain: ({ kind, from, to, before, after }) =>
      kind === 'deleted' ? !gaps.some((gap) => gap.from <= to && gap.to >= from) : late.has(before) || late.has(after),
  }
}

/** Returns the latest repairs, newest first. */
export function latestRepairs({ q }: Reader, limit: number): Promise<BookRepairRow[]> {
  return q.selectFrom('book_repairs').selectAll().orderBy('place', 'desc').limit(limit).execute()
}
