import type { BookExportRow } from '../../../db/schema/book.ts'
import { cursorOf, type Month, monthOf } from '../../../domain/bets/cursor.ts'
import { monthsOfPage } from '../../../domain/bets/months.ts'
import type { Alarm } from '../../book/alarms.ts'
import { outOfOrderAlarm, shownMonth } from '../alarms.ts'
import { saveExports } from '../export-state.ts'
import { writeManifest } from '../files/manifest.ts'
import type { AddedLines, BetFiles } from '../files/month-files.ts'
import { createTakePage, type SavedPage } from '../save-page.ts'
import { toSlipRow } from '../slip-rows.ts'
import type { BetPage, BetRecords, Start } from './read-page.ts'
import type { SyncDependencies, SyncProgress } from './types.ts'

/** Number of pages after which the files are made durable. After a crash at most this many are written again from the book. */
const settleEvery = 25

/** Position of the book: the cursor after its last row, and that row. */
export interface BookPosition {
  readonly cursor: string | null
  readonly rows: number
  readonly last: { readonly month: Month; readonly recSeq: number } | undefined
}

/** A page that is being written to the book. */
interface PageInFlight {
  readonly records: BetRecords
  /** The month of each record, or of all of them. */
  readonly months: readonly Month[] | Month
  readonly nextCursor: string
  readonly saved: Promise<SavedPage>
}

/**
 * Writes pages to the book, each in one transaction with its cursor, and from there to the files. While a page is
 * written to the book, the previous one is written to the files and the next one is requested.
 */
export class PageWriter {
  readonly #dependencies: SyncDependencies
  readonly #files: BetFiles
  readonly #take: ReturnType<typeof createTakePage>

  #inFlight: PageInFlight | undefined
  #cursor: string | null
  #rows: number
  #last: BookPosition['last']
  /** The state of the files that is saved with the next page. */
  #settled: BookExportRow[] = []
  #unsettledPages = 0
  #areFilesBehind = false
  #stalls = 0
  #hasReader = true
  readonly #counts = { added: 0, duplicates: 0, pages: 0 }
  readonly #alarms: Alarm[] = []

  constructor(dependencies: SyncDependencies, files: BetFiles, position: BookPosition) {
    this.#dependencies = dependencies
    this.#files = files
    this.#take = createTakePage(dependencies.book)
    this.#cursor = position.cursor
    this.#rows = position.rows
    this.#last = position.last
  }

  get cursor(): string | null {
    return this.#cursor
  }

  get rows(): number {
    return this.#rows
  }

  get counts(): { readonly added: number; readonly duplicates: number; readonly pages: number } {
    return this.#counts
  }

  get alarms(): readonly Alarm[] {
    return this.#alarms
  }

  /** Number of consecutive pages that added no row and did not move the cursor. */
  get stalls(): number {
    return this.#stalls
  }

  /** False once the reader of the progress has disconnected. */
  get hasReader(): boolean {
    return this.#hasReader
  }

  /** Allows the next page to start before the last record. */
  restart(): void {
    this.#last = undefined
  }

  /** Starts to write a page to the book, after the previous one, which is written to the files at the same time. */
  async take({ page, start, requestedAt }: { page: BetPage; start: Start; requestedAt: number }): Promise<void> {
    const before = this.#inFlight
    const beforeTaken = await this.#taken()
    const { months, alarms } = this.#monthsOf(page, start)
    const { nextCursor } = page
    const monthAt = (i: number) => (typeof months === 'string' ? months : (months[i] ?? ''))
    const saved = this.#take({
      count: page.rows.length,
      months,
      slips: (from, to) => page.rows.slice(from, to).map((bet, i) => toSlipRow(bet, monthAt(from + i))),
      after: { cursor: this.#cursor, rows: this.#rows },
      nextCursor,
      caughtUpAt: page.hasMore ? undefined : requestedAt,
      aheadMs: this.#dependencies.platformNow() - this.#dependencies.now(),
      alarms,
      exports: [...this.#files.claims(page.rows.length === 0 ? [] : [months].flat()), ...this.#settled],
    })
    // Awaited with the next page. A failure until then must not end the process as unhandled.
    saved.catch(() => {})
    this.#settled = []
    this.#inFlight = { records: page, months, nextCursor, saved }
    if (before && beforeTaken) await this.#writeFiles(before, beforeTaken)
  }

  /** Waits for the page in flight, if there is one, and writes it to the files. */
  async finish(): Promise<void> {
    const page = this.#inFlight
    const saved = await this.#taken()
    if (page && saved) await this.#writeFiles(page, saved)
  }

  /** Finishes after a failure. A second failure is ignored, so that the first reason is reported. */
  async finishAfterFailure(): Promise<void> {
    try {
      await this.finish()
      if (!this.#areFilesBehind) await this.settle()
    } catch {
      // The next run brings the files in step; nothing that is in the book is lost.
    }
  }

  /** Makes the files durable, saves how far they are, and writes the manifest last. */
  async settle(): Promise<void> {
    const { book, disk, tool } = this.#dependencies
    const settled = [...this.#settled, ...(await this.#files.settle())]
    this.#settled = []
    this.#unsettledPages = 0
    if (settled.length > 0) await book.store.write((tx) => saveExports(tx, settled))
    await writeManifest({ book, disk, tool }, this.#files.folder, this.#files.states())
  }

  raise(alarm: Alarm): void {
    this.#alarms.push(alarm)
    this.#dependencies.report.warn(alarm.message)
  }

  async report(event: SyncProgress['event']): Promise<void> {
    const cursor = this.#cursor ?? ''
    const month = shownMonth(this.#last?.month ?? cursor.slice(0, 6))
    const { added } = this.#counts
    this.#hasReader &&= await this.#dependencies.report.progress({ event, added, rows: this.#rows, cursor, month })
  }

  /** Waits until the page in flight is in the book, and counts it. */
  async #taken(): Promise<SavedPage | undefined> {
    const page = this.#inFlight
    if (!page) return undefined
    this.#inFlight = undefined
    const saved = await page.saved
    const added = page.records.rows.length - saved.duplicates
    this.#stalls = page.nextCursor === this.#cursor && added === 0 ? this.#stalls + 1 : 0
    this.#cursor = page.nextCursor
    this.#rows = saved.rows
    this.#counts.pages += 1
    this.#counts.added += added
    this.#counts.duplicates += saved.duplicates
    for (const alarm of saved.alarms) this.raise(alarm)
    return saved
  }

  async #writeFiles(page: PageInFlight, saved: SavedPage): Promise<void> {
    // Once a page is missing in a file, no later one may follow it there: the next run continues at the recorded position.
    if (this.#areFilesBehind) return
    this.#areFilesBehind = true
    for (const added of newLinesByMonth(page, saved)) await this.#files.append(added)
    this.#areFilesBehind = false
    page.records.release()
    this.#unsettledPages += 1
    if (this.#unsettledPages >= settleEvery) {
      this.#unsettledPages = 0
      this.#settled.push(...(await this.#files.settle()))
    }
    if (page.records.rows.length > 0) await this.report('page')
  }

  #monthsOf(page: BetPage, start: Start): { months: Month[] | Month; alarms: Alarm[] } {
    const from = monthOfStart(start) ?? page.next.month
    const { rows: records } = page
    const { months, outOfOrder } = monthsOfPage({ from, to: page.next, last: this.#last, records })
    const last = records.at(-1)
    if (last) this.#last = { month: months.at(-1) ?? from, recSeq: last.recSeq }
    const alarms = outOfOrder.map((each) => outOfOrderAlarm(each, records[each.index]))
    const [only = from] = months
    return { months: records.length === 0 || months.every((month) => month === only) ? only : months, alarms }
  }
}

/** Yields the new rows of a page, in stretches of one month. */
function* newLinesByMonth({ records, months }: PageInFlight, { fresh, firstPlace }: SavedPage): Generator<AddedLines> {
  const indices = fresh === 'all' ? undefined : fresh
  const count = indices?.length ?? records.rows.length
  const monthAt = (i: number) => (typeof months === 'string' ? months : (months[indices?.[i] ?? i] ?? ''))
  for (let from = 0; from < count; ) {
    const month = monthAt(from)
    let to = from + 1
    if (typeof months === 'string') to = count
    else while (to < count && monthAt(to) === month) to += 1
    const lines = records.lines(indices?.slice(from, to) ?? { from, to })
    yield { month, lines, lastPlace: firstPlace + to - 1 }
    from = to
  }
}

function monthOfStart(start: Start): Month | undefined {
  if (start === 'this month') return undefined
  return 'cursor' in start ? cursorOf(start.cursor)?.month : monthOf(start.from)
}
