import { Problem } from '../../../kit/problem.ts'

/** What an error of a transaction means for it. */
export type Verdict =
  /** Two transactions were in each other's way, and this one gave way: run it again. */
  | 'again'
  /** A row with the same key is there already: a racing twin's, which the next run will see; or the work is at fault. */
  | 'twin'
  /** Another program changed a table, and a prepared statement no longer fits: run again on a new connection. */
  | 'stale'
  /** The server is gone, or cannot go on. */
  | 'lost'
  /** The server stopped waiting. */
  | 'slow'
  /** None of these: the work's own affair. */
  | 'own'

const verdicts: Readonly<Record<string, Verdict>> = {
  '40001': 'again', // serialization_failure
  '40P01': 'again', // deadlock_detected
  '23505': 'twin', // unique_violation
  '57014': 'slow', // query_canceled, by statement_timeout
  '55P03': 'slow', // lock_not_available
  '25P03': 'lost', // idle_in_transaction_session_timeout: the server hung up
  '57P01': 'lost', // admin_shutdown
  '57P02': 'lost', // crash_shutdown
  '57P03': 'lost', // cannot_connect_now
  '58030': 'lost', // io_error
}

/** What Node calls a connection's end, and what the driver says where it gives no code. */
const ends = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_|ENOTFOUND)/
const endings =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|Client was closed)/

export function verdictOn(error: unknown): Verdict {
  if (!(error instanceof Error)) return 'own'
  const code = codeOf(error)
  if (code === '0A000' && error.message.startsWith('cached plan')) return 'stale'
  // Class 08 is the connection's, class 53 the server's want of memory, disk or connections.
  if (/^(08|53)...$/.test(code) || ends.test(code) || endings.test(error.message)) return 'lost'
  return verdicts[code] ?? 'own'
}

/** The refusal for a server that cannot be reached, or has gone. `scrub` keeps the password out of it. */
export function unavailable(
  error: unknown,
  at: { shown: string; scrub(text: string): string },
  outcome: 'none' | 'unknown',
): Problem {
  const text = at.scrub(messageOf(error))
  // The driver's own error is not passed on: it may hold the URL, and with it the password.
  const cause = Object.assign(new Error(text), error instanceof Error ? { code: codeOf(error) } : {})
  const detail = { at: at.shown, outcome }
  return new Problem('STORE_UNAVAILABLE', `The database at ${at.shown} is not to be had: ${text}`, detail, { cause })
}

/** A host with several addresses fails with one error for each, and no words of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return messageOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
