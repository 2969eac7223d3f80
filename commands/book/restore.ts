import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class BookRestore extends CountroomCommand {
  static override summary = 'Restore a backup to a new book'
  static override description = [
    'The backup is only read. A run that fails or is killed leaves no partial book: a file is renamed when it is complete, and a database is filled in one transaction. A backup of an older version is migrated in the new book.',
    'An existing file is rejected. With --force, a book that no process uses is replaced and kept next to it as PATH.before-TIME. A PostgreSQL database must be empty.',
    'To continue, run "countroom bets sync --book PATH --out bets": it reads from the cursor of the backup. Transfers made after the backup are missing; to find them, run "countroom reconcile transfers".',
  ].join('\n\n')
  static override examples = [
    'countroom book restore book-backup.db --to house.db',
    "countroom book restore book-backup.db --to 'postgres://localhost/house?schema=book'",
  ]
  static override exits = ['not-found', 'conflict', 'temporary', 'differences', 'stopped', 'configuration'] as const
  static override files = ['FILE: read only', '--to: the new book']
  static override completes = { file: 'files', to: 'files' }
  static override args = { file: Args.string({ description: 'Backup file, from "book backup"', required: true }) }
  static override flags = {
    to: Flags.string({ summary: 'New book: a file, or a postgres:// URL', required: true, helpValue: 'PATH|URL' }),
    force: Flags.boolean({ summary: 'Replace a book that no process uses; it is kept as PATH.before-TIME' }),
  }
  static override data = ({ book }: Shapes) => book.BookCopyResult

  override async run() {
    const { args, flags } = await this.parse(BookRestore)
    const { restoreBook } = await import('../../src/cli/topics/book/copy.ts')
    return restoreBook(this, args.file, flags)
  }
}
