import type { Tx } from '../../db/store.ts'
import type { Gateway } from './service.ts'

/*
 * Which writes of the gateway take turns and share their commits (`Store.write`). Not what must not happen at once, which
 * the database sees to: what comes often, and would be begun again and again for its neighbours' sake.
 */

/** A write that makes something with an id of the API's. They are one series for all merchants, so makers wait for each other anyway. */
export function making<T>(app: Gateway, work: (tx: Tx) => Promise<T>): Promise<T> {
  return app.store.write(work, { lane: 'gateway making' })
}

/** A write of a request's key alone: apart from what is made, since whoever asks under a key at work is told so at once. */
export function changingKeys<T>(app: Gateway, work: (tx: Tx) => Promise<T>): Promise<T> {
  return app.store.write(work, { lane: 'gateway keys' })
}
