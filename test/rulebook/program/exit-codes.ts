/** Exit codes. Source: interfaces, section 5; the envelope of `--json` likewise. */
export const exitCodes = [
  { code: 0, means: 'ok' },
  { code: 1, means: 'unexpected' },
  { code: 2, means: 'usage or local validation' },
  { code: 3, means: 'confirmation needed or refused' },
  { code: 4, means: 'authentication or permission' },
  { code: 5, means: 'not found' },
  { code: 6, means: 'conflict or refused by state' },
  { code: 7, means: 'temporary, may be repeated' },
  { code: 8, means: 'batch partly done' },
  { code: 9, means: 'differences found or stale' },
  { code: 10, means: 'money outcome unknown' },
  { code: 11, means: 'cannot conclude' },
  { code: 75, means: 'another run holds the lock' },
  { code: 78, means: 'bad configuration' },
  { code: 127, means: 'unknown command' },
  { code: 130, means: 'stopped by SIGINT' },
  { code: 143, means: 'stopped by SIGTERM' },
] as const

/** Section 5: the keys of the one object that `--json` prints, all always present. */
export const envelope = ['schemaVersion', 'command', 'status', 'data', 'warnings', 'error'] as const
export const schemaVersion = 1
export const statuses = ['ok', 'error'] as const
export const errorKeys = ['code', 'category', 'retryable', 'message', 'details', 'remoteCode'] as const

/**
 * The exit code by which the refusals of the three APIs end a command, by the kind of each refusal: section 5 and
 * command-line conventions, 12.
 */
export const apiExits = [
  {
    exit: 2,
    codes: [
      ...['INVALID_PARAMETER', 'INVALID_USERNAME', 'INVALID_CURRENCY', 'CURRENCY_NOT_ENABLED', 'INVALID_AMOUNT'],
      ...['INVALID_CURSOR', 'CURRENCY_MISMATCH', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE'],
      ...['INVALID_REQUEST_PARAMS', 'INVALID_ADDRESS', 'AMOUNT_TOO_SMALL', 'AMOUNT_TOO_LARGE', 'AMOUNT_OUT_OF_RANGE'],
      ...['CURRENCY_UNAVAILABLE', 'INVALID_STATUS', 'INVALID_FIELD_VALUES', 'FILE_TOO_LARGE', 'FILE_TYPE_NOT_ALLOWED'],
    ],
  },
  {
    exit: 4,
    codes: [
      ...['UNAUTHORIZED', 'IP_NOT_ALLOWED', 'TENANT_SUSPENDED', 'AUTH_REQUIRED', 'INVALID_API_KEY', 'INVALID_TOKEN'],
      ...['MFA_REQUIRED', 'INVALID_MFA_CODE', 'FORBIDDEN', 'POLICY_REJECTED', 'PLAN_REQUIRED', 'ORIGIN_NOT_ALLOWED'],
      ...['INVALID_TENANT_KEY', 'INVALID_ROOM_TOKEN', 'IDENTITY_INVALID'],
    ],
  },
  {
    exit: 5,
    codes: [
      ...['NOT_FOUND', 'PLAYER_NOT_FOUND', 'TXN_NOT_FOUND', 'ROUND_NOT_FOUND', 'ROOM_NOT_FOUND', 'TICKET_NOT_FOUND'],
      ...['FORM_NOT_FOUND', 'AGENT_NOT_FOUND', 'UPLOAD_NOT_FOUND', 'METHOD_NOT_ALLOWED'],
    ],
  },
  {
    exit: 6,
    codes: [
      ...['TXN_CONFLICT', 'INSUFFICIENT_BALANCE', 'QUOTA_EXCEEDED', 'ACCOUNT_LOCKED', 'PLAYER_LOCKED', 'PLAYER_LIMIT'],
      ...['CONFLICT', 'IDEMPOTENCY_KEY_REUSED', 'LIMIT_EXCEEDED', 'ADDRESS_NOT_WHITELISTED', 'FROZEN', 'NOT_SUPPORTED'],
      ...['TRANSITION_NOT_ALLOWED', 'VERSION_CONFLICT', 'ASSIGNEE_CONFLICT', 'STALE_ROOM', 'FORM_UNREADABLE'],
      ...['CLIENT_MESSAGE_ID_CONFLICT', 'CLIENT_COMMENT_ID_CONFLICT', 'UPLOAD_OFFSET_MISMATCH', 'UPLOAD_EXPIRED'],
      ...['UPLOAD_INCOMPLETE', 'UPLOAD_LIMIT', 'CHECKSUM_MISMATCH', 'ALREADY_RATED', 'NOT_RATEABLE', 'NOTHING_TO_SEND'],
    ],
  },
  {
    exit: 7,
    codes: [
      ...['RATE_LIMITED', 'INTERNAL_ERROR', 'IDEMPOTENCY_IN_FLIGHT', 'RATE_UNAVAILABLE', 'POOL_EXHAUSTED'],
      ...['UPSTREAM_ERROR', 'TOO_MANY_STREAMS', 'UPLOAD_LOCKED'],
    ],
  },
] as const
