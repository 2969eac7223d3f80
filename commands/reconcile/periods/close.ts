import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { approverFlags, bookFlag, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { periodArg, periodChanged, periodFiles } from '../../../src/cli/topics/reconcile/periods/flags.ts'

export default class ReconcilePeriodsClose extends CountroomCommand {
  static override summary = 'Close a day or a month whose days are all balanced'
  static override description = [
    "A period is a day (2026-03-01) or a month (2026-03) in the tenant's time zone. It closes only when it is over and each of its days is balanced or has all its breaks closed by a person. Otherwise the command exits with 9 and lists what is open, day by day.",
    'The close stores the figures by player and currency, and by day, game and table. A later correction changes no stored figure: it marks the period as restated and becomes a break for each player and currency.',
    'The person is the user of this machine, or the approver whose passphrase is given ("approvers add"); --as alone changes nothing. Another person must approve the period.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile periods close 2026-03',
    {
      command: 'countroom reconcile periods close 2026-03-01 --as beth --passphrase-file beth.txt',
      description: 'Close one day',
    },
    { command: 'countroom reconcile periods close 2026-03 --dry-run', description: 'List what keeps it open' },
  ]
  static override audits = true
  static override exits = ['permission', 'not-found', 'conflict', 'differences', 'inconclusive'] as const
  static override files = periodFiles
  static override completes = { period: 'periods', book: 'files', 'passphrase-file': 'files' }
  static override args = periodArg
  static override flags = { ...approverFlags, ...dryRunFlag, ...bookFlag }
  static override data = (shapes: Shapes) => periodChanged(shapes)

  override async run() {
    const { args, flags } = await this.parse(ReconcilePeriodsClose)
    const { closePeriodNamed } = await import('../../../src/cli/topics/reconcile/periods/change.ts')
    return closePeriodNamed(this, args.period, flags['passphrase-file'])
  }
}
