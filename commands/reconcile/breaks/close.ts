import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, asFlag, bookFlag, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { breakIds, checkedNote } from '../../../src/cli/topics/reconcile/breaks/arguments.ts'
import { type BreakReason, breakReasonCodes, breakReasons } from '../../../src/domain/reconcile/breaks.ts'
import { Problem } from '../../../src/kit/problem.ts'

const width = Math.max(...breakReasonCodes.map((code) => code.length))
const meanings = Object.entries(breakReasons).map(([code, meaning]) => `    ${code.padEnd(width)}  ${meaning}`)

export default class ReconcileBreaksClose extends CountroomCommand {
  static override summary = 'Close breaks with a reason'
  static override description = [
    `Reasons:\n${meanings.join('\n')}`,
    'A closed break stays closed if a run finds the same figures again, and is reopened if the figures differ. Closing a restatement accepts it: its day is compared with the new figures from then on. Closing a wallet break treats its amount as settled.',
    'Closes all named breaks, or none if one of them cannot be closed. Without --reason a terminal asks for it.',
    'With --file, each row of a CSV file with the columns break,reason,note closes a break. All errors of the file are reported together, and nothing is closed unless every row is valid; with --partial, valid rows are closed and the exit code is 8.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile breaks close daily-3fa91c07be --reason platform-error --note "Their case 4711, corrected on the 4th"',
    'countroom reconcile breaks close --file decided.csv --dry-run',
  ]
  static override audits = true
  static override exits = ['not-found', 'conflict', 'partial', 'confirmation'] as const
  static override files = ['the book (COUNTROOM_BOOK)']
  static override completes = { book: 'files', file: 'files' }
  static override args = {
    break: Args.string({ description: 'Break IDs, or unique prefixes of them', multiple: true }),
  }
  static override flags = {
    reason: Flags.string({ summary: 'Reason', options: [...breakReasonCodes] }),
    note: Flags.string({ summary: 'Note for the history; required with the reason "other"', helpValue: 'TEXT' }),
    file: Flags.string({
      summary: 'CSV file with the columns break,reason,note, or - for stdin',
      exclusive: ['reason', 'note'],
      helpValue: 'FILE|-',
    }),
    partial: Flags.boolean({ summary: 'Close the valid rows of --file, and skip the others', dependsOn: ['file'] }),
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
  }
  static override data = ({ breaks }: Shapes) => breaks.BreaksClosed

  override async run() {
    const { args, flags } = await this.parse(ReconcileBreaksClose)
    const names = (args.break as unknown as string[] | undefined) ?? []
    if (flags.file !== undefined && names.length > 0)
      throw new Problem('INVALID_USAGE', 'Pass either BREAK or --file, not both')
    if (flags.file === undefined && names.length === 0)
      throw new Problem('INVALID_USAGE', 'Missing BREAK: pass break IDs, or --file FILE')
    const ids = breakIds(names)
    const note = checkedNote(flags.note)
    const { closeBreaks } = await import('../../../src/cli/topics/reconcile/breaks/close-breaks.ts')
    return closeBreaks(
      this,
      { ids, note, reason: flags.reason as BreakReason | undefined, file: flags.file },
      flags.partial,
    )
  }
}
