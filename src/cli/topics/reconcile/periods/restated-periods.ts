import { realAmbient } from '../../../../kit/ambient.ts'
import type { Book } from '../../../../operator/book/book.ts'
import { noteRestatedPeriods } from '../../../../operator/reconcile/periods/restated.ts'
import type { CommandContext } from '../../../context/context.ts'

/** Records changes of closed periods as breaks, and returns the periods with changes that nobody has decided about. */
export async function restatedPeriods(context: CommandContext, book: Book): Promise<string[]> {
  const run = { id: realAmbient().id(), who: context.words }
  const { found } = await noteRestatedPeriods(book, run)
  const periods = found.flatMap(({ period, breaks }) => (breaks.some(({ state }) => state === 'open') ? [period] : []))
  for (const period of periods)
    context.footnote(`Closed period ${period} changed. To see how: countroom reconcile periods show ${period}`)
  return periods
}
