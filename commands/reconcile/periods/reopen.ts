import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { asFlag, bookFlag, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { periodArg, periodChanged, periodFiles } from '../../../src/cli/topics/reconcile/periods/flags.ts'

export default class ReconcilePeriodsReopen extends CountroomCommand {
  static override summary = 'Reopen a closed period'
  static override description =
    'Withdraws the close and its approval. Changes after the close are then no longer breaks: the next close stores the new figures. History and reason stay in the book.'
  static override examples = [
    'countroom reconcile periods reopen 2026-03 --reason "Void of round 4711 belongs to March"',
  ]
  static override audits = true
  static override exits = ['not-found', 'conflict', 'inconclusive'] as const
  static override files = periodFiles
  static override completes = { period: 'periods', book: 'files' }
  static override args = periodArg
  static override flags = {
    reason: Flags.string({ summary: 'Reason for the history', required: true, helpValue: 'TEXT' }),
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
  }
  static override data = (shapes: Shapes) => periodChanged(shapes)

  override async run() {
    const { args, flags } = await this.parse(ReconcilePeriodsReopen)
    const { reopenPeriodNamed } = await import('../../../src/cli/topics/reconcile/periods/change.ts')
    return reopenPeriodNamed(this, args.period, flags.reason)
  }
}
