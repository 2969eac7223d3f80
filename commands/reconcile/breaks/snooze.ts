import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { asFlag, bookFlag, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { breakIds, breaksArg, checkedNote } from '../../../src/cli/topics/reconcile/breaks/arguments.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class ReconcileBreaksSnooze extends CountroomCommand {
  static override summary = 'Omit open breaks from lists until a day'
  static override description = [
    'The break stays open: it keeps its period open, and its age counts on. "reconcile breaks list" omits it until the start of the day in the tenant\'s time zone, at most 92 days from now, and says how many it omitted; --fail-if-older ignores it. A run that finds other figures ends the snooze.',
    'Snoozes all named breaks, or none if one of them is not open.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile breaks snooze daily-3fa91c07be --until 2026-04-07 --note "Waiting for the platform, case 4711"',
    { command: 'countroom reconcile breaks snooze daily-3fa91c07be --end', description: 'List it again from now on' },
  ]
  static override audits = true
  static override exits = ['not-found', 'conflict', 'inconclusive'] as const
  static override files = ['the book (COUNTROOM_BOOK)']
  static override completes = { book: 'files' }
  static override args = breaksArg
  static override flags = {
    until: Flags.string({
      summary: "First day on which it is listed again, in the tenant's time zone",
      exclusive: ['end'],
      helpValue: 'YYYY-MM-DD',
    }),
    end: Flags.boolean({ summary: 'End the snooze now' }),
    note: Flags.string({ summary: 'Note for the history', helpValue: 'TEXT' }),
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
  }
  static override data = ({ breaks }: Shapes) => breaks.BreaksChanged

  override async run() {
    const { args, flags } = await this.parse(ReconcileBreaksSnooze)
    const ids = breakIds(args.break as unknown as string[])
    const note = checkedNote(flags.note)
    const { endSnooze, snoozeBreaks } = await import('../../../src/cli/topics/reconcile/breaks/snooze-breaks.ts')
    if (flags.until !== undefined) return snoozeBreaks(this, ids, { until: flags.until, note })
    if (flags.end) return endSnooze(this, ids, note)
    throw new Problem('INVALID_USAGE', 'Pass --until YYYY-MM-DD, or --end to end the snooze now')
  }
}
