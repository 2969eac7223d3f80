import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, dryRunFlag, Flags, foreignFilesFlag, waitFlag } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class BookRepair extends CountroomCommand {
  static override summary = 'Repair a day of the book and its CSV files from the platform'
  static override description = [
    'Reads the records of a day and their corrections from the platform again, and compares them with the book. Missing revisions are added, changed ones replaced, and those that the platform does not have removed. Replaced and removed revisions stay in the history of the book. If the day was reconciled before, the change appears in "reconcile restated".',
    'The CSV files of the month are rewritten in the order of the platform, and the manifest last: they are byte for byte those of a sync that received everything in time. Then the day is reconciled. The book is changed in one transaction; if a run is killed, the next run finishes it.',
    'Run it after "book verify" or "reconcile daily" has found differences. A day that the platform no longer keeps cannot be repaired (exit 11).',
  ].join('\n\n')
  static override examples = [
    'countroom book repair 2026-03-01 --out ./bets',
    { command: 'countroom book repair yesterday --out ./bets --dry-run', description: 'Show what would change' },
  ]
  static override audits = true
  static override exits = [
    'permission',
    'not-found',
    'conflict',
    'temporary',
    'differences',
    'inconclusive',
    'locked',
    'stopped',
  ] as const
  static override files = ['the book (COUNTROOM_BOOK) and its lock file', '--out: the CSV files and manifest.json']
  static override completes = { metrics: 'files', out: 'files', book: 'files' }
  static override args = {
    date: Args.string({
      description: "YYYY-MM-DD, today or yesterday, in the tenant's time zone",
      required: true,
    }),
  }
  static override flags = {
    out: Flags.string({ summary: 'Folder of the CSV files', required: true, helpValue: 'DIR' }),
    ...bookFlag,
    ...dryRunFlag,
    ...waitFlag,
    'max-pages': Flags.integer({
      summary: 'Maximum number of pages of 1,000 records to read',
      default: 1000,
      min: 1,
      max: 100_000,
      helpValue: 'N',
    }),
    ...foreignFilesFlag,
    ...jobFlags,
  }
  static override data = ({ repair }: Shapes) => repair.RepairResult

  override async run() {
    const { args, flags } = await this.parse(BookRepair)
    const { repairDay } = await import('../../src/cli/topics/book/repair.ts')
    return repairDay(this, args.date, flags)
  }
}
