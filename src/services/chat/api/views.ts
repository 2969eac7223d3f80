import type {
  ChatCommentRow,
  ChatFormRow,
  ChatHistoryRow,
  ChatMessageRow,
  ChatRoomRow,
  ChatTicketRow,
} from '../../../db/schema/chat.ts'
import type { FormDefinition } from '../../../domain/tickets/form.ts'
import { allowedTransitions, statusCategories, statusNamed } from '../../../domain/tickets/workflow.ts'
import { projector } from '../../../http/contract/project.ts'
import { maybeMoment, momentText } from '../../../kit/moment.ts'
import type { RoomState } from '../rooms/room-changes.ts'
import type { Attachment, Comment, CustomerRoom, Form, HistoryEntry, Message, Room, Ticket } from './schemas.ts'
import { Ticket as TicketShape } from './schemas.ts'

export function toAssignee(id: string | null, names: ReadonlyMap<string, string>) {
  return id === null ? null : { agentId: id, displayName: names.get(id) ?? id }
}

export function toMessage(row: ChatMessageRow, attachments: readonly Attachment[] = []): Message {
  return {
    messageId: row.id,
    roomId: row.room_id,
    seq: row.seq,
    senderType: row.sender_type,
    senderId: row.sender_id,
    senderDisplayName: row.sender_name,
    messageType: row.message_type,
    text: row.text,
    attachments: [...attachments],
    clientMessageId: row.client_message_id,
    ...(row.event_kind === null ? {} : { eventKind: row.event_kind }),
    ...(row.ticket_id === null ? {} : { ticketId: row.ticket_id }),
    createdAt: momentText(row.created_at),
  }
}

/** Returns the changing part of a room, as shown to its customer. */
export function toRoomState(state: RoomState, names: ReadonlyMap<string, string>) {
  return {
    status: state.status,
    assignee: toAssignee(state.assignee_id, names),
    customerDisplayName: state.customer_display_name,
    customerLanguage: state.customer_language,
    // Events stored before email addresses existed have none.
    customerEmail: state.customer_email ?? null,
    updatedAt: momentText(state.updated_at),
    closedAt: maybeMoment(state.closed_at),
    lastMessageAt: maybeMoment(state.last_message_at),
    lastMessagePreview: state.last_message_preview,
    lastSeq: state.last_seq,
    messageCount: state.last_seq,
    customerReadSeq: state.customer_read_seq,
    agentReadSeq: state.agent_read_seq,
    customerUnreadCount: state.customer_unread,
    rating: ratingOf(state),
    rateable: isRateable(state),
  }
}

/** Returns whether the customer may rate the conversation that ended last: once, until it is reopened. */
export function isRateable({ status, closed_seq, rated_seq }: RoomState): boolean {
  return status === 'closed' && (closed_seq ?? null) !== null && closed_seq !== rated_seq
}

/** Returns the latest rating. Events stored before there were ratings have none. */
function ratingOf({ rating, rating_comment: comment, rated_at: at }: RoomState) {
  return rating && at ? { score: rating, comment: comment ?? null, ratedAt: momentText(at) } : null
}

export function toCustomerRoom(row: ChatRoomRow, names: ReadonlyMap<string, string>): CustomerRoom {
  return {
    roomId: row.id,
    customerAccount: row.customer_account,
    channel: row.channel,
    inboxCategoryCode: row.inbox,
    createdAt: momentText(row.created_at),
    ...toRoomState(row, names),
  }
}

export function toRoom(row: ChatRoomRow, names: ReadonlyMap<string, string>): Room {
  return {
    ...toCustomerRoom(row, names),
    agentUnreadCount: row.agent_unread,
    waitingSince: maybeMoment(row.waiting_since),
  }
}

export function toTicket(
  row: ChatTicketRow,
  form: FormDefinition | undefined,
  names: ReadonlyMap<string, string>,
): Ticket {
  return {
    ticketId: row.id,
    ticketNumber: row.number,
    formCode: row.form_code,
    formVersion: row.form_version,
    title: row.title,
    description: row.description,
    status: row.status,
    statusLabel: (form && statusNamed(form.workflow, row.status)?.label) ?? row.status,
    // A broken form may have stored an unknown category.
    statusCategory: statusCategories.find((each) => each === row.status_category) ?? 'open',
    allowedTransitions: form ? allowedTransitions(form.workflow, row.status) : [],
    priority: row.priority,
    customerAccount: row.customer_account,
    customerDisplayName: row.customer_display_name,
    customerLanguage: row.customer_language,
    roomId: row.room_id,
    assignee: toAssignee(row.assignee_id, names),
    fieldValues: fieldValuesOf(row),
    commentCount: row.comment_count,
    publicCommentCount: row.public_comment_count,
    lastCommentAt: maybeMoment(row.last_comment_at),
    lastPublicAuthorType: row.last_public_author,
    snoozedUntil: maybeMoment(row.snoozed_until),
    version: row.version,
    createdAt: momentText(row.created_at),
    updatedAt: momentText(row.updated_at),
    firstResponseAt: maybeMoment(row.first_response_at),
    resolvedAt: maybeMoment(row.resolved_at),
    closedAt: maybeMoment(row.closed_at),
    reopenCount: row.reopen_count,
    ...(form ? {} : { formUnreadable: true }),
  }
}

/** Returns the field values of a ticket; invalid ones of a broken form are skipped. */
function fieldValuesOf({ field_values }: ChatTicketRow): Ticket['fieldValues'] {
  const values = projectFieldValues(JSON.parse(field_values))
  if (values.matches) return values.value as Ticket['fieldValues']
  const list: unknown = JSON.parse(field_values)
  return (Array.isArray(list) ? list : []).flatMap((each) => {
    const one = projectFieldValues([each])
    return one.matches ? (one.value as Ticket['fieldValues']) : []
  })
}
const projectFieldValues = projector(TicketShape.properties.fieldValues)

export function toComment(row: ChatCommentRow): Comment {
  return {
    commentId: row.id,
    ticketId: row.ticket_id,
    seq: row.seq,
    content: row.content,
    visibility: row.visibility,
    authorType: row.author_type,
    authorDisplayName: row.author_name,
    clientCommentId: row.client_comment_id,
    createdAt: momentText(row.created_at),
    notified: JSON.parse(row.notified),
  }
}

export function toHistoryEntry(row: ChatHistoryRow): HistoryEntry {
  return {
    historyId: row.id,
    at: momentText(row.at),
    kind: row.kind,
    actorType: row.actor_type,
    actorDisplayName: row.actor_name,
    from: row.from_value,
    to: row.to_value,
    commentId: row.comment_id,
    note: row.note,
  }
}

/** Returns a form with all optional parts filled in. */
export function toForm(row: ChatFormRow, definition: FormDefinition): Form {
  const { workflow } = definition
  return {
    formCode: row.code,
    title: definition.title,
    description: definition.description,
    active: row.is_active === 1,
    version: row.version,
    fields: definition.fields.map((field) => ({
      fieldCode: field.fieldCode,
      label: field.label,
      type: field.type,
      required: field.required,
      visibleToCustomer: field.visibleToCustomer,
      default: field.default === undefined || field.default === null ? null : copied(field.default),
      validation: {
        minLength: field.validation.minLength ?? null,
        maxLength: field.validation.maxLength ?? null,
        pattern: field.validation.pattern ?? null,
        min: field.validation.min ?? null,
        max: field.validation.max ?? null,
        maxSelections: field.validation.maxSelections ?? null,
      },
      options: field.options?.map(({ value, label, active }) => ({ value, label, active: active !== false })) ?? null,
      requiredOnStatus: [...field.requiredOnStatus],
    })),
    workflow: {
      initialStatus: workflow.initialStatus,
      statuses: workflow.statuses.map(({ code, label, category, active }) => ({
        code,
        label,
        category,
        active: active !== false,
      })),
      transitions:
        workflow.transitions?.map(({ from, to, requiresComment }) => ({
          from,
          to,
          requiresComment: requiresComment === true,
        })) ?? null,
    },
  }
}

function copied(value: string | number | boolean | readonly string[]): string | number | boolean | string[] {
  return typeof value === 'object' ? [...value] : value
}

/** Maximum offset: beyond the end of any list, and within a database integer. */
const farthest = 1_000_000_000_000_000

/** Returns the offset of a page, limited to a number that both engines accept. */
export function offsetOf(page: number, pageSize: number): number {
  return Math.min((page - 1) * pageSize, farthest)
}

/** Returns a page of a list with its total count. */
export function toPage<T>(items: T[], { page, pageSize, total }: { page: number; pageSize: number; total: number }) {
  return {
    items,
    page,
    pageSize,
    total,
    totalPages: Math.ceil(total / pageSize),
    hasMore: page * pageSize < total,
  }
}
