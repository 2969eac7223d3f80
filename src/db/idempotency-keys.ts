import assert from 'node:assert/strict'
import { canonicalJson } from '../kit/canonical-json.ts'
import { sha256Hex } from '../kit/hmac.ts'
import type { Tx } from './store.ts'

/** A request with an idempotency key. */
export interface KeyedRequest {
  /** Scope in which the key is unique: the client and the kind of request. */
  scope: string
  key: string
  /** Everything that makes up the request, as a JSON value. The order of object keys does not matter. */
  request: unknown
  /** Time at which the key expires and can be reused. */
  expiresAt: number
}

/** Result of a request: new, repeated, or a conflict because the key belongs to a different request. */
export type OnceResult<T> = { outcome: 'new'; answer: T } | { outcome: 'repeated'; answer: T } | { outcome: 'conflict' }

/**
 * Runs the work at most once per scope and key, and returns the same result every further time. A different request
 * under the same key is a conflict, and nothing is done. If the work throws, nothing is stored, because the transaction
 * is rolled back. The result must be a JSON value. A key that `reserveKey` reserved and that has no result yet is treated
 * like a new one; if two callers hold it after a lease expired, the transaction lets only one succeed.
 */
export async function runOnce<T>(tx: Tx, keyed: KeyedRequest, work: () => Promise<T>): Promise<OnceResult<T>> {
  const fingerprint = fingerprintOf(keyed)
  const earlier = await insertOrRead(tx, keyed, fingerprint)
  if (earlier !== undefined && earlier.fingerprint !== fingerprint) return { outcome: 'conflict' }
  if (earlier !== undefined && earlier.answer !== null)
    return { outcome: 'repeated', answer: JSON.parse(earlier.answer) }
  const answer = await work()
  const text = JSON.stringify(answer)
  assert(text !== undefined, 'a stored result must be a JSON value')
  await saveAnswer(tx, keyed, text)
  return { outcome: 'new', answer }
}

/** Result of reserving a key: reserved, in use by another request, or already answered. */
export type KeyReservation<T> =
  | { outcome: 'reserved' }
  | { outcome: 'in-flight' }
  | { outcome: 'repeated'; answer: T }
  | { outcome: 'conflict' }

/**
 * Reserves a key in a transaction of its own before the work. Concurrent requests with the same key, in any process,
 * then fail at once instead of waiting. The key of a caller that died becomes available when the lease expires.
 */
export async function reserveKey<T>(tx: Tx, keyed: KeyedRequest, leaseMs: number): Promise<KeyReservation<T>> {
  const fingerprint = fingerprintOf(keyed)
  const earlier = await insertOrRead(tx, { ...keyed, expiresAt: tx.now + leaseMs }, fingerprint)
  if (earlier === undefined) return { outcome: 'reserved' }
  if (earlier.answer === null) return { outcome: 'in-flight' }
  if (earlier.fingerprint !== fingerprint) return { outcome: 'conflict' }
  return { outcome: 'repeated', answer: JSON.parse(earlier.answer) }
}

/** Releases a reserved key that has no result; a key with a result is not changed. */
export async function releaseKey({ q }: Tx, { scope, key }: Pick<KeyedRequest, 'scope' | 'key'>): Promise<void> {
  await q
    .deleteFrom('store_once')
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('answer', 'is', null)
    .execute()
}

function fingerprintOf({ request }: KeyedRequest): string {
  return sha256Hex(canonicalJson(request))
}

/** Deletes at most `limit` expired keys and returns their number. */
export async function forgetExpired({ q, now }: Tx, limit: number): Promise<number> {
  const result = await q
    .deleteFrom('store_once')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('scope', 'key'),
        'in',
        selectFrom('store_once')
          .select(['scope', 'key'])
          .where('expires_at', '<=', now)
          .orderBy('expires_at')
          .limit(limit)
          .$asTuple('scope', 'key'),
      ),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Inserts the key for this request, or returns the row of the request that has it. */
async function insertOrRead({ q, now }: Tx, keyed: KeyedRequest, fingerprint: string) {
  const { scope, key, expiresAt } = keyed
  const row = { scope, key, fingerprint, answer: null, expires_at: expiresAt }
  // Inserted before the work, so that a concurrent request with the same key waits here instead of doing the work too.
  const claimed = await q
    .insertInto('store_once')
    .values(row)
    .onConflict((conflict) => conflict.columns(['scope', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  if (claimed) return undefined
  const earlier = await q
    .selectFrom('store_once')
    .select(['fingerprint', 'answer', 'expires_at'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (earlier.expires_at > now) return earlier
  await q.updateTable('store_once').set(row).where('scope', '=', scope).where('key', '=', key).execute()
  return undefined
}

async function saveAnswer({ q }: Tx, { scope, key, expiresAt }: KeyedRequest, answer: string): Promise<void> {
  const row = { answer, expires_at: expiresAt }
  await q.updateTable('store_once').set(row).where('scope', '=', scope).where('key', '=', key).execute()
}
