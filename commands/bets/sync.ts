import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { durationOf, momentFrom } from '../../src/cli/arguments/moments.ts'
import { warnOfClock } from '../../src/cli/context/clock-warning.ts'
import { lockHolder } from '../../src/cli/context/lock-holder.ts'
import { CountroomCommand, exitCodeFor } from '../../src/cli/framework/command.ts'
import { rememberNames } from '../../src/cli/framework/completion.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { shareFlags } from '../../src/cli/framework/rate-share-flags.ts'
import { typedCommand } from '../../src/cli/framework/shell-quote.ts'
import { exitOf, problemOf } from '../../src/cli/outcome/exit-codes.ts'
import { retryText } from '../../src/cli/outcome/request-log.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { outFolder } from '../../src/cli/terminal/out-file.ts'
import { isWatched } from '../../src/cli/terminal/watched.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { SyncSummary } from '../../src/operator/bets/schema.ts'
import type { SyncReport } from '../../src/operator/bets/sync/types.ts'

/** Polling interval in seconds. The API document asks for 5 to 30. */
const usualEvery = 10
/** Shortest time between two progress lines of a following run. */
const lineEveryMs = 1_000
/** Number of recent players whose names are stored for completion. */
const namesKept = 200

export default class BetsSync extends CountroomCommand {
  static override summary = 'Sync every bet to the book and to one CSV file per month'
  static override description = [
    'Every revision of every slip is written to the book once, in the same transaction as the cursor. The CSV files are made from the book. You can kill a run at any time: the next run continues, and the files are byte for byte the same. A run without new bets changes no file.',
    'Each file has one line per revision, in the order the platform wrote them: UTF-8, LF line endings, RFC 4180 quoting, and an apostrophe before text that a spreadsheet would read as a formula. manifest.json is written last. It holds the cursor, and the rows, bytes and SHA-256 of each file.',
    'A new book starts 14 months back, which is the longest time the platform keeps bets, or at --from. A later run with an earlier --from fails: use another book and folder for it.',
    'When the cursor has expired at the platform, the sync restarts one day before the last bet and skips duplicates. Each run first reads its last record again. If the platform does not have it (restored backup, other environment), the run exits with 6 and changes nothing. If a revision arrives again with different content, the first version is kept and the run exits with 9; the result and "bets status" show both. One run at a time per book.',
    'Without a terminal, as under cron, a successful run prints nothing.',
  ].join('\n\n')
  static override examples = [
    { command: 'countroom bets sync --out ./bets --profile house', description: 'Nightly job' },
    {
      command: 'countroom bets sync --out ./bets --deadline 50m --wait 5m',
      description: 'Hourly job that ends before the next one starts',
    },
    { command: 'countroom bets sync --out ./bets --follow --json', description: 'Run continuously' },
  ]
  static override exits = [
    'permission',
    'conflict',
    'temporary',
    'differences',
    'locked',
    'stopped',
    'configuration',
  ] as const
  static override files = [
    'the book (COUNTROOM_BOOK) and its lock file',
    '--out: bets-YYYY-MM.csv for every UTC month, and manifest.json',
  ]
  static override streams = true
  static override completes = { out: 'files', book: 'files' }
  static override flags = {
    out: Flags.string({ summary: 'Folder for the CSV files', required: true, helpValue: 'DIR' }),
    from: Flags.string({ summary: 'Start of a new book, rounded down to the minute', helpValue: 'ISO' }),
    follow: Flags.boolean({ summary: 'Keep running and poll for new bets' }),
    every: Flags.integer({
      summary: 'Polling interval with --follow, in seconds (default 10)',
      min: 1,
      max: 86_400,
      dependsOn: ['follow'],
      helpValue: 'SECONDS',
    }),
    ...bookFlag,
    ...shareFlags,
    wait: Flags.string({ summary: 'Wait up to this long for a concurrent run to finish', helpValue: 'DURATION' }),
    deadline: Flags.string({ summary: 'Stop fetching new pages after this long; exits 0', helpValue: 'DURATION' }),
    force: Flags.boolean({ summary: 'Overwrite files in the folder that do not belong to this book' }),
  }
  static override data = ({ bets }: Shapes) => bets.SyncSummary

  override async run() {
    const { flags } = await this.parse(BetsSync)
    const options = {
      out: outFolder(flags.out),
      from: flags.from === undefined ? undefined : momentFrom(flags.from),
      followEveryMs: flags.follow ? (flags.every ?? usualEvery) * 1000 : undefined,
      rateShare: flags['rate-share'],
      rate: flags.rate,
      waitMs: durationOf('wait', flags.wait),
      deadlineMs: durationOf('deadline', flags.deadline),
      force: flags.force,
    }
    const isNew = !existsSync(flags.out)
    const { keepHeapSmall } = await import('../../src/operator/bets/sync/heap.ts')
    keepHeapSmall()
    const [
      { syncBets },
      { realDisk },
      { csvWriterInThread },
      { bookUrlOf, openBookOf },
      { realSleep },
      { attemptsOf },
    ] = await Promise.all([
      import('../../src/operator/bets/sync/sync.ts'),
      import('../../src/operator/bets/files/disk.ts'),
      import('../../src/operator/bets/files/csv-writer.ts'),
      import('../../src/world/clients/book-location.ts'),
      import('../../src/http/client/sleep.ts'),
      import('../../src/world/config/timeouts.ts'),
    ])
    const clients = await this.services.casino()
    const { casinoTransport, casinoAccess } = clients
    // The served world's clock may be ahead of this machine's, so only the platform's decides.
    if (options.from !== undefined && options.from > Date.now() && options.from > (await clients.now()))
      throw new Problem(
        'INVALID_USAGE',
        `--from ${flags.from} is in the future; the book would miss all bets before it`,
      )
    // A remote platform's time comes with its first response, before the first page.
    const ahead = this.profile.profile.kind === 'local' ? (await clients.now()) - Date.now() : 0
    const book = await openBookOf(this.settings, this.profile, casinoAccess)
    this.closeLater(() => book.close())
    const { report, end } = this.#report(flags.follow)
    const ambient = realAmbient()
    try {
      const summary = await syncBets(
        {
          book,
          bookUrl: bookUrlOf(this.settings, this.profile),
          disk: realDisk,
          openWriter: csvWriterInThread,
          transport: casinoTransport,
          tenant: casinoAccess,
          now: ambient.now,
          platformNow: () => ambient.now() + (clients.aheadMs() ?? ahead),
          sleep: realSleep,
          random: Math.random,
          ...attemptsOf(this.settings),
          runId: ambient.id(),
          me: lockHolder(this),
          anew: this.#anew(flags.out, bookUrlOf(this.settings, this.profile)),
          tool: this.tool,
          stop: this.stop,
          report,
          exitOf: (end) => ('error' in end ? exitCodeFor(problemOf(end.error)) : exitCodeOfValue(end.value)),
        },
        options,
      )
      end(
        `${summary.added.toLocaleString('en-US')} new ${summary.added === 1 ? 'row' : 'rows'}, ${summary.rows.toLocaleString('en-US')} in total`,
      )
      if (summary.added > 0) await this.#rememberPlayers(book)
      if (isNew && isWatched() && existsSync(flags.out)) this.note(`Created the folder ${resolve(flags.out)}`)
      warnOfClock(this, clients)
      this.#conclude(summary)
      return summary
    } catch (error) {
      end('stopped; all rows read so far are saved')
      throw error
    }
  }

  /** Reports the run: a progress line on a terminal, JSON lines with --follow --json, nothing under cron. */
  #report(isFollowing: boolean): { report: SyncReport; end: (summary: string) => void } {
    const isStream = isFollowing && this.screen.isJson
    const progress = isWatched() && !isStream ? this.progress('Bets') : undefined
    let saidAt = Number.NEGATIVE_INFINITY
    return {
      end: (summary) => progress?.end(summary),
      report: {
        progress: (state) => {
          progress?.update(state.added, state.event === 'caught-up' ? `${state.month}, up to date` : state.month)
          if (!isStream || (state.event === 'page' && performance.now() - saidAt < lineEveryMs)) return true
          saidAt = performance.now()
          return this.line(state, () => '')
        },
        retry: (retry) => (isWatched() ? this.note(retryText(retry)) : this.detail(retryText(retry))),
        waiting: (holder) => {
          if (isWatched())
            this.note(`Waiting for ${holder ? `process ${holder.pid} on ${holder.host}` : 'another run'} to finish`)
        },
        warn: (text) => void this.warn(text),
        note: (text) => {
          if (isWatched()) this.note(text)
        },
      },
    }
  }

  /** Returns the command that reads everything again into a new folder and a new book. */
  #anew(out: string, book: string): string {
    const file = /^[a-z][a-z0-9+.-]*:/i.test(book) ? `${out.replace(/\/+$/, '')}.db` : book
    const free = (path: (mark: number) => string) => {
      let mark = 2
      while (existsSync(path(mark))) mark += 1
      return path(mark)
    }
    const folder = free((mark) => `${out.replace(/\/+$/, '')}-${mark}`)
    const other = free((mark) => file.replace(/(\.db)?$/, `-${mark}$1`))
    return typedCommand('bets sync', [], { out: folder, book: other, profile: this.profile.name })
  }

  async #rememberPlayers(book: import('../../src/operator/book/book.ts').Book): Promise<void> {
    const { recentUsernames } = await import('../../src/operator/bets/slip-rows.ts')
    const names = await book.store.read((reader) => recentUsernames(reader, namesKept))
    rememberNames(this.settings.paths, 'users', names)
  }

  #conclude(summary: SyncSummary): void {
    if (summary.stoppedBy === 'deadline' && !summary.caughtUp)
      this.warn('Stopped at the deadline before the end of the bets. The next run continues from here')
    const contradictions = contradictionsIn(summary)
    if (contradictions.length > 0)
      this.endWith(
        'BOOK_CONTRADICTED',
        `${contradictions.length === 1 ? '1 revision arrived' : `${contradictions.length} revisions arrived`} again with different content. The book keeps the first version; the result shows both`,
        { category: 'differences', slips: contradictions.map(({ slipId, rev }) => ({ slipId, rev })) },
      )
    if (!isWatched()) return
    const { out, cursor, caughtUp, rows, added, duplicates, files } = summary
    this.fields({ out, cursor, caughtUp, rows, added, ...(duplicates > 0 ? { duplicates } : {}) })
    this.log()
    this.table(files, ['file', 'rows', 'bytes'], 'No bets; no file was written.')
  }
}

function contradictionsIn(summary: SyncSummary) {
  return summary.alarms.filter(({ kind }) => kind === 'contradiction')
}

function exitCodeOfValue(summary: SyncSummary): number {
  return contradictionsIn(summary).length > 0 ? exitOf('differences') : exitCodeFor(undefined)
}
