import { realAmbient } from '../../../../kit/ambient.ts'
import type { Book } from '../../../../operator/book/book.ts'
import { type PeriodRestated, recordRestatedPeriods } from '../../../../operator/reconcile/periods/restated.ts'
import type { CommandContext } from '../../../context/context.ts'

/** Records changes of closed periods as breaks, and returns the periods with undecided changes. */
export async function restatedPeriods(context: CommandContext, book: Book): Promise<string[]> {
  const run = { id: realAmbient().id(), who: context.words }
  const { found } = await recordRestatedPeriods(book, run)
  notify(context, found)
  const periods = found.flatMap(({ period, breaks }) => (breaks.some(({ state }) => state === 'open') ? [period] : []))
  for (const period of periods)
    context.footnote(`Closed period ${period} changed. To see how: countroom reconcile periods show ${period}`)
  return periods
}

/** Notifies of breaks of closed periods that this run opened. */
function notify(context: CommandContext, found: readonly PeriodRestated[]): void {
  const items = found.flatMap(({ period, breaks }) => {
    const opened = breaks.flatMap(({ id, isNew }) => (isNew ? [id] : []))
    return opened.length > 0 ? [{ period, breaks: opened }] : []
  })
  if (items.length === 0) return
  const names = items.map(({ period }) => period).join(', ')
  const text = `countroom ${context.words} (${context.profile.name}): figures changed after the close of ${names}`
  context.monitoring.notify({ event: 'period.restated', text, items })
}
