import type { Kysely } from 'kysely'
import type { Tables } from '../schema/index.ts'

/** What is done in a transaction. Works that share one are told so by the same `together`. */
export type Work<T> = (q: Kysely<Tables>, together?: object) => Promise<T>

/** What is said to the other processes on a database at this moment. It is kept nowhere, and may be lost. */
export interface Signals {
  tell(text: string): Promise<void>
  /** Hears what the others say, until what it answers with is called. */
  hear(take: (text: string) => void): () => void
}

/**
 * A kind of database, behind what the store promises on all of them. The work it is given is a transaction's whole
 * content: when it throws, nothing of it stays.
 */
export interface Engine {
  /** One snapshot, in which nothing can be written. */
  read<T>(work: Work<T>): Promise<T>
  /** Serializable, run again if it must be, durable when it has resolved. Those of one lane may share a transaction. */
  write<T>(work: Work<T>, lane?: string): Promise<T>
  /** A write beside which nobody else is changing the schema. */
  alone<T>(work: Work<T>): Promise<T>
  /** Where the processes on one database can talk beside it. */
  readonly signals?: Signals
  /** A copy of the whole database, to open others in memory from. Only a database in memory has it. */
  readonly image?: () => Buffer
  /** The names of the tables there are. */
  tables(q: Kysely<Tables>): Promise<string[]>
  /** Waits for all that was asked before, then lets go. */
  close(): Promise<void>
}
