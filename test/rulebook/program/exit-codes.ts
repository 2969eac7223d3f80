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

/** The exit code by which the casino's refusals end a command, by what each refusal is. */
export const casinoExits = [
  { codes: ['UNAUTHORIZED', 'IP_NOT_ALLOWED', 'TENANT_SUSPENDED'], exit: 4 },
  { codes: ['NOT_FOUND', 'PLAYER_NOT_FOUND', 'TXN_NOT_FOUND', 'ROUND_NOT_FOUND'], exit: 5 },
  {
    codes: [
      'TXN_CONFLICT',
      'INSUFFICIENT_BALANCE',
      'QUOTA_EXCEEDED',
      'ACCOUNT_LOCKED',
      'PLAYER_LOCKED',
      'PLAYER_LIMIT',
    ],
    exit: 6,
  },
  { codes: ['RATE_LIMITED', 'INTERNAL_ERROR'], exit: 7 },
] as const
