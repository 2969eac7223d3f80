import { type Static, type TSchema, Type } from 'typebox'
import { fieldTypes, longestText } from '../../../domain/tickets/form.ts'
import { statusCategories } from '../../../domain/tickets/workflow.ts'
import { Moment, Nullable, OneOf, OpenObject, Whole } from '../../../http/contract/shared-schemas.ts'
import { channelKinds } from './social-channels.ts'

/** Schemas of 3-chat-api, and of the parts it leaves open (our own decisions). */

/** A single line of text without control characters. */
export function Line(minLength: number, maxLength: number) {
  return Type.String({ minLength, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' })
}

/** Text of several lines; only NUL is not allowed. */
export function Text(minLength: number, maxLength: number, options: { 'x-replaces-surrogates'?: true } = {}) {
  return Type.String({ minLength, maxLength, pattern: '^[^\\u0000]*$', ...options })
}

export const RoomId = Type.String({ pattern: '^room_[0-9A-Z]{26}$', examples: ['room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6'] })
export const TicketKey = Type.String({
  pattern: '^(tkt_[0-9A-Z]{26}|[0-9]{1,12})$',
  description: 'Id or number of a ticket.',
  examples: ['12', 'tkt_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6'],
})
export const CustomerAccount = Line(1, 128)
export const DisplayName = Line(0, 100)
export const LanguageTag = Type.String({
  maxLength: 64,
  pattern: '^[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*$',
  description: 'A language tag. `zh_TW` is stored as `zh-TW`.',
  examples: ['zh-TW'],
})
/** An email address; empty is the same as absent. */
export const CustomerEmail = Type.String({
  maxLength: 254,
  pattern:
    '^([^\\s@\\u0000-\\u001f\\u007f-\\u009f]{1,64}@[^\\s@.\\u0000-\\u001f\\u007f-\\u009f]+([.][^\\s@.\\u0000-\\u001f\\u007f-\\u009f]+)+)?$',
  examples: ['ann@shop.example'],
})
export const ClientId = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}$' })
export const InboxCode = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })
export const MessageText = Type.String({
  description: '1 to 4,000 characters after trimming. Unpaired surrogates are replaced.',
  'x-replaces-surrogates': true,
})
export const FormCode = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' })
export const StatusCode = Line(1, 64)
export const priorities = { lowest: 1, highest: 4 } as const
export const Priority = Type.Integer({
  minimum: priorities.lowest,
  maximum: priorities.highest,
  description: '1 low, 2 normal, 3 high, 4 urgent.',
})
/** A page number; pages past the end are empty. */
export const PageNumber = Whole(1, undefined, { default: 1 })

/** Returns the schema of a page of a list with the total count. */
export function Page<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    page: Type.Integer(),
    pageSize: Type.Integer(),
    total: Type.Integer(),
    totalPages: Type.Integer(),
    hasMore: Type.Boolean(),
  })
}

const senderTypes = ['customer', 'agent', 'bot', 'system'] as const
const MaybeText = Nullable(Type.String())
const MaybeMoment = Nullable(Moment)
/** A time in a request, with any zone and precision. Times in responses are always a `Moment`. */
const SentMoment = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})$',
  format: 'date-time',
  examples: ['2026-03-01T08:30:00Z'],
})

export const Attachment = Type.Object({
  mediaId: Type.String(),
  fileName: Type.String(),
  contentType: Type.String(),
  sizeBytes: Type.Integer(),
  sha256: Type.String(),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  downloadUrl: Type.String(),
  downloadUrlExpiresAt: Moment,
})

const message = {
  messageId: Type.String(),
  roomId: Type.String(),
  seq: Type.Integer({ description: 'Number of the message in the room: 1, 2, 3 … without gaps.' }),
  senderType: OneOf(senderTypes),
  senderId: MaybeText,
  senderDisplayName: MaybeText,
  messageType: OneOf(['text', 'media', 'event']),
  text: Type.String(),
  attachments: Type.Array(Attachment),
  clientMessageId: MaybeText,
  eventKind: Type.Optional(Type.String()),
  ticketId: Type.Optional(Type.String()),
  createdAt: Moment,
}
export const Message = Type.Object(message)
export const SentMessage = Type.Object({
  ...message,
  duplicate: Type.Boolean({ description: 'True if the message already existed.' }),
})

export const Assignee = Nullable(Type.Object({ agentId: Type.String(), displayName: Type.String() }))

export const Rating = Type.Object({
  score: Type.Integer({ description: '1 to 5.' }),
  comment: MaybeText,
  ratedAt: Moment,
})

/** The changing part of a room; every `room.updated` contains all of it. */
const roomState = {
  status: OneOf(['open', 'closed']),
  assignee: Assignee,
  customerDisplayName: MaybeText,
  customerLanguage: MaybeText,
  customerEmail: MaybeText,
  updatedAt: Moment,
  closedAt: MaybeMoment,
  lastMessageAt: MaybeMoment,
  lastMessagePreview: MaybeText,
  lastSeq: Type.Integer(),
  messageCount: Type.Integer(),
  customerReadSeq: Type.Integer(),
  agentReadSeq: Type.Integer(),
  customerUnreadCount: Type.Integer(),
}
/** Ratings, which the document's room does not have: for the widget and the agents only. */
const ratingState = {
  rating: Type.Optional(Nullable(Rating)),
  rateable: Type.Optional(
    Type.Boolean({ description: 'True if the customer may rate the conversation that ended last.' }),
  ),
}
const customerRoom = {
  roomId: Type.String(),
  customerAccount: Type.String(),
  channel: Type.String(),
  inboxCategoryCode: Type.String(),
  createdAt: Moment,
  ...roomState,
}
/** A room as shown to its customer. */
export const CustomerRoom = Type.Object({ ...customerRoom, ...ratingState })
const room = { ...customerRoom, agentUnreadCount: Type.Integer() }
/** A room as shown to the merchant. `waitingSince` is the time since which the customer has had no reply. */
export const Room = Type.Object({ ...room, ...ratingState, waitingSince: MaybeMoment })

const opening = {
  created: Type.Boolean(),
  initialMessage: Nullable(Message),
  roomToken: Type.String({ description: 'Authorizes requests for this room only, in the media flow and the widget.' }),
  roomTokenExpiresAt: Moment,
}
export const OpenedRoom = Type.Object({ ...room, ...opening })
export const OpenedCustomerRoom = Type.Object({ ...customerRoom, ...ratingState, ...opening })

export const RoomInput = Type.Object({
  customerAccount: CustomerAccount,
  customerDisplayName: Type.Optional(DisplayName),
  channel: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}$' })),
  customerLanguage: Type.Optional(LanguageTag),
  customerEmail: Type.Optional(CustomerEmail),
  inboxCategoryCode: Type.Optional(InboxCode),
  initialMessage: Type.Optional(MessageText),
})

export const CustomerMessageInput = Type.Object({ text: MessageText, clientMessageId: Type.Optional(ClientId) })

export const MessagePage = Type.Object({
  ...Page(Message).properties,
  lastSeq: Type.Integer({ description: 'Number of the latest message in the room.' }),
})

// ── Tickets ──

export const FieldContent = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())])
const FieldValue = Type.Object({ fieldCode: Type.String(), value: FieldContent })
/** Values are validated by the form, so any value may be sent. */
export const SentFieldValue = Type.Object({ fieldCode: Line(1, 64), value: Type.Unknown() })

const ticket = {
  ticketId: Type.String(),
  ticketNumber: Type.Integer(),
  formCode: Type.String(),
  formVersion: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  status: Type.String(),
  statusLabel: Type.String(),
  statusCategory: OneOf(statusCategories),
  allowedTransitions: Type.Array(Type.String()),
  priority: Type.Integer(),
  customerAccount: MaybeText,
  customerDisplayName: MaybeText,
  customerLanguage: MaybeText,
  roomId: MaybeText,
  assignee: Assignee,
  fieldValues: Type.Array(FieldValue),
  commentCount: Type.Integer(),
  publicCommentCount: Type.Integer(),
  lastCommentAt: MaybeMoment,
  lastPublicAuthorType: Nullable(OneOf(['customer', 'agent'])),
  snoozedUntil: MaybeMoment,
  version: Type.Integer({ description: 'Increases with every change.' }),
  createdAt: Moment,
  updatedAt: Moment,
  firstResponseAt: MaybeMoment,
  resolvedAt: MaybeMoment,
  closedAt: MaybeMoment,
  reopenCount: Type.Integer(),
  formUnreadable: Type.Optional(
    Type.Boolean({
      description:
        'True when the stored form of the ticket is broken: labels and transitions are unknown until `console chat forms repair` is run.',
    }),
  ),
}
export const Ticket = Type.Object(ticket)

const Notification = Type.Object({
  channel: OneOf(['room', 'none']),
  roomId: Type.Optional(Type.String()),
  messageId: Type.Optional(Type.String()),
})
const comment = {
  commentId: Type.String(),
  ticketId: Type.String(),
  seq: Type.Integer(),
  content: Type.String(),
  visibility: OneOf(['internal', 'public']),
  authorType: OneOf(['customer', 'agent']),
  authorDisplayName: Type.String(),
  clientCommentId: MaybeText,
  createdAt: Moment,
  notified: Type.Array(Notification),
}
export const Comment = Type.Object(comment)
export const SentComment = Type.Object({ ...comment, ticketVersion: Type.Integer(), duplicate: Type.Boolean() })

export const HistoryEntry = Type.Object({
  historyId: Type.String(),
  at: Moment,
  kind: Type.String(),
  actorType: OneOf(['customer', 'agent', 'api', 'system']),
  actorDisplayName: Type.String(),
  from: MaybeText,
  to: MaybeText,
  commentId: MaybeText,
  note: MaybeText,
})
export const WholeTicket = Type.Object({
  ...ticket,
  comments: Type.Array(Comment),
  commentsTruncated: Type.Boolean(),
  history: Type.Array(HistoryEntry),
  historyTruncated: Type.Boolean(),
})

export const TicketInput = Type.Object({
  formCode: Type.Optional(FormCode),
  title: Line(1, 200),
  description: Type.Optional(Text(0, 20_000)),
  customerAccount: Type.Optional(CustomerAccount),
  customerDisplayName: Type.Optional(DisplayName),
  customerLanguage: Type.Optional(LanguageTag),
  priority: Type.Optional(Priority),
  fieldValues: Type.Optional(Type.Array(SentFieldValue, { maxItems: 200 })),
})

export const ticketSorts = ['-updatedAt', 'updatedAt', 'createdAt', '-createdAt', '-priority'] as const
export const TicketQuery = Type.Object({
  page: Type.Optional(PageNumber),
  pageSize: Type.Optional(Whole(1, 100, { default: 20 })),
  // Values that no ticket can have are not refused: they match no ticket.
  status: Type.Optional(Type.String()),
  keyword: Type.Optional(Text(1, 200)),
  formCode: Type.Optional(Type.String()),
  customerAccount: Type.Optional(Type.String()),
  statusCategory: Type.Optional(Type.String()),
  priority: Type.Optional(Type.Integer({ description: 'A value that no ticket can have matches none.' })),
  updatedSince: Type.Optional(SentMoment),
  sort: Type.Optional(OneOf(ticketSorts)),
})

/** Never coerced: a null sent as visibility must not become `internal`. */
export const Visibility = OneOf(['internal', 'public'], { 'x-refuses-null': true })
const CommentContent = Text(1, 20_000, { 'x-replaces-surrogates': true })
export const CommentInput = Type.Object({
  content: CommentContent,
  visibility: Type.Optional(Visibility),
  authorDisplayName: Type.Optional(DisplayName),
  clientCommentId: Type.Optional(ClientId),
})
export const StatusInput = Type.Object({
  // Any text: a code that the workflow does not have is refused with the list of valid ones.
  status: Type.String(),
  actorDisplayName: Type.Optional(DisplayName),
  expectedVersion: Type.Optional(Type.Integer({ minimum: 1 })),
  undo: Type.Optional(
    Type.Boolean({
      description:
        'Undoes the latest status change, if the same actor made it: `reopenCount`, `resolvedAt` and `closedAt` get their previous values.',
    }),
  ),
  comment: Type.Optional(
    Type.Object({
      content: CommentContent,
      visibility: Type.Optional(Visibility),
      clientCommentId: Type.Optional(ClientId),
    }),
  ),
})
export const ChangedTicket = Type.Object({ ...ticket, changed: Type.Boolean(), previousStatus: Type.String() })
/** Assignee of a ticket: an agent's id, `me`, the agent as the ticket shows it, or null. */
const AgentNamed = Type.Union([Line(1, 64), Type.Object({ agentId: Line(1, 64) }), Type.Null()])
export const TicketChange = Type.Object({
  assignee: Type.Optional(AgentNamed),
  priority: Type.Optional(Priority),
  fieldValues: Type.Optional(Type.Array(SentFieldValue, { maxItems: 200 })),
  snoozedUntil: Type.Optional(Nullable(SentMoment)),
  expectedVersion: Type.Optional(Type.Integer({ minimum: 1 })),
})

const FieldLength = Nullable(Type.Integer({ minimum: 0, maximum: longestText }))
const DecimalBound = Nullable(Type.String({ maxLength: 40, description: 'A decimal number as a string.' }))
const validation = Type.Object({
  minLength: FieldLength,
  maxLength: FieldLength,
  pattern: Nullable(Type.String({ maxLength: 200 })),
  min: DecimalBound,
  max: DecimalBound,
  maxSelections: Nullable(Type.Integer({ minimum: 1, maximum: 500 })),
})
export const Form = Type.Object({
  formCode: FormCode,
  title: Line(0, 200),
  description: Text(0, 5_000),
  active: Type.Boolean(),
  version: Type.Integer(),
  fields: Type.Array(
    Type.Object({
      fieldCode: Line(1, 64),
      label: Line(1, 200),
      type: OneOf(fieldTypes),
      required: Type.Boolean(),
      visibleToCustomer: Type.Boolean(),
      default: Nullable(FieldContent),
      validation,
      options: Nullable(
        Type.Array(Type.Object({ value: Line(1, 200), label: Line(1, 200), active: Type.Boolean() }), {
          maxItems: 500,
        }),
      ),
      requiredOnStatus: Type.Array(StatusCode, { maxItems: 100 }),
    }),
    { maxItems: 200 },
  ),
  workflow: Type.Object({
    initialStatus: StatusCode,
    statuses: Type.Array(
      Type.Object({
        code: StatusCode,
        label: Line(1, 200),
        category: OneOf(statusCategories),
        active: Type.Boolean(),
      }),
      { minItems: 1, maxItems: 100 },
    ),
    transitions: Nullable(
      Type.Array(Type.Object({ from: StatusCode, to: StatusCode, requiresComment: Type.Boolean() }), {
        maxItems: 2_000,
      }),
    ),
  }),
})
export const UnreadableForm = Type.Object({ formCode: Type.String(), version: Type.Integer() })
export const FormList = Type.Object({
  items: Type.Array(Form),
  unreadable: Type.Array(UnreadableForm, {
    description: 'Forms whose stored definition is broken. Save them again in the console.',
  }),
})

// ── Widget ──

const TenantKey = Type.Optional(Type.String({ maxLength: 200 }))
export const TenantQuery = Type.Object({ tenantKey: TenantKey })
export const ConfigQuery = Type.Object({
  tenantKey: TenantKey,
  inboxCategoryCode: Type.Optional(InboxCode),
  language: Type.Optional(
    Type.String({ maxLength: 200, description: 'Language tag of the page. An unknown one gives English texts.' }),
  ),
})
export const WidgetMenuEntry = Type.Object({
  label: Type.String(),
  message: Type.Optional(Type.String({ description: 'Text that is sent for the customer; the label if absent.' })),
  url: Type.Optional(Type.String({ description: 'Page to open instead.' })),
})
export const SocialChannel = Type.Object({
  kind: OneOf(channelKinds),
  label: Line(1, 60),
  url: Type.String({ maxLength: 2_000 }),
})
export const WidgetConfig = Type.Object({
  primaryColor: Type.String(),
  theme: OneOf(['light', 'dark', 'auto']),
  launcherLabel: MaybeText,
  greeting: MaybeText,
  inboxCategoryCode: Type.String(),
  menu: Type.Array(WidgetMenuEntry, {
    description: 'Menu of the inbox category: texts to send or pages to open with one tap.',
  }),
  socialChannels: Type.Array(SocialChannel, {
    description: 'Other contact channels of the merchant, in display order.',
  }),
  languages: Type.Array(Type.String(), { description: 'Languages of the widget.' }),
  hours: Nullable(
    Type.Object({
      isOpen: Type.Boolean(),
      changesAt: Nullable(Moment),
    }),
  ),
  replyMinutes: Nullable(Type.Integer({ description: 'Usual time until a reply.' })),
  tickets: Type.Boolean({ description: 'True if identified customers may see their tickets.' }),
  faces: Type.Record(Type.String(), Type.String(), { description: "Paths of agents' pictures, by agent id." }),
  launcher: Type.Object(
    { chat: Type.String(), unread: Type.String(), away: Type.String() },
    { description: 'Texts of the launcher in the language of the request.' },
  ),
  pushMode: OneOf(['sse']),
  upload: Type.Object({
    maxFileBytes: Type.Integer(),
    maxOpenUploads: Type.Integer({ description: 'Per room at the same time.' }),
    maxBytesPerDay: Type.Integer({ description: 'Per room.' }),
    chunkSizeBytes: Type.Integer(),
    contentTypes: Type.Array(Type.String()),
  }),
})
export const Identity = Type.Object({
  customerAccount: CustomerAccount,
  issuedAt: Type.Integer({ description: 'Seconds since 1970.' }),
  signature: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export const WidgetRoomInput = Type.Object({
  tenantKey: TenantKey,
  customerAccount: Type.Optional(Type.Unknown()),
  customerDisplayName: Type.Optional(DisplayName),
  customerLanguage: Type.Optional(LanguageTag),
  customerEmail: Type.Optional(CustomerEmail),
  inboxCategoryCode: Type.Optional(InboxCode),
  pageUrl: Type.Optional(Text(0, 2_000)),
  identity: Type.Optional(Identity),
})
export const IdentityInput = Type.Object({
  tenantKey: TenantKey,
  identity: Identity,
  customerDisplayName: Type.Optional(DisplayName),
  customerLanguage: Type.Optional(LanguageTag),
  customerEmail: Type.Optional(CustomerEmail),
})
export const VerifiedIdentity = Type.Object({
  roomId: Nullable(Type.String({ description: 'The room of the account; null when it has none yet.' })),
  roomToken: Type.String({
    description:
      'The token of the room. Without a room, a token that `POST /rooms` accepts in `X-Chat-Room-Token` for 24 hours.',
  }),
  roomTokenExpiresAt: Moment,
})
export const WidgetMessageInput = Type.Object({ text: MessageText, clientMessageId: ClientId })
export const WindowQuery = Type.Object({
  tenantKey: TenantKey,
  beforeSeq: Type.Optional(Whole(1)),
  limit: Type.Optional(Whole(1, 100, { default: 50 })),
})
export const MessageWindow = Type.Object({
  items: Type.Array(Message),
  hasMoreBefore: Type.Boolean(),
  lastSeq: Type.Integer(),
  eventCursor: Type.String({ description: 'Cursor for a stream that continues after this response.' }),
})
export const PollQuery = Type.Object({
  tenantKey: TenantKey,
  after: Type.Optional(Type.String({ maxLength: 100, description: 'Cursor of the last event that was processed.' })),
  waitMs: Type.Optional(Whole(0, 25_000, { default: 25_000 })),
})
export const PolledEvents = Type.Object({
  events: Type.Array(Type.Object({ id: MaybeText, event: Type.String(), data: OpenObject })),
  eventCursor: Type.String(),
})
export const ReadInput = Type.Object({ seq: Whole(0) })
export const CustomerRead = Type.Object({ customerReadSeq: Type.Integer(), customerUnreadCount: Type.Integer() })
export const RatingInput = Type.Object({
  tenantKey: TenantKey,
  score: Type.Integer({ minimum: 1, maximum: 5 }),
  comment: Type.Optional(Text(0, 1_000, { 'x-replaces-surrogates': true })),
})
export const RatedRoom = Type.Object({ rating: Rating })
/** An address that mail is sent to: one address as HTML forms accept it, and no list. */
export const MailAddress = Type.String({
  maxLength: 254,
  pattern:
    "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?([.][A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$",
  examples: ['ann@shop.example'],
})
export const TranscriptInput = Type.Object({
  tenantKey: TenantKey,
  email: MailAddress,
  clientTranscriptId: ClientId,
})
export const MailedTranscript = Type.Object({ email: Type.String(), messages: Type.Integer() })
export const TypingInput = Type.Object({ tenantKey: TenantKey, typing: Type.Boolean() })
export const StreamTicket = Type.Object({ ticket: Type.String(), expiresAt: Moment })
export const RoomToken = Type.Object({ roomToken: Type.String(), roomTokenExpiresAt: Moment })

export const UploadId = Type.String({ pattern: '^upl_[0-9A-Z]{26}$', examples: ['upl_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6'] })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const upload = {
  fileName: Text(1, 1_000),
  contentType: Type.String({ maxLength: 200 }),
  sizeBytes: Whole(1),
  sha256: Type.Optional(Sha256),
  clientUploadId: ClientId,
}
export const UploadInput = Type.Object({ tenantKey: TenantKey, ...upload })
export const AgentUploadInput = Type.Object(upload)
export const Upload = Type.Object({
  uploadId: Type.String(),
  receivedBytes: Type.Integer({ description: 'Number of bytes saved so far: the offset of the next chunk.' }),
  sizeBytes: Type.Integer(),
  complete: Type.Boolean(),
  chunkSizeBytes: Type.Integer({ description: 'Recommended chunk size.' }),
  maxChunkBytes: Type.Integer(),
  expiresAt: Moment,
})
const completion = {
  clientMessageId: ClientId,
  text: Type.Optional(Type.String()),
  sha256: Type.Optional(Sha256),
}
export const CompleteInput = Type.Object({ tenantKey: TenantKey, ...completion })
export const AgentCompleteInput = Type.Object(completion)

// ── A customer's own tickets, in the widget ──

const ownTicket = {
  ticketId: Type.String(),
  ticketNumber: Type.Integer(),
  title: Type.String(),
  statusLabel: Type.String(),
  isDone: Type.Boolean({ description: 'True if the ticket takes no reply.' }),
  createdAt: Moment,
  updatedAt: Moment,
}
export const OwnTicketList = Type.Object({ items: Type.Array(Type.Object(ownTicket)), total: Type.Integer() })
export const OwnTicket = Type.Object({
  ...ownTicket,
  description: Type.String(),
  fields: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  comments: Type.Array(
    Type.Object({
      commentId: Type.String(),
      authorType: OneOf(['customer', 'agent']),
      authorDisplayName: Type.String(),
      content: Type.String(),
      createdAt: Moment,
    }),
  ),
})
export const OwnFormList = Type.Object({
  items: Type.Array(
    Type.Object({
      formCode: Type.String(),
      title: Type.String(),
      description: Type.String(),
      fields: Type.Array(
        Type.Object({
          fieldCode: Type.String(),
          label: Type.String(),
          type: OneOf(fieldTypes),
          required: Type.Boolean(),
          maxLength: Nullable(Type.Integer()),
          options: Type.Array(Type.Object({ value: Type.String(), label: Type.String() })),
        }),
      ),
    }),
  ),
})
export const OwnTicketInput = Type.Object({
  tenantKey: TenantKey,
  formCode: FormCode,
  title: Line(1, 200),
  description: Type.Optional(Text(0, 5_000, { 'x-replaces-surrogates': true })),
  fieldValues: Type.Optional(Type.Array(SentFieldValue, { maxItems: 200 })),
  clientTicketId: ClientId,
})
export const CreatedOwnTicket = Type.Object({ ticketId: Type.String(), ticketNumber: Type.Integer() })
export const OwnReplyInput = Type.Object({
  tenantKey: TenantKey,
  content: Text(1, 5_000, { 'x-replaces-surrogates': true }),
  clientCommentId: ClientId,
})
export const OwnReply = Type.Object({ commentId: Type.String(), duplicate: Type.Boolean() })

// ── Agents ──

export const AgentRoomQuery = Type.Object({
  status: Type.Optional(OneOf(['open', 'closed'])),
  assignee: Type.Optional(Type.String({ maxLength: 64, description: 'An agent id, `me` or `none`.' })),
  unread: Type.Optional(Type.Boolean()),
  inboxCategoryCode: Type.Optional(InboxCode),
  keyword: Type.Optional(Text(1, 128)),
  waitingSince: Type.Optional(
    Type.Unsafe<string>({
      ...SentMoment,
      description: 'Only rooms whose customer has been waiting since this time or longer.',
    }),
  ),
  page: Type.Optional(PageNumber),
  pageSize: Type.Optional(Whole(1, 100, { default: 20 })),
  sort: Type.Optional(OneOf(['waiting', '-updatedAt'])),
})
export const AgentMessageInput = Type.Object({
  text: MessageText,
  clientMessageId: ClientId,
  expectedLastSeq: Type.Optional(Whole(0)),
})
export const AssignInput = Type.Object({
  agentId: Nullable(Line(1, 64)),
  expectedAssignee: Type.Optional(Nullable(Type.String())),
})
export const AgentRead = Type.Object({ agentReadSeq: Type.Integer(), agentUnreadCount: Type.Integer() })
export const AgentStats = Type.Object({
  openRooms: Type.Integer(),
  waitingRooms: Type.Integer(),
  oldestWaitingSince: MaybeMoment,
  unreadMessages: Type.Integer(),
  openStreams: Type.Integer({ description: 'Stream connections of the tenant in the responding process.' }),
  ticketsByStatus: Type.Array(Type.Object({ status: Type.String(), count: Type.Integer() })),
})
export const Agent = Type.Object({ agentId: Type.String(), displayName: Type.String() })

export type Message = Static<typeof Message>
export type Attachment = Static<typeof Attachment>
export type Room = Static<typeof Room>
export type CustomerRoom = Static<typeof CustomerRoom>
export type RoomInput = Static<typeof RoomInput>
export type Ticket = Static<typeof Ticket>
export type Comment = Static<typeof Comment>
export type HistoryEntry = Static<typeof HistoryEntry>
export type TicketInput = Static<typeof TicketInput>
export type TicketQuery = Static<typeof TicketQuery>
export type CommentInput = Static<typeof CommentInput>
export type StatusInput = Static<typeof StatusInput>
export type TicketChange = Static<typeof TicketChange>
export type Form = Static<typeof Form>
export type FormList = Static<typeof FormList>
export type WidgetRoomInput = Static<typeof WidgetRoomInput>
export type IdentityInput = Static<typeof IdentityInput>
