import { sql } from 'kysely'
import type { BookSlipRow } from '../../../db/schema/book.ts'
import type { Reader } from '../../../db/store.ts'
import type { ArrivedSlip } from '../slip-rows.ts'

/** A run of places without a row, and without a repair that explains it. */
export interface PlaceGap {
  readonly from: number
  readonly to: number
}

/** Maximum number of gaps that are listed. */
const maxGaps = 10_000

/** Returns the gaps in the order of arrival that no repair explains: rows that were lost outside of countroom. */
export async function unexplainedGaps({ q }: Reader, lastPlace: number): Promise<PlaceGap[]> {
  const { rows } = await sql<{ place: number; next: number }>`
    select place, next from (
      select place, lead(place, 1, ${lastPlace + 1}) over (order by place) as next from (
        select 0 as place
        union all select place from book_revisions
        union all select place from book_replaced_revisions
        union all select place from book_repairs
      ) as taken
    ) as pairs where next > place + 1 order by place limit ${maxGaps}`.execute(q)
  return rows.map(({ place, next }) => ({ from: place + 1, to: next - 1 }))
}

/**
 * Finds for each missing record the place that it was lost from: a free place between two rows that were written before and after
 * it. The records are in write order. One without such a place is not in the result.
 */
export async function lostPlaces(
  reader: Reader,
  records: readonly ArrivedSlip[],
  lastPlace: number,
): Promise<Map<ArrivedSlip, number>> {
  const found = new Map<ArrivedSlip, number>()
  if (records.length === 0) return found
  for (const { from, to } of await unexplainedGaps(reader, lastPlace)) {
    const [before, after] = [await rowAt(reader, from - 1), await rowAt(reader, to + 1)]
    let free = from
    for (const record of records) {
      if (free > to) break
      if (found.has(record) || !isBetween(record, before, after)) continue
      found.set(record, free)
      free += 1
    }
  }
  return found
}

function rowAt({ q }: Reader, place: number): Promise<BookSlipRow | undefined> {
  return q.selectFrom('book_revisions').selectAll().where('place', '=', place).executeTakeFirst()
}

type Written = Pick<BookSlipRow, 'month' | 'rec_seq'>

function isBetween(record: Written, before: Written | undefined, after: Written | undefined): boolean {
  if (!before && !after) return false
  return (!before || isBefore(before, record)) && (!after || isBefore(record, after))
}

const isBefore = (a: Written, b: Written): boolean => (a.month === b.month ? a.rec_seq < b.rec_seq : a.month < b.month)
