import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class BetsExport extends CountroomCommand {
  static override summary = 'Write the CSV files from the book, without network requests'
  static override description =
    'Writes every file to a new folder. In an existing folder, rewrites missing and changed files and keeps the others. The files are byte for byte those of "bets sync". Later exports and syncs update the folder only if they name it.'
  static override examples = [
    { command: 'countroom bets export --out ./copy', description: 'Export all months to another folder' },
    { command: 'countroom bets export --out ./bets', description: 'Repair files reported by "bets status --verify"' },
  ]
  static override exits = ['not-found', 'conflict', 'temporary', 'locked', 'configuration'] as const
  static override files = [
    'the book (COUNTROOM_BOOK) and its lock file',
    '--out: bets-YYYY-MM.csv for every UTC month, and manifest.json',
  ]
  static override completes = { out: 'files', book: 'files' }
  static override flags = {
    out: Flags.string({ summary: 'Folder for the CSV files', required: true, helpValue: 'DIR' }),
    ...bookFlag,
    wait: Flags.string({ summary: 'Wait up to this long for a concurrent run to finish', helpValue: 'DURATION' }),
    force: Flags.boolean({ summary: 'Overwrite files in the folder that do not belong to this book' }),
  }
  static override data = ({ bets }: Shapes) => bets.ExportSummary

  override async run() {
    const { flags } = await this.parse(BetsExport)
    const { exportBets } = await import('../../src/cli/topics/bets/export.ts')
    return exportBets(this, flags)
  }
}
