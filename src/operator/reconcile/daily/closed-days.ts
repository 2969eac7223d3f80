import type { BookReconciledDayRow } from '../../../db/schema/book.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { Day } from '../../../domain/time/day.ts'

/** Reconciled days, and the position of the book at that time. */

/** A reconciled day. */
export interface ReconciledDay {
  readonly date: Day
  readonly timezone: string
  readonly runId: string
  readonly verdict: BookReconciledDayRow['verdict']
  /** Last row of the book when the day was compared. */
  readonly place: number
}

/** Stores that a day was reconciled. Later changes are compared with the first run. */
export async function recordReconciled({ q, now }: Tx, day: ReconciledDay): Promise<void> {
  const latest = { latest_run_id: day.runId, latest_at: now, latest_verdict: day.verdict }
  await q
    .insertInto('book_reconciled_days')
    .values({
      date: day.date,
      timezone: day.timezone,
      run_id: day.runId,
      reconciled_at: now,
      verdict: day.verdict,
      place: day.place,
      ...latest,
    })
    .onConflict((conflict) => conflict.columns(['date', 'timezone']).doUpdateSet(latest))
    .execute()
}

/** Returns the days from one on, in order. */
export function reconciledDays({ q }: Reader, since?: Day): Promise<BookReconciledDayRow[]> {
  const days = q.selectFrom('book_reconciled_days').selectAll().orderBy('date').orderBy('timezone')
  return (since === undefined ? days : days.where('date', '>=', since)).execute()
}

export function reconciledDay(
  { q }: Reader,
  { date, timezone }: Pick<ReconciledDay, 'date' | 'timezone'>,
): Promise<BookReconciledDayRow | undefined> {
  return q
    .selectFrom('book_reconciled_days')
    .selectAll()
    .where('date', '=', date)
    .where('timezone', '=', timezone)
    .executeTakeFirst()
}

/** Accepts a day up to a row: only later rows count as changes. */
export async function acceptDay(
  { q }: Tx,
  { date, timezone, place }: { date: Day; timezone: string; place: number },
): Promise<void> {
  await q
    .updateTable('book_reconciled_days')
    .set({ place })
    .where('date', '=', date)
    .where('timezone', '=', timezone)
    .execute()
}
