import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags, foreignFilesFlag, waitFlag } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import { shareFlags } from '../../src/cli/framework/rate-share-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class BetsSync extends CountroomCommand {
  static override summary = 'Sync every bet to the book and to one CSV file per month'
  static override description = [
    'Every revision of every slip is written to the book once, in the same transaction as the cursor. The CSV files are made from the book. You can kill a run at any time: the next run continues, and the files are byte for byte the same. A run without new bets changes no file.',
    'Each file has one line per revision, in the order the platform wrote them: UTF-8, LF line endings, RFC 4180 quoting, and an apostrophe before text that a spreadsheet would read as a formula. manifest.json is written last. It holds the cursor, and the rows, bytes and SHA-256 of each file.',
    'A new book starts 14 months back, which is the longest time the platform keeps bets, or at --from. A later run with an earlier --from fails: use another book and folder for it.',
    'When the cursor has expired at the platform, the sync restarts one day before the last bet and skips duplicates. Each run first reads its last record again. If the platform does not have it (restored backup, other environment), the run exits with 6 and changes nothing. If a revision arrives again with different content, the first version is kept and the run exits with 9; the result and "bets status" show both. One run at a time can use a book.',
    'Without a terminal, as under cron, a successful run prints nothing.',
  ].join('\n\n')
  static override examples = [
    { command: 'countroom bets sync --out ./bets --profile house', description: 'Sync in a nightly job' },
    {
      command: 'countroom bets sync --out ./bets --deadline 50m --wait 5m',
      description: 'Sync every hour, and end before the next run starts',
    },
    {
      command: 'countroom bets sync --out ./bets --follow --json',
      description: 'Sync continuously, and print JSON lines',
    },
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
  static override completes = { metrics: 'files', out: 'files', book: 'files' }
  static override flags = {
    out: Flags.string({ summary: 'Folder for the CSV files', required: true, helpValue: 'DIR' }),
    from: Flags.string({
      summary: 'Start of a new book, rounded down to the minute (default: 14 months ago)',
      helpValue: 'ISO',
    }),
    follow: Flags.boolean({ summary: 'Keep running and poll for new bets' }),
    every: Flags.integer({
      summary: 'Polling interval of --follow, in seconds (default 10)',
      min: 1,
      max: 86_400,
      dependsOn: ['follow'],
      helpValue: 'SECONDS',
    }),
    ...bookFlag,
    ...shareFlags,
    ...waitFlag,
    deadline: Flags.string({ summary: 'Stop fetching new pages after this long; exits 0', helpValue: 'DURATION' }),
    ...foreignFilesFlag,
    ...jobFlags,
  }
  static override data = ({ bets }: Shapes) => bets.SyncSummary

  override async run() {
    const { flags } = await this.parse(BetsSync)
    const { syncBets } = await import('../../src/cli/topics/bets/sync.ts')
    return syncBets(this, flags)
  }
}
