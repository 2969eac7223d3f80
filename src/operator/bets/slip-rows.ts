import { CompiledQuery } from 'kysely'
import type { BookMonthRow, BookSlipRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import type { PulledBet } from '../../domain/bets/record.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { canonicalJson } from '../../kit/canonical-json.ts'

/** The pulled revisions of slips: what is asked of them, and how they are written. */

/** A revision before it has a place in the order of arrival. */
export type ArrivedSlip = Omit<BookSlipRow, 'place'>

/** A record as its row. Money stays the text it came as. */
export function toSlipRow(bet: PulledBet, month: string): ArrivedSlip {
  return {
    slip_id: bet.slipId,
    rev: bet.rev,
    month,
    rec_seq: bet.recSeq,
    status: bet.status,
    username: bet.username,
    name_key: foldUsername(bet.username),
    currency: bet.currency,
    game: bet.game,
    onsite: bet.onsite === true ? 1 : 0,
    stake: bet.stake,
    hold: bet.hold ?? '0',
    valid_stake: bet.validStake,
    rolling: bet.rolling,
    payout: bet.payout,
    win_loss: bet.winLoss,
    rake: bet.rake ?? '0',
    settled_at: Date.parse(bet.settledAt),
    record: bet.record,
  }
}

/** All revisions of a slip that were pulled, the first one first. */
export function revisionsOf({ q }: Reader, slipId: string): Promise<BookSlipRow[]> {
  return q.selectFrom('book_slips').selectAll().where('slip_id', '=', slipId).orderBy('rev').execute()
}

/** The row that arrived last. */
export function latestSlip({ q }: Reader): Promise<BookSlipRow | undefined> {
  return q.selectFrom('book_slips').selectAll().orderBy('place', 'desc').limit(1).executeTakeFirst()
}

/** A month's rows after a place, in the order of arrival. */
export function slipsAfter(
  { q }: Reader,
  { month, place, limit }: { month: BookMonthRow; place: number; limit: number },
): Promise<Pick<BookSlipRow, 'place' | 'record'>[]> {
  return q
    .selectFrom('book_slips')
    .select(['place', 'record'])
    .where('place', '>', Math.max(place, month.first_place - 1))
    .where('place', '<=', month.last_place)
    .where('month', '=', month.month)
    .orderBy('place')
    .limit(limit)
    .execute()
}

/** The months there are rows of, in time order. */
export function bookMonths({ q }: Reader): Promise<BookMonthRow[]> {
  return q.selectFrom('book_months').selectAll().orderBy('month').execute()
}

/** The players whose bets arrived last, each in the spelling it came in, the latest first: for completing a name that is typed. */
export async function recentUsernames({ q }: Reader, limit: number): Promise<string[]> {
  const rows = await q
    .selectFrom('book_slips')
    .select(['username', 'name_key'])
    .orderBy('place', 'desc')
    .limit(20 * limit)
    .execute()
  return [...new Map(rows.toReversed().map((row) => [row.name_key, row.username])).values()]
    .toReversed()
    .slice(0, limit)
}

/** How many rows of this page's keys there are already, with what is in them. */
export async function slipsOfKeys(
  { q }: Reader,
  slips: readonly Pick<BookSlipRow, 'slip_id' | 'rev'>[],
): Promise<Map<string, Pick<BookSlipRow, 'slip_id' | 'rev' | 'place' | 'record'>>> {
  const found = new Map<string, Pick<BookSlipRow, 'slip_id' | 'rev' | 'place' | 'record'>>()
  const ids = [...new Set(slips.map((slip) => slip.slip_id))]
  for (let i = 0; i < ids.length; i += idsAtOnce) {
    const rows = await q
      .selectFrom('book_slips')
      .select(['slip_id', 'rev', 'place', 'record'])
      .where('slip_id', 'in', ids.slice(i, i + idsAtOnce))
      .execute()
    for (const row of rows) found.set(keyOf(row), row)
  }
  return found
}

const idsAtOnce = 500

/** The key of a revision, by which it is known when it comes again. */
export function keyOf({ slip_id, rev }: Pick<BookSlipRow, 'slip_id' | 'rev'>): string {
  return `${rev} ${slip_id}`
}

/** Whether two records say the same of a revision. Where it stands in the write order is not part of that. */
export function isSameRecord(a: string, b: string): boolean {
  if (a === b) return true
  const { recSeq: _a, ...one } = JSON.parse(a)
  const { recSeq: _b, ...other } = JSON.parse(b)
  return canonicalJson(one) === canonicalJson(other)
}

/** The columns beside the place. */
const columns = [
  'slip_id',
  'rev',
  'month',
  'rec_seq',
  'status',
  'username',
  'name_key',
  'currency',
  'game',
  'onsite',
  'stake',
  'hold',
  'valid_stake',
  'rolling',
  'payout',
  'win_loss',
  'rake',
  'settled_at',
  'record',
] as const satisfies readonly (keyof ArrivedSlip)[]

/** How many rows go into one statement. With three sizes any page is a few statements, and all pages share three texts. */
const sizes = [100, 10, 1] as const

/** Rows that are made when they are wanted, so that a thousand of them need not be there at once. */
export interface SlipSource {
  readonly count: number
  slips(from: number, to: number): readonly ArrivedSlip[]
}

/** Writes rows with their places, leaving those out whose key is there already; answers how many were written. */
export type InsertSlips = (tx: Tx, source: SlipSource, firstPlace: number) => Promise<number>

/**
 * The statement's text is made once for each size and used again for every page: making it anew takes as long as running
 * it. Which is why one of these belongs to one book: on another kind of database the text is another.
 */
export function createInsertSlips(): InsertSlips {
  const texts = new Map<number, string>()
  return async ({ q }, { count, slips }, firstPlace) => {
    let written = 0
    for (let start = 0; start < count; ) {
      const size = sizes.find((each) => each <= count - start) ?? 1
      const rows = slips(start, start + size)
      const text = texts.get(size) ?? insertionOf(q, rows)
      texts.set(size, text)
      const { numAffectedRows = 0n } = await q.executeQuery(CompiledQuery.raw(text, valuesOf(rows, firstPlace + start)))
      written += Number(numAffectedRows)
      start += size
    }
    return written
  }
}

function valuesOf(rows: readonly ArrivedSlip[], firstPlace: number): unknown[] {
  const values = new Array<unknown>(rows.length * (columns.length + 1))
  let at = 0
  for (const [i, row] of rows.entries()) {
    values[at++] = firstPlace + i
    for (const column of columns) values[at++] = row[column]
  }
  return values
}

function insertionOf(q: Tx['q'], slips: readonly ArrivedSlip[]): string {
  // The columns in the order in which their values are handed over.
  const rows = slips.map((slip, i) => ({
    place: i,
    ...Object.fromEntries(columns.map((column) => [column, slip[column]])),
  }))
  return q
    .insertInto('book_slips')
    .values(rows as unknown as BookSlipRow[])
    .onConflict((conflict) => conflict.columns(['slip_id', 'rev']).doNothing())
    .compile().sql
}

/** Takes back the rows after a place. Only within the transaction that wrote them. */
export async function removeAfter({ q }: Tx, place: number): Promise<void> {
  await q.deleteFrom('book_slips').where('place', '>', place).execute()
}

/** Counts rows that were just written into their months, which are given in turn. */
export async function countIntoMonths(
  { q }: Tx,
  stretches: readonly { readonly month: string; readonly rows: number }[],
  firstPlace: number,
): Promise<void> {
  let place = firstPlace
  for (const { month, rows } of stretches) {
    if (rows === 0) continue
    const row: BookMonthRow = { month, rows, first_place: place, last_place: place + rows - 1 }
    place += rows
    await q
      .insertInto('book_months')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('month').doUpdateSet((eb) => ({
          rows: eb('book_months.rows', '+', row.rows),
          last_place: row.last_place,
        })),
      )
      .execute()
  }
}
