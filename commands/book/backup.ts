import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class BookBackup extends CountroomCommand {
  static override summary = 'Back up the book to a file, while it is in use'
  static override description = [
    'The backup is one consistent snapshot in a portable SQLite file with mode 0600, also for a book on PostgreSQL. It is written to a temporary file, checked, synced to disk and renamed, so a killed run leaves the previous file unchanged. Jobs can write during the backup; their later writes are not included.',
    'FILE can be a folder or contain {date}. Such a backup never replaces another one: the second backup of a day gets a number.',
  ].join('\n\n')
  static override examples = [
    'countroom book backup book-backup.db',
    {
      command: "countroom book backup 'backups/book-{date}.db' --quiet",
      description: 'Back up every night, to a file per day',
    },
  ]
  static override exits = ['not-found', 'conflict', 'temporary', 'stopped', 'configuration'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only', 'FILE: written atomically']
  static override completes = { metrics: 'files', book: 'files', file: 'files' }
  static override args = {
    file: Args.string({ description: 'File to write, a folder, or a name with {date}', required: true }),
  }
  static override flags = {
    ...bookFlag,
    force: Flags.boolean({ summary: 'Replace an existing backup' }),
    ...jobFlags,
  }
  static override data = ({ book }: Shapes) => book.BookCopyResult

  override async run() {
    const { args, flags } = await this.parse(BookBackup)
    const { backUpBook } = await import('../../src/cli/topics/book/copy.ts')
    return backUpBook(this, args.file, flags)
  }
}
