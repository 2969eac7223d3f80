/**
 * Assigns each record of a page to its UTC month. Records do not name it: `recSeq` restarts each month, and only the
 * cursors before and after the page contain a month. Our own server ends a page at the end of a month; another server
 * may not.
 */
import { type Cursor, type Month, monthAfter, monthOf, monthsBetween } from './cursor.ts'

/** A page and the months around it. */
export interface PageSpan {
  /** Month of the cursor or of the start time in the request. */
  readonly from: Month
  readonly to: Cursor
  /** The last record before the page, if known. */
  readonly last?: { readonly month: Month; readonly recSeq: number } | undefined
  readonly records: readonly { readonly recSeq: number; readonly settledAt: string }[]
}

/** A record whose `recSeq` is not above the previous one and which no new month explains. */
export interface OutOfOrderRecord {
  /** Index in the page. */
  readonly index: number
  readonly month: Month
  readonly recSeq: number
  readonly before: number
}

/**
 * Returns the month of each record in page order, and the records out of order that no new month explains. A lower
 * `recSeq` starts a new month while the cursors leave room for one. If they leave more room, some months were empty or
 * a sequence began high; the times of the records decide.
 */
export function monthsOfPage({ from, to, last, records }: PageSpan): {
  months: Month[]
  outOfOrder: OutOfOrderRecord[]
} {
  const highest = highestMonth(from, to)
  const room = monthsBetween(from, highest)
  if (room === 0) return { months: records.map(() => from), outOfOrder: outOfOrderIn(records, from, last) }

  const begunLater = last?.month === from && (records[0]?.recSeq ?? Number.POSITIVE_INFINITY) <= last.recSeq
  const runs = runsOf(records, { from, maxRuns: room + 1 - (begunLater ? 1 : 0) })
  const months: Month[] = []
  const outOfOrder: OutOfOrderRecord[] = []
  let month = from
  let isFirst = !begunLater
  for (const [i, run] of runs.entries()) {
    const stays = isFirst ? 0 : 1
    const left = runs.length - 1 - i
    const lowest = earlier(monthAfter(month, stays), highest)
    const latest = later(lowest, monthAfter(highest, -left))
    const isLastOfPage = left === 0 && to.seq === BigInt(records.at(-1)?.recSeq ?? -1)
    const ofRecord = monthOfRecord(records[run.end - 1])
    const next = isLastOfPage ? later(lowest, to.month) : within(ofRecord, lowest, latest)
    if (stays === 1 && next === month) {
      const before = records[run.start - 1]?.recSeq ?? last?.recSeq ?? 0
      outOfOrder.push({ index: run.start, month, recSeq: records[run.start]?.recSeq ?? 0, before })
    }
    month = next
    isFirst = false
    for (let at = run.start; at < run.end; at++) months.push(month)
  }
  return { months, outOfOrder }
}

/**
 * Returns the latest month a record of the page can have. A cursor before a month's first record means that the page
 * has none of that month.
 */
function highestMonth(from: Month, to: Cursor): Month {
  if (monthsBetween(from, to.month) <= 0) return from
  return to.seq === 0n ? monthAfter(to.month, -1) : to.month
}

function outOfOrderIn(records: PageSpan['records'], month: Month, last: PageSpan['last']): OutOfOrderRecord[] {
  const found: OutOfOrderRecord[] = []
  let before = last?.month === month ? last.recSeq : undefined
  for (const [index, { recSeq }] of records.entries()) {
    if (before !== undefined && recSeq <= before) found.push({ index, month, recSeq, before })
    before = recSeq
  }
  return found
}

/**
 * Splits records into runs in which `recSeq` rises. Runs are also split where the time enters a new month, while there are
 * months to spare.
 */
function runsOf(records: PageSpan['records'], { from, maxRuns }: { from: Month; maxRuns: number }) {
  const starts: number[] = records.length > 0 ? [0] : []
  for (let i = 1; i < records.length; i++) if (isLower(records, i)) starts.push(i)
  if (starts.length < maxRuns) {
    let month = later(from, monthOfRecord(records[0]))
    for (let i = 1; i < records.length && starts.length < maxRuns; i++) {
      const entered = monthOfRecord(records[i])
      if (entered > month && !starts.includes(i)) starts.push(i)
      month = later(month, entered)
    }
    starts.sort((a, b) => a - b)
  }
  return starts.map((start, i) => ({ start, end: starts[i + 1] ?? records.length }))
}

function monthOfRecord(record: PageSpan['records'][number] | undefined): Month {
  return monthOf(record ? Date.parse(record.settledAt) : 0)
}

function isLower(records: PageSpan['records'], at: number): boolean {
  return (records[at]?.recSeq ?? 0) <= (records[at - 1]?.recSeq ?? -1)
}

const later = (a: Month, b: Month): Month => (a > b ? a : b)
const earlier = (a: Month, b: Month): Month => (a < b ? a : b)
const within = (month: Month, lowest: Month, highest: Month): Month => later(lowest, earlier(month, highest))
