import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class BookShow extends CountroomCommand {
  static override summary = 'Show the location, position and contents of the book'
  static override description =
    'Shows the tenant, the position, the number of rows by content, repairs, and the jobs that hold a lock now. Reads the book only.'
  static override examples = ['countroom book show', 'countroom book show --book postgres://localhost/house --json']
  static override exits = ['not-found'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only']
  static override completes = { book: 'files' }
  static override flags = { ...bookFlag }
  static override data = ({ book }: Shapes) => book.BookShown

  override async run() {
    await this.parse(BookShow)
    const { showBook } = await import('../../src/cli/topics/book/show.ts')
    return showBook(this)
  }
}
