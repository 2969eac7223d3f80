import type { Tx } from '../../db/store.ts'
import type { Casino } from './service.ts'

/*
 * Write groups of the casino (`Store.write`). They do not prevent races, which the database does: they batch frequent
 * writes that would otherwise repeat because of conflicts.
 */

/** A write about a tenant's players and their money. Each tenant has its own group, so that none waits for another. */
export function changingPlayers<T>(
  app: Casino,
  { code }: { readonly code: string },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return app.store.write(work, { writeGroup: `casino players ${code}` })
}

/** A write about a tenant's requests only: apart from its players, so that a read does not wait for their money. */
export function admittingRequests<T>(
  app: Casino,
  { code }: { readonly code: string },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return app.store.write(work, { writeGroup: `casino requests ${code}` })
}

/** A write about a live table: all bets of a round change the same rows, for any tenant. */
export function changingTable<T>(
  app: Casino,
  { environment, tableId }: { readonly environment: string; readonly tableId: string },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return app.store.write(work, { writeGroup: `casino table ${environment} ${tableId}` })
}
