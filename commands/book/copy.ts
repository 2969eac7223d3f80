import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class BookCopy extends CountroomCommand {
  static override summary = 'Copy the book between SQLite and PostgreSQL'
  static override description = [
    'Copies every row of every table: bets with their position, transfers, batches and approvals, callbacks, gateway orders, ticket work, breaks and their history. The copy is read back and compared by the number and SHA-256 of the rows of each table. A run that fails or is killed leaves no partial copy.',
    'Stop the jobs before you switch: writes after the start of the copy are not included. Then set COUNTROOM_BOOK to the copy; "bets sync" continues from its cursor.',
    'An existing file is rejected. With --force, a book that no process uses is replaced and kept next to it as PATH.before-TIME. A PostgreSQL database must be empty.',
  ].join('\n\n')
  static override examples = [
    "countroom book copy --to 'postgres://localhost/house?schema=book'",
    "countroom book copy --book 'postgres://localhost/house?schema=book' --to house.db",
  ]
  static override exits = ['not-found', 'conflict', 'temporary', 'differences', 'stopped', 'configuration'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only', '--to: the copy']
  static override completes = { book: 'files', to: 'files' }
  static override flags = {
    ...bookFlag,
    to: Flags.string({ summary: 'Copy: a file, or a postgres:// URL', required: true, helpValue: 'PATH|URL' }),
    force: Flags.boolean({ summary: 'Replace a book that no process uses; it is kept as PATH.before-TIME' }),
  }
  static override data = ({ book }: Shapes) => book.BookCopyResult

  override async run() {
    const { flags } = await this.parse(BookCopy)
    const { copyBook } = await import('../../src/cli/topics/book/copy.ts')
    return copyBook(this, flags)
  }
}
