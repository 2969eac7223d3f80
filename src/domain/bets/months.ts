/**
 * Which UTC month each record of a page belongs to. A record does not say: its `recSeq` starts again each month, and only
 * the cursors before and after the page carry one. Our own server ends a page at its month's end; another one may run on.
 */
import { type Cursor, type Month, monthAfter, monthOf, monthsBetween } from './cursor.ts'

/** What a page says about months. */
export interface PageSpan {
  /** The month of the cursor that was asked with, or of the moment to begin at. */
  readonly from: Month
  readonly to: Cursor
  /** The record before the first one, where it is known. */
  readonly last?: { readonly month: Month; readonly recSeq: number } | undefined
  readonly records: readonly { readonly recSeq: number; readonly settledAt: string }[]
}

/** A record whose `recSeq` is not above the one before it, with no new month to explain it. */
export interface StepBack {
  /** Where in the page. */
  readonly index: number
  readonly month: Month
  readonly recSeq: number
  readonly before: number
}

/**
 * The month of each record, in the page's order, and the steps back that no new month explains. A step back begins a new
 * month as long as the cursors leave room for one. Where they leave more room than there are steps, months were empty or a
 * sequence began high, and the records' own time decides.
 */
export function monthsOfPage({ from, to, last, records }: PageSpan): { months: Month[]; stepsBack: StepBack[] } {
  const highest = highestMonth(from, to)
  const room = monthsBetween(from, highest)
  if (room === 0) return { months: records.map(() => from), stepsBack: stepsBackIn(records, from, last) }

  const begunLater = last?.month === from && (records[0]?.recSeq ?? Number.POSITIVE_INFINITY) <= last.recSeq
  const runs = runsOf(records, { from, most: room + 1 - (begunLater ? 1 : 0) })
  const months: Month[] = []
  const stepsBack: StepBack[] = []
  let month = from
  let isFirst = !begunLater
  for (const [i, run] of runs.entries()) {
    const stays = isFirst ? 0 : 1
    const left = runs.length - 1 - i
    const lowest = earlier(monthAfter(month, stays), highest)
    const latest = later(lowest, monthAfter(highest, -left))
    const isLastOfPage = left === 0 && to.seq === BigInt(records.at(-1)?.recSeq ?? -1)
    const told = monthOfRecord(records[run.end - 1])
    const next = isLastOfPage ? later(lowest, to.month) : within(told, lowest, latest)
    if (stays === 1 && next === month) {
      const before = records[run.start - 1]?.recSeq ?? last?.recSeq ?? 0
      stepsBack.push({ index: run.start, month, recSeq: records[run.start]?.recSeq ?? 0, before })
    }
    month = next
    isFirst = false
    for (let at = run.start; at < run.end; at++) months.push(month)
  }
  return { months, stepsBack }
}

/** The latest month a record of the page can be of: a cursor that stands before a month's first record says that none of it came. */
function highestMonth(from: Month, to: Cursor): Month {
  if (monthsBetween(from, to.month) <= 0) return from
  return to.seq === 0n ? monthAfter(to.month, -1) : to.month
}

function stepsBackIn(records: PageSpan['records'], month: Month, last: PageSpan['last']): StepBack[] {
  const found: StepBack[] = []
  let before = last?.month === month ? last.recSeq : undefined
  for (const [index, { recSeq }] of records.entries()) {
    if (before !== undefined && recSeq <= before) found.push({ index, month, recSeq, before })
    before = recSeq
  }
  return found
}

/** Stretches of records without a step back; parted also where their time enters a new month, while there are months to spare. */
function runsOf(records: PageSpan['records'], { from, most }: { from: Month; most: number }) {
  const starts: number[] = records.length > 0 ? [0] : []
  for (let i = 1; i < records.length; i++) if (isBack(records, i)) starts.push(i)
  if (starts.length < most) {
    let month = later(from, monthOfRecord(records[0]))
    for (let i = 1; i < records.length && starts.length < most; i++) {
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

function isBack(records: PageSpan['records'], at: number): boolean {
  return (records[at]?.recSeq ?? 0) <= (records[at - 1]?.recSeq ?? -1)
}

const later = (a: Month, b: Month): Month => (a > b ? a : b)
const earlier = (a: Month, b: Month): Month => (a < b ? a : b)
const within = (month: Month, lowest: Month, highest: Month): Month => later(lowest, earlier(month, highest))
