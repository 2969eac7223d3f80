import { actionText, type BulkAction, type TriageAction } from '../../../../domain/tickets/bulk-action.ts'
import type { UndoObstacle } from '../../../../domain/tickets/undo.ts'
import { realAmbient } from '../../../../kit/ambient.ts'
import { Problem } from '../../../../kit/problem.ts'
import { countText, partText } from '../../../../kit/text/count-text.ts'
import type { ItemResult } from '../../../../operator/tickets/apply-bulk-action.ts'
import { roomAnswersIn } from '../../../../operator/tickets/audit-log.ts'
import { planUndo, settledKeys, type TicketUndo, undoOutcome } from '../../../../operator/tickets/bulk/plan-undo.ts'
import {
  doneInSession,
  orderOfUndo,
  sessionsWithDone,
  settleActions,
  storeBulkAction,
} from '../../../../operator/tickets/bulk-journal.ts'
import type { CommandContext } from '../../../context/context.ts'
import { printable } from '../../../terminal/text.ts'
import { nameOfTicket, shortMoment } from '../view.ts'
import { applyBulk } from './apply-bulk.ts'
import { BookServices } from './book-services.ts'
import { agentNames } from './print-report.ts'

interface UndoFlags {
  readonly session?: string | undefined
  readonly apply?: boolean
  readonly actor?: string | undefined
  readonly wait?: string | undefined
}

const reasons: Readonly<Record<UndoObstacle | 'gone', string>> = {
  'a-comment-stays': 'comments cannot be undone',
  'changed-since': 'it changed in the meantime',
  'not-allowed': 'its workflow does not allow it',
  'not-here': 'the agent API is needed, and the profile has no agentToken',
  gone: 'the ticket no longer exists',
}

/** Maximum number of sessions in the list. */
const maxSessions = 20

/** Lists the sessions, previews the undo of one, or applies it. */
export async function undoSession(context: CommandContext, flags: UndoFlags) {
  const services = new BookServices(context)
  const { access, now } = await context.services.chat()
  const sessionId = flags.session?.toUpperCase()
  if (sessionId === undefined) return listSessions(services, access.target)
  if (flags.apply) await services.lockFor(sessionId, undefined, flags.wait)
  const undos = await findUndos(services, access.target, sessionId)
  const items = undos.map(({ item }) => item).filter(({ actions }) => actions.length > 0)
  const bulk: BulkAction = { planId: realAmbient().id(), madeAt: await now(), items }
  const isApplied = flags.apply === true
  if (isApplied && items.length > 0)
    await storeBulkAction(await services.book(), bulk, {
      kind: 'bulk',
      target: access.target,
      order: orderOfUndo(sessionId),
    })
  const results = isApplied ? await applyBulk(services, bulk, { actor: flags.actor, isUndo: true }) : []
  const byTicket = new Map(results.map((result) => [result.item.ticketId, result]))
  const outcomes = undos.map((undo) => ({ undo, result: byTicket.get(undo.item.ticketId) }))
  if (isApplied)
    await settleActions(
      await services.book(),
      outcomes.flatMap(({ undo, result }) => settledKeys(undo, undoOutcome(undo, result, true))),
      'undone',
    )
  const rows = outcomes.map(({ undo, result }) => undoRow(undo, result, isApplied))
  const file = services.auditOf(sessionId)
  const roomAnswers = file === null ? [] : roomAnswersIn(file)
  await printUndo(services, rows, isApplied)
  for (const { ticketId, ticketNumber, roomId, content } of roomAnswers)
    context.footnote(
      `Cannot undo the message in room ${roomId} about ${nameOfTicket({ ticketId, ticketNumber: ticketNumber ?? 0 })}: ${printable(content.replace(/\s+/g, ' '))}`,
    )
  return {
    sessions: [],
    sessionId,
    applied: isApplied,
    audit: isApplied ? services.auditOf(bulk.planId) : null,
    items: rows,
    roomAnswers,
  }
}

async function listSessions(services: BookServices, target: string) {
  const { context } = services
  const sessions = (await sessionsWithDone(await services.book(), target, maxSessions)).map((session) => ({
    sessionId: session.sessionId,
    kind: session.kind,
    madeAt: new Date(session.madeAt).toISOString(),
    tickets: session.tickets,
    done: session.done,
  }))
  context.table(
    sessions,
    [
      { key: 'sessionId', title: 'session', whole: true },
      'kind',
      { key: 'madeAt', title: 'created', whole: true, show: shortMoment },
      { key: 'tickets', kind: 'count' },
      { key: 'done', title: 'changes', kind: 'count' },
    ],
    'No sessions to undo.',
  )
  return { sessions, sessionId: null, applied: false, audit: null, items: [], roomAnswers: [] }
}

/** Returns the changes that can be undone, by the current state of the tickets. */
async function findUndos(services: BookServices, target: string, sessionId: string): Promise<TicketUndo[]> {
  const done = await doneInSession(await services.book(), target, sessionId)
  if (done.length === 0)
    throw new Problem(
      'PLAN_NOT_FOUND',
      `The book has no session ${sessionId} with changes in effect. To list the sessions: countroom tickets undo`,
      { sessionId },
    )
  const ticketsApi = await services.tickets()
  const count = new Set(done.map((row) => row.ticket_id)).size
  const progress = services.context.progress('Reading tickets', count)
  const undos = await planUndo(ticketsApi, done, (read) => progress.update(read))
  progress.end(countText(undos.length, 'ticket'))
  return undos
}

type UndoRow = ReturnType<typeof undoRow>

function undoRow(undo: TicketUndo, result: ItemResult | undefined, isApplied: boolean) {
  const { ticketId, ticketNumber, status, actions } = undo.item
  return {
    ticketId,
    ticketNumber: ticketNumber === 0 ? null : ticketNumber,
    status: status === '' ? null : status,
    actions: [...actions],
    stays: undo.stays.map(({ action, reason }) => ({ action, why: reasons[reason] })),
    outcome: undoOutcome(undo, result, isApplied),
    message: result?.message ?? null,
  }
}

async function printUndo(services: BookServices, rows: readonly UndoRow[], isApplied: boolean): Promise<void> {
  const { context } = services
  const actions = rows.flatMap((row): TriageAction[] => [...row.actions, ...row.stays.map(({ action }) => action)])
  const names = await agentNames(services, actions)
  context.table(
    rows.map((row) => ({
      no: nameOfTicket({ ticketId: row.ticketId, ticketNumber: row.ticketNumber ?? 0 }),
      change: row.actions.map((action) => actionText(action, row.status ?? '', names)).join('; '),
      stays: row.stays.map(({ action, why }) => `${actionText(action, '…', names)} (${why})`).join('; '),
      outcome: row.outcome,
      message: row.message,
    })),
    [
      { key: 'no', whole: true },
      { key: 'change', title: 'restored' },
      ...(rows.some(({ stays }) => stays.length > 0) ? [{ key: 'stays' }] : []),
      ...(isApplied ? [{ key: 'outcome' }, { key: 'message', title: 'why' }] : []),
    ],
  )
  const many = rows.filter(({ actions }) => actions.length > 0).length
  if (!isApplied)
    context.footnote(
      `${partText(many, rows.length, 'ticket')} would be restored; nothing was written. To restore them, add --apply`,
    )
}
