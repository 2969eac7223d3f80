import type { BookReconciledDayRow } from '../../../db/schema/book.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { Day } from '../../../domain/time/day.ts'

/** The days that were reconciled to an end, and how far the book was then. */

/** A day as a run left it. */
export interface ReconciledDay {
  readonly date: Day
  readonly timezone: string
  readonly runId: string
  readonly verdict: BookReconciledDayRow['verdict']
  /** The book's last row when the day was compared. */
  readonly place: number
}

/** Notes that a day was reconciled. The first run stays the one that later changes are told against. */
export async function noteReconciled({ q, now }: Tx, day: ReconciledDay): Promise<void> {
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

/** The days from one on, in their order. */
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

/** From now on, only what was written behind that row changes the day. */
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
