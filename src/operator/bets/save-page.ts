import assert from 'node:assert/strict'
import type { BookExportRow } from '../../db/schema/book.ts'
import type { Tx } from '../../db/store.ts'
import { sha256Hex } from '../../kit/hmac.ts'
import { Problem } from '../../kit/problem.ts'
import { type Alarm, keepAlarms } from '../book/alarms.ts'
import type { Book } from '../book/book.ts'
import { bookPosition, saveCaughtUp, savePosition } from '../book/cursor-position.ts'
import { saveExports } from './export-state.ts'
import {
  type ArrivedSlip,
  countIntoMonths,
  createInsertSlips,
  type InsertSlips,
  isSameRecord,
  keyOf,
  removeAfter,
  slipsOfKeys,
} from './slip-rows.ts'

/** A page of bets to store in the book. */
export interface PageToSave {
  /** Position of the book when the page was requested. */
  readonly after: { readonly cursor: string | null; readonly rows: number }
  readonly nextCursor: string
  /** Time of the request, if the page was the last one. */
  readonly caughtUpAt?: number | undefined
  /** Difference of the platform's clock to this machine's, in milliseconds. */
  readonly aheadMs: number
  /** Number of revisions, their months, and functions for parts of them. Created on demand, because a page is large. */
  readonly count: number
  readonly months: readonly string[] | string
  slips(from: number, to: number): readonly ArrivedSlip[]
  readonly alarms: readonly Alarm[]
  /** Positions of the files, stored in the same transaction to save a commit. */
  readonly exports: readonly BookExportRow[]
}

/** Result of storing a page. */
export interface SavedPage {
  /** Indices of the new revisions. The first has the place `firstPlace`, and so on. */
  readonly fresh: readonly number[] | 'all'
  readonly firstPlace: number
  /** Number of rows in the book. */
  readonly rows: number
  readonly duplicates: number
  /** New alarms. */
  readonly alarms: readonly Alarm[]
}

/**
 * Stores a page in one transaction: new rows, the cursor and alarms. An existing revision is kept. If its content differs, an
 * alarm with both records is stored, because a person has to decide which one is right.
 */
export function createTakePage(book: Book): (page: PageToSave) => Promise<SavedPage> {
  const insertSlips = createInsertSlips()
  return (page) =>
    book.store.write(
      async (tx) => {
        await assertUnmoved(tx, page.after)
        const { fresh, contradictions } = await insertFresh(tx, insertSlips, page)
        const firstPlace = page.after.rows + 1
        const added = fresh === 'all' ? page.count : fresh.length
        const rows = page.after.rows + added
        await countIntoMonths(tx, monthsOf(page, fresh), firstPlace)
        const alarms = await keepAlarms(tx, [...page.alarms, ...contradictions])
        await saveExports(tx, page.exports)
        await savePosition(tx, { cursor: page.nextCursor, rows, ahead_ms: page.aheadMs })
        if (page.caughtUpAt !== undefined) await saveCaughtUp(tx, page.caughtUpAt)
        return { fresh, firstPlace, rows, duplicates: page.count - added, alarms }
      },
      // The next page is parsed while the disk writes this one.
      { syncsLater: true },
    )
}

/** The lock excludes other runs; this check detects a failure of the lock. */
async function assertUnmoved(tx: Tx, after: PageToSave['after']): Promise<void> {
  const position = await bookPosition(tx)
  assert(position, 'a book has a position before pages are stored')
  if (position.cursor !== after.cursor || position.rows !== after.rows)
    throw new Problem(
      'BOOK_MOVED',
      'Another run wrote to the book at the same time; nothing of this page was stored. Run the sync again',
      {
        category: 'temporary',
        expected: after.cursor,
        found: position.cursor,
      },
    )
}

async function insertFresh(
  tx: Tx,
  insertSlips: InsertSlips,
  page: PageToSave,
): Promise<{ fresh: number[] | 'all'; contradictions: Alarm[] }> {
  const { rows } = page.after
  if ((await insertSlips(tx, page, rows + 1)) === page.count) return { fresh: 'all', contradictions: [] }
  // Some rows exist, for example after a resync: insert again without them.
  await removeAfter(tx, rows)
  const slips = page.slips(0, page.count)
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
  const theirs = pick(slips, fresh)
  const rest = { count: theirs.length, slips: (from: number, to: number) => theirs.slice(from, to) }
  const written = await insertSlips(tx, rest, rows + 1)
  assert(written === fresh.length, 'a new row must be inserted')
  return { fresh, contradictions }
}

/** Returns the number of new rows for each run of equal months. */
function monthsOf({ months, count }: PageToSave, fresh: SavedPage['fresh']): { month: string; rows: number }[] {
  if (typeof months === 'string') return [{ month: months, rows: fresh === 'all' ? count : fresh.length }]
  const stretches: { month: string; rows: number }[] = []
  for (const month of pick(months, fresh)) {
    const last = stretches.at(-1)
    if (last?.month === month) last.rows += 1
    else stretches.push({ month, rows: 1 })
  }
  return stretches
}

function contradiction(slip: ArrivedSlip, storedRecord: string): Alarm {
  return {
    id: `contradiction ${slip.slip_id} ${slip.rev} ${sha256Hex(slip.record).slice(0, 12)}`,
    kind: 'contradiction',
    slip_id: slip.slip_id,
    rev: slip.rev,
    message: `Revision ${slip.rev} of slip ${slip.slip_id} arrived again with different content; the first version is kept`,
    detail: JSON.stringify({ kept: JSON.parse(storedRecord), other: JSON.parse(slip.record) }),
  }
}

/** Returns the new rows of a page. */
export function pick<T>(all: readonly T[], fresh: SavedPage['fresh']): readonly T[] {
  return fresh === 'all' ? all : fresh.flatMap((i) => all[i] ?? [])
}
