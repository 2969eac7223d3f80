import type { BookBreakRow } from '../../../db/schema/book.ts'
import { isBreakId } from '../../../domain/reconcile/breaks.ts'
import { Problem } from '../../../kit/problem.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { Args } from '../../framework/flags.ts'
import type { Column } from '../../terminal/table.ts'
import { printable } from '../../terminal/text.ts'

/** Arguments of commands that change one or more breaks. */
export const breaksArg = {
  break: Args.string({ description: 'Break IDs, or their first characters', required: true, multiple: true }),
}

/** Base class of commands on breaks. */
export abstract class BreaksCommand extends CountroomCommand {
  /** Validates the typed IDs of breaks. */
  protected breakIds(names: readonly string[]): string[] {
    const wrong = names.filter((name) => !isBreakId(name.toLowerCase()))
    if (wrong.length > 0)
      throw new Problem(
        'INVALID_PARAMETER',
        `Not a break ID: ${wrong.map((name) => JSON.stringify(name.slice(0, 40))).join(', ')}. An ID looks like daily-3fa91c07be; its first characters are enough`,
        { wrong, remoteCode: null },
      )
    return [...new Set(names.map((name) => name.toLowerCase()))]
  }

  /** Prints the breaks after the change, one line each. */
  protected async told(rows: readonly BookBreakRow[], did: string) {
    const { toBreakShown } = await import('../../../operator/reconcile/breaks/record.ts')
    for (const { id, message } of rows)
      this.log(`${id} ${did}${this.isDryRun ? ' (dry run: nothing was changed)' : ''}: ${printable(message)}`)
    return { dryRun: this.isDryRun, breaks: rows.map((row) => toBreakShown(row, Date.now())) }
  }
}

/** Validates a note. */
export function checkedNote(text: string | undefined): string | null {
  if (text === undefined) return null
  if (text.trim() !== '' && text.length <= 2000) return text
  throw new Problem('INVALID_USAGE', 'A note must have 1 to 2,000 characters')
}

/** Columns of the list. The message is included only on wide screens. */
export const breakColumns = (isForPrograms: boolean, width: number): Column[] => [
  { key: 'id', whole: true },
  { key: 'date', whole: true },
  { key: 'player' },
  { key: 'amount', kind: 'amount' },
  { key: 'currency', title: 'cur' },
  { key: 'age', whole: true },
  { key: 'owner' },
  { key: 'state', tint: (state) => (state === 'open' ? 'red' : state === 'cleared' ? 'green' : undefined) },
  ...(isForPrograms
    ? ['kind', 'subject', 'reason', 'foundAt', 'openedAt', 'seenAt', 'times', 'runId'].map((key) => ({ key }))
    : []),
  ...(isForPrograms || width >= 140 ? [{ key: 'message' }] : []),
]
