import type { BookBreakRow } from '../../../db/schema/book.ts'
import { isBreakId } from '../../../domain/reconcile/breaks.ts'
import { Problem } from '../../../kit/problem.ts'
import { Args } from '../../framework/flags.ts'
import type { Column } from '../../terminal/table.ts'
import { printable } from '../../terminal/text.ts'
import { BookCommand } from './book-command.ts'

/** Of those that do something to one or more of them. */
export const breaksArg = {
  break: Args.string({ description: 'Their ids, or the beginnings of these', required: true, multiple: true }),
}

/** What the commands on breaks have in common. */
export abstract class BreaksCommand extends BookCommand {
  /** The names of breaks as they were typed, refused where they can be none. */
  protected breakIds(names: readonly string[]): string[] {
    const wrong = names.filter((name) => !isBreakId(name.toLowerCase()))
    if (wrong.length > 0)
      throw new Problem(
        'INVALID_PARAMETER',
        `${wrong.map((name) => JSON.stringify(name.slice(0, 40))).join(', ')}: no id of a break, which is like daily-3fa91c07be; its beginning will do`,
        { wrong, remoteCode: null },
      )
    return [...new Set(names.map((name) => name.toLowerCase()))]
  }

  /** The breaks as they are now, told in one line each. */
  protected async told(rows: readonly BookBreakRow[], did: string) {
    const { toBreakShown } = await import('../../../operator/reconcile/breaks/record.ts')
    for (const { id, message } of rows)
      this.log(`${id} ${did}${this.isDryRun ? ' (dry run: nothing was changed)' : ''}: ${printable(message)}`)
    return { dryRun: this.isDryRun, breaks: rows.map((row) => toBreakShown(row, Date.now())) }
  }
}

/** A note in a person's words. */
export function checkedNote(text: string | undefined): string | null {
  if (text === undefined) return null
  if (text.trim() !== '' && text.length <= 2000) return text
  throw new Problem('INVALID_USAGE', 'A note has from 1 to 2,000 signs')
}

/** The columns of the list; what it is about in words only where there is room for them beside the rest. */
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
  ...(isForPrograms || width >= 140 ? [{ key: 'message', title: 'what' }] : []),
]
