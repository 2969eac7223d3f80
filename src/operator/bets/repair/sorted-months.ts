import type { BookMonthRow, BookSlipRow } from '../../../db/schema/book.ts'
import type { Reader } from '../../../db/store.ts'
import { piecesOf } from '../../../kit/pieces.ts'
import type { Book } from '../../book/book.ts'
import { slipsAfter } from '../slip-rows.ts'

/** Rows of a month in the order of its file. */

/** Rows of a file, and the place up to which the file is then complete; 0 while earlier rows may still follow. */
export interface FileRows {
  readonly rows: readonly Pick<BookSlipRow, 'place' | 'record'>[]
  readonly lastPlace: number
}

/** Number of rows per read. */
const rowsAtOnce = 1000
const placesAtOnce = 500

/**
 * Yields a month's rows after a place. A repaired month begins with all rows up to the repair, in the order in which
 * the platform wrote them. Its file then equals that of a sync that received them in time.
 */
export async function* fileRows(book: Book, month: BookMonthRow, after: number): AsyncGenerator<FileRows> {
  const sortedTo = await book.store.read((reader) => sortedPlace(reader, month.month))
  if (after < sortedTo) yield* sortedRows(book, month.month, sortedTo)
  for (let place = Math.max(after, sortedTo); ; ) {
    const rows = await book.store.read((reader) => slipsAfter(reader, { month, place, limit: rowsAtOnce }))
    const last = rows.at(-1)
    if (!last) return
    place = last.place
    yield { rows, lastPlace: place }
  }
}

async function* sortedRows(book: Book, month: string, sortedTo: number): AsyncGenerator<FileRows> {
  const places = await book.store.read(({ q }) =>
    q
      .selectFrom('book_revisions')
      .select('place')
      .where('month', '=', month)
      .where('place', '<=', sortedTo)
      .orderBy('rec_seq')
      .orderBy('place')
      .execute(),
  )
  let done = 0
  for (const some of piecesOf(places, placesAtOnce)) {
    const wanted = some.map(({ place }) => place)
    const found = await book.store.read(({ q }) =>
      q.selectFrom('book_revisions').select(['place', 'record']).where('place', 'in', wanted).execute(),
    )
    const byPlace = new Map(found.map((row) => [row.place, row]))
    done += some.length
    yield {
      rows: wanted.flatMap((place) => byPlace.get(place) ?? []),
      lastPlace: done === places.length ? sortedTo : 0,
    }
  }
}

async function sortedPlace({ q }: Reader, month: string): Promise<number> {
  const row = await q.selectFrom('book_sorted_months').select('place').where('month', '=', month).executeTakeFirst()
  return row?.place ?? 0
}
