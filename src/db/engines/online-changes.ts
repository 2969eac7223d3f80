import type { Kysely } from 'kysely'

/** An index that a migration adds to a table that may be large and has no partitions. */
export interface AddedIndex {
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
}

/** Changes of the schema while other processes use the database, where the engine supports them. */
export interface OnlineChanges {
  /**
   * Limits the time for which statements of this transaction wait for a lock. After it they fail with STORE_BUSY.
   * Requests that need the table wait behind a lock that is waited for.
   */
  limitLocks(q: Kysely<unknown>): Promise<void>
  /** Builds an index with a lock that neither readers nor writers wait for. May be called again. */
  buildIndex(index: AddedIndex): Promise<void>
}
