/** Forms, statuses and tickets. Source: chat shapes, sections 1.4 to 1.6. */

/** 1.6: field types with values that each accepts and refuses. */
export const fieldTypes = [
  { type: 'text', accepts: ['a'], refuses: [1, true, ['a'], {}] },
  { type: 'textarea', accepts: ['a\nb'], refuses: [1, true] },
  { type: 'email', accepts: ['ann@example.com'], refuses: [1, 'ann', '@', 'ann@', '@example.com', 'a b@example.com'] },
  { type: 'phone', accepts: ['+886912345678', '02-2345 6789'], refuses: [1, 'call me', '+'] },
  { type: 'url', accepts: ['https://example.com/'], refuses: [1, 'example', 'https://', 'javascript:alert(1)'] },
  { type: 'integer', accepts: [0, 7, -3], refuses: ['7', 1.5, true, [7]] },
  { type: 'decimal', accepts: ['12.50', '-0.1', '7'], refuses: [12.5, true, '1e3', '1,5', '.5', '5.', 'x', ' 1'] },
  { type: 'boolean', accepts: [true, false], refuses: ['true', 1, 0] },
  {
    type: 'date',
    accepts: ['2026-03-10', '2024-02-29'],
    refuses: [20260310, '2026-02-29', '2026-13-01', '2026-3-1', '2026-03-10T12:00:00.000Z', '10.03.2026'],
  },
  {
    type: 'datetime',
    accepts: ['2026-03-10T12:00:00.000Z'],
    refuses: [1, '2026-03-10', '2026-02-30T12:00:00.000Z', '2026-03-10T25:00:00.000Z', 'yesterday'],
  },
  { type: 'select', accepts: ['a'], refuses: [1, ['a']] },
  { type: 'multiselect', accepts: [['a'], ['a', 'b']], refuses: ['a', 1, [1], ['a', 'a']] },
] as const

/** 1.6: the possible faults of field values. */
export const fieldFaults = [
  ...['unknown_field', 'duplicate_field', 'required', 'wrong_type', 'too_short', 'too_long', 'pattern', 'out_of_range'],
  ...['not_an_option', 'too_many'],
] as const

export const statusCategories = ['new', 'open', 'waiting', 'resolved', 'closed'] as const

/** 1.6: the statuses of the form `general`; each may follow any other. */
export const generalStatuses = [
  { code: 'open', category: 'open' },
  { code: 'in_progress', category: 'open' },
  { code: 'waiting_customer', category: 'waiting' },
  { code: 'resolved', category: 'resolved' },
  { code: 'closed', category: 'closed' },
] as const
export const initialStatus = 'open'

/** 1.4: fields of a ticket, and those only the one-ticket read has. */
export const ticketFields = [
  ...[
    'ticketId',
    'ticketNumber',
    'formCode',
    'formVersion',
    'title',
    'description',
    'status',
    'statusLabel',
    'statusCategory',
  ],
  ...[
    'allowedTransitions',
    'priority',
    'customerAccount',
    'customerDisplayName',
    'customerLanguage',
    'roomId',
    'assignee',
  ],
  ...[
    'fieldValues',
    'commentCount',
    'publicCommentCount',
    'lastCommentAt',
    'lastPublicAuthorType',
    'snoozedUntil',
    'version',
  ],
  ...['createdAt', 'updatedAt', 'firstResponseAt', 'resolvedAt', 'closedAt', 'reopenCount'],
] as const
export const oneTicketFields = ['comments', 'commentsTruncated', 'history', 'historyTruncated'] as const

/** 1.2: fields of a room; those of the create call alone. */
export const roomFields = [
  ...[
    'roomId',
    'status',
    'customerAccount',
    'customerDisplayName',
    'customerLanguage',
    'channel',
    'inboxCategoryCode',
    'assignee',
  ],
  ...[
    'createdAt',
    'updatedAt',
    'closedAt',
    'lastMessageAt',
    'lastMessagePreview',
    'lastSeq',
    'messageCount',
    'customerReadSeq',
  ],
  ...['agentReadSeq', 'customerUnreadCount', 'agentUnreadCount'],
  // Ours: the address from the page of a logged-in customer (docs/decisions.md).
  'customerEmail',
] as const
export const createdRoomFields = ['created', 'initialMessage', 'roomToken', 'roomTokenExpiresAt'] as const

/** 1.3. */
export const messageFields = [
  ...[
    'messageId',
    'roomId',
    'seq',
    'senderType',
    'senderId',
    'senderDisplayName',
    'messageType',
    'text',
    'attachments',
  ],
  ...['clientMessageId', 'createdAt'],
] as const

/** 1.5. */
export const commentFields = [
  ...[
    'commentId',
    'ticketId',
    'seq',
    'content',
    'visibility',
    'authorType',
    'authorDisplayName',
    'createdAt',
    'notified',
  ],
  ...['ticketVersion', 'duplicate'],
] as const
export const visibilities = {
  default: 'internal',
  accepts: ['internal', 'public'],
  refuses: ['Public', 'PUBLIC', '', 'private', null],
} as const
export const defaultAuthor = 'API'

/** 1.4: kinds of history entries. */
export const historyKinds = [
  'created',
  'statusChanged',
  'commentAdded',
  'priorityChanged',
  'assigneeChanged',
  'fieldChanged',
  'snoozed',
  'merged',
] as const

/** Kinds that the page has and no call produces. */
export const unlivedKinds = ['merged'] as const
export const historyFields = [
  ...['historyId', 'at', 'kind', 'actorType', 'actorDisplayName', 'from', 'to', 'commentId', 'note'],
] as const
/** 1.4: the maximum number of comments and history entries in the one-ticket read. */
export const maxListed = 200

/** 1.3. */
export const senderTypes = ['customer', 'agent', 'bot', 'system'] as const
export const messageTypes = ['text', 'media', 'event'] as const

/** 1.0: lists. */
export const listFields = ['items', 'page', 'pageSize', 'total', 'totalPages', 'hasMore'] as const

/** 1.2: defaults of a room. */
export const roomDefaults = { channel: 'api', inboxCategoryCode: 'default' } as const

/** 1.0: prefixes of ids. */
export const idPrefixes = {
  room: 'room_',
  message: 'msg_',
  ticket: 'tkt_',
  comment: 'cmt_',
  history: 'his_',
  upload: 'upl_',
  media: 'med_',
} as const

/** 1.6: a workflow with a list of steps; `*` stands for any status, and a step may require a comment. */
export const limitedWorkflow = {
  initialStatus: 'open',
  statuses: [
    { code: 'open', label: 'Open', category: 'open' },
    { code: 'waiting', label: 'Waiting', category: 'waiting' },
    { code: 'resolved', label: 'Resolved', category: 'resolved' },
    { code: 'closed', label: 'Closed', category: 'closed' },
  ],
  transitions: [
    { from: 'open', to: 'waiting', requiresComment: false },
    { from: 'waiting', to: 'open', requiresComment: false },
    { from: 'waiting', to: 'resolved', requiresComment: true },
    { from: '*', to: 'closed', requiresComment: false },
  ],
} as const
