import assert from 'node:assert/strict'
import {
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  Transaction,
} from 'kysely'
import type { Tables } from '../schema/index.ts'
import type { SharedTransaction, Work } from './engine.ts'

/** Compilation of queries to the SQL of one engine. All transactions share one compiler, because creating one binds 100 functions. */
export type DriverlessDialect = Omit<Dialect, 'createDriver'>

/**
 * Turns of the microtask queue a result is delayed: more than lie between the end of a work and the check of its
 * queries.
 */
const turnsHeld = 4

/** A connection that may send a query before the previous response has arrived, and gets the responses in order. */
export interface PipelinedConnection extends DatabaseConnection {
  readonly isPipelined?: boolean
}

/**
 * The use of a connection by one transaction. It gives both engines the same behavior: queries run one after another; a
 * failed query aborts the transaction, caught or not (as on PostgreSQL); and a query that was started but not awaited
 * is detected before the commit.
 */
export class Lease implements ConnectionProvider {
  readonly q: Transaction<Tables>
  #connection: PipelinedConnection
  #last: Promise<void> = Promise.resolve()
  #running = 0
  #over = false
  #failure: { error: unknown } | undefined

  constructor(driverlessDialect: DriverlessDialect, connection: PipelinedConnection) {
    this.#connection = connection
    const dialect = { ...bound(driverlessDialect), createDriver: () => new DummyDriver() }
    const executor = new DefaultQueryExecutor(
      driverlessDialect.createQueryCompiler(),
      driverlessDialect.createAdapter(),
      this,
    )
    this.q = new Transaction({ config: { dialect }, dialect, driver: dialect.createDriver(), executor })
  }

  /** Counted in the same turn in which a query starts, so that none is missed. */
  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    assert(!this.#over, 'the transaction has ended: no query is possible after its end')
    const before = this.#last
    const mine = Promise.withResolvers<void>()
    this.#last = mine.promise
    this.#running += 1
    try {
      if (this.#running > 1 && !this.#connection.isPipelined) await before
      if (this.#failure) throw this.#failure.error
      const result = await consumer(this.#connection)
      // A synchronous driver would finish before a missing await shows, so its result is delayed.
      for (let turn = 0; turn < turnsHeld; turn++) await undefined
      return result
    } catch (error) {
      this.#failure ??= { error }
      throw error
    } finally {
      this.#running -= 1
      mine.resolve()
    }
  }

  /** Ends a transaction whose work is done. Throws if it must not be committed. */
  async end(): Promise<void> {
    const left = this.#running
    await this.abandon()
    if (this.#failure) throw this.#failure.error
    assert(left === 0, 'a query was started in this transaction but not awaited')
  }

  /** Ends a transaction that is to be rolled back, once its queries have finished. */
  async abandon(): Promise<void> {
    this.#over = true
    while (this.#running > 0) await this.#last
  }

  /** Error of the query that aborted this transaction, if any. */
  get failure(): unknown {
    return this.#failure?.error
  }
}

function bound(driverlessDialect: DriverlessDialect): DriverlessDialect {
  return {
    createQueryCompiler: () => driverlessDialect.createQueryCompiler(),
    createAdapter: () => driverlessDialect.createAdapter(),
    createIntrospector: (db) => driverlessDialect.createIntrospector(db),
  }
}

/** Runs the work on a lease and ends it. Throws the work's error or the reason why it must not be committed. */
export async function onLease<T>(lease: Lease, work: Work<T>, transaction?: SharedTransaction): Promise<T> {
  let value: T
  try {
    value = await work(lease.q, transaction)
  } catch (error) {
    await lease.abandon()
    throw error
  }
  await lease.end()
  return value
}
