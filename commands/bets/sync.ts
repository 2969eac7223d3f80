import { hostname } from 'node:os'
import { CountroomCommand } from '../../src/cli/command.ts'
import { Flags } from '../../src/cli/flags.ts'
import { durationMs, momentFrom } from '../../src/cli/moments.ts'
import { bookFlag } from '../../src/cli/transfer-command.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class BetsSync extends CountroomCommand {
  static override summary = 'Pull every bet by cursor, into the book and one CSV file a month'
  static override description = 'x'
  static override examples = [
    { command: 'countroom bets sync --out ./bets --profile house', description: 'What a nightly job runs' },
  ]
  static override exits = ['permission', 'temporary', 'conflict', 'differences', 'locked'] as const
  static override flags = {
    out: Flags.string({ summary: 'The folder of the CSV files', required: true, helpValue: 'DIR' }),
    from: Flags.string({ summary: 'Where a new book begins', helpValue: 'ISO' }),
    follow: Flags.boolean({ summary: 'Go on when all is read, asking again every so often' }),
    'rate-share': Flags.integer({ summary: 'Percent of the request rate to use', default: 50, min: 1, max: 100 }),
    ...bookFlag,
  }

  override async run() {
    const { flags } = await this.parse(BetsSync)
    const from = flags.from === undefined ? undefined : momentFrom(flags.from)
    const [{ syncBets }, { penInThread }, { realDisk }, { bookUrlOf, openBookOf }, { realSleep }] = await Promise.all([
      import('../../src/jobs/bet-sync.ts'),
      import('../../src/jobs/pen.ts'),
      import('../../src/jobs/disk.ts'),
      import('../../src/world/book-place.ts'),
      import('../../src/wire/sleep.ts'),
    ])
    const { casinoTransport, casinoAccess } = await this.clients()
    const book = await openBookOf(this.settings, this.profile, casinoAccess)
    this.closeLater(() => book.close())
    const bookUrl = bookUrlOf(this.settings, this.profile)
    const result = await syncBets(
      {
        book,
        bookUrl,
        openPen: () => penInThread(bookUrl),
        disk: realDisk,
        transport: casinoTransport,
        tenant: casinoAccess,
        now: Date.now,
        sleep: realSleep,
        random: Math.random,
        runId: String(Date.now()),
        me: { pid: process.pid, host: hostname(), command: 'bets sync' },
        tool: 'countroom',
        stop: this.stop,
        report: {
          progress: () => true,
          retry: () => {},
          waiting: () => {},
          warn: (t) => void this.warn(t),
          note: () => {},
        },
        exitOf: () => 0,
      },
      { out: flags.out, from, rateShare: flags['rate-share'], followEveryMs: flags.follow ? 10000 : undefined },
    )
    return result
  }
}
