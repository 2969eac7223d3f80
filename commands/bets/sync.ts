import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { momentFrom } from '../../src/cli/arguments/moments.ts'
import { exitCodeFor } from '../../src/cli/framework/command.ts'
import { Flags } from '../../src/cli/framework/flags.ts'
import { shareFlags } from '../../src/cli/framework/rate-share-flags.ts'
import { typedCommand } from '../../src/cli/framework/shell-quote.ts'
import { exitOf, problemOf } from '../../src/cli/outcome/exit-codes.ts'
import { retryText } from '../../src/cli/outcome/request-log.ts'
import { BookCommand, durationOf } from '../../src/cli/topics/reconcile/book-command.ts'
import { bookFlag } from '../../src/cli/topics/wallet/transfer-command.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import type { SyncSummary } from '../../src/operator/bets/schema.ts'
import type { SyncReport } from '../../src/operator/bets/sync/types.ts'

/** Seconds; the API's document asks for 5 to 30. */
const usualEvery = 10
/** While it goes on, a line about pages is written at most this often. */
const lineEveryMs = 1_000
/** How many of the latest players are remembered for completing names. */
const namesKept = 200

export default class BetsSync extends BookCommand {
  static override summary = 'Pull every bet by cursor into the book, and into one CSV file per month'
  static override description = [
    'Every revision of every slip goes into the book, once, together with the cursor behind it; the files are made of what is in the book. So a run may be killed at any instant: the next one goes on, and the files end up byte for byte as if nothing had happened. A run that finds nothing new changes no byte.',
    'A file has a line per revision in the order of the platform’s writing: UTF-8, lines ending in LF, quotes as in RFC 4180, and an apostrophe before texts that a spreadsheet would take for a formula. manifest.json is written last; it holds the cursor, and rows, bytes and SHA-256 of every file.',
    'A new book begins with the oldest bets the platform can still have, 14 months back, or at --from. It is filled forwards only: an earlier --from is refused later on, and belongs into another book and folder.',
    'When the platform no longer knows the cursor, a day before the last bet is read again and what comes twice is left out. Each run first asks for the record it read last: where the platform does not have it (restored from a backup, or another environment), the run ends with exit 6 and changes nothing. A revision that comes twice with different content is kept as it came first and ends the run with exit 9, with both in the result and in "bets status". One run at a time per book.',
    'Off a terminal, as under cron, a run that ends well says nothing.',
  ].join('\n\n')
  static override examples = [
    { command: 'countroom bets sync --out ./bets --profile house', description: 'What a nightly job runs' },
    {
      command: 'countroom bets sync --out ./bets --deadline 50m --wait 5m',
      description: 'Every hour, ending before the next one begins',
    },
    { command: 'countroom bets sync --out ./bets --follow --json', description: 'For as long as it is left to run' },
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
    'the book (COUNTROOM_BOOK), and its lock beside it',
    '--out: bets-YYYY-MM.csv for every UTC month, and manifest.json',
  ]
  static override streams = true
  static override completes = { out: 'files', book: 'files' }
  static override flags = {
    out: Flags.string({ summary: 'The folder of the CSV files', required: true, helpValue: 'DIR' }),
    from: Flags.string({ summary: 'Where a new book begins; cut to the minute', helpValue: 'ISO' }),
    follow: Flags.boolean({ summary: 'Go on when all is read, and ask again every so often' }),
    every: Flags.integer({
      summary: 'Seconds between two questions when all is read; 10 unless said',
      min: 1,
      max: 86_400,
      dependsOn: ['follow'],
      helpValue: 'SECONDS',
    }),
    ...bookFlag,
    ...shareFlags,
    wait: Flags.string({ summary: 'Wait so long for another run to end', helpValue: 'DURATION' }),
    deadline: Flags.string({ summary: 'Begin no page after so long, and end well', helpValue: 'DURATION' }),
    force: Flags.boolean({ summary: 'Write over files in the folder that are not of this book' }),
  }
  static override data = async () => (await import('../../src/operator/bets/schema.ts')).SyncSummary

  override async run() {
    const { flags } = await this.parse(BetsSync)
    const options = {
      out: flags.out,
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
    const [{ syncBets }, { realDisk }, { deskInThread }, { bookUrlOf, openBookOf }, { realSleep }, { attemptsOf }] =
      await Promise.all([
        import('../../src/operator/bets/sync/sync.ts'),
        import('../../src/operator/bets/files/disk.ts'),
        import('../../src/operator/bets/files/csv-writer.ts'),
        import('../../src/world/clients/book-location.ts'),
        import('../../src/http/client/sleep.ts'),
        import('../../src/world/config/timeouts.ts'),
      ])
    const clients = await this.clients()
    const { casinoTransport, casinoAccess } = clients
    // A remote tells its time with the first response, before any page is asked for.
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
          openDesk: deskInThread,
          transport: casinoTransport,
          tenant: casinoAccess,
          now: ambient.now,
          platformNow: () => ambient.now() + (clients.aheadMs() ?? ahead),
          sleep: realSleep,
          random: Math.random,
          ...attemptsOf(this.settings),
          runId: ambient.id(),
          me: this.me('bets sync'),
          anew: this.#anew(flags.out, bookUrlOf(this.settings, this.profile)),
          tool: this.tool,
          stop: this.stop,
          report,
          exitOf: (end) => ('error' in end ? exitCodeFor(problemOf(end.error)) : exitCodeOfValue(end.value)),
        },
        options,
      )
      end(`${summary.added.toLocaleString('en-US')} new rows, ${summary.rows.toLocaleString('en-US')} in all`)
      if (summary.added > 0) await this.#rememberPlayers(book)
      if (isNew && this.isWatched && existsSync(flags.out)) this.note(`Made the folder ${resolve(flags.out)}`)
      await this.warnOfClock(clients)
      this.#conclude(summary)
      return summary
    } catch (error) {
      end('broken off; what was read is safe')
      throw error
    }
  }

  /** How a run is told: on a terminal by a line that moves, to a program that follows it by a line of JSON, to cron not at all. */
  #report(isFollowing: boolean): { report: SyncReport; end: (summary: string) => void } {
    const isStream = isFollowing && this.screen.isJson
    const progress = this.isWatched && !isStream ? this.progress('Bets') : undefined
    let saidAt = Number.NEGATIVE_INFINITY
    return {
      end: (summary) => progress?.end(summary),
      report: {
        progress: (state) => {
          progress?.update(state.added, state.event === 'caught-up' ? `${state.month}, all read` : state.month)
          if (!isStream || (state.event === 'page' && performance.now() - saidAt < lineEveryMs)) return true
          saidAt = performance.now()
          return this.line(state, () => '')
        },
        retry: (retry) => (this.isWatched ? this.note(retryText(retry)) : this.detail(retryText(retry))),
        waiting: (holder) => {
          if (this.isWatched)
            this.note(`Waiting for ${holder ? `process ${holder.pid} on ${holder.host}` : 'another run'}`)
        },
        warn: (text) => void this.warn(text),
        note: (text) => {
          if (this.isWatched) this.note(text)
        },
      },
    }
  }

  /** The command that reads the platform from the beginning into a folder and a book that are not there yet. */
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
    const [{ recentUsernames }, { rememberNames }] = await Promise.all([
      import('../../src/operator/bets/slip-rows.ts'),
      import('../../src/cli/framework/completion.ts'),
    ])
    const names = await book.store.read((reader) => recentUsernames(reader, namesKept))
    rememberNames(this.settings.paths, 'users', names)
  }

  #conclude(summary: SyncSummary): void {
    if (summary.stoppedBy === 'deadline' && !summary.caughtUp)
      this.warn('The deadline came before all was read; the next run goes on from here')
    const contradictions = contradictionsIn(summary)
    if (contradictions.length > 0)
      this.endWith(
        'BOOK_CONTRADICTED',
        `${contradictions.length} revisions came again with another content; the first of each is kept, and both are in the result`,
        { category: 'differences', slips: contradictions.map(({ slipId, rev }) => ({ slipId, rev })) },
      )
    if (!this.isWatched) return
    const { out, cursor, caughtUp, rows, added, duplicates, files } = summary
    this.fields({ out, cursor, caughtUp, rows, added, ...(duplicates > 0 ? { duplicates } : {}) })
    this.log()
    this.table(files, ['file', 'rows', 'bytes'], 'No bets yet: no file was written.')
  }
}

function contradictionsIn(summary: SyncSummary) {
  return summary.alarms.filter(({ kind }) => kind === 'contradiction')
}

function exitCodeOfValue(summary: SyncSummary): number {
  return contradictionsIn(summary).length > 0 ? exitOf('differences') : exitCodeFor(undefined)
}
