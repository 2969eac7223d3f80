/** Errors. Source: chat shapes, section 1.1. */

export const errors = {
  UNAUTHORIZED: 401,
  INVALID_TENANT_KEY: 401,
  INVALID_ROOM_TOKEN: 401,
  PLAN_REQUIRED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  IDENTITY_INVALID: 403,
  NOT_FOUND: 404,
  ROOM_NOT_FOUND: 404,
  TICKET_NOT_FOUND: 404,
  FORM_NOT_FOUND: 404,
  UPLOAD_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  INVALID_JSON: 400,
  INVALID_PARAMETER: 400,
  INVALID_STATUS: 400,
  INVALID_FIELD_VALUES: 400,
  TRANSITION_NOT_ALLOWED: 409,
  VERSION_CONFLICT: 409,
  CLIENT_MESSAGE_ID_CONFLICT: 409,
  // IDEMPOTENCY_IN_FLIGHT has no row: a repeat waits for the first request and gets its response (docs/decisions.md).
  IDEMPOTENCY_KEY_REUSED: 422,
  UPLOAD_OFFSET_MISMATCH: 409,
  UPLOAD_LOCKED: 423,
  UPLOAD_EXPIRED: 410,
  UPLOAD_INCOMPLETE: 409,
  CHECKSUM_MISMATCH: 422,
  FILE_TOO_LARGE: 413,
  PAYLOAD_TOO_LARGE: 413,
  FILE_TYPE_NOT_ALLOWED: 415,
  RATE_LIMITED: 429,
  TOO_MANY_STREAMS: 503,
  INTERNAL_ERROR: 500,
} as const

/** 1.9, STALE_ROOM; and codes of our own in addition to the page's (docs/decisions.md, "The chat API"). */
export const ownErrors = {
  STALE_ROOM: 409,
  ASSIGNEE_CONFLICT: 409,
  AGENT_NOT_FOUND: 404,
  UPLOAD_LIMIT: 409,
  CLIENT_COMMENT_ID_CONFLICT: 409,
  FORM_UNREADABLE: 409,
  NOT_RATEABLE: 409,
  ALREADY_RATED: 409,
  NOTHING_TO_SEND: 409,
} as const

/** The keys of an error body, and of `error`. */
export const errorKeys = ['code', 'message', 'details', 'requestId'] as const

/** Ticket endpoints, which need Pro; sections "Endpoints" of 3-chat-api and 1.6. */
export const ticketEndpoints = [
  'GET /tickets',
  'GET /tickets/1',
  'POST /tickets',
  'POST /tickets/1/comments',
  'POST /tickets/1/status',
  'GET /forms',
  'GET /forms/general',
] as const

/** Calls with a refusal each, on a Pro tenant; `{room}` and `{ticket}` stand for existing ones. */
export const refusals = [
  { endpoint: 'POST /rooms', sent: {}, code: 'INVALID_PARAMETER', field: 'customerAccount' },
  {
    endpoint: 'POST /rooms/room_01JZZZZZZZZZZZZZZZZZZZZZZZ/messages/customer-text',
    sent: { text: 'x' },
    code: 'ROOM_NOT_FOUND',
    field: null,
  },
  { endpoint: 'GET /rooms/room_01JZZZZZZZZZZZZZZZZZZZZZZZ/messages', sent: null, code: 'ROOM_NOT_FOUND', field: null },
  { endpoint: 'GET /rooms/{room}/messages?page=0', sent: null, code: 'INVALID_PARAMETER', field: 'page' },
  { endpoint: 'GET /rooms/{room}/messages?page=-1', sent: null, code: 'INVALID_PARAMETER', field: 'page' },
  { endpoint: 'GET /rooms/{room}/messages?page=x', sent: null, code: 'INVALID_PARAMETER', field: 'page' },
  { endpoint: 'GET /rooms/{room}/messages?page=1.5', sent: null, code: 'INVALID_PARAMETER', field: 'page' },
  { endpoint: 'GET /tickets/tkt_01JZZZZZZZZZZZZZZZZZZZZZZZ', sent: null, code: 'TICKET_NOT_FOUND', field: null },
  { endpoint: 'GET /tickets/999999', sent: null, code: 'TICKET_NOT_FOUND', field: null },
  { endpoint: 'GET /tickets?pageSize=0', sent: null, code: 'INVALID_PARAMETER', field: 'pageSize' },
  { endpoint: 'GET /tickets?pageSize=101', sent: null, code: 'INVALID_PARAMETER', field: 'pageSize' },
  { endpoint: 'POST /tickets', sent: { formCode: 'no-such', title: 'x' }, code: 'FORM_NOT_FOUND', field: null },
  { endpoint: 'POST /tickets', sent: { title: '' }, code: 'INVALID_PARAMETER', field: 'title' },
  { endpoint: 'POST /tickets/{ticket}/status', sent: { status: 'opne' }, code: 'INVALID_STATUS', field: 'status' },
  {
    endpoint: 'POST /tickets/{ticket}/status',
    sent: { status: 'resolved', expectedVersion: 99 },
    code: 'VERSION_CONFLICT',
    field: null,
  },
  {
    endpoint: 'POST /tickets/{ticket}/comments',
    sent: { content: 'x', visibility: 'PUBLIC' },
    code: 'INVALID_PARAMETER',
    field: 'visibility',
  },
  { endpoint: 'POST /tickets/{ticket}/comments', sent: { content: '' }, code: 'INVALID_PARAMETER', field: 'content' },
  { endpoint: 'GET /nothing', sent: null, code: 'NOT_FOUND', field: null },
  { endpoint: 'DELETE /tickets', sent: null, code: 'METHOD_NOT_ALLOWED', field: null },
] as const

/** Bodies that are no JSON object. */
export const notObjects = ['', 'null', '[]', '1', '"x"', '{'] as const
