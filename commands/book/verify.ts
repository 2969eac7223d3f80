import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags, waitFlag } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class BookVerify extends CountroomCommand {
  static override summary = 'Verify the book and its CSV files'
  static override description = [
    'Sends no request and changes nothing. Checks the storage (SQLite integrity check; on PostgreSQL, that every row can be read), missing rows, every column against its record, the counts of the months, the cursor against the rows, the history of repairs, the digests of transfer batches and the history of breaks. Names the first bad row of each check.',
    'With --out, every CSV file is compared with the book byte by byte, and with the manifest. That check needs the lock of the sync.',
    'Exits with 9 if something is wrong, and with 11 if something could not be checked. To repair bets: countroom book repair DATE --out bets.',
  ].join('\n\n')
  static override examples = [
    'countroom book verify',
    {
      command: 'countroom book verify --out ./bets --wait 5m --json',
      description: 'Verify the CSV files too, in a nightly job',
    },
  ]
  static override exits = ['not-found', 'temporary', 'differences', 'inconclusive', 'locked', 'stopped'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only', '--out: the CSV files and manifest.json: read only']
  static override completes = { metrics: 'files', book: 'files', out: 'files' }
  static override flags = {
    ...bookFlag,
    out: Flags.string({ summary: 'Folder of the CSV files, to check them too', helpValue: 'DIR' }),
    ...waitFlag,
    ...jobFlags,
  }
  static override data = ({ book }: Shapes) => book.BookVerification

  override async run() {
    const { flags } = await this.parse(BookVerify)
    const { verifyBook } = await import('../../src/cli/topics/book/verify.ts')
    return verifyBook(this, flags)
  }
}
