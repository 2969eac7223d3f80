import { describe, expect, test } from 'vitest'
import { book as bookMigrations } from '../../src/db/migrations/book/index.ts'
import { daysAround } from '../../src/operator/bets/slips-by-day.ts'
import { reconcileDay } from '../../src/operator/reconcile/daily/reconcile-day.ts'
import { keepingEngines } from '../support/databases/engines.ts'
import { insertRows, toRow } from './book-rows.ts'
import { aFakePlatform, type Draft, inWriteOrder, recordsOf } from './reconcile-fake.ts'

const now = Date.UTC(2026, 3, 5)
const zone = 'Europe/Berlin'
const date = '2026-03-29'
const start = Date.UTC(2026, 2, 28, 23)

/** More slips than one read returns, many of them settled in the same millisecond, like the slips of one round. */
const drafts = Array.from(
  { length: 2600 },
  (_, i): Draft => ({
    username: `p${i % 7}`,
    game: i % 3 === 0 ? 'niuniu' : 'baccarat',
    stake: BigInt(10_000 + i),
    payouts: i % 11 === 0 ? [0n, 30_000n] : [i % 2 === 0 ? 25_000n : 0n],
    isVoided: i % 13 === 0,
    isOnsite: false,
    at: start - 3_600_000 + Math.floor(i / 500) * 4_000_000,
  }),
)

describe.each(keepingEngines)('on $name', (engine) => {
  test('a large day is read piece by piece, balances, and a slip taken out of it is named', async () => {
    const database = await engine.database()
    const store = await database.open({ migrations: bookMigrations, now: () => now })
    const book = { store, close: () => store.close() }
    const records = inWriteOrder(drafts.flatMap(recordsOf))
    await store.write(async (tx) => {
      const { q } = tx
      const rows = records.map((record, i) => toRow(record, i + 1))
      await insertRows(tx, rows)
      const position = { cursor: `202603.${records.length}`, started_from: 0, caught_up_at: now, rows: rows.length }
      await q
        .insertInto('book_position')
        .values({ id: 'bets', ...position })
        .execute()
    })
    const { platform } = aFakePlatform(records, zone)
    const tenant = { companyCode: 'ACME', environment: 'live', timezone: zone } as const
    const reconcile = () =>
      reconcileDay({ platform, book, now: () => now }, { date, tenant, trace: true, tracePages: 20 })

    const balanced = (await reconcile()).result
    expect(balanced).toMatchObject({ verdict: 'balanced', compared: 7, booked: { slips: 2100 }, hours: 23 })
    const { totals } = await store.read((reader) => daysAround(reader, { day: date, zone }))
    expect(totals.find(({ day }) => day === date)?.slips).toBe(2100)

    await store.write(({ q }) => q.deleteFrom('book_revisions').where('slip_id', '=', 'SLIP1234').execute())
    const { result } = await reconcile()
    expect(result.slips.map(({ finding, slipId, player }) => [finding, slipId, player])).toEqual([
      ['missing-in-book', 'SLIP1234', 'p2'],
    ])
    expect(result.explanations.map(({ code }) => code)).toEqual(['BOOK_WRONG', 'ROWS_DELETED'])
    expect(result.trace).toMatchObject({ state: 'complete', note: null })
  })
})
