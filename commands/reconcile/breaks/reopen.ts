import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { asFlag, bookFlag, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { breakIds, breaksArg, checkedNote } from '../../../src/cli/topics/reconcile/breaks/arguments.ts'

export default class ReconcileBreaksReopen extends CountroomCommand {
  static override summary = 'Reopen closed or cleared breaks'
  static override description =
    'The age counts from now. Reopening a restatement withdraws its acceptance. A reopened wallet break stays open until a person closes it, because later runs do not check it again. A break that is already open does not change, but the note is added.'
  static override examples = ['countroom reconcile breaks reopen daily-3fa91c07be --note "It was another slip"']
  static override audits = true
  static override exits = ['not-found'] as const
  static override files = ['the book (COUNTROOM_BOOK)']
  static override completes = { book: 'files' }
  static override args = breaksArg
  static override flags = {
    note: Flags.string({ summary: 'Note for the history', helpValue: 'TEXT' }),
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
  }
  static override data = ({ breaks }: Shapes) => breaks.BreaksChanged

  override async run() {
    const { args, flags } = await this.parse(ReconcileBreaksReopen)
    const ids = breakIds(args.break as unknown as string[])
    const note = checkedNote(flags.note)
    const { changeBreaks } = await import('../../../src/cli/topics/reconcile/breaks/change-breaks.ts')
    return changeBreaks(this, ids, { what: 'reopened', note }, 'is open')
  }
}
