import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import type { BetStatus } from '../../src/operator/bets/schema.ts'

export default class BetsStatus extends CountroomCommand {
  static override summary = 'Show the sync position and the last runs'
  static override description =
    'Reads the book only; makes no network request. With --verify, every file is compared with the book and its manifest. A damaged file makes the command exit with 9; "bets export" writes it again.'
  static override examples = [
    'countroom bets status',
    { command: 'countroom bets status --verify --json', description: 'Check the files from a monitoring job' },
  ]
  static override exits = ['not-found', 'differences'] as const
  static override files = ['the book (COUNTROOM_BOOK) and its CSV files: read only']
  static override completes = { book: 'files' }
  static override flags = {
    ...bookFlag,
    verify: Flags.boolean({ summary: 'Compare all files with the book and the manifest' }),
  }
  static override data = ({ bets }: Shapes) => bets.BetStatus

  override async run() {
    const { flags } = await this.parse(BetsStatus)
    const { book, url } = await this.services.book()
    const [{ betStatus }, { realDisk }] = await Promise.all([
      import('../../src/operator/bets/status.ts'),
      import('../../src/operator/bets/files/disk.ts'),
    ])
    const status = await betStatus({ book, bookUrl: url, disk: realDisk, now: Date.now }, { verify: flags.verify })
    this.#print(status)
    const spoilt = status.folders.flatMap(({ folder, files }) =>
      files
        .filter(({ state }) => state !== 'intact' && state !== 'not checked')
        .map(({ file, state }) => ({ folder, file, state })),
    )
    if (status.ahead)
      this.endWith(
        'DIFFERENCES',
        'The platform does not have the record that this book read last, so nothing was read since. For the next step: countroom bets sync --out DIR',
        { cursor: status.cursor },
      )
    else if (spoilt.length > 0)
      this.endWith(
        'DIFFERENCES',
        `${spoilt.length === 1 ? '1 file is' : `${spoilt.length} files are`} missing or damaged. Write again: countroom bets export --out DIR`,
        { files: spoilt },
      )
    return status
  }

  #print(status: BetStatus): void {
    const { owner, holder, months, runs, folders, alarms, ...figures } = status
    this.fields({
      tenant: owner ? `${owner.companyCode} (${owner.environment})` : 'none yet',
      ...figures,
      writing: holder ? `process ${holder.pid} on ${holder.host} since ${holder.startedAt}` : 'no process',
    })
    if (months.length > 0) this.#titled(months, ['month', 'rows'])
    const files = folders.flatMap(({ folder, files }) => files.map((file) => ({ folder, ...file })))
    if (files.length > 0) this.#titled(files, ['folder', 'file', 'rows', 'bytes', 'state'])
    if (runs.length > 0) this.#titled(runs, ['startedAt', 'endedAt', 'state', 'exit'])
    if (alarms.length > 0) this.#titled(alarms, ['kind', 'foundAt', 'message'])
  }

  #titled(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]): void {
    this.log()
    this.table(rows, columns)
  }
}
