import type { ChatTicketRow } from '../../../db/schema/chat.ts'
import type { Tx } from '../../../db/store.ts'
import { type FormDefinition, lackingFor } from '../../../domain/tickets/form.ts'
import { afterStep, type Milestones, stepStatus, validCodes } from '../../../domain/tickets/workflow.ts'
import { maybeMoment } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import type { StatusInput, Ticket } from '../api/schemas.ts'
import { commentOfClient, latestStatusChange, saveTicket } from '../queries/tickets.ts'
import type { Chat, ChatTenant } from '../service.ts'
import { longestNamed } from './list-tickets.ts'
import { type Actor, addComment, addTicketEvents, record } from './ticket-changes.ts'
import {
  changingTickets,
  checkVersion,
  commentOf,
  formOfTicket,
  hasRoom,
  invalidValues,
  repeated,
  shown,
  theTicket,
} from './tickets.ts'

/** Changes a ticket's status within its form's workflow, with an optional comment; both or neither. */
export function setStatus(app: Chat, tenant: ChatTenant, actor: Actor, key: string, input: StatusInput) {
  const by: Actor = { ...actor, name: input.actorDisplayName || actor.name }
  const newComment = input.comment && commentOf(input.comment)
  return changingTickets(app, hasRoom(tenant, key), async (tx, changes) => {
    const ticket = await theTicket(tx, tenant, key)
    const form = await formOfTicket(tx, ticket)
    const { step, ...transition } = stepStatus(form.workflow, ticket.status, input.status, newComment !== undefined)
    // Checked first: the response to an unknown code must list the valid ones, even with a stale version.
    if (step === 'unknown') throw invalidStatus(form, input.status)
    const clientCommentId = input.comment?.clientCommentId
    const earlier = clientCommentId === undefined ? undefined : await commentOfClient(tx, ticket.id, clientCommentId)
    if (earlier && newComment) repeated(earlier, newComment)
    // The comment exists, so the request is a repeat: it must not revert later changes.
    if (earlier) return { ...(await shown(tx, ticket)), changed: false, previousStatus: ticket.status }
    checkVersion(ticket, input.expectedVersion)
    const previousStatus = ticket.status
    if (step === 'forbidden' || step === 'needs-comment') throw notAllowed(await shown(tx, ticket), input.status, step)
    const target = 'to' in transition ? transition.to : undefined
    const milestones: Milestones = {
      resolvedAt: ticket.resolved_at,
      closedAt: ticket.closed_at,
      reopenCount: ticket.reopen_count,
    }
    let isUndone = false
    if (target) {
      const lacking = lackingFor(form, JSON.parse(ticket.field_values), target.code)
      if (lacking.length > 0) throw invalidValues(lacking.map((field) => ({ field, code: 'required' })))
      const restoredMilestones = input.undo ? await restorableMilestones(tx, ticket, by, target.code) : undefined
      isUndone = restoredMilestones !== undefined
      const after = restoredMilestones ?? afterStep(milestones, ticket.status_category, target.category, tx.now)
      ticket.status = target.code
      ticket.status_category = target.category
      ticket.resolved_at = after.resolvedAt
      ticket.closed_at = after.closedAt
      ticket.reopen_count = after.reopenCount
    }
    // A status change ends the snooze.
    const unsnoozedFrom = target ? ticket.snoozed_until : null
    if (target) ticket.snoozed_until = null
    if (target || newComment) {
      ticket.version += 1
      ticket.updated_at = tx.now
      if (target)
        await record(app, tx, ticket, by, {
          kind: 'statusChanged',
          from: previousStatus,
          to: target.code,
          stateBefore: JSON.stringify(milestones),
          ...(isUndone ? { note: 'undone' } : {}),
        })
      if (unsnoozedFrom !== null)
        await record(app, tx, ticket, by, { kind: 'snoozed', from: maybeMoment(unsnoozedFrom), to: null })
      if (newComment)
        await addComment(app, tx, ticket, by, { ...newComment, clientCommentId: clientCommentId ?? null }, changes)
      await saveTicket(tx, ticket)
      await addTicketEvents(app, tx, ticket, changes)
    }
    return { ...(await shown(tx, ticket)), changed: target !== undefined, previousStatus }
  })
}

/**
 * Returns the milestones from before the latest status change, if the same actor made it and the ticket returns to its
 * previous status. Undefined otherwise.
 */
async function restorableMilestones(
  tx: Tx,
  ticket: ChatTicketRow,
  by: Actor,
  status: string,
): Promise<Milestones | undefined> {
  const latest = await latestStatusChange(tx, ticket.id)
  const isOwn = latest?.actor_type === by.type && latest.actor_name === by.name
  if (!latest || !isOwn || latest.from_value !== status || latest.to_value !== ticket.status) return undefined
  return latest.state_before === null ? undefined : JSON.parse(latest.state_before)
}

function invalidStatus({ workflow }: FormDefinition, status: string) {
  const codes = validCodes(workflow)
  const named = status.length > longestNamed ? `${status.slice(0, longestNamed).toWellFormed()}…` : status
  return refuse('INVALID_STATUS', `unknown status "${named}"; valid codes: ${codes.join(', ')}`, {
    details: [{ field: 'status', code: 'not_in_workflow', validCodes: codes }],
  })
}

function notAllowed({ status, allowedTransitions }: Ticket, to: string, cause: 'forbidden' | 'needs-comment') {
  const reason =
    cause === 'forbidden'
      ? `The status ${status} cannot change to ${to}; allowed: ${allowedTransitions.join(', ') || 'none'}`
      : `The change from ${status} to ${to} requires a comment`
  return refuse('TRANSITION_NOT_ALLOWED', reason, {
    details: [
      {
        field: 'status',
        code: cause === 'forbidden' ? 'forbidden' : 'comment_required',
        from: status,
        allowedTransitions,
      },
    ],
  })
}
