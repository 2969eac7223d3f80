import { CountroomCommand } from '../../src/cli/command.ts'
import { bookFlag } from '../../src/cli/transfer-command.ts'

export default class BetsStatus extends CountroomCommand {
  static override summary = 'Show how far the bets have been pulled, without asking the platform'
  static override examples = ['countroom bets status --profile house']
  static override completes = { book: 'files' }
  static override flags = { ...bookFlag }
  static override data = async () => {
    const { Type } = await import('typebox')
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      book: Type.String(),
      rows: Type.Integer(),
      cursor: text,
      startedFrom: text,
      caughtUpAt: text,
      latestSettledAt: text,
    })
  }

  override async run() {
    await this.parse(BetsStatus)
    const [{ bookUrlOf, isBookThere }, { openBook }, { latestSlip }, { bookPosition }, { withoutPassword }] =
      await Promise.all([
        import('../../src/world/book-place.ts'),
        import('../../src/book/book.ts'),
        import('../../src/book/slips.ts'),
        import('../../src/book/position.ts'),
        import('../../src/world/config.ts'),
      ])
    const url = bookUrlOf(this.settings, this.profile)
    const shown = withoutPassword(url)
    const nothing = { book: shown, rows: 0, cursor: null, startedFrom: null, caughtUpAt: null, latestSettledAt: null }
    if (!isBookThere(this.settings, this.profile)) {
      this.note(`Nothing has been pulled yet: there is no book at ${shown}`)
      return nothing
    }
    const book = await openBook(url)
    this.closeLater(() => book.close())
    const status = await book.store.read(async (reader) => {
      const position = await bookPosition(reader)
      const latest = await latestSlip(reader)
      return position
        ? {
            book: shown,
            rows: position.rows,
            cursor: position.cursor,
            startedFrom: momentOf(position.started_from),
            caughtUpAt: momentOf(position.caught_up_at),
            latestSettledAt: momentOf(latest?.settled_at ?? null),
          }
        : nothing
    })
    this.fields(status)
    return status
  }
}

function momentOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
