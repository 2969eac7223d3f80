import { isProblem, type Problem } from '../../../kit/problem.ts'
import type { SendFailure } from './sending.ts'

/** Returns what an error means for a sent message: whether it can exist, and whether to send it again. */
export function sendFailureOf(error: unknown): SendFailure {
  // Such as a file that cannot be read: nothing was sent.
  if (!isProblem(error)) return { verdict: 'refused', text: error instanceof Error ? error.message : String(error) }
  const { code, message: text, detail } = error
  if (code === 'STALE_ROOM') return { verdict: 'stale', text }
  const status = Number(detail['status'])
  if (status === 429 || status === 423) return { verdict: 'later', text, waitMs: waitOf(detail) }
  if (status >= 400 && status < 500) return { verdict: 'refused', text: `${text} (${code})` }
  if (detail['outcome'] !== 'none') return { verdict: 'unknown', text }
  // Never sent: without a connection it is tried again; anything else is an error of the request.
  return code.startsWith('REMOTE_') ? { verdict: 'later', text } : { verdict: 'refused', text }
}

function waitOf(detail: Problem['detail']): number | undefined {
  const ms = detail['retryAfterMs']
  return typeof ms === 'number' ? ms : undefined
}
