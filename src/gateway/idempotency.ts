import { once } from '../store/once.ts'
import type { Tx } from '../store/store.ts'
import type { Sender } from '../wire/contract.ts'
import { refuse } from './contract.ts'
import type { Gateway, MerchantCaller } from './gateway.ts'

/** How long a key is remembered: twice the document's 24 hours, so that a client's own clock may be a day off. */
const memoryMs = 48 * 3_600_000

/** Keys whose first request this process is working on. */
const inFlight = new WeakMap<Gateway, Set<string>>()

/**
 * Creates something at most once per `Idempotency-Key`, in one transaction: the same question gets the first answer
 * again, another question under its key is refused, and so is a twin that comes while the first is at work. A refusal is
 * not remembered, so a request that was put right can be sent under the same key.
 */
export async function creating<T>(
  app: Gateway,
  asked: { caller: MerchantCaller; sender: Sender; name: string; body: unknown },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const key = asked.sender.headers['idempotency-key']?.trim()
  if (key === undefined || key === '') return app.store.write(work)
  if (key.length > 255) throw refuse('INVALID_REQUEST_PARAMS', 'Idempotency-Key has at most 255 characters')
  const scope = `gateway/${asked.caller.merchant.id}`
  const flight = `${scope}/${key}`
  const flights = inFlight.get(app) ?? new Set()
  inFlight.set(app, flights)
  if (flights.has(flight))
    throw refuse('IDEMPOTENCY_IN_FLIGHT', 'The first request with this Idempotency-Key is still processing')
  flights.add(flight)
  try {
    const done = await app.store.write((tx) =>
      once(tx, { scope, key, question: { name: asked.name, body: asked.body }, expiresAt: tx.now + memoryMs }, () =>
        work(tx),
      ),
    )
    if (done.outcome === 'conflict')
      throw refuse('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with a different request')
    return done.answer
  } finally {
    flights.delete(flight)
  }
}
