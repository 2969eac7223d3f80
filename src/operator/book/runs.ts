import type { BookRunRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import type { Book } from './book.ts'

/** The history of the jobs on a book. */

/** How many runs of a job are remembered. */
const runsKept = 200

/** Does the work as a run of a job: noted when it begins, so that one that was killed shows, and again when it ends. */
export async function recorded<T>(
  book: Book,
  run: { readonly id: string; readonly job: string },
  work: () => Promise<T>,
  ending: (end: { value: T } | { error: unknown }) => { exit: number; summary: object },
): Promise<T> {
  await book.store.write((tx) => beginRun(tx, run))
  let end: { value: T } | { error: unknown }
  try {
    end = { value: await work() }
  } catch (error) {
    end = { error }
  }
  const { exit, summary } = ending(end)
  try {
    await book.store.write((tx) => endRun(tx, run.id, exit, summary))
  } catch (error) {
    // A book that cannot be written to any more has said so already, and that is what the caller must hear.
    if (!('error' in end)) throw error
  }
  if ('error' in end) throw end.error
  return end.value
}

/** Notes a run that is short enough to be noted at its end, in the transaction that keeps what it found. */
export async function noteRun(
  tx: Tx,
  {
    id,
    job,
    exit,
    summary,
  }: { readonly id: string; readonly job: string; readonly exit: number; readonly summary: object },
): Promise<void> {
  await beginRun(tx, { id, job })
  await endRun(tx, id, exit, summary)
}

async function beginRun(tx: Tx, { id, job }: { readonly id: string; readonly job: string }): Promise<void> {
  await tx.q
    .insertInto('book_runs')
    .values({ id, job, started_at: tx.now, ended_at: null, exit: null, summary: '{}' })
    .execute()
  const oldest = await tx.q
    .selectFrom('book_runs')
    .select('id')
    .where('job', '=', job)
    .orderBy('id', 'desc')
    .offset(runsKept)
    .limit(1)
    .executeTakeFirst()
  if (oldest) await tx.q.deleteFrom('book_runs').where('job', '=', job).where('id', '<=', oldest.id).execute()
}

async function endRun(tx: Tx, id: string, exit: number, summary: object): Promise<void> {
  await tx.q
    .updateTable('book_runs')
    .set({ ended_at: tx.now, exit, summary: JSON.stringify(summary) })
    .where('id', '=', id)
    .execute()
}

/** The latest runs of a job, or of all jobs, the latest first. */
export function latestRuns(
  { q }: Reader,
  { job, limit }: { readonly job?: string; readonly limit: number },
): Promise<BookRunRow[]> {
  const runs = q.selectFrom('book_runs').selectAll().orderBy('id', 'desc').limit(limit)
  return (job === undefined ? runs : runs.where('job', '=', job)).execute()
}
