import type { ChatCommentRow, ChatMessageRow, ChatRoomRow, ChatTicketRow } from '../../../db/schema/chat.ts'
import type { Tx } from '../../../db/store.ts'
import { type FieldValue, type FormDefinition, lackingFor } from '../../../domain/tickets/form.ts'
import { afterStep, isDone, stepStatus, type WorkflowStatus } from '../../../domain/tickets/workflow.ts'
import { maybeMoment } from '../../../kit/moment.ts'
import { saveTicket, unfinishedTickets } from '../queries/tickets.ts'
import type { Changed, Chat } from '../service.ts'
import { formsOf } from './forms.ts'
import { type Actor, addComment, addTicketEvents, record } from './ticket-changes.ts'

/**
 * Adds a customer's message to a ticket of the room as a public comment. The ticket is the newest one that waits for
 * the customer, else the newest unfinished one. A waiting ticket moves to an open status, and its snooze ends.
 */
export async function answerTicket(
  app: Chat,
  tx: Tx,
  room: ChatRoomRow,
  message: Pick<ChatMessageRow, 'text'> & { readonly preview?: string | undefined },
  changes: Changed[],
): Promise<void> {
  const tickets = await unfinishedTickets(tx, room)
  const ticket = tickets.find((each) => each.status_category === 'waiting') ?? tickets[0]
  if (!ticket) return
  const name = room.customer_display_name || room.customer_account
  const content = message.text || (message.preview ?? '')
  await addAnswer(app, tx, ticket, name, { content, clientCommentId: null }, changes)
  await saveTicket(tx, ticket)
  await addTicketEvents(app, tx, ticket, changes)
}

/**
 * Adds a customer's reply to their ticket, which the caller saves. A waiting ticket leaves its status; its snooze ends.
 */
export async function addAnswer(
  app: Chat,
  tx: Tx,
  ticket: ChatTicketRow,
  name: string,
  comment: { readonly content: string; readonly clientCommentId: string | null },
  changes: Changed[],
): Promise<ChatCommentRow> {
  const customer: Actor = { type: 'customer', name }
  ticket.version += 1
  ticket.updated_at = tx.now
  const row = await addComment(app, tx, ticket, customer, { ...comment, visibility: 'public' }, changes)
  const form = (await formsOf(tx, ticket.tenant, [ticket]))(ticket)
  if (ticket.status_category === 'waiting' && form) await endWaiting(app, tx, ticket, form, customer)
  if (ticket.snoozed_until !== null) {
    await record(app, tx, ticket, customer, { kind: 'snoozed', from: maybeMoment(ticket.snoozed_until), to: null })
    ticket.snoozed_until = null
  }
  return row
}

async function endWaiting(app: Chat, tx: Tx, ticket: ChatTicketRow, form: FormDefinition, customer: Actor) {
  const next = statusAfterWaiting(form, ticket)
  if (!next) return
  const before = { resolvedAt: ticket.resolved_at, closedAt: ticket.closed_at, reopenCount: ticket.reopen_count }
  const { resolvedAt, closedAt, reopenCount } = afterStep(before, ticket.status_category, next.category, tx.now)
  await record(app, tx, ticket, customer, {
    kind: 'statusChanged',
    from: ticket.status,
    to: next.code,
    stateBefore: JSON.stringify(before),
  })
  ticket.status = next.code
  ticket.status_category = next.category
  ticket.resolved_at = resolvedAt
  ticket.closed_at = closedAt
  ticket.reopen_count = reopenCount
}

/**
 * Returns the first open status of the form, else the first new one, that the workflow allows without missing required
 * fields.
 */
function statusAfterWaiting(form: FormDefinition, ticket: ChatTicketRow): WorkflowStatus | undefined {
  const values: FieldValue[] = JSON.parse(ticket.field_values)
  const allowed = form.workflow.statuses.filter(
    ({ code, category }) =>
      !isDone(category) &&
      stepStatus(form.workflow, ticket.status, code, true).step === 'allowed' &&
      lackingFor(form, values, code).length === 0,
  )
  return allowed.find(({ category }) => category === 'open') ?? allowed.find(({ category }) => category === 'new')
}
