import { personHere } from '../../../src/cli/context/operator-name.ts'
import { Args, asFlag, bookFlag, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { BreaksCommand, checkedNote } from '../../../src/cli/topics/reconcile/breaks-command.ts'

export default class ReconcileBreaksNote extends BreaksCommand {
  static override summary = 'Add a note to the history of a break'
  static override description = 'Changes nothing else. Notes cannot be deleted; add another note to correct one.'
  static override examples = ['countroom reconcile breaks note daily-3fa91c07be "Asked the platform, case 4711"']
  static override exits = ['not-found'] as const
  static override files = ['the book (COUNTROOM_BOOK)']
  static override completes = { book: 'files' }
  static override args = {
    break: Args.string({ description: 'Break ID, or its first characters', required: true }),
    text: Args.string({ description: 'Text of the note', required: true }),
  }
  static override flags = {
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
  }
  static override data = ({ breaks }: Shapes) => breaks.BreaksOrdered

  override async run() {
    const { args } = await this.parse(ReconcileBreaksNote)
    const ids = this.breakIds([args.break])
    const [who, note] = [personHere(this.settings).name, checkedNote(args.text) ?? '']
    const { book } = await this.services.book()
    const { orderBreaks } = await import('../../../src/operator/reconcile/breaks/store.ts')
    const rows = await orderBreaks(book, ids, who, { what: 'noted', note }, { isRehearsal: this.isDryRun })
    return this.told(rows, 'has the note')
  }
}
