import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountFields } from '../../src/domain/reconcile/daily.ts'

export default class SummaryShow extends CountroomCommand {
  static override summary = 'Show the figures of a day per player, with totals'
  static override description =
    "The day is in the tenant's time zone. Only the latest revision of each slip counts; voided slips add to the number of slips, but not to the stake. winLoss is the player's: positive if the player won. The platform lists at most 1,000 players, without their currencies: totals are sums over all currencies unless you pass --by-currency."
  static override examples = [
    'countroom summary show yesterday',
    { command: 'countroom summary show 2026-03-01 --by-currency', description: 'Show one total per currency' },
    { command: 'countroom summary show 2026-03-01 --csv > day.csv', description: 'Export for a spreadsheet' },
  ]
  static override exits = ['permission', 'temporary'] as const
  static override args = {
    date: Args.string({
      description: "YYYY-MM-DD, today or yesterday, in the tenant's time zone",
      default: 'yesterday',
    }),
  }
  static override flags = {
    'by-currency': Flags.boolean({ summary: 'Look up the currency of every player, and total each currency' }),
    ...listFlags,
  }
  static override data = ({ Type, casino }: Shapes) => {
    const currency = Type.Union([Type.String(), Type.Null()], { description: 'Null without --by-currency.' })
    const sums = Object.fromEntries(amountFields.map((name) => [name, Type.String()]))
    return Type.Object({
      date: Type.String(),
      timezone: Type.String(),
      players: Type.Array(Type.Object({ ...casino.SummaryItem.properties, currency })),
      totals: Type.Array(Type.Object({ currency, players: Type.Integer(), slips: Type.Integer(), ...sums })),
      complete: Type.Boolean({ description: 'False if the list may be cut off at 1,000 players.' }),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(SummaryShow)
    const { showSummary } = await import('../../src/cli/topics/summary/show.ts')
    return showSummary(this, args.date, flags)
  }
}
