import { diskErrorText } from '../../kit/disk-error.ts'
import { isProblem, Problem } from '../../kit/problem.ts'

/** Exit categories. Their names are the `category` of an error in `--json`. */
export const categories = {
  ok: { exit: 0, meaning: 'success; also for an empty list, or nothing to do' },
  unexpected: { exit: 1, meaning: 'unexpected error' },
  usage: { exit: 2, meaning: 'invalid flag, argument, file or value' },
  confirmation: { exit: 3, meaning: 'confirmation missing or rejected' },
  permission: { exit: 4, meaning: 'authentication failed, or no permission' },
  'not-found': { exit: 5, meaning: 'not found' },
  conflict: { exit: 6, meaning: 'rejected in the current state: balance, quota, lock, used transfer ID' },
  temporary: { exit: 7, meaning: 'temporary failure; the same call may be repeated' },
  partial: { exit: 8, meaning: 'batch partly done; the result lists the other rows' },
  differences: { exit: 9, meaning: 'differences found, or stored data out of date' },
  'unknown-outcome': {
    exit: 10,
    meaning: 'unknown outcome: the request, often a transfer, may have been carried out; look it up first',
  },
  inconclusive: { exit: 11, meaning: 'not enough data to decide' },
  locked: { exit: 75, meaning: 'another run holds the lock' },
  configuration: { exit: 78, meaning: 'invalid configuration, profile or Node version' },
  'unknown-command': { exit: 127, meaning: 'unknown command' },
  stopped: { exit: 130, meaning: 'stopped by a signal: 130 for SIGINT (Ctrl-C), 143 for SIGTERM' },
} as const satisfies Record<string, { exit: number; meaning: string }>

export type Category = keyof typeof categories

/** Exit categories of commands that move money, beyond those of every command. */
export const moneyExits = [
  'confirmation',
  'permission',
  'not-found',
  'conflict',
  'temporary',
  'unknown-outcome',
] as const satisfies readonly Category[]

export const exitOf = (category: Category): number => categories[category].exit

/** Categories whose call may be repeated unchanged. */
const repeatable: readonly Category[] = ['temporary', 'locked', 'stopped']

/** Codes of the program itself. */
const ownCodes = {
  UNEXPECTED: 'unexpected',
  INVALID_USAGE: 'usage',
  INVALID_FILE: 'usage',
  INVALID_PROFILE: 'usage',
  INVALID_PROFILE_NAME: 'usage',
  PROFILE_EXISTS: 'conflict',
  PROFILE_NOT_FOUND: 'not-found',
  FILE_EXISTS: 'conflict',
  UNREADABLE_FILE: 'usage',
  CONFIRMATION_NEEDED: 'confirmation',
  CONFIRMATION_REFUSED: 'confirmation',
  BATCH_PARTLY: 'partial',
  DIFFERENCES: 'differences',
  STALE: 'differences',
  MONEY_UNKNOWN: 'unknown-outcome',
  OUTCOME_UNKNOWN: 'unknown-outcome',
  OUTPUT_LOST: 'temporary',
  CANNOT_CONCLUDE: 'inconclusive',
  LOCKED_BY_ANOTHER: 'locked',
  BAD_CONFIGURATION: 'configuration',
  UNKNOWN_COMMAND: 'unknown-command',
  COMMAND_FAILED: 'unexpected',
  INTERRUPTED: 'stopped',
  REMOTE_UNAVAILABLE: 'temporary',
  REMOTE_UNREACHABLE: 'temporary',
  REMOTE_TIMEOUT: 'temporary',
  REMOTE_LOST: 'temporary',
  REMOTE_UNINTELLIGIBLE: 'unexpected',
  REMOTE_INSECURE: 'configuration',
  JOBS_NOT_RUN: 'temporary',
  STORE_BUSY: 'temporary',
  STORE_UNAVAILABLE: 'temporary',
  STORE_IN_USE: 'locked',
  STORE_NEWER: 'configuration',
  STORE_FOREIGN: 'configuration',
  STORE_URL: 'configuration',
  BOOK_OF_ANOTHER: 'conflict',
  BOOK_AHEAD: 'conflict',
  PLAN_EXISTS: 'conflict',
  PLAN_CHANGED: 'conflict',
  APPROVAL_NEEDED: 'confirmation',
  NOT_DEALT: 'conflict',
  BETTING_CLOSED: 'conflict',
  BET_REFUSED: 'conflict',
  DELIVERY_FAILED: 'temporary',
  INVALID_SIGNATURE: 'permission',
  GUARDED: 'confirmation',
  CHAT_TENANT_EXISTS: 'conflict',
  CHAT_AGENT_INVALID: 'usage',
  CHAT_FACE_INVALID: 'usage',
  CHAT_FORM_INVALID: 'usage',
  CHAT_SECRET_SHOWN: 'conflict',
  CHAT_CHANNEL_INVALID: 'usage',
  CHAT_CHANNEL_EXISTS: 'conflict',
  CHAT_CHANNEL_LIMIT: 'conflict',
  CHAT_LIMITS_INVALID: 'usage',
  CHAT_HOURS_MISSING: 'usage',
} as const satisfies Record<string, Category>

/** Codes of the three APIs (1-tenant-api and 2-payment-gateway-api, Errors; those of the chat are ours). A code has one category in all of them. */
const apiCodes = {
  UNAUTHORIZED: 'permission',
  IP_NOT_ALLOWED: 'permission',
  TENANT_SUSPENDED: 'permission',
  AUTH_REQUIRED: 'permission',
  INVALID_API_KEY: 'permission',
  INVALID_TOKEN: 'permission',
  MFA_REQUIRED: 'permission',
  INVALID_MFA_CODE: 'permission',
  FORBIDDEN: 'permission',
  POLICY_REJECTED: 'permission',
  PLAN_REQUIRED: 'permission',
  NOT_FOUND: 'not-found',
  TXN_CONFLICT: 'conflict',
  INSUFFICIENT_BALANCE: 'conflict',
  QUOTA_EXCEEDED: 'conflict',
  ACCOUNT_LOCKED: 'conflict',
  PLAYER_LOCKED: 'conflict',
  PLAYER_LIMIT: 'conflict',
  CONFLICT: 'conflict',
  IDEMPOTENCY_KEY_REUSED: 'conflict',
  LIMIT_EXCEEDED: 'conflict',
  ADDRESS_NOT_WHITELISTED: 'conflict',
  FROZEN: 'conflict',
  NOT_SUPPORTED: 'conflict',
  IDEMPOTENCY_IN_FLIGHT: 'temporary',
  RATE_LIMITED: 'temporary',
  RATE_UNAVAILABLE: 'temporary',
  POOL_EXHAUSTED: 'temporary',
  UPSTREAM_ERROR: 'temporary',
  INTERNAL_ERROR: 'temporary',
  TRANSITION_NOT_ALLOWED: 'conflict',
  VERSION_CONFLICT: 'conflict',
  ASSIGNEE_CONFLICT: 'conflict',
  STALE_ROOM: 'conflict',
  CLIENT_MESSAGE_ID_CONFLICT: 'conflict',
  CLIENT_COMMENT_ID_CONFLICT: 'conflict',
  FORM_UNREADABLE: 'conflict',
  METHOD_NOT_ALLOWED: 'not-found',
  UPLOAD_OFFSET_MISMATCH: 'conflict',
  UPLOAD_EXPIRED: 'conflict',
  UPLOAD_INCOMPLETE: 'conflict',
  UPLOAD_LIMIT: 'conflict',
  CHECKSUM_MISMATCH: 'conflict',
  ALREADY_RATED: 'conflict',
  NOT_RATEABLE: 'conflict',
  NOTHING_TO_SEND: 'conflict',
  UPLOAD_LOCKED: 'temporary',
  FILE_TOO_LARGE: 'usage',
  FILE_TYPE_NOT_ALLOWED: 'usage',
  INVALID_TENANT_KEY: 'permission',
  INVALID_ROOM_TOKEN: 'permission',
  ORIGIN_NOT_ALLOWED: 'permission',
  IDENTITY_INVALID: 'permission',
  TOO_MANY_STREAMS: 'temporary',
  PAYLOAD_TOO_LARGE: 'usage',
  CURRENCY_UNAVAILABLE: 'usage',
  AMOUNT_TOO_SMALL: 'usage',
  AMOUNT_TOO_LARGE: 'usage',
  AMOUNT_OUT_OF_RANGE: 'usage',
} as const satisfies Record<string, Category>

const known: Readonly<Record<string, Category>> = { ...apiCodes, ...ownCodes }

/** Returns the category of a code. Unlisted codes are classified by their form, because the APIs may add codes. */
export function categoryOf(code: string): Category {
  if (Object.hasOwn(known, code)) return known[code] ?? 'unexpected'
  if (code.endsWith('_NOT_FOUND')) return 'not-found'
  if (code.startsWith('INVALID_') || code.startsWith('CURRENCY_')) return 'usage'
  return 'unexpected'
}

/** Fields of `error` in `--json`. */
export interface ErrorReport {
  readonly code: string
  readonly category: Category
  readonly retryable: boolean
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  /** Code of the remote API. Null for errors of the program itself. */
  readonly remoteCode: string | null
}

/** Returns a problem as it is reported. */
export function reportOf(problem: Problem): ErrorReport {
  const { remoteCode, category: explicitCategory, ...details } = problem.detail
  const category = isCategory(explicitCategory) ? explicitCategory : categoryOf(problem.code)
  return {
    code: problem.code,
    category,
    retryable: repeatable.includes(category) && problem.detail['retryable'] !== false,
    message: problem.message,
    details,
    remoteCode:
      // Null if the program itself used one of the API's codes, before any request.
      typeof remoteCode === 'string' || remoteCode === null
        ? remoteCode
        : Object.hasOwn(ownCodes, problem.code)
          ? null
          : problem.code,
  }
}

const isCategory = (value: unknown): value is Category => typeof value === 'string' && Object.hasOwn(categories, value)

/**
 * Returns the problem that the result could not be written. The caller does not have the result: a change then has an
 * unknown outcome, and a read can be repeated.
 */
export function outputLost(fault: NodeJS.ErrnoException, isWriting: boolean): Problem {
  const message = `Cannot write the result to stdout: ${diskErrorText(fault) ?? fault.message}`
  return isWriting
    ? new Problem('OUTPUT_LOST', `${message}. The command was carried out: look up what it did before you repeat it`, {
        category: 'unknown-outcome',
      })
    : new Problem('OUTPUT_LOST', `${message}. The output is incomplete; run the command again`)
}

/** Converts a caught value to a Problem: file system errors get a description, all others are unexpected errors. */
export function problemOf(error: unknown): Problem {
  if (isProblem(error)) return error
  const { code, path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  const reason = diskErrorText(error)
  if (reason !== undefined && path !== undefined) {
    return new Problem('UNREADABLE_FILE', `${path}: ${reason}`, { file: path }, { cause: error })
  }
  // Reading a folder fails without a path in the error.
  if (code === 'EISDIR') {
    return new Problem('UNREADABLE_FILE', 'Expected a file, but the path is a folder (EISDIR)', {}, { cause: error })
  }
  const message = error instanceof Error ? error.message : String(error)
  const [line] = message.split('\n', 1)
  return new Problem('UNEXPECTED', `Unexpected error: ${line || 'no message'}`, {}, { cause: error })
}

/** Exit categories from worst to best: those that may have moved money first, those that only need a repeat last. */
const worstFirst: readonly Category[] = [
  'unknown-outcome',
  'unexpected',
  'configuration',
  'permission',
  'conflict',
  'not-found',
  'usage',
  'confirmation',
  'locked',
  'stopped',
  'inconclusive',
  'differences',
  'temporary',
  'partial',
  'unknown-command',
]

/**
 * Returns the exit category of a batch from those of its rows: `ok` if all are, `unknown-outcome` if any row has it,
 * `partial` if some rows are done, else the worst one.
 */
export function batchCategory(rows: readonly Category[]): Category {
  const failed: readonly Category[] = rows.filter((row) => row !== 'ok')
  if (failed.length === 0) return 'ok'
  if (failed.includes('unknown-outcome')) return 'unknown-outcome'
  if (failed.length < rows.length) return 'partial'
  return worstFirst.find((category) => failed.includes(category)) ?? 'unexpected'
}
