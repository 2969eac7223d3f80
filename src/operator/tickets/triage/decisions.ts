import type { BulkAction, BulkItem, TriageAction } from '../../../domain/tickets/bulk-action.ts'
import { backwards } from '../../../domain/tickets/undo.ts'
import type { Book } from '../../book/book.ts'
import { applyBulkAction, type ItemResult } from '../apply-bulk-action.ts'
import type { Audit } from '../audit-log.ts'
import {
  actionsOf,
  endBulkAction,
  latestDone,
  openBulkAction,
  orderOfSession,
  orderOfUndo,
  settleActions,
  storeBulkAction,
} from '../bulk-journal.ts'
import type { FullTicket } from '../parse.ts'
import { readIfExists } from '../read-if-exists.ts'
import type { TicketsApi } from '../tickets-api.ts'

/** Decisions of a triage session. Each is a bulk action of its own in the journal. */

/** The session that decisions are made in. */
export interface DecisionSession {
  readonly ticketsApi: TicketsApi
  readonly book: Book
  readonly queue: BulkAction
  readonly target: string
  readonly actor: string | undefined
  readonly audit?: Audit
  readonly makeId: () => string
  readonly now: () => Promise<number>
}

export const isDone = (result: ItemResult | undefined): boolean =>
  result?.outcome === 'applied' || result?.outcome === 'no-op'

/** Name under which the decisions of a session are stored, so that an interrupted decision is finished. */
const orderOf = (queue: BulkAction): string => orderOfSession(queue.planId)

/**
 * Applies actions to a ticket through the journal, and then another item, if one is given and the ticket's actions are done.
 * A lost response is looked up at once, and sent again if it was not done; `onLost` is called before. An outcome that stays
 * unknown is left to the next run.
 */
export async function applyDecision(
  session: DecisionSession,
  ticket: FullTicket,
  actions: readonly TriageAction[],
  { then, onLost }: { readonly then?: BulkItem | undefined; readonly onLost: () => void },
): Promise<readonly ItemResult[]> {
  const items = [{ ...itemOf(ticket), actions }, ...(then ? [then] : [])]
  const bulk: BulkAction = { planId: session.makeId(), madeAt: await session.now(), items }
  await storeBulkAction(session.book, bulk, { kind: 'bulk', target: session.target, order: orderOf(session.queue) })
  const results = await applyBulk(session, bulk)
  if (!results.some(({ outcome }) => outcome === 'unknown')) return results
  onLost()
  const again = await applyBulk(session, bulk)
  // The earlier response stays valid if there is no new one.
  return results.map((result, i) => (result.outcome === 'unknown' ? (again[i] ?? result) : result))
}

const itemOf = ({ ticketId, ticketNumber, version, status }: FullTicket) => ({
  ticketId,
  ticketNumber,
  version,
  status,
})

/** Applies a decision. Dependent parts are not started if the first part was not done. */
async function applyBulk(session: DecisionSession, bulk: BulkAction, isUndo = false): Promise<readonly ItemResult[]> {
  const { ticketsApi, book, actor, audit } = session
  // Not the session's signal: a decision is finished before the program ends.
  const enough = new AbortController()
  const results = await applyBulkAction({
    ticketsApi,
    book,
    bulk,
    actor,
    isUndo,
    concurrency: 1,
    stop: enough.signal,
    onItem: (result) => {
      if (!isDone(result)) enough.abort()
    },
    ...(audit ? { audit } : {}),
  })
  // A decision that can be finished later stays open for the next run.
  if (!results.some(({ retryable }) => retryable)) await endBulkAction(book, bulk.planId)
  return results
}

/** Finishes a decision that was interrupted, and returns its item and result. Undefined if there is none. */
export async function finishInterrupted(
  session: DecisionSession,
): Promise<{ readonly item: BulkItem; readonly result: ItemResult | undefined } | undefined> {
  const { book, target, queue } = session
  const stored = await openBulkAction(book, { kind: 'bulk', target, order: orderOf(queue) })
  if (!stored) return undefined
  const [item] = stored.bulk.items
  const [result] = await applyBulk(session, stored.bulk)
  return item && { item, result }
}

/** The undo of a decision. */
export interface UndoneDecision {
  readonly item: BulkItem
  /** Result of the change that restores the ticket; undefined if nothing had to be restored. */
  readonly result: ItemResult | undefined
  readonly isUndone: boolean
  /** Number of actions restored, and of those that stay, such as comments. */
  readonly restored: number
  readonly staying: number
}

/** Undoes the last decision of the session. Comments cannot be undone. Returns undefined if no decision is in effect. */
export async function undoLastDecision(session: DecisionSession): Promise<UndoneDecision | undefined> {
  const { book } = session
  const stored = await latestDone(book, orderOf(session.queue))
  const [item] = stored?.bulk.items ?? []
  if (!stored || !item) return undefined
  const done = [...(await actionsOf(book, stored.bulk.planId)).values()].filter(({ state }) => state === 'done')
  const backward = done.flatMap(
    ({ action, before }) => backwards(JSON.parse(action), before === null ? null : JSON.parse(before)) ?? [],
  )
  const counts = { restored: backward.length, staying: done.length - backward.length }
  const restoring = await restore(session, item, backward, orderOfUndo(stored.bulk.planId))
  if (restoring.isTried && !isDone(restoring.result))
    return { item, result: restoring.result, isUndone: false, ...counts }
  await settleActions(
    book,
    done.map(({ key }) => key),
    'undone',
  )
  return { item, result: restoring.result, isUndone: true, ...counts }
}

async function restore(
  session: DecisionSession,
  { ticketId }: BulkItem,
  actions: readonly TriageAction[],
  order: string,
): Promise<{ readonly isTried: boolean; readonly result?: ItemResult | undefined }> {
  const ticket = await readIfExists(session.ticketsApi, ticketId)
  if (!ticket || actions.length === 0) return { isTried: false }
  const bulk = { planId: session.makeId(), madeAt: await session.now(), items: [{ ...itemOf(ticket), actions }] }
  await storeBulkAction(session.book, bulk, { kind: 'bulk', target: session.target, order })
  const [result] = await applyBulk(session, bulk, true)
  return { isTried: true, result }
}
