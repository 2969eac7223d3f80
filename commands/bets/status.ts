import { Flags } from '../../src/cli/framework/flags.ts'
import { BookCommand } from '../../src/cli/topics/reconcile/book-command.ts'
import { bookFlag } from '../../src/cli/topics/wallet/transfer-command.ts'
import type { BetStatus } from '../../src/operator/bets/schema.ts'

export default class BetsStatus extends BookCommand {
  static override summary = 'Show how far the bets were read, and what the last runs came to'
  static override description =
    'Told from the book alone: no service is asked. With --verify every file is read through and held against the book and its manifest; a file that is not as it should be ends the run with exit 9, and "bets export" writes it again.'
  static override examples = [
    'countroom bets status',
    { command: 'countroom bets status --verify --json', description: 'For whoever watches the nightly job' },
  ]
  static override exits = ['not-found', 'differences'] as const
  static override files = ['the book (COUNTROOM_BOOK), and the files made of it: read and not changed']
  static override completes = { book: 'files' }
  static override flags = {
    ...bookFlag,
    verify: Flags.boolean({ summary: 'Read all files through and hold them against the book and the manifest' }),
  }
  static override data = async () => (await import('../../src/operator/bets/schema.ts')).BetStatus

  override async run() {
    const { flags } = await this.parse(BetsStatus)
    const { book, url } = await this.bookThere()
    const [{ betStatus }, { realDisk }] = await Promise.all([
      import('../../src/operator/bets/status.ts'),
      import('../../src/operator/bets/files/disk.ts'),
    ])
    const status = await betStatus({ book, bookUrl: url, disk: realDisk, now: Date.now }, { verify: flags.verify })
    this.#print(status)
    const spoilt = status.folders.flatMap(({ folder, files }) =>
      files
        .filter(({ state }) => state !== 'as it should be' && state !== 'not looked at')
        .map(({ file, state }) => ({ folder, file, state })),
    )
    if (status.ahead)
      this.endWith(
        'DIFFERENCES',
        'The last run found that the platform does not have the record this book read last: nothing was read since. "countroom bets sync" says what to do',
        { cursor: status.cursor },
      )
    else if (spoilt.length > 0)
      this.endWith(
        'DIFFERENCES',
        `${spoilt.length} files are not as they should be; "countroom bets export --out DIR" writes them again`,
        { files: spoilt },
      )
    return status
  }

  #print(status: BetStatus): void {
    const { owner, holder, months, runs, folders, alarms, ...figures } = status
    this.fields({
      tenant: owner ? `${owner.companyCode} (${owner.environment})` : 'none yet',
      ...figures,
      writing: holder ? `process ${holder.pid} on ${holder.host} since ${holder.startedAt}` : 'nobody',
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
