import { type OnceResult, releaseKey, reserveKey, runOnce } from '../../../db/idempotency-keys.ts'
import type { Tx } from '../../../db/store.ts'
import type { Sender } from '../../../http/contract/contract.ts'
import { refuse } from '../api/contract.ts'
import type { Gateway, MerchantCaller } from '../service.ts'
import { changingKeys, making } from '../write-groups.ts'

/** Lifetime of a key: twice the document's 24 hours, so that a client's clock may be a day off. */
const memoryMs = 48 * 3_600_000

/** Lease of a key: a request whose process crashed can be repeated after it. */
const leaseMs = 15_000
/** Retry-After for a duplicate of a request that is still being processed. */
const retryAfterMs = 1_000

/**
 * Creates something at most once per `Idempotency-Key`. The same request gets the first response again. A different
 * request with the key is refused, and so is a duplicate while the first is in progress, in any process. A refusal is
 * not stored, so a corrected request can use the same key.
 */
export async function creating<T>(
  app: Gateway,
  request: { caller: MerchantCaller; sender: Sender; name: string; body: unknown },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const key = request.sender.headers['idempotency-key']?.trim()
  if (key === undefined || key === '') return making(app, work)
  if (key.length > 255) throw refuse('INVALID_REQUEST_PARAMS', 'Idempotency-Key must be at most 255 characters long')
  const scope = `gateway/${request.caller.merchant.id}`
  const content = { name: request.name, body: request.body }
  const under = (tx: Tx) => ({ scope, key, request: content, expiresAt: tx.now + memoryMs })
  // In a transaction of its own, so that a duplicate in another process is refused at once and does not wait.
  const reservation = await changingKeys(app, (tx) => reserveKey<T>(tx, under(tx), leaseMs))
  if (reservation.outcome === 'in-flight')
    throw refuse('IDEMPOTENCY_IN_FLIGHT', 'The first request with this Idempotency-Key is still being processed', {
      retryAfterMs,
    })
  if (reservation.outcome !== 'reserved') return answerOf(reservation)
  try {
    return answerOf(await making(app, (tx) => runOnce(tx, under(tx), () => work(tx))))
  } catch (error) {
    await changingKeys(app, (tx) => releaseKey(tx, { scope, key }))
      // The key is then free after its lease; the original error must reach the client.
      .catch((failure: unknown) => app.log.warn({ error: String(failure) }, 'Cannot release an idempotency key'))
    throw error
  }
}

function answerOf<T>(outcome: OnceResult<T>): T {
  if (outcome.outcome === 'conflict')
    throw refuse('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with a different request')
  return outcome.answer
}
