import { CountroomCommand } from '../../src/cli/command.ts'
import { Args, listFlags } from '../../src/cli/flags.ts'
import { bookFlag } from '../../src/cli/transfer-command.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class BetsShow extends CountroomCommand {
  static override summary = 'Show all revisions of a slip, as the book has them'
  static override examples = ['countroom bets show 01KDW0QN8D16WR23S5PZ675ZG8 --profile house']
  static override exits = ['not-found', 'conflict'] as const
  static override completes = { book: 'files' }
  static override args = { slip: Args.string({ required: true, description: 'The slip id' }) }
  static override flags = {
    book: bookFlag.book,
    columns: listFlags.columns,
    csv: listFlags.csv,
    'no-header': listFlags['no-header'],
  }
  static override data = async () => {
    const [{ Type }, { BetRecord }] = await Promise.all([import('typebox'), import('../../src/casino/shapes.ts')])
    return Type.Object({ slipId: Type.String(), revisions: Type.Array(BetRecord) })
  }

  override async run() {
    const { args } = await this.parse(BetsShow)
    const [{ bookUrlOf, isBookThere }, { openBook }, { revisionsOf }] = await Promise.all([
      import('../../src/world/book-place.ts'),
      import('../../src/book/book.ts'),
      import('../../src/book/slips.ts'),
    ])
    if (!isBookThere(this.settings, this.profile))
      throw new Problem('SLIP_NOT_FOUND', 'There is no book yet: "countroom bets sync" makes one')
    const book = await openBook(bookUrlOf(this.settings, this.profile))
    this.closeLater(() => book.close())
    const rows = await book.store.read((reader) => revisionsOf(reader, args.slip))
    if (rows.length === 0)
      throw new Problem(
        'SLIP_NOT_FOUND',
        `The book has no slip ${args.slip}; "countroom bets sync" brings it up to date`,
      )
    const revisions = rows.map((row) => JSON.parse(row.record))
    this.table(revisions, ['rev', 'status', 'username', 'stake', 'payout', 'winLoss', 'delta', 'settledAt'])
    return { slipId: args.slip, revisions }
  }
}
