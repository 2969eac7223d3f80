import { sql } from 'kysely'
import type { BookPositionRow, BookRepairRow, BookSlipRow } from '../../../db/schema/book.ts'
import type { Tx } from '../../../db/store.ts'
import { Problem } from '../../../kit/problem.ts'
import { bookPosition, saveRowCount } from '../../book/cursor-position.ts'
import { allExports, saveExports } from '../export-state.ts'
import { emptyExport } from '../files/csv-file.ts'
import { type ArrivedSlip, createInsertSlips } from '../slip-rows.ts'
import { lostPlaces } from './free-places.ts'
import { keptRow, type RepairPlan } from './plan.ts'

/**
 * Writes a repair in one transaction. Nothing is overwritten: a replaced or removed revision moves to the history with
 * its place. Its replacement arrives at a new place, like a row of a sync. So a day that was reconciled before shows
 * the change as a restatement.
 */
export async function applyRepair(
  tx: Tx,
  plan: RepairPlan,
  repair: Pick<BookRepairRow, 'id' | 'date' | 'timezone' | 'who'>,
  before: Pick<BookPositionRow, 'cursor' | 'rows'>,
): Promise<BookRepairRow> {
  const position = await bookPosition(tx)
  if (!position || position.cursor !== before.cursor || position.rows !== before.rows)
    throw new Problem(
      'BOOK_MOVED',
      'Another run wrote to the book at the same time; nothing was changed. Run the command again',
      {
        category: 'temporary',
      },
    )
  const { added, replaced, removed } = plan
  const row: BookRepairRow = {
    ...repair,
    place: position.rows + 1,
    at: tx.now,
    added: added.length,
    replaced: replaced.length,
    removed: removed.length,
  }
  await tx.q.insertInto('book_repairs').values(row).execute()
  await moveToHistory(
    tx,
    row,
    replaced.map(({ was }) => was),
    'replaced',
  )
  await moveToHistory(tx, row, removed, 'removed')
  const insertSlips = createInsertSlips()
  // A row that was lost gets its former place again; all others arrive now.
  const lost = await lostPlaces(tx, [...added].sort(byWriteOrder), position.rows)
  let inserted = 0
  for (const [record, place] of lost) inserted += await insertSlips(tx, { count: 1, slips: () => [record] }, place)
  const late = added.filter((record) => !lost.has(record))
  const arrived = [...late, ...replaced.map(({ is }) => is)].sort(byWriteOrder)
  const source = { count: arrived.length, slips: (from: number, to: number) => arrived.slice(from, to) }
  inserted += await insertSlips(tx, source, row.place + 1)
  if (inserted !== lost.size + arrived.length)
    throw new Problem(
      'BOOK_MOVED',
      'A revision of this day is in the book twice; nothing was changed. To check the book: countroom book verify',
    )
  await saveRowCount(tx, row.place + arrived.length)
  const months = [...added, ...arrived, ...replaced.map(({ was }) => was), ...removed].map(({ month }) => month)
  await recountMonths(tx, [...new Set(months)])
  return row
}

function byWriteOrder(a: ArrivedSlip, b: ArrivedSlip): number {
  return a.month === b.month ? a.rec_seq - b.rec_seq : a.month < b.month ? -1 : 1
}

async function moveToHistory(
  { q, now }: Tx,
  { id, place }: BookRepairRow,
  rows: readonly BookSlipRow[],
  kind: 'replaced' | 'removed',
): Promise<void> {
  for (const row of rows) {
    const kept = keptRow(row, { repair_id: id, kind, until_place: place, at: now })
    await q.insertInto('book_replaced_revisions').values(kept).execute()
    await q.deleteFrom('book_revisions').where('place', '=', row.place).execute()
  }
}

/** Counts the months again and restarts their files, in the order of the platform's numbers. */
async function recountMonths(tx: Tx, months: readonly string[]): Promise<void> {
  const { q } = tx
  for (const month of months) {
    const { rows, first, last } = await q
      .selectFrom('book_revisions')
      .select(({ fn }) => [
        fn.countAll<number>().as('rows'),
        fn.coalesce(fn.min<number>('place'), sql<number>`0`).as('first'),
        fn.coalesce(fn.max<number>('place'), sql<number>`0`).as('last'),
      ])
      .where('month', '=', month)
      .executeTakeFirstOrThrow()
    const row = { month, rows, first_place: first, last_place: last }
    await q
      .insertInto('book_months')
      .values(row)
      .onConflict((conflict) => conflict.column('month').doUpdateSet(row))
      .execute()
    await q
      .insertInto('book_sorted_months')
      .values({ month, place: last })
      .onConflict((conflict) => conflict.column('month').doUpdateSet({ place: last }))
      .execute()
  }
  const files = (await allExports(tx)).filter(({ month }) => months.includes(month))
  await saveExports(tx, files.map(emptyExport))
}
