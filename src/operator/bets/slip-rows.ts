import { CompiledQuery, sql } from 'kysely'
import { prepared } from '../../db/prepared.ts'
import type { BookMonthRow, BookSlipRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import { createMomentReader } from '../../domain/bets/moment-reader.ts'
import { type ReadBet, textIn } from '../../domain/bets/record-text.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { canonicalJson } from '../../kit/canonical-json.ts'
import { piecesOf } from '../../kit/pieces.ts'

/** Queries and inserts of slip revisions. */

/** A revision without its place in the order of arrival. */
export type ArrivedSlip = Omit<BookSlipRow, 'place'>

/** Converts a record to a row. */
export function toSlipRow(bet: ReadBet, month: string): ArrivedSlip {
  return {
    slip_id: bet.slipId,
    rev: bet.rev,
    month,
    rec_seq: bet.recSeq,
    name_key: foldUsername(bet.username),
    settled_at: readSettledAt(bet.settledAt),
    record: bet.record,
  }
}

const readSettledAt = createMomentReader()

/** Returns all stored revisions of a slip, lowest revision first. */
export function revisionsOf({ q }: Reader, slipId: string): Promise<BookSlipRow[]> {
  return q.selectFrom('book_revisions').selectAll().where('slip_id', '=', slipId).orderBy('rev').execute()
}

/** Returns the row that arrived last. */
export function latestSlip({ q }: Reader): Promise<BookSlipRow | undefined> {
  return q.selectFrom('book_revisions').selectAll().orderBy('place', 'desc').limit(1).executeTakeFirst()
}

/** Returns a month's rows after a place, in the order of arrival. */
export function slipsAfter(
  { q }: Reader,
  { month, place, limit }: { month: BookMonthRow; place: number; limit: number },
): Promise<Pick<BookSlipRow, 'place' | 'record'>[]> {
  return q
    .selectFrom('book_revisions')
    .select(['place', 'record'])
    .where('place', '>', Math.max(place, month.first_place - 1))
    .where('place', '<=', month.last_place)
    .where('month', '=', month.month)
    .orderBy('place')
    .limit(limit)
    .execute()
}

/** Returns the months with rows, in order. */
export function bookMonths({ q }: Reader): Promise<BookMonthRow[]> {
  return q.selectFrom('book_months').selectAll().orderBy('month').execute()
}

/** Returns the players of the newest bets, newest first, for completion. */
export async function recentUsernames({ q }: Reader, limit: number): Promise<string[]> {
  const rows = await q
    .selectFrom('book_revisions')
    .select(['name_key', 'record'])
    .orderBy('place', 'desc')
    .limit(20 * limit)
    .execute()
  const names = new Map<string, string>()
  for (const { name_key, record } of rows)
    if (!names.has(name_key)) names.set(name_key, textIn(record, 'username') ?? name_key)
  return [...names.values()].slice(0, limit)
}

/** Returns the existing rows with keys of this page. */
export async function slipsOfKeys(
  { q }: Reader,
  slips: readonly Pick<BookSlipRow, 'slip_id' | 'rev'>[],
): Promise<Map<string, Pick<BookSlipRow, 'slip_id' | 'rev' | 'place' | 'record'>>> {
  const rowsByKey = new Map<string, Pick<BookSlipRow, 'slip_id' | 'rev' | 'place' | 'record'>>()
  const ids = [...new Set(slips.map((slip) => slip.slip_id))]
  for (const some of piecesOf(ids, idsAtOnce)) {
    const rows = await q
      .selectFrom('book_revisions')
      .select(['slip_id', 'rev', 'place', 'record'])
      .where('slip_id', 'in', some)
      .execute()
    for (const row of rows) rowsByKey.set(keyOf(row), row)
  }
  return rowsByKey
}

const idsAtOnce = 500

/** Returns the key that identifies a revision. */
export function keyOf({ slip_id, rev }: Pick<BookSlipRow, 'slip_id' | 'rev'>): string {
  return `${rev} ${slip_id}`
}

/** Returns whether two records of a revision are equal, ignoring their position in the write order. */
export function isSameRecord(a: string, b: string): boolean {
  if (a === b) return true
  const { recSeq: _a, ...one } = JSON.parse(a)
  const { recSeq: _b, ...other } = JSON.parse(b)
  return canonicalJson(one) === canonicalJson(other)
}

/** Rows per statement; the rest go one by one. With three sizes any page needs few statements, and all pages share three SQL texts. */
const sizes = [100, 10] as const

/** Rows created on demand, so that a thousand of them are not in memory at once. */
export interface SlipSource {
  readonly count: number
  slips(from: number, to: number): readonly ArrivedSlip[]
}

/**
 * Inserts rows with their places, skipping existing keys, and lists those without a first revision. Returns the number of
 * inserted rows. Rows are inserted only by this function.
 */
export type InsertSlips = (tx: Tx, source: SlipSource, firstPlace: number) => Promise<number>

/**
 * The SQL text is created once per size and month and reused for every page, because creating it takes as long as running it. An
 * instance belongs to one book, because the text depends on the database.
 */
export function createInsertSlips(): InsertSlips {
  const texts = new Map<string, string>()
  return async (tx, { count, slips }, firstPlace) => {
    const { q } = tx
    let written = 0
    let hasLater = false
    for (let start = 0; start < count; ) {
      const rows = ofOneMonth(slips(start, start + sizeFor(count - start)))
      const key = `${rows.length} ${rows[0]?.month}`
      const text = texts.get(key) ?? insertionOf(q, rows)
      texts.set(key, text)
      const { numAffectedRows = 0n } = await q.executeQuery(CompiledQuery.raw(text, valuesOf(rows, firstPlace + start)))
      written += Number(numAffectedRows)
      start += rows.length
      hasLater ||= rows.some(({ rev }) => rev > 1)
    }
    if (hasLater) await listHeadless(tx, { from: firstPlace, to: firstPlace + count - 1 })
    return written
  }
}

/** Returns the number of rows of the next statement. */
const sizeFor = (count: number) => sizes.find((size) => size <= count) ?? 1

/** Returns the first rows, as many as a statement takes of one month. */
function ofOneMonth(rows: readonly ArrivedSlip[]): readonly ArrivedSlip[] {
  const [first] = rows
  const end = rows.findIndex(({ month }) => month !== first?.month)
  return end === -1 ? rows : rows.slice(0, sizeFor(end))
}

/** Returns the values of rows, in the order of `insertionOf`. With a list of their names, a sync takes 2% more CPU time. */
function valuesOf(rows: readonly ArrivedSlip[], firstPlace: number): unknown[] {
  const values: unknown[] = []
  let place = firstPlace
  for (const { slip_id, rev, rec_seq, name_key, settled_at, record } of rows)
    values.push(place++, slip_id, rev, rec_seq, name_key, settled_at, record)
  return values
}

/** Returns the SQL text for rows of one month, which is part of it: each value to bind costs time. */
function insertionOf(q: Tx['q'], slips: readonly ArrivedSlip[]): string {
  const month = sql.lit(slips[0]?.month ?? '')
  // A column that is missing here does not compile.
  const rows = slips.map(({ slip_id, rev, rec_seq, name_key, settled_at, record }, place) => {
    return { place, slip_id, rev, month, rec_seq, name_key, settled_at, record }
  })
  return q
    .insertInto('book_revisions')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['slip_id', 'rev']).doNothing())
    .compile().sql
}

/**
 * Lists revisions without a first one between two places. Each is a reason for doubt, and a search would read every later revision
 * of the book. Not by a trigger of the database, which would run for every row: without it a sync takes 0.95 times as long.
 */
async function listHeadless({ q }: Tx, places: { readonly from: number; readonly to: number }): Promise<void> {
  const headless = q
    .selectFrom('book_revisions as later')
    .select('later.place')
    .where('later.place', '>=', places.from)
    .where('later.place', '<=', places.to)
    .where('later.rev', '>', 1)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('book_revisions as first')
            .select('first.place')
            .whereRef('first.slip_id', '=', 'later.slip_id')
            .where('first.rev', '=', 1),
        ),
      ),
    )
  await q
    .insertInto('book_headless')
    .columns(['place'])
    .expression(headless)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes the rows after a place. Only within the transaction that inserted them. */
export async function removeAfter({ q }: Tx, place: number): Promise<void> {
  await q.deleteFrom('book_revisions').where('place', '>', place).execute()
}

const addToMonth = prepared((q, row: BookMonthRow) =>
  q
    .insertInto('book_months')
    .values({ month: row.month, rows: row.rows, first_place: row.first_place, last_place: row.last_place })
    .onConflict((conflict) =>
      conflict.column('month').doUpdateSet((eb) => ({
        rows: eb('book_months.rows', '+', row.rows),
        last_place: row.last_place,
      })),
    ),
)

/** Counts new rows per month. */
export async function countIntoMonths(
  tx: Tx,
  stretches: readonly { readonly month: string; readonly rows: number }[],
  firstPlace: number,
): Promise<void> {
  let place = firstPlace
  for (const { month, rows } of stretches) {
    if (rows === 0) continue
    await addToMonth(tx, { month, rows, first_place: place, last_place: place + rows - 1 })
    place += rows
  }
}
