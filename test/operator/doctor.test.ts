import { expect, test } from 'vitest'
import { runsCheck } from '../../src/operator/doctor.ts'
import { aBook } from './book-rows.ts'

const memory = ':memory:'

/** A book with these runs, one after another; null is one without an end. */
async function aBookWithRuns(runs: readonly (readonly [job: string, exit: number | null])[]) {
  const book = await aBook()
  await book.store.write(async ({ q }) => {
    for (const [i, [job, exit]] of runs.entries()) {
      const id = `run-${String(i).padStart(5, '0')}`
      const row = {
        id,
        job,
        started_at: i * 1_000,
        ended_at: exit === null ? null : i * 1_000 + 1,
        exit,
        summary: '{}',
      }
      await q.insertInto('book_runs').values(row).execute()
    }
  })
  return book
}
const ended = (job: string, count: number) => Array.from({ length: count }, () => [job, 0] as const)

test('an interrupted run is found after any number of runs of other jobs', async () => {
  const book = await aBookWithRuns([['bets-sync', null], ...ended('reconcile wallet', 600)])
  expect(await runsCheck(book, memory)).toMatchObject({ message: expect.stringContaining('bets-sync') })
})

test('an interrupted run that was followed by another of its job is history', async () => {
  const book = await aBookWithRuns([['bets-sync', null], ...ended('bets-sync', 1), ...ended('reconcile wallet', 1)])
  expect(await runsCheck(book, memory)).toMatchObject({ status: 'pass', message: 'no job is running' })
})
