import assert from 'node:assert/strict'
import { sha256Hex } from '../kit/hmac.ts'
import { Problem } from '../kit/problem.ts'
import type { Tx } from '../store/store.ts'
import type { BookExportRow } from '../store/tables/book.ts'
import { type Alarm, keepAlarms } from './alarms.ts'
import type { Book } from './book.ts'
import { saveExports } from './exports.ts'
import { bookPosition, savePosition } from './position.ts'
import {
  type ArrivedSlip,
  countIntoMonths,
  createInsertSlips,
  type InsertSlips,
  isSameRecord,
  keyOf,
  removeAfter,
  slipsOfKeys,
} from './slips.ts'

/** A page of bets on its way into the book. */
export interface ArrivedPage {
  /** Where the book stood when the page was asked for. */
  readonly after: { readonly cursor: string | null; readonly rows: number }
  readonly nextCursor: string
  /** The moment the page was asked for, when it said that there is no more. */
  readonly caughtUpAt?: number | undefined
  readonly slips: readonly ArrivedSlip[]
  readonly alarms: readonly Alarm[]
  /** How far files are on the disk by now: noted on this occasion, to save a commit. */
  readonly exports: readonly BookExportRow[]
}

/** What became of a page. */
export interface TakenPage {
  /** Which of the page's slips were new, by their index. The first of them has the place `firstPlace`, and so on. */
  readonly fresh: readonly number[] | 'all'
  readonly firstPlace: number
  /** The rows of the book now. */
  readonly rows: number
  readonly duplicates: number
  /** The alarms that had not been raised before. */
  readonly alarms: readonly Alarm[]
}

/**
 * Takes pages into a book: the rows that are new, the cursor behind them, what there is to be alarmed about, all in one
 * transaction, or none of it. A revision that is there already is left as it is. One that came with another content is
 * kept as an alarm with both records in it: which of them is right is for people to say.
 */
export function createTakePage(book: Book): (page: ArrivedPage) => Promise<TakenPage> {
  const insertSlips = createInsertSlips()
  return (page) =>
    book.store.write(async (tx) => {
      await assertUnmoved(tx, page.after)
      const { fresh, contradictions } = await insertFresh(tx, insertSlips, page)
      const slips = pick(page.slips, fresh)
      const firstPlace = page.after.rows + 1
      const rows = page.after.rows + slips.length
      await countIntoMonths(tx, slips, firstPlace)
      const alarms = await keepAlarms(tx, [...page.alarms, ...contradictions])
      await saveExports(tx, page.exports)
      const caughtUp = page.caughtUpAt === undefined ? {} : { caught_up_at: page.caughtUpAt }
      await savePosition(tx, { cursor: page.nextCursor, rows, ...caughtUp })
      return { fresh, firstPlace, rows, duplicates: page.slips.length - slips.length, alarms }
    })
}

/** The lock keeps others out; this finds out if it ever did not. */
async function assertUnmoved(tx: Tx, after: ArrivedPage['after']): Promise<void> {
  const position = await bookPosition(tx)
  assert(position, 'a book has a position before pages are taken into it')
  if (position.cursor !== after.cursor || position.rows !== after.rows)
    throw new Problem('BOOK_MOVED', 'Another run has written to the book meanwhile: nothing of this page was kept', {
      category: 'temporary',
      expected: after.cursor,
      found: position.cursor,
    })
}

async function insertFresh(
  tx: Tx,
  insertSlips: InsertSlips,
  { after, slips }: ArrivedPage,
): Promise<{ fresh: number[] | 'all'; contradictions: Alarm[] }> {
  if ((await insertSlips(tx, slips, after.rows + 1)) === slips.length) return { fresh: 'all', contradictions: [] }
  // Some were there before. It happens after a resync only, so it may take longer: once more, without them.
  await removeAfter(tx, after.rows)
  const known = new Map([...(await slipsOfKeys(tx, slips))].map(([key, { record }]) => [key, record]))
  const fresh: number[] = []
  const contradictions: Alarm[] = []
  for (const [i, slip] of slips.entries()) {
    const record = known.get(keyOf(slip))
    if (record === undefined) {
      fresh.push(i)
      known.set(keyOf(slip), slip.record)
    } else if (!isSameRecord(record, slip.record)) contradictions.push(contradiction(slip, record))
  }
  const written = await insertSlips(tx, pick(slips, fresh), after.rows + 1)
  assert(written === fresh.length, 'a row that is not in the book goes into it')
  return { fresh, contradictions }
}

function contradiction(slip: ArrivedSlip, kept: string): Alarm {
  return {
    id: `contradiction ${slip.slip_id} ${slip.rev} ${sha256Hex(slip.record).slice(0, 12)}`,
    kind: 'contradiction',
    slip_id: slip.slip_id,
    rev: slip.rev,
    message: `Revision ${slip.rev} of slip ${slip.slip_id} came again with another content; the first is kept`,
    detail: JSON.stringify({ kept: JSON.parse(kept), other: JSON.parse(slip.record) }),
  }
}

/** Those of a page that were new. */
export function pick<T>(all: readonly T[], fresh: TakenPage['fresh']): readonly T[] {
  return fresh === 'all' ? all : fresh.flatMap((i) => all[i] ?? [])
}
