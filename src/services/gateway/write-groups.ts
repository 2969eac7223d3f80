import type { Tx } from '../../db/store.ts'
import type { Gateway } from './service.ts'

/*
 * Write groups of the gateway (`Store.write`). The database prevents races; the groups batch frequent writes that would
 * otherwise be retried because of conflicts.
 */

/**
 * Runs a write that creates something with an id of the API. All merchants share one id series, so these writes wait
 * for each other anyway.
 */
export function making<T>(app: Gateway, work: (tx: Tx) => Promise<T>): Promise<T> {
  return app.store.write(work, { writeGroup: 'gateway making' })
}

/**
 * Runs a write of only an idempotency key. Separate from the creation, so that a duplicate request is refused at once.
 */
export function changingKeys<T>(app: Gateway, work: (tx: Tx) => Promise<T>): Promise<T> {
  return app.store.write(work, { writeGroup: 'gateway keys' })
}

/** Runs a write of a rate limit's bucket. Every request changes the bucket of its address, in any process. */
export function countingRates<T>(app: Gateway, work: (tx: Tx) => Promise<T>): Promise<T> {
  return app.store.write(work, { writeGroup: 'gateway rates' })
}
