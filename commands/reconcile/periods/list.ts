import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { bookFlag, Flags, listFlags, moreThere } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { periodFiles } from '../../../src/cli/topics/reconcile/periods/flags.ts'

export default class ReconcilePeriodsList extends CountroomCommand {
  static override summary = 'List the months and the closed days, newest first'
  static override description =
    'Lists every month since the first reconciled day, and each day that was ever closed. Closed periods are compared with the book first. A period whose figures changed is restated, becomes a break for each player and currency, and makes the command exit with 9.'
  static override examples = [
    'countroom reconcile periods list',
    {
      command: 'countroom reconcile periods list --csv --columns period,state,closedBy,approvedBy',
      description: 'Print as CSV',
    },
  ]
  static override exits = ['not-found', 'differences', 'inconclusive'] as const
  static override files = periodFiles
  static override completes = { book: 'files' }
  static override flags = {
    limit: Flags.integer({ summary: 'Maximum number of periods', default: 24, min: 1, max: 1_000, helpValue: 'N' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = ({ Type, periods }: Shapes) =>
    Type.Object({ periods: Type.Array(periods.PeriodShown), more: Type.Boolean(moreThere) })

  override async run() {
    const { flags } = await this.parse(ReconcilePeriodsList)
    const { showPeriods } = await import('../../../src/cli/topics/reconcile/periods/list.ts')
    return showPeriods(this, flags)
  }
}
