import { Problem } from '../../../kit/problem.ts'

/** Meaning of an error for its transaction. */
export type Verdict =
  /** Conflict with another transaction: run it again. */
  | 'again'
  /** Unique violation: a concurrent transaction inserted the key, which the next run will see, or the work is wrong. */
  | 'twin'
  /** A schema change invalidated a prepared statement: run again on a new connection. */
  | 'stale'
  /** The server is gone or cannot continue. */
  | 'lost'
  /** The server timed out. */
  | 'slow'
  /** Any other error: the work's own. */
  | 'own'

const verdicts: Readonly<Record<string, Verdict>> = {
  '40001': 'again', // serialization_failure
  '40P01': 'again', // deadlock_detected
  '23505': 'twin', // unique_violation
  '57014': 'slow', // query_canceled, by statement_timeout
  '55P03': 'slow', // lock_not_available
  '25P03': 'lost', // idle_in_transaction_session_timeout: the server closed the connection
  '57P01': 'lost', // admin_shutdown
  '57P02': 'lost', // crash_shutdown
  '57P03': 'lost', // cannot_connect_now
  '58030': 'lost', // io_error
}

/** Node's codes and the driver's texts for a closed connection. */
const ends = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_|ENOTFOUND)/
const endings =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|Client was closed)/

export function verdictOn(error: unknown): Verdict {
  if (!(error instanceof Error)) return 'own'
  const code = codeOf(error)
  if (code === '0A000' && error.message.startsWith('cached plan')) return 'stale'
  // Class 08: connection errors. Class 53: the server lacks memory, disk space or connections.
  if (/^(08|53)...$/.test(code) || ends.test(code) || endings.test(error.message)) return 'lost'
  return verdicts[code] ?? 'own'
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
