import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, asFlag, bookFlag, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { breakIds, checkedNote } from '../../../src/cli/topics/reconcile/breaks/arguments.ts'

export default class ReconcileBreaksNote extends CountroomCommand {
  static override summary = 'Add a note to the history of a break'
  static override description = 'Changes nothing else. Notes cannot be deleted; add another note to correct one.'
  static override examples = ['countroom reconcile breaks note daily-3fa91c07be "Asked the platform, case 4711"']
  static override audits = true
  static override exits = ['not-found'] as const
  static override files = ['the book (COUNTROOM_BOOK)']
  static override completes = { book: 'files' }
  static override args = {
    break: Args.string({ description: 'Break ID, or a unique prefix of it', required: true }),
    text: Args.string({ description: 'Text of the note', required: true }),
  }
  static override flags = {
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
  }
  static override data = ({ breaks }: Shapes) => breaks.BreaksChanged

  override async run() {
    const { args } = await this.parse(ReconcileBreaksNote)
    const ids = breakIds([args.break])
    const note = checkedNote(args.text) ?? ''
    const { changeBreaks } = await import('../../../src/cli/topics/reconcile/breaks/change-breaks.ts')
    return changeBreaks(this, ids, { what: 'noted', note }, 'has the note')
  }
}
