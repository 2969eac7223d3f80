import type { Kysely } from 'kysely'
import type { Tables } from '../schema/index.ts'
import type { KeyedTable } from './keyed-table.ts'
import type { MonthPartitions } from './month-partitions.ts'
import type { OnlineChanges } from './online-changes.ts'
import type { SnapshotStorage } from './snapshot-storage.ts'
import type { SchemaScript } from './sqlite/schema-script.ts'
import type { TableShape } from './table-shape.ts'

/** Content of a transaction. Works that share a transaction get the same `together` object. */
export type Work<T> = (q: Kysely<Tables>, together?: SharedTransaction) => Promise<T>

/** A transaction that works may share. */
export interface SharedTransaction {
  /** Resolves when it has begun, after its write group's turn came. Its first query may be sent before. */
  readonly begun?: Promise<void>
}

/** Messages between the processes on a database. Not stored, and may be lost. */
export interface Signals {
  tell(text: string): Promise<void>
  /** Subscribes to messages of other processes; returns the unsubscribe function. */
  hear(take: (text: string) => void): () => void
}

/** Options of a commit. */
export interface WriteOptions {
  readonly writeGroup?: string | undefined
  /** True to let the next work begin before this one is durable. Without effect on engines that do not block while they commit. */
  readonly syncsLater?: boolean | undefined
}

/** A database engine below the store. A work is a transaction's whole content: when it throws, nothing is committed. */
export interface Engine {
  /** Runs a read-only work on one snapshot. Repeats it if another process changed the schema under it. */
  read<T>(work: Work<T>): Promise<T>
  /** Runs read-only works of one query each on one snapshot, in a single round trip. Absent where that saves nothing. */
  readTogether?(works: readonly Work<unknown>[]): Promise<unknown[]>
  /**
   * Runs a serializable work, repeating it on conflicts; resolves when it is durable. Works of one write group may
   * share a transaction.
   */
  write<T>(work: Work<T>, options?: WriteOptions): Promise<T>
  /** Runs a write during which no other process changes the schema. */
  alone<T>(work: Work<T>): Promise<T>
  /** True if several processes may serve one database. */
  readonly isShared: boolean
  /** Messages between processes, if the engine supports them. */
  readonly signals?: Signals
  /** Returns a copy of the whole database, to open others in memory from. Only for a database in memory. */
  readonly image?: () => Buffer
  /**
   * Replaces a table's primary key, named `<table>_key`, and keeps its rows. SQLite stores the rows in the order of that
   * key, which saves the key's own index. The table must have no other indexes.
   */
  storeByKey(q: Kysely<unknown>, table: KeyedTable): Promise<void>
  /** Tables with partitions by month, if the engine supports them. */
  readonly partitions?: MonthPartitions
  /** Changes of the schema while the database is used, if several processes may use it. */
  readonly online?: OnlineChanges
  /** Returns the statements for a new database, if the engine has any: the migrations take longer. */
  schemaScript?(of: 'world' | 'book'): SchemaScript | undefined
  /** Returns the names of all tables. Partitions belong to theirs. */
  tables(q: Kysely<Tables>): Promise<string[]>
  /** Returns the columns and the primary key of a table. */
  tableShape(q: Kysely<Tables>, table: string): Promise<TableShape>
  /** Copies of the whole database, kept next to it. */
  readonly snapshots: SnapshotStorage
  /** Waits for all pending work, then closes. */
  close(): Promise<void>
}
