import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class BetsShow extends CountroomCommand {
  static override summary = 'Show a slip and all its revisions from the book'
  static override description =
    'Each revision shows its change to the balance. The sum of the changes is the effect of the slip on the wallet. Makes no network request.'
  static override examples = ['countroom bets show 01K7Q2M3V4W5X6Y7Z8A9B0C1D2']
  static override exits = ['not-found'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only']
  static override completes = { book: 'files' }
  static override args = { slip: Args.string({ description: 'Slip ID', required: true }) }
  static override flags = { ...bookFlag }
  static override data = ({ bets }: Shapes) => bets.SlipDetails

  override async run() {
    const { args } = await this.parse(BetsShow)
    const { book } = await this.services.book()
    const { slipDetails: slipShown } = await import('../../src/operator/bets/status.ts')
    const slip = await slipShown(book, args.slip)
    if (!slip)
      throw new Problem(
        'SLIP_NOT_FOUND',
        `The book has no slip ${args.slip}. It may not be synced yet: countroom bets sync --out bets`,
        {
          slipId: args.slip,
        },
      )
    const { revisions, alarms, ...figures } = slip
    this.fields(figures)
    this.log()
    const rows = revisions as Readonly<Record<string, unknown>>[]
    this.table(rows, ['rev', 'status', 'settledAt', 'stake', 'hold', 'payout', 'winLoss', 'delta', 'recSeq'])
    for (const { message } of alarms) this.warn(message)
    return slip
  }
}
