import type { Kysely } from 'kysely'
import type { Tables } from '../schema/index.ts'
import type { TableShape } from './table-shape.ts'

/** A private copy of a whole database, until it is published, loaded or discarded. */
export interface SnapshotDraft {
  /** Address to open it with. Close it again before the next call. */
  readonly url: string
  /** Makes it a snapshot of this name. Returns false when the name is taken; the draft then stays. */
  publish(name: string): Promise<boolean>
  /** Replaces the content of the database by this copy, in one step for all its processes. */
  load(): Promise<void>
  discard(): Promise<void>
}

/** Names of the schemas of two copies on one connection. */
export interface ComparedSchemas {
  readonly from: string
  readonly to: string
  /** Returns the columns of a table; both copies have the same. */
  shapeOf(table: string): Promise<TableShape>
}

/**
 * Snapshots of one database, kept next to it: files next to a file, schemas on a server. What was not published when a
 * process died is no snapshot, and `sweep` removes it.
 */
export interface SnapshotStorage {
  /** Lists the published snapshots with the address of each, which is only read. */
  list(): Promise<{ readonly name: string; readonly url: string }[]>
  /** Copies the database as it is now, in one transaction, while others use it. */
  copyLive(): Promise<SnapshotDraft>
  /** Copies a published snapshot. */
  copySnapshot(name: string): Promise<SnapshotDraft>
  /** Copies a portable file, which is an SQLite database. Absent where the rows have to be copied one by one. */
  copyFile?(path: string): Promise<SnapshotDraft>
  /** Makes an empty database. */
  empty(): Promise<SnapshotDraft>
  /**
   * Calls `work` with a connection on two of these copies, by their addresses, and with the name of the schema that each has
   * there.
   */
  compare<T>(from: string, to: string, work: (q: Kysely<Tables>, schemas: ComparedSchemas) => Promise<T>): Promise<T>
  /** Deletes a snapshot. Returns whether it existed. */
  remove(name: string): Promise<boolean>
  /** Deletes drafts that killed processes left. Call it while no other process creates any. */
  sweep(): Promise<void>
}
