import { sql } from 'kysely'
import type { BookOwnerRow, BookPositionRow, BookSlipRow } from '../../db/schema/book.ts'
import type { Reader } from '../../db/store.ts'
import { isOnsite, textIn } from '../../domain/bets/record-text.ts'
import { isHeadless, type RecordArrival, type SlipHistory } from '../../domain/bets/slip-history.ts'
import { type Day, dayAfter, dayEnd, dayOf, dayStart, daysBetween } from '../../domain/time/day.ts'
import { piecesOf } from '../../kit/pieces.ts'
import { amountOf, versionOfRow } from './slip-versions.ts'

/** Slips of a day in the book. A slip belongs to the day of its first settlement, wherever its later revisions are. */

/** From the first millisecond to the one after the last. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Owner and position of the book, and its last rows. */
export interface BookState {
  readonly owner: BookOwnerRow | undefined
  readonly position: BookPositionRow | undefined
  /** Time of the latest settlement in the book. */
  readonly latestAt: number | undefined
  /** Place of the row that arrived last; 0 without rows. */
  readonly lastPlace: number
}

/** Returns the owner, the position, the latest settlement and the last row of the book. */
export async function bookState({ q }: Reader): Promise<BookState> {
  const owner = await q.selectFrom('book_owner').selectAll().executeTakeFirst()
  const position = await q.selectFrom('book_position').selectAll().executeTakeFirst()
  const latest = await q
    .selectFrom('book_revisions')
    .select('settled_at')
    .orderBy('settled_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const last = await q.selectFrom('book_revisions').select('place').orderBy('place', 'desc').limit(1).executeTakeFirst()
  return { owner, position, latestAt: latest?.settled_at, lastPlace: last?.place ?? 0 }
}

/**
 * Number of slips per read: fits into one SQL `in` list. A batch of a thousand outlives V8's young generation, which costs a
 * fifth of the CPU time of a day and 15 MB.
 */
const slipsAtOnce = 250

/**
 * Reads the slips whose lowest known revision was settled in a span, each with all its revisions, in the order of settlement
 * and in batches. With `players`, only those whose lowest revision is of one of them. One pass over the span: nearly all slips
 * have one revision, so the others are looked up apart.
 */
export async function* slipsSettled(
  reader: Reader,
  span: Span,
  players?: readonly string[],
): AsyncGenerator<SlipHistory[]> {
  // PostgreSQL takes no empty list.
  if (players?.length === 0) return
  // Places start with 1.
  let after = { settled_at: span.from, place: 0 }
  for (;;) {
    const firsts = await firstRevisions(reader, span, after, players)
    const last = firsts.at(-1)
    if (!last) return
    const revised = await slipsOf(
      reader,
      firsts.filter((row) => row.is_revised).map((row) => row.slip_id),
    )
    const known = new Map(revised.map((slip) => [slip.slipId, slip]))
    yield firsts.map((row) => known.get(row.slip_id) ?? { slipId: row.slip_id, versions: [versionOfRow(row)] })
    after = last
  }
}

function firstRevisions(
  { q }: Reader,
  span: Span,
  after: { settled_at: number; place: number },
  players: readonly string[] | undefined,
) {
  return (
    q
      .selectFrom('book_revisions as first')
      .select(['place', 'slip_id', 'rev', 'rec_seq', 'name_key', 'settled_at', 'record'])
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('book_revisions as higher')
            .select('higher.rev')
            .whereRef('higher.slip_id', '=', 'first.slip_id')
            .whereRef('higher.rev', '>', 'first.rev'),
        ).as('is_revised'),
      )
      .where('first.settled_at', '>=', after.settled_at)
      .where('first.settled_at', '<', span.to)
      .where((eb) => eb.or([eb('first.settled_at', '>', after.settled_at), eb('first.place', '>', after.place)]))
      // No revision is lower than 1, so only the others are looked up.
      .where(({ eb, or, not, exists, selectFrom }) =>
        or([
          eb('first.rev', '=', 1),
          not(
            exists(
              selectFrom('book_revisions as lower')
                .select('lower.rev')
                .whereRef('lower.slip_id', '=', 'first.slip_id')
                .whereRef('lower.rev', '<', 'first.rev'),
            ),
          ),
        ]),
      )
      .$if(players !== undefined, (query) => query.where('first.name_key', 'in', players ?? []))
      .orderBy('first.settled_at')
      .orderBy('first.place')
      .limit(slipsAtOnce)
      .execute()
  )
}

/** Returns all revisions of these slips, lowest first. */
export function rowsOfSlips({ q }: Reader, ids: readonly string[]): Promise<BookSlipRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return q.selectFrom('book_revisions').selectAll().where('slip_id', 'in', ids).orderBy('rev').execute()
}

/** Returns these slips in the given order; unknown ones are skipped. */
export async function slipsOf(reader: Reader, ids: readonly string[]): Promise<SlipHistory[]> {
  const rows = new Map<string, BookSlipRow[]>()
  for (const row of await rowsOfSlips(reader, ids)) {
    const known = rows.get(row.slip_id)
    if (known) known.push(row)
    else rows.set(row.slip_id, [row])
  }
  return [...new Set(ids)].flatMap((slipId) => {
    const known = rows.get(slipId)
    return known ? [{ slipId, versions: known.map(versionOfRow) }] : []
  })
}

/**
 * Reads the slips with a revision settled at or after a time, but without their first revision, in batches. They come from an
 * incomplete book, and each may put its player in doubt, so all of them are read. The database lists them as rows are written:
 * looking for them would read every later revision of the book.
 */
export async function* headlessSlips(reader: Reader, since: number): AsyncGenerator<SlipHistory[]> {
  const rows = await reader.q
    .selectFrom('book_headless as listed')
    .innerJoin('book_revisions as known', 'known.place', 'listed.place')
    .select(['known.slip_id', 'known.settled_at'])
    .orderBy('listed.place')
    .execute()
  // Not a condition of the query: SQLite would start from the index of times and read everything settled since.
  const later = rows.filter((row) => row.settled_at >= since)
  later.sort((a, b) => a.settled_at - b.settled_at)
  const ids = [...new Set(later.map((row) => row.slip_id))]
  // The first revision may have arrived afterwards.
  for (const some of piecesOf(ids, slipsAtOnce)) yield (await slipsOf(reader, some)).filter((slip) => isHeadless(slip))
}

/** Returns slips of these players that were revised in a span, of this day or another. */
export async function slipsRevised(reader: Reader, span: Span, players: readonly string[]): Promise<SlipHistory[]> {
  const rows = await reader.q
    .selectFrom('book_revisions')
    .select('slip_id')
    .where('settled_at', '>=', span.from)
    .where('settled_at', '<', span.to)
    .where('rev', '>', sql.lit(1))
    .where('name_key', 'in', players)
    .orderBy('settled_at')
    .orderBy('place')
    .execute()
  const slips: SlipHistory[] = []
  for (const some of piecesOf([...new Set(rows.map((row) => row.slip_id))], slipsAtOnce))
    slips.push(...(await slipsOf(reader, some)))
  return slips
}

/** Number of arrivals per read. */
const arrivalsAtOnce = 10_000

/**
 * Reads the records that arrived between the first and the last of a span, with one neighbor on either side, in order and in
 * batches. Each batch begins with the last record of the one before, so that every two neighbors are in one.
 */
export async function* arrivalsOf({ q }: Reader, span: Span): AsyncGenerator<RecordArrival[]> {
  const edges = await q
    .selectFrom('book_revisions')
    .select(({ fn }) => [fn.min('place').as('first'), fn.max('place').as('last')])
    .where('settled_at', '>=', span.from)
    .where('settled_at', '<', span.to)
    .executeTakeFirst()
  // Without rows both are null, which the types do not show.
  if (!edges?.last) return
  let from = edges.first - 1
  for (;;) {
    const rows = await q
      .selectFrom('book_revisions')
      .select(['place', 'month', 'rec_seq', 'slip_id'])
      .where('place', '>=', from)
      .where('place', '<=', edges.last + 1)
      .orderBy('place')
      .limit(arrivalsAtOnce)
      .execute()
    const end = rows.at(-1)
    if (!end || end.place === from) return
    yield rows.map(({ place, month, rec_seq, slip_id }) => ({ place, month, recSeq: rec_seq, slipId: slip_id }))
    from = end.place
  }
}

/** Win/loss of all players of one currency on one day. */
export interface DayTotal {
  readonly day: Day
  readonly currency: string
  readonly slips: number
  readonly winLoss: bigint
}

/** Number of days around the reconciled one in the plot. */
const daysShown = 30
const daysShownAfter = 7

/**
 * Returns the win/loss per day and currency, by the highest revisions. The 30 days end up to a week after the given
 * day, as far as the book goes. Returns the days in order and the totals of those with slips.
 */
export async function daysAround(reader: Reader, around: { day: Day; lastDay?: Day; zone: string }) {
  const { day, zone } = around
  const { latestAt } = await bookState(reader)
  const last = around.lastDay ?? day
  const known = latestAt === undefined ? last : dayOf(latestAt, zone)
  const until = later(last, earlier(known, dayAfter(last, daysShownAfter)))
  const since = earlier(day, dayAfter(until, 1 - daysShown))
  const days = daysBetween(since, until)
  const ends = days.map((each) => dayEnd(each, zone))
  const span = { from: dayStart(since, zone), to: dayEnd(until, zone) }
  const totals = new Map<string, { day: Day; currency: string; slips: number; winLoss: bigint }>()
  const add = (at: number, { currency, slips, winLoss }: Omit<DayTotal, 'day'>) => {
    const of = days[at] ?? until
    const key = `${of} ${currency}`
    const total = totals.get(key) ?? { day: of, currency, slips: 0, winLoss: 0n }
    totals.set(key, total)
    total.slips += slips
    total.winLoss += winLoss
  }
  let at = 0
  for await (const rows of firstSettlements(reader, span)) {
    for (const row of rows) {
      // Rows are sorted by time, so the day only advances and no calendar lookup per row is needed.
      while (row.settled_at >= (ends[at] ?? Number.POSITIVE_INFINITY)) at++
      const { record } = row
      if (!isOnsite(record))
        add(at, { currency: textIn(record, 'currency') ?? '', slips: 1, winLoss: countedWinLoss(record) })
    }
  }
  for (const { first_at, was, is } of await correctedSlips(reader, span)) {
    if (isOnsite(is)) continue
    const winLoss = countedWinLoss(is) - countedWinLoss(was)
    add(
      ends.findIndex((end) => first_at < end),
      { currency: textIn(is, 'currency') ?? '', slips: 0, winLoss },
    )
  }
  return { days, totals: [...totals.values()] }
}

// Days sort as text.
const earlier = (a: Day, b: Day): Day => (a < b ? a : b)
const later = (a: Day, b: Day): Day => (a < b ? b : a)

const countedWinLoss = (record: string): bigint =>
  textIn(record, 'status') === 'void' ? 0n : (amountOf(textIn(record, 'winLoss') ?? '') ?? 0n)

/** Reads the first settlements of a span in order, in batches. */
async function* firstSettlements({ q }: Reader, span: Span) {
  // Places start with 1.
  let after = { settled_at: span.from, place: 0 }
  const atOnce = 5_000
  for (;;) {
    const rows = await q
      .selectFrom('book_revisions')
      .select(['settled_at', 'place', 'record'])
      .where('settled_at', '>=', after.settled_at)
      .where('settled_at', '<', span.to)
      .where((eb) => eb.or([eb('settled_at', '>', after.settled_at), eb('place', '>', after.place)]))
      .where('rev', '=', 1)
      .orderBy('settled_at')
      .orderBy('place')
      .limit(atOnce)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last
  }
}

/**
 * Returns slips first settled in a span and revised since, with both states. A separate query, because they are few and a
 * search for a later revision of every slip takes three times as long.
 */
function correctedSlips({ q }: Reader, span: Span) {
  return q
    .selectFrom('book_revisions as latest')
    .innerJoin('book_revisions as first', 'first.slip_id', 'latest.slip_id')
    .select(['first.settled_at as first_at', 'first.record as was', 'latest.record as is'])
    .where('latest.settled_at', '>=', span.from)
    .where('latest.rev', '>', sql.lit(1))
    .where('first.rev', '=', 1)
    .where('first.settled_at', '>=', span.from)
    .where('first.settled_at', '<', span.to)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('book_revisions as higher')
            .select('higher.rev')
            .whereRef('higher.slip_id', '=', 'latest.slip_id')
            .whereRef('higher.rev', '>', 'latest.rev'),
        ),
      ),
    )
    .execute()
}

/** Returns slips with a later revision that arrived after a place and was settled at or after a time, in that order. */
export async function slipsRevisedBehind(
  { q }: Reader,
  { place, since }: { readonly place: number; readonly since: number },
): Promise<string[]> {
  const rows = await q
    .selectFrom('book_revisions')
    .select('slip_id')
    .where('settled_at', '>=', since)
    .where('rev', '>', sql.lit(1))
    .where('place', '>', place)
    .orderBy('settled_at')
    .orderBy('place')
    .execute()
  return [...new Set(rows.map((row) => row.slip_id))]
}

/** Reads the rows of many slips in batches, in the given order. */
export async function* rowsOfMany(reader: Reader, ids: readonly string[]): AsyncGenerator<BookSlipRow[]> {
  for (const some of piecesOf(ids, slipsAtOnce)) {
    const rows = Map.groupBy(await rowsOfSlips(reader, some), (row) => row.slip_id)
    for (const id of some) yield rows.get(id) ?? []
  }
}
