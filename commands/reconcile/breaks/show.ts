import { Args, bookFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { BreaksCommand } from '../../../src/cli/topics/reconcile/breaks-command.ts'
import { ageText } from '../../../src/domain/reconcile/breaks.ts'

export default class ReconcileBreaksShow extends BreaksCommand {
  static override summary = 'Show the details and the history of a break'
  static override description =
    'The history is append-only: findings and their runs, assignments, notes, and the reason of a close. For an analysis, run "countroom reconcile explain BREAK".'
  static override examples = ['countroom reconcile breaks show daily-3fa91c07be']
  static override exits = ['not-found'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only']
  static override completes = { book: 'files' }
  static override args = { break: Args.string({ description: 'Break ID, or its first characters', required: true }) }
  static override flags = { ...bookFlag }
  static override data = ({ Type, breaks }: Shapes) =>
    Type.Object({
      break: breaks.BreakShown,
      detail: Type.Unknown({ description: 'Details; the form depends on the kind.' }),
      history: Type.Array(breaks.BreakEventShown),
    })

  override async run() {
    const { args } = await this.parse(ReconcileBreaksShow)
    const [id = ''] = this.breakIds([args.break])
    const { book } = await this.services.book()
    const [{ breakNamed }, { toBreakShown, toEventShown }] = await Promise.all([
      import('../../../src/operator/reconcile/breaks/store.ts'),
      import('../../../src/operator/reconcile/breaks/record.ts'),
    ])
    const { row, events } = await breakNamed(book, id)
    const shown = toBreakShown(row, Date.now())
    const { ageMs, amount, currency, ...rest } = shown
    const about = {
      id: rest.id,
      what: rest.message,
      amount: amount === null ? null : `${amount} ${currency ?? ''}`.trim(),
      state: rest.reason === null ? rest.state : `${rest.state}: ${rest.reason}`,
      age: ageMs === null ? null : ageText(ageMs),
      owner: rest.owner,
      found: `${rest.foundAt}, by ${rest.times === 1 ? '1 run' : `${rest.times} runs`} so far`,
    }
    this.fields(
      about,
      Object.entries(about).flatMap(([key, value]) => (value === null ? [] : [key])),
    )
    this.log()
    const history = events.map(toEventShown)
    this.table(history, ['at', 'who', 'what', { key: 'text', title: '' }])
    this.footnote(`To analyze it: countroom reconcile explain ${row.id}`)
    return { break: shown, detail: JSON.parse(row.detail), history }
  }
}
