import { expect, test } from 'vitest'
import {
  acceptDay,
  reconciledDay,
  reconciledDays,
  recordReconciled,
} from '../../../../src/operator/reconcile/daily/closed-days.ts'
import { aBook, reading } from '../../book-rows.ts'

const first = { date: '2026-03-10', timezone: 'UTC', runId: 'r1', verdict: 'balanced', place: 5 } as const
const others = [
  { ...first, timezone: 'Asia/Taipei' },
  { ...first, date: '2026-03-09' },
]

test('a day of a zone keeps its first run and has its latest one; the place is changed for that day alone', async () => {
  let now = 1_000
  const book = await aBook(() => now)
  const note = (day: Parameters<typeof recordReconciled>[1]) => book.store.write((tx) => recordReconciled(tx, day))
  for (const day of [first, ...others]) await note(day)
  now = 2_000
  await note({ ...first, runId: 'r2', verdict: 'differences', place: 9 })
  await book.store.write((tx) => acceptDay(tx, { date: first.date, timezone: first.timezone, place: 7 }))
  expect(await reading(book, (reader) => reconciledDay(reader, first))).toEqual({
    ...{ date: '2026-03-10', timezone: 'UTC', run_id: 'r1', reconciled_at: 1_000, verdict: 'balanced', place: 7 },
    ...{ latest_run_id: 'r2', latest_at: 2_000, latest_verdict: 'differences' },
  })
  for (const other of others)
    expect(await reading(book, (reader) => reconciledDay(reader, other))).toMatchObject({
      ...{ date: other.date, timezone: other.timezone, place: 5, latest_run_id: 'r1' },
    })
  expect(await reading(book, (reader) => reconciledDay(reader, { ...first, date: '2026-03-11' }))).toBeUndefined()
  const days = async (since?: string) =>
    (await reading(book, (reader) => reconciledDays(reader, since))).map(({ date, timezone }) => `${date} ${timezone}`)
  expect(await days()).toEqual(['2026-03-09 UTC', '2026-03-10 Asia/Taipei', '2026-03-10 UTC'])
  expect(await days('2026-03-10')).toEqual(['2026-03-10 Asia/Taipei', '2026-03-10 UTC'])
})
