import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { durationOf } from '../../src/cli/arguments/moments.ts'
import { lockHolder } from '../../src/cli/context/lock-holder.ts'
import { CountroomCommand, exitCodeFor } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { problemOf } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { outFolder } from '../../src/cli/terminal/out-file.ts'
import { realAmbient } from '../../src/kit/ambient.ts'

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
    outFolder(flags.out)
    const waitMs = durationOf('wait', flags.wait) ?? 0
    const { book, url } = await this.services.book()
    const [{ exportBets }, { realDisk }, { realSleep }] = await Promise.all([
      import('../../src/operator/bets/export.ts'),
      import('../../src/operator/bets/files/disk.ts'),
      import('../../src/http/client/sleep.ts'),
    ])
    const isNew = !existsSync(flags.out)
    const summary = await exportBets(
      {
        book,
        bookUrl: url,
        disk: realDisk,
        sleep: realSleep,
        stop: this.stop,
        runId: realAmbient().id(),
        me: lockHolder(this),
        tool: this.tool,
        report: {
          warn: (text) => void this.warn(text),
          waiting: () => this.note('Waiting for another run to finish'),
        },
        exitOf: (end) => exitCodeFor('error' in end ? problemOf(end.error) : undefined),
      },
      { out: flags.out, waitMs, force: flags.force },
    )
    if (isNew && existsSync(flags.out)) this.note(`Created the folder ${resolve(flags.out)}`)
    this.table(summary.files, ['file', 'rows', 'bytes', 'sha256'], 'The book has no bets; no file was written.')
    return summary
  }
}
