import { type Cursor, compareCursors, type Month, monthOf } from '../../../domain/bets/cursor.ts'
import { monthsOfPage } from '../../../domain/bets/months.ts'
import type { ReadBet } from '../../../domain/bets/record-text.ts'
import type { Transport } from '../../../http/contract/wire-types.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { type ArrivedSlip, toSlipRow } from '../slip-rows.ts'
import type { Span } from '../slips-by-day.ts'
import { askForPage, readPage, type Start } from '../sync/read-page.ts'

/** Reads a day's records from the platform again, each with the month of its cursor. */

export interface DayReading {
  readonly transport: Transport
  readonly now: () => number
  readonly signal: AbortSignal
  /** The book's cursor: later records are left to the next sync. */
  readonly cursor: Cursor
  readonly maxPages: number
  readonly onPage?: (pages: number, records: number) => void
}

export interface ReadDay {
  /** Records of the day and of the days after it, up to the book's cursor, in write order. */
  readonly records: readonly ArrivedSlip[]
  /** Time up to which everything was read. */
  readonly readTo: number
  /** Number of records after the book's cursor. */
  readonly newer: number
  readonly pages: number
}

/**
 * Time after the day for which records are read. Corrections arrive within 24 hours of the settlement. Later revisions
 * that the book has are kept.
 */
const afterlifeMs = 48 * 3_600_000
const pageSize = 1000

/** Reads from the day's start until two days after its end, or to the end of the bets. Throws DAY_NOT_READ if that takes too many pages. */
export async function readDay(reading: DayReading, { from, to }: Span): Promise<ReadDay> {
  const { transport, now, signal, cursor, maxPages, onPage } = reading
  const records: ArrivedSlip[] = []
  let newer = 0
  let start: Start = { from: Math.floor(from / 60_000) * 60_000 }
  let month: Month = monthOf(from)
  let last: { month: Month; recSeq: number } | undefined
  let readTo = Number.NEGATIVE_INFINITY
  for (let pages = 1; pages <= maxPages; pages++) {
    signal.throwIfAborted()
    const request = askForPage({ transport, pageSize, now }, start, signal)
    const page = readPage(start, await request.reply)
    page.release()
    const { months } = monthsOfPage({ from: month, to: page.next, last, records: page.rows })
    for (const [i, bet] of page.rows.entries()) {
      const ofBet = months[i] ?? month
      last = { month: ofBet, recSeq: bet.recSeq }
      readTo = Math.max(readTo, Date.parse(bet.settledAt))
      if (isAfter(bet, ofBet, cursor)) newer += 1
      else records.push(toSlipRow(bet, ofBet))
    }
    onPage?.(pages, records.length)
    if (!page.hasMore) readTo = Number.POSITIVE_INFINITY
    if (readTo >= to + afterlifeMs) return { records, readTo, newer, pages }
    month = page.next.month
    start = { cursor: page.nextCursor }
  }
  throw new Problem(
    'DAY_NOT_READ',
    `The day has more than ${countText(maxPages, 'page')} of records; nothing was changed. Pass a larger --max-pages`,
    { category: 'inconclusive' },
  )
}

function isAfter(bet: ReadBet, month: Month, cursor: Cursor): boolean {
  return compareCursors({ month, seq: BigInt(bet.recSeq) }, cursor) > 0
}
