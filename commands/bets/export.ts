import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { exitCodeFor } from '../../src/cli/framework/command.ts'
import { Flags } from '../../src/cli/framework/flags.ts'
import { problemOf } from '../../src/cli/outcome/exit-codes.ts'
import { BookCommand, durationOf } from '../../src/cli/topics/reconcile/book-command.ts'
import { bookFlag } from '../../src/cli/topics/wallet/transfer-command.ts'
import { realAmbient } from '../../src/kit/ambient.ts'

export default class BetsExport extends BookCommand {
  static override summary = 'Write the CSV files from the book, without asking any service'
  static override description =
    'A new folder gets everything; files that were lost or changed are written again; the others stay as they are. Byte for byte what "bets sync" would have written. The folder is kept up from then on only by an export or a sync that names it.'
  static override examples = [
    { command: 'countroom bets export --out ./copy', description: 'All months once more, elsewhere' },
    { command: 'countroom bets export --out ./bets', description: 'Mend what "bets status --verify" complained of' },
  ]
  static override exits = ['not-found', 'conflict', 'temporary', 'locked', 'configuration'] as const
  static override files = [
    'the book (COUNTROOM_BOOK), and its lock beside it',
    '--out: bets-YYYY-MM.csv for every UTC month, and manifest.json',
  ]
  static override completes = { out: 'files', book: 'files' }
  static override flags = {
    out: Flags.string({ summary: 'The folder of the CSV files', required: true, helpValue: 'DIR' }),
    ...bookFlag,
    wait: Flags.string({ summary: 'Wait so long for another run to end', helpValue: 'DURATION' }),
    force: Flags.boolean({ summary: 'Write over files in the folder that are not of this book' }),
  }
  static override data = async () => (await import('../../src/operator/bets/schema.ts')).ExportSummary

  override async run() {
    const { flags } = await this.parse(BetsExport)
    const waitMs = durationOf('wait', flags.wait) ?? 0
    const { book, url } = await this.bookThere()
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
        me: this.me('bets export'),
        tool: this.tool,
        report: {
          warn: (text) => void this.warn(text),
          waiting: () => this.note('Waiting for another run to end'),
        },
        exitOf: (end) => exitCodeFor('error' in end ? problemOf(end.error) : undefined),
      },
      { out: flags.out, waitMs, force: flags.force },
    )
    if (isNew && existsSync(flags.out)) this.note(`Made the folder ${resolve(flags.out)}`)
    this.table(summary.files, ['file', 'rows', 'bytes', 'sha256'], 'The book has no bets yet: no file was written.')
    return summary
  }
}
