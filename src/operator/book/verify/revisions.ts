import { sql } from 'kysely'
import type { BookMonthRow, BookPositionRow, BookSlipRow } from '../../../db/schema/book.ts'
import type { Reader } from '../../../db/store.ts'
import { compareCursors, cursorOf } from '../../../domain/bets/cursor.ts'
import { foldUsername } from '../../../domain/players/player.ts'
import { unexplainedGaps } from '../../bets/repair/free-places.ts'
import { keyOf, slipsOfKeys } from '../../bets/slip-rows.ts'
import { Faults } from './faults.ts'
import type { BookCheck } from './schema.ts'

/** Checks of the synced bets: no row is lost, and every column is that of its record. */

const rowsAtOnce = 1000

/** Returns the text that identifies a row in messages. */
const named = (row: Pick<BookSlipRow, 'place' | 'slip_id' | 'rev'>) =>
  `row ${row.place} (slip ${row.slip_id}, revision ${row.rev})`

export async function checkPlaces(reader: Reader, position: BookPositionRow | undefined): Promise<BookCheck> {
  const faults = new Faults('places')
  const { q } = reader
  const last = await q.selectFrom('book_revisions').select('place').orderBy('place', 'desc').limit(1).executeTakeFirst()
  const { count } = await q
    .selectFrom('book_revisions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  faults.checked = count
  const end = position?.rows ?? 0
  if ((last?.place ?? 0) > end)
    faults.add(
      `row ${last?.place} is after the last row of the position (${end}): the position was changed outside countroom`,
    )
  for (const { from, to } of await unexplainedGaps(reader, end)) {
    if (faults.areEnough) break
    const rows = from === to ? `row ${from} is` : `rows ${from} to ${to} are`
    faults.add(`${rows} missing: the book was changed outside countroom`)
  }
  return faults.result()
}

export async function checkRecords(
  reader: Reader,
  { onRows, signal }: { readonly onRows: (count: number) => void; readonly signal: AbortSignal },
): Promise<BookCheck> {
  const faults = new Faults('records')
  for (let place = 0; !faults.areEnough; ) {
    signal.throwIfAborted()
    const rows = await reader.q
      .selectFrom('book_revisions')
      .selectAll()
      .where('place', '>', place)
      .orderBy('place')
      .limit(rowsAtOnce)
      .execute()
    const last = rows.at(-1)
    if (!last) break
    place = last.place
    faults.checked += rows.length
    onRows(rows.length)
    for (const row of rows) for (const fault of faultsOf(row)) faults.add(`${named(row)}: ${fault}`)
    for (const row of await unlistedRows(reader, rows))
      faults.add(`${named(row)}: it has no first revision, but is missing in book_headless`)
  }
  return faults.result()
}

/** Returns the rows that have no first revision but are not listed, so that a reconciliation would not find them. */
async function unlistedRows(reader: Reader, rows: readonly BookSlipRow[]): Promise<BookSlipRow[]> {
  const later = rows.filter(({ rev }) => rev > 1)
  if (later.length === 0) return []
  const known = await slipsOfKeys(reader, later)
  const rowsListed = await reader.q
    .selectFrom('book_headless')
    .select('place')
    .where('place', '>=', later[0]?.place ?? 0)
    .where('place', '<=', later.at(-1)?.place ?? 0)
    .execute()
  const listed = new Set(rowsListed.map((row) => row.place))
  return later.filter(({ slip_id, place }) => !known.has(keyOf({ slip_id, rev: 1 })) && !listed.has(place))
}

/**
 * Returns the first fault of a row: a column that differs from its record, or an invalid record or month. Empty if
 * there is none.
 */
export function faultsOf(row: BookSlipRow): string[] {
  let record: Record<string, unknown>
  try {
    record = JSON.parse(row.record)
  } catch {
    return ['its record is not JSON']
  }
  if (typeof record !== 'object' || record === null) return ['its record is not a JSON object']
  const { slipId, rev, recSeq, username, settledAt } = record
  const expected: Record<string, unknown> = {
    slip_id: slipId,
    rev,
    rec_seq: recSeq,
    name_key: typeof username === 'string' ? foldUsername(username) : undefined,
    settled_at: typeof settledAt === 'string' ? Date.parse(settledAt) : undefined,
  }
  const actual: Record<string, unknown> = { ...row }
  const column = Object.keys(expected).find((name) => expected[name] !== actual[name])
  if (column !== undefined)
    return [`${column} is ${String(actual[column])}, but ${String(expected[column])} in its record`]
  return /^\d{4}(0[1-9]|1[0-2])$/.test(row.month) ? [] : [`month "${row.month}" is not a month`]
}

export async function checkMonths({ q }: Reader): Promise<BookCheck> {
  const faults = new Faults('months')
  const stored = await q.selectFrom('book_months').selectAll().orderBy('month').execute()
  const counted = await q
    .selectFrom('book_revisions')
    .select(({ fn }) => [
      'month',
      fn.countAll<number>().as('rows'),
      fn.min<number>('place').as('first_place'),
      fn.max<number>('place').as('last_place'),
    ])
    .groupBy('month')
    .orderBy('month')
    .execute()
  const byMonth = new Map<string, BookMonthRow>(counted.map((row) => [row.month, row]))
  faults.checked = stored.length
  for (const row of stored) {
    const actual = byMonth.get(row.month) ?? { month: row.month, rows: 0, first_place: 0, last_place: 0 }
    byMonth.delete(row.month)
    if (actual.rows !== row.rows) faults.add(`month ${row.month} has ${actual.rows} rows, but ${row.rows} are counted`)
    else if (row.rows > 0 && (actual.first_place < row.first_place || actual.last_place !== row.last_place))
      faults.add(
        `month ${row.month} has rows ${actual.first_place} to ${actual.last_place}, but ${row.first_place} to ${row.last_place} are noted`,
      )
  }
  for (const { month, rows } of byMonth.values()) faults.add(`month ${month} has ${rows} rows, but is not counted`)
  return faults.result()
}

/** Checks the cursor. A row after it would arrive again, and without it everything would be read again. */
export async function checkCursor({ q }: Reader, position: BookPositionRow | undefined): Promise<BookCheck> {
  const faults = new Faults('cursor')
  faults.checked = 1
  const { rows } = await sql<Pick<BookSlipRow, 'place' | 'slip_id' | 'rev' | 'month' | 'rec_seq'>>`
    select place, slip_id, rev, month, rec_seq from book_revisions order by month desc, rec_seq desc limit 1`.execute(q)
  const [last] = rows
  if (!last) return faults.result()
  const cursor = cursorOf(position?.cursor ?? '')
  if (!cursor) {
    faults.add(position?.cursor ? `the cursor "${position.cursor}" is invalid` : 'the book has rows, but no cursor')
    return faults.result()
  }
  const written = { month: last.month, seq: BigInt(last.rec_seq) }
  if (/^\d{6}$/.test(last.month) && compareCursors(written, cursor) > 0)
    faults.add(`${named(last)} was written at ${last.month}.${last.rec_seq}, after the cursor ${position?.cursor}`)
  return faults.result()
}

/** Checks the history of repairs: no other row uses its places, and each belongs to a repair with the right counts. */
export async function checkHistory({ q }: Reader): Promise<BookCheck> {
  const faults = new Faults('history')
  const repairs = await q.selectFrom('book_repairs').selectAll().orderBy('place').execute()
  const kept = await q
    .selectFrom('book_replaced_revisions')
    .select(({ fn }) => ['repair_id', 'kind', fn.countAll<number>().as('rows')])
    .groupBy(['repair_id', 'kind'])
    .execute()
  const both = await q
    .selectFrom('book_replaced_revisions as kept')
    .innerJoin('book_revisions as row', 'row.place', 'kept.place')
    .select(['row.place', 'row.slip_id', 'row.rev'])
    .orderBy('row.place')
    .limit(1)
    .executeTakeFirst()
  if (both) faults.add(`${named(both)} is in the history and in the book`)
  faults.checked = repairs.length
  const countOf = (id: string, kind: string) => kept.find((row) => row.repair_id === id && row.kind === kind)?.rows ?? 0
  for (const { id, date, replaced, removed } of repairs)
    if (countOf(id, 'replaced') !== replaced || countOf(id, 'removed') !== removed)
      faults.add(`the repair ${id} of ${date} kept ${replaced + removed} revisions, but the history has others`)
  const known = new Set(repairs.map(({ id }) => id))
  for (const { repair_id: id } of kept)
    if (!known.has(id)) faults.add(`the history names the repair ${id}, which is missing`)
  return faults.result()
}
