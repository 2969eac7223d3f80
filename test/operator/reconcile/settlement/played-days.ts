import type { Book } from '../../../../src/operator/book/book.ts'
import {
  type SettledDay,
  type SettlementOrder,
  settleDay,
} from '../../../../src/operator/reconcile/settlement/settle-day.ts'
import { createTable } from '../../../../src/services/casino/admin/index.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { play } from '../../../../src/services/casino/simulator/index.ts'
import { aBook, toRow, writeRows } from '../../book-rows.ts'
import { aCountRoom } from '../../reconcile-support.ts'

/** Days with slips of every game, as a platform settles them, and books with changed copies of them. */

export const tenant = { companyCode: 'ACME', environment: 'live', timezone: 'UTC' } as const
export const date = '2026-03-10'
const end = Date.UTC(2026, 2, 12, 1)

let played: Promise<BetRecord[]> | undefined

/**
 * Records of two days of every table, with corrections and voids: the first day is complete. Played once per worker.
 */
export function playedRecords(): Promise<BetRecord[]> {
  played ??= playRecords()
  return played
}

async function playRecords(): Promise<BetRecord[]> {
  const room = await aCountRoom({ start: '2026-03-11T12:00:00.000Z', timezone: 'UTC' })
  const tables = [
    { tableId: 'NN-05', settings: { commission: '0.05' } },
    { tableId: 'NN-06', settings: { holdFactor: 3 } },
  ]
  for (const { tableId, settings } of tables)
    await createTable(room.world.casino, 'ACME', { tableId, game: 'niuniu', settings })
  for (const { tableId } of (await room.client.tables({})).tables) await room.client.enableTable({ body: { tableId } })
  const order = { tenant: 'ACME', tables: [], rounds: 600, players: 5, days: 2, corrected: 600, voided: 400 }
  for await (const _ of play(room.world.casino, order));
  const records: BetRecord[] = []
  for (let cursor: string | undefined; ; ) {
    const from = '2026-03-01T00:00:00.000Z'
    const page = await room.client.bets({
      query: cursor === undefined ? { from, limit: 1000 } : { cursor, limit: 1000 },
    })
    records.push(...page.items)
    cursor = page.nextCursor
    if (!page.hasMore) return records
  }
}

/** A book with these records that was read past their day. */
export async function aBookOf(records: readonly BetRecord[]): Promise<Book> {
  const book = await aBook(() => end)
  await writeRows(
    book,
    records.map((record, i) => toRow(record, i + 1)),
  )
  await book.store.write(async ({ q }) => {
    await q
      .insertInto('book_owner')
      .values({ id: 'owner', company_code: 'ACME', environment: 'live', timezone: 'UTC' })
      .execute()
    await q
      .insertInto('book_position')
      .values({
        id: 'bets',
        cursor: '202603.1',
        started_from: 0,
        caught_up_at: end,
        rows: records.length,
        ahead_ms: null,
      })
      .execute()
  })
  return book
}

export function settled(book: Book, over: Partial<SettlementOrder> = {}): Promise<SettledDay> {
  return settleDay(book, { date, tenant, now: end, ...over })
}

/** Settles all days with slips, and returns the findings of all. */
export async function settledDays(book: Book, over: Partial<SettlementOrder> = {}) {
  const days = []
  for (const day of ['2026-03-09', date, '2026-03-11']) days.push((await settled(book, { ...over, date: day })).result)
  return { days, findings: days.flatMap(({ findings }) => findings) }
}
