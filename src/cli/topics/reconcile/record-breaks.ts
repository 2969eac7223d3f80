import type { Book } from '../../../operator/book/book.ts'
import type { Findings } from '../../../operator/reconcile/breaks/store.ts'
import { problemOf } from '../../outcome/exit-codes.ts'

/**
 * Notes what a run found in a book, and answers with the breaks that are open. What could not be noted is said, and takes
 * nothing from the verdict: the book may be one that this user may only read.
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
    warn(`What was found could not be noted in the book: ${message} (${code})`)
    return []
  }
}

/** The schema of what `keepFindingsIn` answers with. */
export async function openBreaksSchema() {
  const { Type } = await import('typebox')
  return Type.Array(Type.String(), {
    description: 'The open breaks that this run noted in the book, where there is one.',
  })
}
