import type { BookTicketActionRow, BookTicketPlanRow } from '../../db/schema/book.ts'
import type { Reader } from '../../db/store.ts'
import type { BulkAction, TriageAction } from '../../domain/tickets/bulk-action.ts'
import type { Book } from '../book/book.ts'

/** Journal of bulk actions and their progress. */

export interface StoredBulk {
  readonly bulk: BulkAction
  readonly row: BookTicketPlanRow
}

/** Stores a bulk action before any of it is sent; storing the same ID again changes nothing. */
export function storeBulkAction(
  book: Book,
  bulk: BulkAction,
  about: { readonly kind: BookTicketPlanRow['kind']; readonly target: string; readonly order: string },
): Promise<BookTicketPlanRow> {
  return book.store.write(async (tx) => {
    const known = await planRow(tx, bulk.planId)
    if (known) return known
    const row: BookTicketPlanRow = {
      id: bulk.planId,
      kind: about.kind,
      target: about.target,
      order_text: about.order,
      state: 'open',
      plan: JSON.stringify(bulk),
      made_at: tx.now,
      changed_at: tx.now,
    }
    await tx.q.insertInto('book_ticket_plans').values(row).execute()
    return row
  })
}

/** Stores the position in a queue, so that a crash resumes at the same ticket. */
export function saveQueuePosition(book: Book, bulk: BulkAction, position: number): Promise<BulkAction> {
  const moved = { ...bulk, position }
  return book.store.write(async ({ q, now }) => {
    await q
      .updateTable('book_ticket_plans')
      .set({ plan: JSON.stringify(moved), changed_at: now })
      .where('id', '=', bulk.planId)
      .execute()
    return moved
  })
}

export function endBulkAction(book: Book, planId: string): Promise<unknown> {
  return book.store.write(({ q, now }) =>
    q.updateTable('book_ticket_plans').set({ state: 'done', changed_at: now }).where('id', '=', planId).execute(),
  )
}

/** Returns the bulk action of an ID. */
export function bulkActionById(book: Book, planId: string): Promise<StoredBulk | undefined> {
  return book.store.read(async (reader) => toStoredBulk(await planRow(reader, planId)))
}

/** Returns the latest unfinished bulk action of a target, kind and order. */
export function openBulkAction(
  book: Book,
  { kind, target, order }: { kind: BookTicketPlanRow['kind']; target: string; order?: string },
): Promise<StoredBulk | undefined> {
  return book.store.read(async ({ q }) => {
    const plans = q
      .selectFrom('book_ticket_plans')
      .selectAll()
      .where('target', '=', target)
      .where('state', '=', 'open')
      .where('kind', '=', kind)
      .orderBy('made_at', 'desc')
    const row = await (order === undefined ? plans : plans.where('order_text', '=', order)).limit(1).executeTakeFirst()
    return toStoredBulk(row)
  })
}

/** Returns the latest bulk action of an order with changes in effect. */
export function latestDone(book: Book, order: string): Promise<StoredBulk | undefined> {
  return book.store.read(async ({ q }) => {
    const row = await q
      .selectFrom('book_ticket_plans')
      .selectAll()
      .where('order_text', '=', order)
      .where('id', 'in', (plans) =>
        plans.selectFrom('book_ticket_actions').select('plan_id').where('state', '=', 'done'),
      )
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return toStoredBulk(row)
  })
}

/** Order text of a triage session's decisions, each of which is a bulk action. */
export const orderOfSession = (sessionId: string): string => `triage ${sessionId}`

/** Order text of an undo; `id` is that of the session or the decision. */
export const orderOfUndo = (id: string): string => `undo ${id}`

/**
 * Returns the queue of a bulk action's order: it may be a decision of a session, or the undo of one. Undefined for other
 * bulk actions.
 */
export function queueBehind(book: Book, order: string): Promise<BookTicketPlanRow | undefined> {
  return book.store.read(async (reader) => {
    // A queue, its decision, the undo of that: chains are not longer.
    for (let next = order, steps = 0; steps < 4; steps++) {
      const id = /^(?:triage|undo) ([0-9A-Z]{26})$/.exec(next)?.[1]
      const row = id === undefined ? undefined : await planRow(reader, id)
      if (!row || row.kind === 'triage') return row
      next = row.order_text
    }
    return undefined
  })
}

export interface TicketSession {
  readonly sessionId: string
  readonly kind: BookTicketPlanRow['kind']
  readonly madeAt: number
  readonly order: string
  readonly tickets: number
  readonly done: number
}

/** Returns the latest sessions of a target with changes in effect: bulk actions and triage sessions. */
export function sessionsWithDone(book: Book, target: string, limit: number): Promise<readonly TicketSession[]> {
  return book.store.read(async ({ q }) => {
    const rows = await q
      .selectFrom('book_ticket_actions')
      .innerJoin('book_ticket_plans', 'book_ticket_plans.id', 'book_ticket_actions.plan_id')
      .select(['book_ticket_plans.id', 'order_text', 'made_at', 'ticket_id'])
      .where('target', '=', target)
      .where('book_ticket_actions.state', '=', 'done')
      .orderBy('made_at', 'desc')
      .orderBy('book_ticket_plans.id', 'desc')
      .limit(100_000)
      .execute()
    const sessions = new Map<string, TicketSession & { readonly names: Set<string> }>()
    for (const { id, order_text: order, made_at: madeAt, ticket_id: ticketId } of rows) {
      if (order.startsWith('undo ')) continue
      const queue = /^triage ([0-9A-Z]{26})$/.exec(order)?.[1]
      const sessionId = queue ?? id
      const known = sessions.get(sessionId)
      if (!known && sessions.size >= limit) break
      const names = (known?.names ?? new Set<string>()).add(ticketId)
      const kind = queue === undefined ? 'bulk' : 'triage'
      sessions.set(sessionId, {
        sessionId,
        kind,
        madeAt,
        order,
        names,
        tickets: names.size,
        done: (known?.done ?? 0) + 1,
      })
    }
    return [...sessions.values()].map(({ names: _names, ...session }) => session)
  })
}

/** Returns a session's actions in effect, in order. */
export function doneInSession(book: Book, target: string, sessionId: string): Promise<readonly BookTicketActionRow[]> {
  return book.store.read(({ q }) =>
    q
      .selectFrom('book_ticket_actions')
      .selectAll()
      .where('state', '=', 'done')
      .where('plan_id', 'in', (plans) =>
        plans
          .selectFrom('book_ticket_plans')
          .select('id')
          .where('target', '=', target)
          .where((eb) => eb.or([eb('id', '=', sessionId), eb('order_text', '=', orderOfSession(sessionId))])),
      )
      .orderBy('changed_at')
      .orderBy('key')
      .execute(),
  )
}

/** Returns the started actions of a bulk action, by key. */
export function actionsOf(book: Book, planId: string): Promise<ReadonlyMap<string, BookTicketActionRow>> {
  return book.store.read(async ({ q }) => {
    const rows = await q.selectFrom('book_ticket_actions').selectAll().where('plan_id', '=', planId).execute()
    return new Map(rows.map((row) => [row.key, row]))
  })
}

/** An action to send, and the values it changes. */
export interface PendingAction {
  readonly key: string
  readonly ticketId: string
  readonly action: TriageAction
  readonly before: unknown
}

/** Marks actions as sent: until their outcome is known, they may have been carried out. */
export function recordActions(book: Book, planId: string, begun: readonly PendingAction[]): Promise<void> {
  return book.store.write(async ({ q, now }) => {
    for (const { key, ticketId, action, before } of begun) {
      const row = {
        key,
        plan_id: planId,
        ticket_id: ticketId,
        action: JSON.stringify(action),
        before: before === undefined ? null : JSON.stringify(before),
        state: 'sent' as const,
        reason: null,
        changed_at: now,
      }
      await q
        .insertInto('book_ticket_actions')
        .values(row)
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ state: 'sent', reason: null, changed_at: now }))
        .execute()
    }
  })
}

/** Stores the outcomes; `unsent` if nothing can have arrived. */
export function settleActions(
  book: Book,
  keys: readonly string[],
  state: 'done' | 'undone' | 'refused' | 'unsent',
  reason: string | null = null,
): Promise<void> {
  return book.store.write(async ({ q, now }) => {
    if (keys.length === 0) return
    if (state === 'unsent') await q.deleteFrom('book_ticket_actions').where('key', 'in', keys).execute()
    else
      await q
        .updateTable('book_ticket_actions')
        .set({ state, reason, changed_at: now })
        .where('key', 'in', keys)
        .execute()
  })
}

function planRow({ q }: Reader, planId: string): Promise<BookTicketPlanRow | undefined> {
  return q.selectFrom('book_ticket_plans').selectAll().where('id', '=', planId).executeTakeFirst()
}

function toStoredBulk(row: BookTicketPlanRow | undefined): StoredBulk | undefined {
  return row && { bulk: bulkIn(row), row }
}

/** Parses the content, which only `storeBulkAction` writes. */
const bulkIn = ({ plan }: BookTicketPlanRow): BulkAction => JSON.parse(plan)
