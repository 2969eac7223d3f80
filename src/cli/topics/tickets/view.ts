import { priorityNames } from '../../../domain/tickets/priority.ts'
import { maybeMoment } from '../../../kit/moment.ts'
import type { FullTicket, RemoteTicket } from '../../../operator/tickets/parse.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import type { Column } from '../../terminal/table.ts'

/** Views of tickets: fields of the API, null for those that an instance does not return. */

export function ticketRow(ticket: RemoteTicket) {
  return {
    ticketId: ticket.ticketId,
    ticketNumber: ticket.ticketNumber === 0 ? null : ticket.ticketNumber,
    title: ticket.title,
    description: ticket.description,
    status: ticket.status,
    statusCategory: ticket.statusCategory,
    allowedTransitions: ticket.allowedTransitions,
    priority: ticket.priority,
    formCode: ticket.formCode,
    customerAccount: ticket.customerAccount,
    customerDisplayName: ticket.customerDisplayName,
    customerLanguage: ticket.customerLanguage,
    roomId: ticket.roomId,
    assignee:
      ticket.assigneeId === null
        ? null
        : { agentId: ticket.assigneeId, displayName: ticket.assigneeName ?? ticket.assigneeId },
    fieldValues: ticket.fieldValues,
    commentCount: ticket.commentCount,
    lastPublicAuthorType: ticket.lastPublicAuthorType,
    snoozedUntil: maybeMoment(ticket.snoozedUntil),
    reopenCount: ticket.reopenCount,
    version: ticket.version,
    createdAt: maybeMoment(ticket.createdAt),
    updatedAt: maybeMoment(ticket.updatedAt),
    firstResponseAt: maybeMoment(ticket.firstResponseAt),
  }
}

export function wholeTicketRow(ticket: FullTicket) {
  return { ...ticketRow(ticket), comments: ticket.comments, history: ticket.history }
}

/** Returns the schema fields of a row. */
export function ticketFields({ Type }: Shapes) {
  const text = Type.Union([Type.String(), Type.Null()])
  const count = Type.Union([Type.Integer(), Type.Null()])
  return {
    ticketId: Type.String(),
    ticketNumber: count,
    title: Type.String(),
    description: Type.String(),
    status: Type.String(),
    statusCategory: text,
    allowedTransitions: Type.Union([Type.Array(Type.String()), Type.Null()]),
    priority: Type.Integer(),
    formCode: text,
    customerAccount: text,
    customerDisplayName: text,
    customerLanguage: text,
    roomId: text,
    assignee: Type.Union([Type.Object({ agentId: Type.String(), displayName: Type.String() }), Type.Null()]),
    fieldValues: Type.Array(Type.Object({ fieldCode: Type.String(), value: Type.Unknown() })),
    commentCount: count,
    lastPublicAuthorType: text,
    snoozedUntil: text,
    reopenCount: Type.Integer(),
    version: count,
    createdAt: text,
    updatedAt: text,
    firstResponseAt: text,
  }
}

export function wholeTicketFields(shapes: Shapes) {
  const { Type } = shapes
  const text = Type.Union([Type.String(), Type.Null()])
  const comment = Type.Object({
    commentId: text,
    content: Type.String(),
    visibility: text,
    authorType: text,
    authorDisplayName: text,
    clientCommentId: text,
    createdAt: text,
  })
  const change = Type.Object({ at: text, kind: Type.String(), actorDisplayName: text, from: text, to: text })
  return {
    ...ticketFields(shapes),
    comments: Type.Union([Type.Array(comment), Type.Null()]),
    history: Type.Union([Type.Array(change), Type.Null()]),
  }
}

export const priorityName = (priority: unknown): string =>
  typeof priority === 'number' ? (priorityNames[priority - 1] ?? String(priority)) : ''

/** Warning if the list changed during every read. */
export const movedText = 'The list changed during every read, so tickets may be missing. Run the command again'

/** Columns of a list for people; --json has all fields. */
export const ticketColumns: readonly Column[] = [
  { key: 'ticketNumber', title: 'number', kind: 'count' },
  { key: 'status', tint: (status) => (status === 'open' ? 'yellow' : undefined) },
  {
    key: 'priority',
    show: priorityName,
    tint: (priority) => (priority === 4 ? 'red' : priority === 1 ? 'dim' : undefined),
  },
  { key: 'customerAccount', title: 'customer' },
  { key: 'title' },
  { key: 'updatedAt', title: 'updated (UTC)', whole: true, show: shortMoment },
]

/** Formats a time for a table, in UTC. */
export function shortMoment(at: unknown): string {
  return typeof at === 'string' ? at.slice(0, 16).replace('T', ' ') : ''
}

/** Returns the number of a ticket, or its ID. */
export function nameOfTicket({ ticketNumber, ticketId }: Pick<RemoteTicket, 'ticketNumber' | 'ticketId'>): string {
  return ticketNumber > 0 ? `#${ticketNumber}` : ticketId
}
