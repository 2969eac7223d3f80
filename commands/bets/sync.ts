import { hostname } from 'node:os'
import { CountroomCommand } from '../../src/cli/command.ts'
import { exitOf, problemOf, reportOf } from '../../src/cli/exit.ts'
import { Flags } from '../../src/cli/flags.ts'
import { durationMs, momentFrom } from '../../src/cli/moments.ts'
import { bookFlag } from '../../src/cli/transfer-command.ts'
import type { SyncOptions, SyncParts } from '../../src/jobs/bet-sync-parts.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { Problem } from '../../src/kit/problem.ts'

/** How often a followed platform is asked for more once everything is read. */
const followEveryMs = 10_000

export default class BetsSync extends CountroomCommand {
  static override summary = 'Pull every bet by cursor, into the book and one CSV file a month'
  static override description =
    'Rows and the cursor behind them are kept together in the book, and the files are made of the book: a run may be killed at any instant, and the next one goes on, until the files are those of a run that was never interrupted. A new book begins with the oldest bets the platform can still have, unless --from says otherwise. One run at a time works on a book. The files are UTF-8, with a line feed after each row; bets-YYYY-MM.csv is the month of the cursor, in UTC, and manifest.json is written last.'
  static override examples = [
    { command: 'countroom bets sync --out ./bets --profile house', description: 'What a nightly job runs' },
    { command: 'countroom bets sync --out ./bets --follow', description: 'And stay, asking for more' },
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'locked'] as const
  static override completes = { out: 'files', book: 'files' }
  static override files = ['the book: what was pulled and how far; beside it the lock of the run at work']
  static override flags = {
    out: Flags.string({ summary: 'The folder of the CSV files', required: true, helpValue: 'DIR' }),
    from: Flags.string({ summary: 'Where a new book begins', helpValue: 'ISO' }),
    follow: Flags.boolean({ summary: 'Go on when all is read, asking again every 10 seconds' }),
    'rate-share': Flags.integer({
      summary: "Percent of the tenant's request rate to use",
      default: 50,
      min: 1,
      max: 100,
      helpValue: 'PERCENT',
    }),
    wait: Flags.string({ summary: 'How long to wait for another run to end', helpValue: 'DURATION' }),
    deadline: Flags.string({ summary: 'After this time no further page is begun', helpValue: 'DURATION' }),
    force: Flags.boolean({ summary: 'Write over files that are not of this book' }),
    ...bookFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const text = Type.Union([Type.String(), Type.Null()])
    const count = Type.Integer()
    const file = Type.Object({ file: Type.String(), rows: count, bytes: count, sha256: Type.String() })
    return Type.Object({
      companyCode: Type.String(),
      environment: Type.String(),
      out: Type.String(),
      cursor: text,
      startedFrom: text,
      caughtUp: Type.Boolean(),
      rows: count,
      added: count,
      duplicates: count,
      pages: count,
      retries: count,
      resyncs: count,
      stoppedBy: text,
      files: Type.Array(file),
      alarms: Type.Array(Type.Unknown()),
      elapsedMs: Type.Number(),
    })
  }

  override async run() {
    const { flags } = await this.parse(BetsSync)
    const options: SyncOptions = {
      out: flags.out,
      from: flags.from === undefined ? undefined : momentFrom(flags.from),
      rateShare: flags['rate-share'],
      followEveryMs: flags.follow ? followEveryMs : undefined,
      waitMs: flags.wait === undefined ? undefined : spanOf('--wait', flags.wait),
      deadlineMs: flags.deadline === undefined ? undefined : spanOf('--deadline', flags.deadline),
      force: flags.force,
    }
    const parts = await this.#parts()
    const { syncBets } = await import('../../src/jobs/bet-sync.ts')
    const progress = this.progress('Pulling bets')
    const summary = await syncBets(
      {
        ...parts,
        report: {
          progress: ({ rows, month }) => {
            progress.update(rows, month)
            return true
          },
          retry: ({ reason, waitMs }) => this.detail(`${reason}: trying again in ${Math.round(waitMs)} ms`),
          waiting: () => this.note('Another run holds the lock: waiting for it to end'),
          warn: (text) => void this.warn(text),
          note: (text) => this.note(text),
        },
      },
      options,
    )
    progress.end(`${summary.added} new rows, ${summary.rows} in all`)
    this.fields({ rows: summary.rows, new: summary.added, cursor: summary.cursor, 'caught up': summary.caughtUp })
    this.table(summary.files, ['file', 'rows', 'bytes', 'sha256'])
    return summary
  }

  async #parts(): Promise<Omit<SyncParts, 'report'>> {
    const [{ penHere }, { realDisk }, { bookUrlOf, openBookOf }, { realSleep }] = await Promise.all([
      import('../../src/jobs/pen.ts'),
      import('../../src/jobs/disk.ts'),
      import('../../src/world/book-place.ts'),
      import('../../src/wire/sleep.ts'),
    ])
    const clients = await this.clients()
    const { casinoTransport, casinoAccess } = clients
    // A world whose clock was moved settles by its own; how far the book has read is told by the same one.
    const ahead = (await clients.now()) - Date.now()
    const book = await openBookOf(this.settings, this.profile, casinoAccess)
    this.closeLater(() => book.close())
    return {
      book,
      bookUrl: bookUrlOf(this.settings, this.profile),
      openPen: () => penHere(book),
      disk: realDisk,
      transport: casinoTransport,
      tenant: casinoAccess,
      now: () => Date.now() + ahead,
      sleep: realSleep,
      random: Math.random,
      runId: realAmbient().id(),
      me: { pid: process.pid, host: hostname(), command: 'bets sync' },
      tool: `countroom ${this.config.version}`,
      stop: this.stop,
      exitOf: (end) => ('value' in end ? 0 : exitOf(reportOf(problemOf(end.error)).category)),
    }
  }
}

function spanOf(flag: string, text: string): number {
  const ms = durationMs(text)
  if (ms === undefined) throw new Problem('INVALID_USAGE', `${flag} must be a duration such as 90s or 15m, not ${text}`)
  return ms
}
