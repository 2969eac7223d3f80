import type { Book } from '../../../operator/book/book.ts'
import type { Findings } from '../../../operator/reconcile/breaks/store.ts'
import { problemOf } from '../../outcome/exit-codes.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/**
 * Records the findings of a run as breaks in the book, and returns the open ones. A failure to record is a warning and
 * does not change the verdict: the book may be read-only for this user.
 */
export async function keepFindingsIn(
  book: Book,
  who: string,
  findings: Findings,
  warn: (text: string) => void,
): Promise<string[]> {
  const [{ keepFindings }, { realAmbient }] = await Promise.all([
    import('../../../operator/reconcile/breaks/record.ts'),
    import('../../../kit/ambient.ts'),
  ])
  try {
    const { breaks } = await keepFindings(book, { id: realAmbient().id(), who }, findings)
    return breaks.flatMap(({ id, state }) => (state === 'open' ? [id] : []))
  } catch (error) {
    const { code, message } = problemOf(error)
    warn(`Could not record the breaks in the book: ${message} (${code})`)
    return []
  }
}

/** Schema of the result of `keepFindingsIn`. */
export function openBreaksSchema({ Type }: Shapes) {
  return Type.Array(Type.String(), {
    description: 'Open breaks that this run recorded in the book, if there is one.',
  })
}
