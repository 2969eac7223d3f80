import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayEnd, dayStart } from '../../src/domain/time/day.ts'
import { type Book, openBook } from '../../src/operator/book/book.ts'
import { reconcileDay } from '../../src/operator/reconcile/daily/reconcile-day.ts'
import type { BetRecord } from '../../src/services/casino/api/schemas/index.ts'
import { insertRows, toRow } from './book-rows.ts'
import { aFakePlatform, decimal, drafts, inWriteOrder, recordsOf, tenThousandths } from './reconcile-fake.ts'

/** Days with a change of clocks in or next to them, and plain ones; half-hour zones; a missing or repeated midnight. */
const days = [
  ['Asia/Taipei', '2026-05-05'],
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/Havana', '2026-03-08'],
  ['America/Havana', '2026-11-01'],
  ['America/Santiago', '2026-09-06'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Asia/Kathmandu', '2026-06-30'],
  ['Pacific/Kiritimati', '2026-01-01'],
] as const

let book: Book
beforeAll(async () => {
  book = await openBook(':memory:', () => Date.UTC(2026, 11, 1))
})
afterAll(() => book.close())

/** Replaces the book's records by a list. */
async function fill(records: readonly BetRecord[]): Promise<void> {
  await book.store.write(async (tx) => {
    const { q } = tx
    await q.deleteFrom('book_revisions').execute()
    await q.deleteFrom('book_position').execute()
    await insertRows(
      tx,
      records.map((record, i) => toRow(record, i + 1)),
    )
    const last = records.at(-1)
    await q
      .insertInto('book_position')
      .values({
        id: 'bets',
        cursor: last ? `${last.settledAt.slice(0, 7).replace('-', '')}.${last.recSeq}` : '202601.0',
        started_from: 0,
        caught_up_at: Date.UTC(2026, 11, 1),
        rows: records.length,
      })
      .execute()
  })
}

async function reconciled(records: readonly BetRecord[], zone: string, date: string) {
  const { platform } = aFakePlatform(records, zone)
  const tenant = { companyCode: 'ACME', environment: 'live', timezone: zone } as const
  const order = { date, tenant, trace: true, tracePages: 10 }
  return (await reconcileDay({ platform, book, now: () => Date.UTC(2026, 11, 1) }, order)).result
}

/** A day, slips on it and around it, and the ones to change. */
const scene = fc.constantFrom(...days).chain(([zone, date]) => {
  const [from, to] = [dayStart(date, zone), dayEnd(date, zone)]
  return drafts(from, to).map((all) => ({
    zone,
    date,
    all,
    counted: all.flatMap((draft, i) => {
      const isOnsite = draft.isOnsite && draft.game === 'holdem'
      return draft.at >= from && draft.at < to && !isOnsite ? [i] : []
    }),
  }))
})
const runs = { numRuns: 120 }
const idOf = (i: number) => `SLIP${String(i).padStart(4, '0')}`
const choose = (counted: readonly number[], pick: number) => counted[pick % Math.max(1, counted.length)]

test('the book of a platform’s own records balances with its summary, on every kind of day', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async ({ zone, date, all, counted }) => {
      const records = inWriteOrder(all.flatMap(recordsOf))
      await fill(records)
      const result = await reconciled(records, zone, date)
      expect([result.verdict, result.differences, result.slips]).toEqual(['balanced', [], []])
      expect([result.booked.slips, result.platform.slips]).toEqual([counted.length, counted.length])
    }),
    runs,
  )
})

test('any slip that is missing in the book is found, and only that one is named', async () => {
  await fc.assert(
    fc.asyncProperty(scene, fc.nat(), async ({ zone, date, all, counted }, pick) => {
      const at = choose(counted, pick)
      fc.pre(at !== undefined)
      const records = inWriteOrder(all.flatMap(recordsOf))
      // The last record stays: the cursor follows it, and records after the cursor are only new.
      fc.pre(records.at(-1)?.slipId !== idOf(at))
      await fill(records.filter(({ slipId }) => slipId !== idOf(at)))
      const result = await reconciled(records, zone, date)
      expect(result.verdict).toBe('differences')
      expect(named(result.slips, 'missing-in-book')).toEqual([idOf(at)])
      expect(new Set(result.differences.map(({ player }) => player))).toEqual(new Set([all[at]?.username]))
    }),
    runs,
  )
})

test('any slip that is extra in the book is found, and only that one is named', async () => {
  await fc.assert(
    fc.asyncProperty(scene, fc.nat(), async ({ zone, date, all, counted }, pick) => {
      const at = choose(counted, pick)
      fc.pre(at !== undefined)
      const records = inWriteOrder(all.flatMap(recordsOf))
      const extra = records
        .filter(({ slipId }) => slipId === idOf(at))
        .map((record) => ({ ...record, slipId: 'EXTRA' }))
      await fill([...records, ...extra])
      const result = await reconciled(records, zone, date)
      expect(result.verdict).toBe('differences')
      expect(named(result.slips, 'extra-in-book')).toEqual(['EXTRA'])
    }),
    runs,
  )
})

test('any figure that is changed in a latest revision is found, and named with both figures', async () => {
  const field = fc.constantFrom('stake', 'validStake', 'rolling', 'payout', 'winLoss', 'delta')
  const off = fc.bigInt({ min: -(10n ** 7n), max: 10n ** 7n }).filter((by) => by !== 0n)
  await fc.assert(
    fc.asyncProperty(scene, fc.nat(), field, off, async ({ zone, date, all, counted }, pick, name, by) => {
      const at = choose(counted, pick)
      fc.pre(at !== undefined)
      const records = inWriteOrder(all.flatMap(recordsOf))
      const latest = records.filter(({ slipId }) => slipId === idOf(at)).at(-1)
      const wrong = decimal(tenThousandths(latest?.[name as 'stake'] ?? '0') + by)
      await fill(records.map((record) => (record === latest ? { ...record, [name]: wrong } : record)))
      const result = await reconciled(records, zone, date)
      expect(result.verdict).toBe('differences')
      expect(named(result.slips, 'changed')).toEqual([idOf(at)])
      expect(result.slips.find(({ finding }) => finding === 'changed')?.fields).toEqual([
        { field: name, platform: latest?.[name as 'stake'], book: wrong },
      ])
    }),
    runs,
  )
})

const named = (slips: readonly { slipId: string; finding: string }[], kind: string) => [
  ...new Set(slips.filter(({ finding }) => finding === kind).map(({ slipId }) => slipId)),
]
