import { giveKeyBack, type Once, once, takeKey } from '../../../db/idempotency-keys.ts'
import type { Tx } from '../../../db/store.ts'
import type { Sender } from '../../../http/contract/contract.ts'
import { refuse } from '../api/contract.ts'
import type { Gateway, MerchantCaller } from '../service.ts'
import { changingKeys, making } from '../write-groups.ts'

/** How long a key is remembered: twice the document's 24 hours, so that a client's own clock may be a day off. */
const memoryMs = 48 * 3_600_000

/** How long the key of a request is held for a process that died while it was at work. */
const leaseMs = 15_000
/** When a twin of a request under way may ask again. */
const retryAfterMs = 1_000

/**
 * Creates something at most once per `Idempotency-Key`: the same question gets the first answer again, another question
 * under its key is refused, and so is a twin that comes while the first is at work, here or in another process. A
 * refusal is not remembered, so a request that was put right can be sent under the same key.
 */
export async function creating<T>(
  app: Gateway,
  asked: { caller: MerchantCaller; sender: Sender; name: string; body: unknown },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const key = asked.sender.headers['idempotency-key']?.trim()
  if (key === undefined || key === '') return making(app, work)
  if (key.length > 255) throw refuse('INVALID_REQUEST_PARAMS', 'Idempotency-Key has at most 255 characters')
  const scope = `gateway/${asked.caller.merchant.id}`
  const question = { name: asked.name, body: asked.body }
  const under = (tx: Tx) => ({ scope, key, question, expiresAt: tx.now + memoryMs })
  // In a transaction of its own, so that a twin in another process sees it and need not wait for the work to be done.
  const taken = await changingKeys(app, (tx) => takeKey<T>(tx, under(tx), leaseMs))
  if (taken.outcome === 'in-flight')
    throw refuse('IDEMPOTENCY_IN_FLIGHT', 'The first request with this Idempotency-Key is still processing', {
      retryAfterMs,
    })
  if (taken.outcome !== 'taken') return answerOf(taken)
  try {
    return answerOf(await making(app, (tx) => once(tx, under(tx), () => work(tx))))
  } catch (error) {
    await changingKeys(app, (tx) => giveKeyBack(tx, { scope, key }))
      // Then it is free after its lease; what went wrong first is what the caller has to hear.
      .catch((failure: unknown) => app.log.warn({ error: String(failure) }, 'A key was not given back'))
    throw error
  }
}

function answerOf<T>(outcome: Once<T>): T {
  if (outcome.outcome === 'conflict')
    throw refuse('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with a different request')
  return outcome.answer
}
