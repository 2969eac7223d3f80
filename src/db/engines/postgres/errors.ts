import { Problem } from '../../../kit/problem.ts'

/** Kind of an error, by what its transaction can do about it. */
export type ErrorKind =
  /** Conflict with another transaction: try again. */
  | 'conflict'
  /** Unique violation: a concurrent transaction inserted the key, which the next attempt will see, or the work is wrong. */
  | 'duplicate-key'
  /** A schema change invalidated a prepared statement: try again on a new connection. */
  | 'stale-statement'
  /** The server is gone or cannot continue. */
  | 'disconnected'
  /** The server timed out. */
  | 'timeout'
  /** Any other error, thrown by the work itself. */
  | 'other'

const errorKinds: Readonly<Record<string, ErrorKind>> = {
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected
  '23505': 'duplicate-key', // unique_violation
  '57014': 'timeout', // query_canceled, by statement_timeout
  '55P03': 'timeout', // lock_not_available
  '25P03': 'disconnected', // idle_in_transaction_session_timeout: the server closed the connection
  '57P01': 'disconnected', // admin_shutdown
  '57P02': 'disconnected', // crash_shutdown
  '57P03': 'disconnected', // cannot_connect_now
  '58030': 'disconnected', // io_error
}

/** Node's codes and the driver's texts for a closed connection. */
const connectionCodes = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_|ENOTFOUND)/
const connectionTexts =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|Client was closed)/

/** Returns the kind of an error of the driver or of a work. */
export function errorKindOf(error: unknown): ErrorKind {
  if (!(error instanceof Error)) return 'other'
  const code = codeOf(error)
  if (code === '0A000' && error.message.startsWith('cached plan')) return 'stale-statement'
  // Class 08: connection errors. Class 53: the server lacks memory, disk space or connections.
  if (/^(08|53)...$/.test(code) || connectionCodes.test(code) || connectionTexts.test(error.message))
    return 'disconnected'
  return errorKinds[code] ?? 'other'
}

/** Returns STORE_UNAVAILABLE for a server that cannot be reached or has stopped. `scrub` removes the password. */
export function unavailable(
  error: unknown,
  at: { shown: string; scrub(text: string): string },
  outcome: 'none' | 'unknown',
): Problem {
  const text = at.scrub(messageOf(error))
  // The driver's own error is not attached: it may contain the URL with the password.
  const cause = Object.assign(new Error(text), error instanceof Error ? { code: codeOf(error) } : {})
  const detail = { at: at.shown, outcome }
  return new Problem('STORE_UNAVAILABLE', `Cannot open the database ${at.shown}: ${text}`, detail, { cause })
}

/** A host with several addresses fails with one error for each and an empty message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return messageOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
