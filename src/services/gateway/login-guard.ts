import { type Attempt, attemptSucceeded, beginAttempt } from '../../db/login-attempts.ts'
import type { Tx } from '../../db/store.ts'
import type { Credential } from '../../domain/login-attempts.ts'
import { refuse } from './api/contract.ts'
import type { Gateway } from './service.ts'

/** Protection of guessable credentials: console users' passwords, and 2FA codes. */

const names: Readonly<Record<Credential, string>> = { password: 'passwords', code: '2FA codes' }

/**
 * Counts an attempt before the credential is checked. Throws RATE_LIMITED while it must wait, or FORBIDDEN when it is
 * locked. In both cases the credential is not checked, so the response does not reveal whether it was right. Does
 * nothing if rate limits are off.
 */
export async function admitAttempt(app: Gateway, attempt: Attempt): Promise<void> {
  if (!app.config.rateLimits) return
  const standing = await app.store.write((tx) => beginAttempt(tx, attempt), { writeGroup: 'gateway logins' })
  const wrong = `Too many wrong ${names[attempt.credential]}`
  if (standing.kind === 'locked')
    throw refuse('FORBIDDEN', `${wrong}: locked until the gateway's staff unlocks it ("console logins unlock")`)
  if (standing.kind === 'waiting') {
    const seconds = Math.ceil(standing.waitMs / 1000)
    throw refuse('RATE_LIMITED', `${wrong}: try again in ${seconds} s`, { retryAfterMs: standing.waitMs })
  }
}

/** Records that the credential was right, in the transaction of what it allowed. */
export async function recordSuccess(app: Gateway, tx: Tx, attempt: Attempt): Promise<void> {
  if (app.config.rateLimits) await attemptSucceeded(tx, attempt)
}
