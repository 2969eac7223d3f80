import { realAmbient } from '../../../kit/ambient.ts'
import type { Book } from '../../../operator/book/book.ts'
import { keepFindings } from '../../../operator/reconcile/breaks/record.ts'
import type { Findings } from '../../../operator/reconcile/breaks/store.ts'
import type { CommandContext } from '../../context/context.ts'
import { problemOf } from '../../outcome/exit-codes.ts'
import { notifyingOfBreaks } from './notify-of-breaks.ts'

/**
 * Records the findings of a run as breaks in the book, and returns the open ones. A failure to record is a warning and
 * does not change the verdict: the book may be read-only for this user.
 */
export async function recordFindings(context: CommandContext, book: Book, findings: Findings): Promise<string[]> {
  try {
    const run = { id: realAmbient().id(), who: context.words }
    const { breaks } = await notifyingOfBreaks(context, book, () => keepFindings(book, run, findings))
    return openAmong(breaks)
  } catch (error) {
    const { code, message } = problemOf(error)
    context.warn(`Could not record the breaks in the book: ${message} (${code})`)
    return []
  }
}

/** Returns the IDs of the open breaks. */
export function openAmong(breaks: readonly { readonly id: string; readonly state: string }[]): string[] {
  return breaks.flatMap(({ id, state }) => (state === 'open' ? [id] : []))
}
