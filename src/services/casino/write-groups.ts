import type { Tx } from '../../db/store.ts'
import type { Casino } from './service.ts'

/*
 * Which writes of the casino take turns and share their commits (`Store.write`). Not what must not happen at once, which
 * the database sees to: what comes often, and would be begun again and again for its neighbours' sake.
 */

/** A write about a tenant's players and their money. Each tenant has a lane of its own, so that none waits for another. */
export function changingPlayers<T>(
  app: Casino,
  { code }: { readonly code: string },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return app.store.write(work, { lane: `casino players ${code}` })
}

/** A write about a live table: all who bet in a round change the same rows, whichever tenant they come from. */
export function changingTable<T>(
  app: Casino,
  { environment, tableId }: { readonly environment: string; readonly tableId: string },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return app.store.write(work, { lane: `casino table ${environment} ${tableId}` })
}
