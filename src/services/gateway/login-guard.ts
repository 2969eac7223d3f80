import { type Attempt, attemptSucceeded, beginAttempt } from '../../db/login-attempts.ts'
import type { Tx } from '../../db/store.ts'
import type { Credential } from '../../domain/login-attempts.ts'
import { refuse } from './api/contract.ts'
import type { Gateway } from './service.ts'

/** Guarding of what can be guessed: console users' passwords, and 2FA codes. */

const names: Readonly<Record<Credential, string>> = { password: 'passwords', code: '2FA codes' }

/**
 * Counts an attempt before the credential is looked at, and refuses it while it has to wait (RATE_LIMITED) or is locked
 * (FORBIDDEN): then nothing is computed, and a right credential is not told from a wrong one.
 */
export async function admitAttempt(app: Gateway, attempt: Attempt): Promise<void> {
  if (!app.config.rateLimits) return
  const standing = await app.store.write((tx) => beginAttempt(tx, attempt), { lane: 'gateway logins' })
  const wrong = `Too many wrong ${names[attempt.credential]}`
  if (standing.kind === 'locked')
    throw refuse('FORBIDDEN', `${wrong}: locked until the gateway's staff unlocks it ("console logins unlock")`)
  if (standing.kind === 'waiting') {
    const seconds = Math.ceil(standing.waitMs / 1000)
    throw refuse('RATE_LIMITED', `${wrong}: try again in ${seconds} s`, { retryAfterMs: standing.waitMs })
  }
}

/** Notes, beside what it led to, that the credential was right. */
export async function noteSuccess(app: Gateway, tx: Tx, attempt: Attempt): Promise<void> {
  if (app.config.rateLimits) await attemptSucceeded(tx, attempt)
}
