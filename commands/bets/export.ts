import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags, foreignFilesFlag, waitFlag } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

const formats = ['csv', 'parquet'] as const

export default class BetsExport extends CountroomCommand {
  static override summary = 'Write CSV or Parquet files from the book, without network requests'
  static override description = [
    'Writes every file to a new folder. In an existing folder, rewrites missing and changed files and keeps the others. To update the folder later, run the command again.',
    'CSV files are byte for byte those of "bets sync". Parquet files have the same columns with types: amounts as DECIMAL(19,4), times as TIMESTAMP.',
  ].join('\n\n')
  static override examples = [
    { command: 'countroom bets export --out ./copy', description: 'Export all months to another folder' },
    {
      command: 'countroom bets export --out ./parquet --format parquet',
      description: 'Export typed files for DuckDB, Spark or pandas',
    },
    { command: 'countroom bets export --out ./bets', description: 'Repair files reported by "bets status --verify"' },
  ]
  static override exits = ['not-found', 'conflict', 'temporary', 'locked', 'configuration'] as const
  static override files = [
    'the book (COUNTROOM_BOOK) and its lock file',
    '--out: bets-YYYY-MM.csv for every UTC month, and manifest.json; with --format parquet, bets-YYYY-MM.parquet',
  ]
  static override completes = { metrics: 'files', out: 'files', book: 'files' }
  static override flags = {
    out: Flags.string({ summary: 'Folder for the files', required: true, helpValue: 'DIR' }),
    format: Flags.string({ summary: 'Format of the files', options: [...formats], default: 'csv' }),
    ...bookFlag,
    ...waitFlag,
    ...foreignFilesFlag,
    ...jobFlags,
  }
  static override data = ({ bets }: Shapes) => bets.ExportSummary

  override async run() {
    const { flags } = await this.parse(BetsExport)
    const { exportBets } = await import('../../src/cli/topics/bets/export.ts')
    return exportBets(this, { ...flags, format: formats.find((each) => each === flags.format) ?? 'csv' })
  }
}
