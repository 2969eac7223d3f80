import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { approverFlags, bookFlag, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { periodArg, periodChanged, periodFiles } from '../../../src/cli/topics/reconcile/periods/flags.ts'

export default class ReconcilePeriodsApprove extends CountroomCommand {
  static override summary = 'Approve a closed period as a second person'
  static override description = [
    'The person who closed the period cannot approve it (exit 6). The figures are computed again first. If they changed since the close, the period is restated and is not approved (exit 6). If a day was opened again, it is not approved either (exit 9).',
    'The person is the user of this machine, or the approver whose passphrase is given ("approvers add"); --as alone changes nothing.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile periods approve 2026-03 --as carl --passphrase-file carl.txt',
    {
      command: 'countroom reconcile periods approve 2026-03 --as carl --passphrase-file carl.txt --dry-run',
      description: 'Validate only',
    },
  ]
  static override audits = true
  static override exits = ['permission', 'not-found', 'conflict', 'differences', 'inconclusive'] as const
  static override files = periodFiles
  static override completes = { period: 'periods', book: 'files', 'passphrase-file': 'files' }
  static override args = periodArg
  static override flags = { ...approverFlags, ...dryRunFlag, ...bookFlag }
  static override data = (shapes: Shapes) => periodChanged(shapes)

  override async run() {
    const { args, flags } = await this.parse(ReconcilePeriodsApprove)
    const { approvePeriodNamed } = await import('../../../src/cli/topics/reconcile/periods/change.ts')
    return approvePeriodNamed(this, args.period, flags['passphrase-file'])
  }
}
