import type { Tx } from '../../db/store.ts'
import type { Gateway } from './service.ts'

/*
 * Write groups of the gateway (`Store.write`). They do not prevent races, which the database does: they batch frequent
 * writes that would otherwise repeat because of conflicts.
 */

/**
 * A write that creates something with an id of the API. All merchants share one id series, so creators wait for each
 * other anyway.
 */
export function making<T>(app: Gateway, work: (tx: Tx) => Promise<T>): Promise<T> {
  return app.store.write(work, { writeGroup: 'gateway making' })
}

/** A write of an idempotency key only: apart from the creation, so that a duplicate request gets its refusal at once. */
export function changingKeys<T>(app: Gateway, work: (tx: Tx) => Promise<T>): Promise<T> {
  return app.store.write(work, { writeGroup: 'gateway keys' })
}

/** A write of a rate's bucket: every request changes that of its address, in any process. */
export function countingRates<T>(app: Gateway, work: (tx: Tx) => Promise<T>): Promise<T> {
  return app.store.write(work, { writeGroup: 'gateway rates' })
}
