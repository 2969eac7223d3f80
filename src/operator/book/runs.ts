import type { BookRunRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import type { Book } from './book.ts'

/** History of the jobs on a book. */

/** Maximum number of stored runs per job. */
const maxRuns = 200

/** Runs a job and stores it: at the start, so that a killed run is visible, and at the end. */
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
    // If the book cannot be written anymore, the error of the job itself is more important.
    if (!('error' in end)) throw error
  }
  if ('error' in end) throw end.error
  return end.value
}

/** Stores a short run at its end, in the transaction that stores its findings. */
export async function recordRun(
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
    .offset(maxRuns)
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

/** Returns the latest runs of a job, or of all jobs, newest first. */
export function latestRuns(
  { q }: Reader,
  { job, limit }: { readonly job?: string; readonly limit: number },
): Promise<BookRunRow[]> {
  const runs = q.selectFrom('book_runs').selectAll().orderBy('id', 'desc').limit(limit)
  return (job === undefined ? runs : runs.where('job', '=', job)).execute()
}
