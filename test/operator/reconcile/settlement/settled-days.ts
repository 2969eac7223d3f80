import type { Book } from '../../../../src/operator/book/book.ts'
import {
  type SettledDay,
  type SettlementOptions,
  settleDay,
} from '../../../../src/operator/reconcile/settlement/settle-day.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aBook, toRow, writeRows } from '../../book-rows.ts'

/** Books with the played days, and with changed copies of them. */

export const tenant = { companyCode: 'ACME', environment: 'live', timezone: 'UTC' } as const
export const date = '2026-03-10'
const end = Date.UTC(2026, 2, 12, 1)

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

export function settled(book: Book, over: Partial<SettlementOptions> = {}): Promise<SettledDay> {
  return settleDay(book, { date, tenant, now: end, ...over })
}

/** Settles all days with slips, and returns the findings of all. */
export async function settledDays(book: Book, over: Partial<SettlementOptions> = {}) {
  const days = []
  for (const day of ['2026-03-09', date, '2026-03-11']) days.push((await settled(book, { ...over, date: day })).result)
  return { days, findings: days.flatMap(({ findings }) => findings) }
}
