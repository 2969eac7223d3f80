import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, bookFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { breakIds } from '../../../src/cli/topics/reconcile/breaks/arguments.ts'

export default class ReconcileBreaksShow extends CountroomCommand {
  static override summary = 'Show the details and the history of a break'
  static override description =
    'The history is append-only: findings and their runs, assignments, notes, and the reason of a close. For an analysis, run "countroom reconcile explain BREAK".'
  static override examples = ['countroom reconcile breaks show daily-3fa91c07be']
  static override exits = ['not-found'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only']
  static override completes = { book: 'files' }
  static override args = { break: Args.string({ description: 'Break ID, or a unique prefix of it', required: true }) }
  static override flags = { ...bookFlag }
  static override data = ({ Type, breaks }: Shapes) =>
    Type.Object({
      break: breaks.BreakView,
      detail: Type.Unknown({ description: 'Details; the form depends on the kind.' }),
      history: Type.Array(breaks.BreakEventView),
    })

  override async run() {
    const { args } = await this.parse(ReconcileBreaksShow)
    const [id = ''] = breakIds([args.break])
    const { showBreak } = await import('../../../src/cli/topics/reconcile/breaks/show-break.ts')
    return showBreak(this, id)
  }
}
