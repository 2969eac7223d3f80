import {
  type AttemptFilter,
  type ListedAttempts,
  listAttempts,
  networkOf,
  unlockAttempts,
} from '../../../db/login-attempts.ts'
import { momentText } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import type { Gateway } from '../service.ts'

/** What the gateway's staff sees and undoes of failed logins and 2FA codes. */

/** A counter of failures as the console shows it. */
export interface LoginFailures {
  readonly credential: 'password' | 'code'
  /** By what the failures are counted; `pair` is a user from one address. */
  readonly countedBy: 'pair' | 'user' | 'merchant' | 'address'
  readonly merchant: string | null
  readonly user: string | null
  /** An address, or the network of an IPv6 address. */
  readonly address: string | null
  readonly failures: number
  /** Attempts that were refused without a look at the credential. */
  readonly refused: number
  readonly lastFailureAt: string
  readonly state: 'counting' | 'waiting' | 'locked'
  /** When the next attempt is let through; null when it is now, or only after an unlock. */
  readonly waitsUntil: string | null
}

/** Lists the counters with failures that still count, the locked ones first. */
export function listLoginFailures(app: Gateway, filter: AttemptFilter = {}): Promise<LoginFailures[]> {
  return app.store.read(async (reader) =>
    (await listAttempts(reader, normal(filter))).map((listed) => toFailures(listed, reader.now)),
  )
}

/** Ends the delays and locks of these counters; NOT_FOUND when none of them has failures. Returns what they were. */
export function unlockLogins(app: Gateway, filter: AttemptFilter): Promise<LoginFailures[]> {
  return app.store.write(async (tx) => {
    const found = await listAttempts(tx, normal(filter))
    if (found.length === 0) throw refuse('NOT_FOUND', 'There are no failed logins or codes of this kind')
    await unlockAttempts(tx, normal(filter))
    return found.map((listed) => toFailures(listed, tx.now))
  })
}

function normal({ email, address, ...others }: AttemptFilter): AttemptFilter {
  return {
    ...others,
    email: email?.trim().toLowerCase(),
    address: address === undefined ? undefined : networkOf(address),
  }
}

function toFailures({ row, standing }: ListedAttempts, now: number): LoginFailures {
  return {
    credential: row.credential,
    countedBy: row.counter,
    merchant: row.merchant,
    user: row.user_email,
    address: row.address,
    failures: row.failures,
    refused: row.refused,
    lastFailureAt: momentText(row.last_failure_at ?? now),
    state: standing.kind === 'open' ? 'counting' : standing.kind,
    waitsUntil: standing.kind === 'waiting' ? momentText(now + standing.waitMs) : null,
  }
}
