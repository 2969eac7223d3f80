import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { asFlag, bookFlag, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { breakIds, breaksArg, checkedNote } from '../../../src/cli/topics/reconcile/breaks/arguments.ts'
import { type BreakReason, breakReasonCodes, breakReasons } from '../../../src/domain/reconcile/breaks.ts'
import { Problem } from '../../../src/kit/problem.ts'

const width = Math.max(...breakReasonCodes.map((code) => code.length))
const meanings = Object.entries(breakReasons).map(([code, meaning]) => `    ${code.padEnd(width)}  ${meaning}`)

export default class ReconcileBreaksClose extends CountroomCommand {
  static override summary = 'Close breaks with a reason'
  static override description = [
    `Reasons:\n${meanings.join('\n')}`,
    'A closed break stays closed if a run finds the same figures again, and is reopened if the figures differ. Closing a restatement accepts it: its day is compared with the new figures from then on. Closing a wallet break treats its amount as settled.',
    'Closes all named breaks, or none if one of them cannot be closed.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile breaks close daily-3fa91c07be --reason platform-error --note "Their case 4711, corrected on the 4th"',
  ]
  static override audits = true
  static override exits = ['not-found', 'conflict'] as const
  static override files = ['the book (COUNTROOM_BOOK)']
  static override completes = { book: 'files' }
  static override args = breaksArg
  static override flags = {
    reason: Flags.string({ summary: 'Reason', required: true, options: [...breakReasonCodes] }),
    note: Flags.string({ summary: 'Note for the history; required with the reason "other"', helpValue: 'TEXT' }),
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
  }
  static override data = ({ breaks }: Shapes) => breaks.BreaksOrdered

  override async run() {
    const { args, flags } = await this.parse(ReconcileBreaksClose)
    const ids = breakIds(args.break as unknown as string[])
    const note = checkedNote(flags.note)
    const reason = flags.reason as BreakReason
    if (reason === 'other' && note === null) throw new Problem('INVALID_USAGE', 'The reason "other" requires --note')
    const { changeBreaks } = await import('../../../src/cli/topics/reconcile/breaks/change-breaks.ts')
    return changeBreaks(this, ids, { what: 'closed', reason, note }, `is closed (${reason})`)
  }
}
