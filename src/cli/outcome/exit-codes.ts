import { isProblem, Problem } from '../../kit/problem.ts'

/** What kind of ending a run came to. The names are the `category` of an error in `--json`. */
export const categories = {
  ok: { exit: 0, meaning: 'done; also an empty list, and nothing to do' },
  unexpected: { exit: 1, meaning: 'something nobody foresaw' },
  usage: { exit: 2, meaning: 'asked wrongly: a flag, an argument, a file or a value that does not fit' },
  confirmation: { exit: 3, meaning: 'a confirmation is needed and was not given, or was refused' },
  permission: { exit: 4, meaning: 'authentication failed, or this key may not do that' },
  'not-found': { exit: 5, meaning: 'there is no such thing' },
  conflict: { exit: 6, meaning: 'refused by the state of things: balance, quota, lock, a transaction id used before' },
  temporary: { exit: 7, meaning: 'failed for now; the same call may be repeated' },
  partial: { exit: 8, meaning: 'a batch was done in part; the result says which rows were not' },
  differences: { exit: 9, meaning: 'differences were found, or what was kept is out of date' },
  'unknown-outcome': {
    exit: 10,
    meaning: 'what was sent, money above all, may have been done or not: find out before doing anything else',
  },
  inconclusive: { exit: 11, meaning: 'what is at hand does not allow a conclusion' },
  locked: { exit: 75, meaning: 'another run holds the lock' },
  configuration: { exit: 78, meaning: 'the configuration, a profile or the Node in use is not fit' },
  'unknown-command': { exit: 127, meaning: 'there is no such command' },
  stopped: { exit: 130, meaning: 'stopped by a signal: 130 by SIGINT (Ctrl-C), 143 by SIGTERM' },
} as const satisfies Record<string, { exit: number; meaning: string }>

export type Category = keyof typeof categories

/** The ends that whatever moves money can come to, beyond those every command has. */
export const moneyExits = [
  'confirmation',
  'permission',
  'not-found',
  'conflict',
  'temporary',
  'unknown-outcome',
] as const satisfies readonly Category[]

export const exitOf = (category: Category): number => categories[category].exit

/** The categories whose call may be made again just as it was. */
const repeatable: readonly Category[] = ['temporary', 'locked', 'stopped']

/** Our own codes: what the program itself refuses, before or after asking anybody. */
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
  INTERRUPTED: 'stopped',
  REMOTE_UNAVAILABLE: 'temporary',
  REMOTE_UNREACHABLE: 'temporary',
  REMOTE_TIMEOUT: 'temporary',
  REMOTE_LOST: 'temporary',
  REMOTE_UNINTELLIGIBLE: 'unexpected',
  REMOTE_INSECURE: 'configuration',
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
  CHAT_FORM_INVALID: 'usage',
  CHAT_SECRET_SHOWN: 'conflict',
  CHAT_CHANNEL_INVALID: 'usage',
  CHAT_CHANNEL_EXISTS: 'conflict',
  CHAT_CHANNEL_LIMIT: 'conflict',
  CHAT_LIMITS_INVALID: 'usage',
} as const satisfies Record<string, Category>

/** The codes of the three APIs (1-tenant-api and 2-payment-gateway-api, Errors; the chat's are ours). One code means one class in all of them. */
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

/** The class of a code. Codes that are not listed go by their form: the APIs may add some. */
export function categoryOf(code: string): Category {
  if (Object.hasOwn(known, code)) return known[code] ?? 'unexpected'
  if (code.endsWith('_NOT_FOUND')) return 'not-found'
  if (code.startsWith('INVALID_') || code.startsWith('CURRENCY_')) return 'usage'
  return 'unexpected'
}

/** What `error` holds in `--json`. */
export interface ErrorReport {
  readonly code: string
  readonly category: Category
  readonly retryable: boolean
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  /** The code as the remote API gave it; null where the refusal is ours. */
  readonly remoteCode: string | null
}

/** A refusal as it is reported. */
export function reportOf(problem: Problem): ErrorReport {
  const { remoteCode, category: said, ...details } = problem.detail
  const category = isCategory(said) ? said : categoryOf(problem.code)
  return {
    code: problem.code,
    category,
    retryable: repeatable.includes(category) && problem.detail['retryable'] !== false,
    message: problem.message,
    details,
    remoteCode:
      // Null is said where one of the API's codes is given by us, before anybody was asked.
      typeof remoteCode === 'string' || remoteCode === null
        ? remoteCode
        : Object.hasOwn(ownCodes, problem.code)
          ? null
          : problem.code,
  }
}

const isCategory = (value: unknown): value is Category => typeof value === 'string' && Object.hasOwn(categories, value)

/** What the file system says no with, when a command did not say it better. */
const fileCodes: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'this user’s share of the disk is full',
  EFBIG: 'no file may grow so large',
  EIO: 'the device failed',
}

/**
 * That the result could not be written. Whoever called does not have it: where something was changed that is a change of
 * unknown outcome, and where something was only read it can be read again.
 */
export function outputLost(fault: NodeJS.ErrnoException, isWriting: boolean): Problem {
  const why = (fault.code === undefined ? undefined : fileCodes[fault.code]) ?? fault.message
  const message = `The result could not be written to stdout: ${why}${fault.code === undefined ? '' : ` (${fault.code})`}`
  return isWriting
    ? new Problem(
        'OUTPUT_LOST',
        `${message}. The command itself was carried out: look up what it did before you repeat it`,
        {
          category: 'unknown-outcome',
        },
      )
    : new Problem('OUTPUT_LOST', `${message}. What is there of it is not whole`)
}

/** Anything caught, as a refusal: a Problem as it is, the file system's no in words, everything else as unforeseen. */
export function problemOf(error: unknown): Problem {
  if (isProblem(error)) return error
  const { code, path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  if (code !== undefined && path !== undefined && Object.hasOwn(fileCodes, code)) {
    return new Problem('UNREADABLE_FILE', `${path}: ${fileCodes[code]} (${code})`, { file: path }, { cause: error })
  }
  // Reading what turns out to be a folder fails without saying which.
  if (code === 'EISDIR') {
    return new Problem('UNREADABLE_FILE', 'A folder was named where a file is wanted (EISDIR)', {}, { cause: error })
  }
  const said = error instanceof Error ? error.message : String(error)
  const [line] = said.split('\n', 1)
  return new Problem('UNEXPECTED', `Unforeseen: ${line || 'an error without a message'}`, {}, { cause: error })
}

/** Worst first. What may have moved money comes before all; what only has to be repeated comes late. */
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
 * What a batch ends in, from how each of its rows ended. All well is `ok`; a single unknown outcome is never hidden by
 * anything; rows done beside rows not done is `partial`; and when none was done, the worst of them speaks for all.
 */
export function batchCategory(rows: readonly Category[]): Category {
  const failed: readonly Category[] = rows.filter((row) => row !== 'ok')
  if (failed.length === 0) return 'ok'
  if (failed.includes('unknown-outcome')) return 'unknown-outcome'
  if (failed.length < rows.length) return 'partial'
  return worstFirst.find((category) => failed.includes(category)) ?? 'unexpected'
}
