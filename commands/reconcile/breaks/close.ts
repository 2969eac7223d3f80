import { asFlag, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { personHere } from '../../../src/cli/framework/operator-name.ts'
import { BreaksCommand, breaksArg, checkedNote } from '../../../src/cli/topics/reconcile/breaks-command.ts'
import { bookFlag } from '../../../src/cli/topics/wallet/transfer-command.ts'
import { type BreakReason, breakReasonCodes, breakReasons } from '../../../src/domain/reconcile/breaks.ts'
import { Problem } from '../../../src/kit/problem.ts'

const meanings = Object.entries(breakReasons)
  .map(([code, meaning]) => `${code} (${meaning})`)
  .join(', ')

export default class ReconcileBreaksClose extends BreaksCommand {
  static override summary = 'Close a break: what it was is known, and it is settled'
  static override description = [
    `The reasons are ${meanings}.`,
    'Found again just as it was, a closed break stays closed; found with other figures it is open again. A closed restatement is accepted: from then on its day is held to the new figures. Of a wallet, the amount is taken as settled.',
    'All of the breaks named are closed, or none where one of them cannot be.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile breaks close daily-3fa91c07be --reason platform-error --note "Their case 4711, corrected on the 4th"',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override files = ['the book (COUNTROOM_BOOK)']
  static override completes = { book: 'files' }
  static override args = breaksArg
  static override flags = {
    reason: Flags.string({ summary: 'Why', required: true, options: [...breakReasonCodes] }),
    note: Flags.string({ summary: 'The same in your own words; needed with the reason "other"', helpValue: 'TEXT' }),
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
  }
  static override data = async () => (await import('../../../src/operator/reconcile/breaks/schema.ts')).BreaksOrdered

  override async run() {
    const { args, flags } = await this.parse(ReconcileBreaksClose)
    const ids = this.breakIds(args.break as unknown as string[])
    const [who, note] = [personHere(this.settings).name, checkedNote(flags.note)]
    const reason = flags.reason as BreakReason
    if (reason === 'other' && note === null)
      throw new Problem('INVALID_USAGE', 'The reason "other" says nothing by itself: add --note')
    const { book } = await this.bookThere()
    const { orderBreaks } = await import('../../../src/operator/reconcile/breaks/store.ts')
    const rows = await orderBreaks(book, ids, who, { what: 'closed', reason, note }, { isRehearsal: this.isDryRun })
    return this.told(rows, `is closed (${reason})`)
  }
}
