import type { BulkAction } from '../../../../domain/tickets/bulk-action.ts'
import { partText } from '../../../../kit/text/count-text.ts'
import { applyBulkAction, type ItemResult } from '../../../../operator/tickets/apply-bulk-action.ts'
import { endBulkAction } from '../../../../operator/tickets/bulk-journal.ts'
import type { RemoteTicket } from '../../../../operator/tickets/parse.ts'
import { actorName } from '../../chat/actor-name.ts'
import type { BookServices } from './book-services.ts'
import { incompleteProblem } from './incomplete.ts'

/** Number of tickets changed in parallel. */
const concurrency = 8

interface ApplyOptions {
  readonly actor: string | undefined
  readonly fresh?: ReadonlyMap<string, RemoteTicket>
  readonly isUndo?: boolean
  /** Command that starts a new bulk action, for outcomes that no run can find out. */
  readonly newCommand?: string
}

/** Applies a bulk action. Exits with 0 only if everything is done. */
export async function applyBulk(
  services: BookServices,
  bulk: BulkAction,
  options: ApplyOptions,
): Promise<ItemResult[]> {
  const { context } = services
  const [book, ticketsApi] = await Promise.all([services.book(), services.tickets()])
  const progress = context.progress('Updating tickets', bulk.items.length)
  let count = 0
  const actor = await actorName(context, options.actor)
  const audit = await services.audit(bulk.planId, actor)
  const results = await applyBulkAction({
    ticketsApi,
    book,
    bulk,
    actor,
    audit,
    isUndo: options.isUndo ?? false,
    concurrency,
    stop: services.stop,
    ...(options.fresh === undefined ? {} : { fresh: options.fresh }),
    onItem: () => {
      count++
      progress.update(count)
    },
  })
  progress.end(partText(results.length, bulk.items.length, 'ticket'))
  services.printAudit(bulk.planId)
  const isOver = results.length === bulk.items.length && !results.some(({ retryable }) => retryable)
  // A bulk action that another run may finish stays open, so that the same command resumes it.
  if (isOver) await endBulkAction(book, bulk.planId)
  if (context.stop.aborted)
    context.warn(
      `Stopped after ${partText(results.length, bulk.items.length, 'ticket')}. To continue, run the same command again`,
    )
  else if (!services.failIfLockLost(`${partText(results.length, bulk.items.length, 'ticket')} processed`)) {
    const problem = incompleteProblem(results, options.newCommand)
    if (problem) context.endWith(problem.code, problem.message, problem.detail)
  }
  return results
}
