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

/** Failed logins and 2FA codes, for the gateway's staff. */

/** A counter of failures as the console shows it. */
export interface LoginFailures {
  readonly credential: 'password' | 'code'
  /** Key of the counter; `pair` is a user at one address. */
  readonly countedBy: 'pair' | 'user' | 'merchant' | 'address'
  readonly merchant: string | null
  readonly user: string | null
  /** An address, or the network of an IPv6 address. */
  readonly address: string | null
  readonly failures: number
  /** Attempts that were refused without checking the credential. */
  readonly refused: number
  readonly lastFailureAt: string
  readonly state: 'counting' | 'waiting' | 'locked'
  /** Time from which the next attempt is accepted; null if one is accepted now, or only after an unlock. */
  readonly waitsUntil: string | null
}

/** Lists the counters with failures that still count, locked ones first. */
export function listLoginFailures(app: Gateway, filter: AttemptFilter = {}): Promise<LoginFailures[]> {
  return app.store.read(async (reader) =>
    (await listAttempts(reader, normal(filter))).map((listed) => toFailures(listed, reader.now)),
  )
}

/**
 * Removes the delays and locks of these counters, or throws NOT_FOUND when none has failures. Returns their previous
 * state.
 */
export function unlockLogins(app: Gateway, filter: AttemptFilter): Promise<LoginFailures[]> {
  return app.store.write(async (tx) => {
    const attempts = await listAttempts(tx, normal(filter))
    if (attempts.length === 0)
      throw refuse(
        'NOT_FOUND',
        'There are no matching failed logins or codes. To list them: countroom console logins list',
      )
    await unlockAttempts(tx, normal(filter))
    return attempts.map((listed) => toFailures(listed, tx.now))
  })
}

function normal({ email, address, ...rest }: AttemptFilter): AttemptFilter {
  return {
    ...rest,
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
