import type { BookPositionRow } from '../../../db/schema/book.ts'
import { limitsOf, type PlanLimits } from '../../../domain/account/plan-limits.ts'
import { type Cursor, cursorOf, monthAfter, monthOf, monthStart } from '../../../domain/bets/cursor.ts'
import { createClient } from '../../../http/client/client.ts'
import { type Retry, retrying } from '../../../http/client/retry.ts'
import type { Transport } from '../../../http/contract/wire-types.ts'
import { minuteText, momentText } from '../../../kit/moment.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { casino } from '../../../services/casino/api/contract.ts'
import { keepAlarms } from '../../book/alarms.ts'
import { claimBook } from '../../book/book.ts'
import { beginAt, bookPosition } from '../../book/cursor-position.ts'
import { lockBook } from '../../book/lock.ts'
import { latestRuns, recorded } from '../../book/runs.ts'
import { shareOf, sharing } from '../../rate-share/rate-share.ts'
import { gapAlarm } from '../alarms.ts'
import { refuseAnothersFolder } from '../files/manifest.ts'
import { type BetFiles, openBetFiles } from '../files/month-files.ts'
import type { SyncSummary } from '../schema.ts'
import { latestSlip } from '../slip-rows.ts'
import { PageWriter } from './page-writer.ts'
import { aheadOfPlatform, checkPosition, type PositionCheck } from './position.ts'
import { createPageStream, isAt, type PageStream } from './read-ahead.ts'
import { askForPage, type BetPage, readPage, type Start } from './read-page.ts'
import type { SyncDependencies, SyncOptions, SyncReport } from './types.ts'

/** Lock of all jobs that write bets to a book or files made from them. */
export const betsLock = 'bets'
/** Job name in the history of runs. */
export const syncJob = 'bets sync'

/** Time before the last row at which the sync restarts when the cursor is lost. Duplicates are skipped, so more is safer. */
const resyncBackMs = 86_400_000
/** Maximum number of lost cursors, for a platform that rejects even its newest ones. */
const maxResyncs = 3
/** Maximum number of empty pages in a row with "more". */
const maxStalls = 5
const stallMs = 1_000
/** Interval of the position check of a following run; it is also made after the platform was away. */
const checkEveryMs = 3_600_000
/** Paid plans keep bets for about 400 days: this many whole months before the current one cover everything left. */
const monthsBack = 14
/** Maximum number of attempts: waits of 45 to 90 seconds in total. A longer outage is left to the next run. */
const defaultAttempts = 8
const longestWaitMs = 30_000

/**
 * Syncs a book with a tenant's bets, and a folder's CSV files with the book.
 *
 * Rows and cursor are stored in one transaction, and files are made from the book. So a run may end at any time, and the next
 * one continues: no row is lost or duplicated, and the files are those of an uninterrupted run. Rows read before an error stay
 * stored.
 *
 * Throws LOCKED_BY_ANOTHER, BOOK_OF_ANOTHER, BOOK_STARTS_LATER and FILE_EXISTS before any request; BOOK_AHEAD if the platform
 * does not have the last record of the book; the platform's own errors; REMOTE_… if it stays away;
 * SYNC_STALLED if it reports "more" but returns nothing; and
 * OUTPUT_FAILED if a file cannot be written.
 */
export async function syncBets(dependencies: SyncDependencies, options: SyncOptions): Promise<SyncSummary> {
  const { book, bookUrl, me, sleep, stop, report, exitOf, runId } = dependencies
  const waitMs = options.waitMs ?? 0
  const lockOptions = { url: bookUrl, job: betsLock, me, waitMs, sleep, signal: stop, onWait: report.waiting }
  const lock = await lockBook(book, lockOptions)
  try {
    return await recorded(
      book,
      { id: runId, job: syncJob },
      () => new Sync(dependencies, options, lock.lost).run(),
      (end) => ({ exit: exitOf(end), summary: 'value' in end ? historySummary(end.value) : reasonOf(end.error) }),
    )
  } finally {
    await lock.release()
  }
}

/** One run: reads pages from the platform and hands them to the writer, until it has caught up or is stopped. */
class Sync {
  readonly #dependencies: SyncDependencies
  readonly #options: SyncOptions
  readonly #lockLost: AbortSignal
  readonly #deadline = new AbortController()
  /** Aborted when no further page may be started. */
  readonly #halt: AbortSignal
  readonly #startedAt: number

  #retries = 0
  #resyncs = 0
  #isCaughtUp = false
  /** Result of the latest position check; null if none was made. */
  #position: PositionCheck | null = null
  #checked = { at: 0, retries: 0 }

  constructor(dependencies: SyncDependencies, options: SyncOptions, lockLost: AbortSignal) {
    this.#dependencies = dependencies
    this.#options = options
    this.#lockLost = lockLost
    this.#halt = AbortSignal.any([dependencies.stop, this.#deadline.signal, lockLost])
    this.#startedAt = dependencies.now()
  }

  async run(): Promise<SyncSummary> {
    const { book, disk, tenant, report } = this.#dependencies
    const owner = { company_code: tenant.companyCode, environment: tenant.environment, timezone: tenant.timezone }
    await claimBook(book, owner)
    const position = await book.store.read(bookPosition)
    refuseEarlier(position, this.#options.from, report)
    const { out: folder, force = false } = this.#options
    const files = await openBetFiles({ book, disk, folder, force, warn: report.warn })
    const endWatch = this.#watchDeadline()
    try {
      await refuseAnothersFolder(disk, files.folder, owner)
      await files.recover()
      const writer = await this.#writer(files, position)
      await this.#readAndSettle(writer, position)
      if (this.#lockLost.aborted) throw lockLost()
      return await this.#summary(files, writer)
    } finally {
      endWatch()
      await files.close()
    }
  }

  async #writer(files: BetFiles, position: BookPositionRow | undefined): Promise<PageWriter> {
    const latest = await this.#dependencies.book.store.read(latestSlip)
    return new PageWriter(this.#dependencies, files, {
      cursor: position?.cursor ?? null,
      rows: position?.rows ?? 0,
      last: latest && { month: latest.month, recSeq: latest.rec_seq },
    })
  }

  /** Reads all available bets and then, also after a failure, brings files and manifest in step with the book. */
  async #readAndSettle(writer: PageWriter, position: BookPositionRow | undefined): Promise<void> {
    try {
      await this.#read(writer, position)
      await writer.finish()
    } catch (error) {
      await writer.finishAfterFailure()
      throw error
    }
    await writer.settle()
  }

  async #read(writer: PageWriter, position: BookPositionRow | undefined): Promise<void> {
    const begin = await this.#unlessHalted(() => this.#begin(writer, position))
    if (!begin) return
    const { limits, transport } = begin
    const check = () => this.#checkPosition(transport, limits)
    if (writer.rows > 0) await this.#unlessHalted(check)
    const { platformNow: now } = this.#dependencies
    const stream = createPageStream({ transport, pageSize: this.#options.pageSize ?? 1000, now, halt: this.#halt })
    let { start } = begin
    try {
      while (!this.#halt.aborted && writer.hasReader) {
        const arrived = await this.#nextPage(writer, stream, start)
        if (!arrived) return
        if ('from' in arrived) {
          start = arrived
          continue
        }
        const { page } = arrived
        await writer.take({ ...arrived, start })
        if (!page.hasMore) {
          if (!(await this.#caughtUp(writer, { page, limits, position }))) return
          if (this.#isCheckDue(writer)) await this.#unlessHalted(check)
        }
        if (page.hasMore && isAt(start, page.nextCursor)) await this.#pauseIfStalled(writer)
        start = { cursor: page.nextCursor }
      }
    } finally {
      stream.drop()
    }
  }

  /** Reads the tenant's limits, and determines where to begin. */
  async #begin({ cursor, rows }: PageWriter, position: BookPositionRow | undefined) {
    const { book, tenant, transport, now, sleep } = this.#dependencies
    const account = createClient(casino, this.#retrying(transport)).account({}, { signal: this.#halt })
    const limits = limitsOf((await account).plan, tenant.environment)
    const { rate, rateShare } = this.#options
    const limit = shareOf(rate === undefined ? limits.rate : { perSecond: rate, burst: 2 * rate }, rateShare)
    const throttled = this.#retrying(sharing(transport, { limit, now, sleep }))
    const startedFrom = position?.started_from ?? (await this.#firstMoment(throttled))
    if (!position) await book.store.write((tx) => beginAt(tx, startedFrom))
    // Without a row nothing shows whether a cursor is still the platform's. One within a month, or after the platform's
    // month, is therefore dropped, and the beginning is requested again.
    const platformNow = this.#dependencies.platformNow()
    const isSure = (place: Cursor | null) => place?.seq === 0n && place.month <= monthOf(platformNow)
    const isBeginning = cursor === null || (rows === 0 && !isSure(cursorOf(cursor)))
    // A platform whose clock was set back would start at its current time.
    const from = startedFrom > platformNow ? await this.#firstMoment(throttled) : startedFrom
    const start: Start = isBeginning ? { from } : { cursor }
    return { limits, transport: throttled, start }
  }

  /** Stops if the platform does not have the last record of the book: it would answer "no more" to any cursor. */
  async #checkPosition(transport: Transport, { retentionDays }: PlanLimits): Promise<void> {
    const { book, platformNow, newBookCommand, report } = this.#dependencies
    const platform = createClient(casino, transport)
    const facts = { platform, book, now: platformNow(), retentionDays, signal: this.#halt }
    const position = await checkPosition(facts)
    this.#checked = { at: this.#dependencies.now(), retries: this.#retries }
    if (position === 'ahead') {
      this.#isCaughtUp = false
      throw await aheadOfPlatform(book, newBookCommand)
    }
    if (position === 'unknown' && this.#position !== 'unknown')
      report.note('The platform no longer has the last record of the book, so its cursor could not be verified')
    this.#position = position
  }

  #isCheckDue({ rows }: PageWriter): boolean {
    const { at, retries } = this.#checked
    return rows > 0 && (this.#retries > retries || this.#dependencies.now() - at >= checkEveryMs)
  }

  /** Returns the start of a new book, by the platform's clock: its current month is requested. */
  async #firstMoment(transport: Transport): Promise<number> {
    const { from } = this.#options
    if (from !== undefined) return wholeMinute(from)
    const request = askForPage(
      { transport, pageSize: 1, now: this.#dependencies.platformNow },
      'this month',
      this.#halt,
    )
    const { next, release } = readPage(request.start, await request.reply)
    release()
    return monthStart(monthAfter(next.month, -monthsBack))
  }

  /** Returns the page at this start; if the platform no longer knows the cursor, the start to use instead. */
  async #nextPage(writer: PageWriter, stream: PageStream, start: Start) {
    try {
      return await stream.next(start)
    } catch (error) {
      if (!isProblem(error, 'INVALID_CURSOR') || typeof start !== 'object' || !('cursor' in start)) throw error
      if (this.#resyncs >= maxResyncs) throw error
      await writer.finish()
      return this.#resync(writer, start.cursor)
    }
  }

  async #resync(writer: PageWriter, lost: string): Promise<{ from: number }> {
    const { latest, position } = await this.#dependencies.book.store.read(async (reader) => ({
      latest: await latestSlip(reader),
      position: await bookPosition(reader),
    }))
    const startedFrom = position?.started_from ?? 0
    const from = latest ? Math.max(startedFrom, wholeMinute(latest.settled_at - resyncBackMs)) : startedFrom
    this.#resyncs += 1
    writer.restart()
    this.#dependencies.report.warn(
      `The platform rejects the cursor ${lost}. Reading again from ${minuteText(from)}; rows that are already in the book are skipped`,
    )
    return { from }
  }

  async #pauseIfStalled(writer: PageWriter): Promise<void> {
    await writer.finish()
    const { cursor, stalls } = writer
    if (stalls === 0) return
    if (stalls >= maxStalls)
      throw new Problem(
        'SYNC_STALLED',
        `The platform reports more bets after ${cursor}, but returned none ${stalls} times in a row. Run the sync again later`,
        { category: 'temporary', cursor },
      )
    await this.#pause(stallMs * stalls)
  }

  /** Updates files and manifest when all is read. Returns true to poll again after a while. */
  async #caughtUp(
    writer: PageWriter,
    { page, limits, position }: { page: BetPage; limits: PlanLimits; position: BookPositionRow | undefined },
  ): Promise<boolean> {
    const { book, runId } = this.#dependencies
    await writer.finish()
    this.#isCaughtUp = true
    const runs = await book.store.read((reader) => latestRuns(reader, { job: syncJob, limit: 2 }))
    const gap = gapAlarm({
      cursor: position?.cursor ?? null,
      readAt: runs.find((run) => run.id !== runId)?.started_at,
      currentMonth: page.next.month,
      retentionDays: limits.retentionDays,
    })
    if (gap) for (const alarm of await book.store.write((tx) => keepAlarms(tx, [gap]))) writer.raise(alarm)
    await writer.settle()
    await writer.report('caught-up')
    if (this.#options.followEveryMs === undefined) return false
    await this.#pause(this.#options.followEveryMs)
    return true
  }

  async #pause(ms: number): Promise<void> {
    await this.#unlessHalted(() => this.#dependencies.sleep(ms, this.#halt))
  }

  /** Runs a step. A halt during it is not an error. */
  async #unlessHalted<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (this.#halt.aborted) return undefined
      throw error
    }
  }

  #retrying(transport: Transport): Transport {
    const { sleep, random, now, report, attempts = defaultAttempts } = this.#dependencies
    const observe = (retry: Retry) => {
      this.#retries += 1
      report.retry(retry)
    }
    return retrying(transport, { sleep, random, now, attempts, longestWaitMs, observe })
  }

  #watchDeadline(): () => void {
    const { deadlineMs } = this.#options
    const end = new AbortController()
    if (deadlineMs !== undefined)
      this.#dependencies.sleep(deadlineMs, end.signal).then(
        () => this.#deadline.abort(),
        () => {},
      )
    return () => end.abort()
  }

  async #summary(files: BetFiles, writer: PageWriter): Promise<SyncSummary> {
    const { book, tenant, now } = this.#dependencies
    const position = await book.store.read(bookPosition)
    return {
      companyCode: tenant.companyCode,
      environment: tenant.environment,
      out: files.folder,
      cursor: position?.cursor ?? null,
      startedFrom: position ? momentText(position.started_from) : null,
      caughtUp: this.#isCaughtUp,
      position: this.#position,
      rows: position?.rows ?? 0,
      ...writer.counts,
      retries: this.#retries,
      resyncs: this.#resyncs,
      stoppedBy: this.#stoppedBy(writer),
      files: files.states().map(({ file, rows, bytes, sha256 }) => ({ file, rows, bytes, sha256 })),
      alarms: writer.alarms.map(({ kind, slip_id, rev, message, detail }) => ({
        kind,
        slipId: slip_id,
        rev,
        message,
        detail: JSON.parse(detail),
      })),
      elapsedMs: now() - this.#startedAt,
    }
  }

  #stoppedBy({ hasReader }: PageWriter): SyncSummary['stoppedBy'] {
    if (this.#dependencies.stop.aborted) return 'signal'
    if (!hasReader) return 'reader'
    return this.#deadline.signal.aborted ? 'deadline' : null
  }
}

/** A book is filled forward only: earlier rows would come after later ones, and every file would change. */
function refuseEarlier(position: BookPositionRow | undefined, from: number | undefined, report: SyncReport): void {
  if (!position || from === undefined) return
  const requestedFrom = wholeMinute(from)
  const begins = minuteText(position.started_from)
  if (requestedFrom < position.started_from)
    throw new Problem(
      'BOOK_STARTS_LATER',
      `The book starts at ${begins} and can only continue. To read earlier bets, use another book and folder with --book and --out`,
      { category: 'conflict', startedFrom: momentText(position.started_from), from: momentText(requestedFrom) },
    )
  if (requestedFrom > position.started_from)
    report.note(`The book starts at ${begins} and continues at its cursor; --from is ignored`)
}

/** The API truncates the time to its minute, so the truncated time is stored. */
const wholeMinute = (at: number): number => Math.floor(at / 60_000) * 60_000

function lockLost(): Problem {
  return new Problem(
    'LOCK_LOST',
    "Lost the connection that holds the book's lock; all rows read are stored. Run the sync again",
    {
      category: 'temporary',
    },
  )
}

/** Summary of a run for the history. */
function historySummary(summary: SyncSummary): object {
  const { cursor, caughtUp, rows, added, duplicates, pages, retries, resyncs, stoppedBy, out, elapsedMs } = summary
  return { cursor, caughtUp, rows, added, duplicates, pages, retries, resyncs, stoppedBy, out, elapsedMs }
}

function reasonOf(error: unknown): object {
  if (isProblem(error)) return { error: { code: error.code, message: error.message } }
  return { error: { code: 'UNEXPECTED', message: error instanceof Error ? error.message : String(error) } }
}
