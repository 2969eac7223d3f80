import { isName } from '../../../src/cli/context/operator-name.ts'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { asFlag, bookFlag, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { breakIds, breaksArg, checkedNote } from '../../../src/cli/topics/reconcile/breaks/arguments.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class ReconcileBreaksAssign extends CountroomCommand {
  static override summary = 'Assign breaks to a person'
  static override description =
    'Assigns all named breaks, or none if one of them does not exist. The history records who did it and when.'
  static override examples = [
    'countroom reconcile breaks assign daily-3fa91c07be --to dana',
    'countroom reconcile breaks assign daily-3fa91c07be wallet-90aa13de55 --to nobody',
  ]
  static override audits = true
  static override exits = ['not-found'] as const
  static override files = ['the book (COUNTROOM_BOOK)']
  static override completes = { book: 'files' }
  static override args = breaksArg
  static override flags = {
    to: Flags.string({
      summary: 'Name of the person, or "nobody" to unassign',
      required: true,
      helpValue: 'NAME',
    }),
    note: Flags.string({ summary: 'Note for the history', helpValue: 'TEXT' }),
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
  }
  static override data = ({ breaks }: Shapes) => breaks.BreaksChanged

  override async run() {
    const { args, flags } = await this.parse(ReconcileBreaksAssign)
    const ids = breakIds(args.break as unknown as string[])
    if (!isName(flags.to)) throw new Problem('INVALID_USAGE', '--to must be a name of 1 to 64 characters on one line')
    const note = checkedNote(flags.note)
    const owner = flags.to === 'nobody' ? null : flags.to
    const { changeBreaks } = await import('../../../src/cli/topics/reconcile/breaks/change-breaks.ts')
    return changeBreaks(
      this,
      ids,
      { what: 'assigned', owner, note },
      owner === null ? 'is unassigned' : `is assigned to ${owner}`,
    )
  }
}
