import { onTestFinished } from 'vitest'
import type { BookBreakRow, BookSlipRow, BookTransferRow } from '../../src/db/schema/book.ts'
import type { Reader, Tx } from '../../src/db/store.ts'
import { monthOf } from '../../src/domain/bets/cursor.ts'
import { foldUsername } from '../../src/domain/players/player.ts'
import { createInsertSlips } from '../../src/operator/bets/slip-rows.ts'
import { type Book, openBook } from '../../src/operator/book/book.ts'
import type { BetRecord } from '../../src/services/casino/api/schemas/index.ts'
import { decimal, tenThousandths } from './reconcile-fake.ts'

/** Rows of a book, written without a platform. */

/** A book in memory. Its clock stands at 1,000 ms unless the test advances it. */
export async function aBook(now: () => number = () => 1_000): Promise<Book> {
  const book = await openBook(':memory:', now)
  onTestFinished(() => book.close())
  return book
}

/** A baccarat slip of amy that bet 10 and lost, settled on 2026-03-10 at noon. */
export function aRecord(over: Partial<BetRecord> = {}): BetRecord {
  const { stake = '10', payout = '0', hold = '0' } = over
  const winLoss = decimal(tenThousandths(payout) - tenThousandths(stake) - tenThousandths(hold))
  return {
    recSeq: 1,
    slipId: 'S1',
    rev: 1,
    status: 'settled',
    username: 'amy',
    currency: 'USD',
    tableId: 'BAC-01',
    game: 'baccarat',
    variant: 'classic',
    roundId: 'R1',
    shoe: '',
    round: 1,
    bets: [{ zone: 'P', amount: stake, return: payout }],
    stake,
    validStake: stake,
    rolling: '0',
    payout,
    winLoss,
    delta: payout,
    result: { code: '', cardInfo: '' },
    placedAt: '2026-03-10T11:59:30.000Z',
    settledAt: '2026-03-10T12:00:00.000Z',
    ...over,
  }
}

/** A record in the format of the sync. */
export function toRow(item: BetRecord, place: number): BookSlipRow {
  const settledAt = Date.parse(item.settledAt)
  return {
    slip_id: item.slipId,
    rev: item.rev,
    place,
    month: monthOf(settledAt),
    rec_seq: item.recSeq,
    name_key: foldUsername(item.username),
    settled_at: settledAt,
    record: JSON.stringify(item),
  }
}

/** Writes records as rows, in their order of arrival from place 1 on. */
export function writeSlips(book: Book, ...records: readonly Partial<BetRecord>[]): Promise<void> {
  return writeRows(
    book,
    records.map((record, i) => toRow(aRecord(record), i + 1)),
  )
}

export function writeRows(book: Book, rows: readonly BookSlipRow[]): Promise<void> {
  return book.store.write((tx) => insertRows(tx, rows))
}

/** Inserts rows at their places, as the sync does: those whose key exists are skipped. */
export async function insertRows(tx: Tx, rows: readonly BookSlipRow[]): Promise<void> {
  const insertSlips = createInsertSlips()
  for (let start = 0; start < rows.length; ) {
    const firstPlace = rows[start]?.place ?? 0
    const end = rows.findIndex(({ place }, i) => i > start && place !== firstPlace + i - start)
    const some = rows.slice(start, end === -1 ? rows.length : end)
    await insertSlips(tx, { count: some.length, slips: (from, to) => some.slice(from, to) }, firstPlace)
    start += some.length
  }
}

/** Reads in one transaction. */
export function reading<T>(book: Book, read: (reader: Reader) => Promise<T>): Promise<T> {
  return book.store.read(read)
}

/** A completed deposit of 100 USD by amy. */
export function aTransfer(over: Partial<BookTransferRow> = {}): BookTransferRow {
  const { username = 'amy' } = over
  return {
    txn_id: 't-1',
    username,
    name_key: foldUsername(username),
    dir: 'in',
    amount: '100',
    currency: 'USD',
    state: 'done',
    balance: '100',
    refusal: null,
    attempts: 1,
    made_at: 1_000,
    changed_at: 1_000,
    plan_id: null,
    ...over,
  }
}

export function writeTransfers(book: Book, ...transfers: readonly Partial<BookTransferRow>[]): Promise<void> {
  return book.store.write(async ({ q }) => {
    for (const each of transfers) await q.insertInto('book_transfers').values(aTransfer(each)).execute()
  })
}

/** Returns every break of the book, by ID. */
export function allBreaks(book: Book): Promise<BookBreakRow[]> {
  return book.store.read(({ q }) => q.selectFrom('book_breaks').selectAll().orderBy('id').execute())
}
