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
import type { Work } from './engine.ts'

/** How queries become the SQL of one kind of database. */
export type Speech = Omit<Dialect, 'createDriver'>

/** How many turns of the microtask queue an answer is held: more than lie between the end of a work and the look at its queries. */
const turnsHeld = 4

/**
 * A transaction's hold on its connection, for as long as the transaction lasts. It gives both engines the same manners:
 * queries run one after another; one that failed spoils the transaction, caught or not (as on PostgreSQL); and one that
 * was started and not awaited is a bug that is found before anything is committed.
 */
export class Lease implements ConnectionProvider {
  readonly q: Transaction<Tables>
  #connection: DatabaseConnection
  #last: Promise<void> = Promise.resolve()
  #running = 0
  #over = false
  #failure: { error: unknown } | undefined

  constructor(speech: Speech, connection: DatabaseConnection) {
    this.#connection = connection
    const dialect = { ...bound(speech), createDriver: () => new DummyDriver() }
    const executor = new DefaultQueryExecutor(speech.createQueryCompiler(), speech.createAdapter(), this)
    this.q = new Transaction({ config: { dialect }, dialect, driver: dialect.createDriver(), executor })
  }

  /** Entered in the same turn in which a query is started, so that none escapes the count. */
  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    assert(!this.#over, 'this transaction is over: a query came after its end')
    const before = this.#last
    const mine = Promise.withResolvers<void>()
    this.#last = mine.promise
    this.#running += 1
    try {
      if (this.#running > 1) await before
      if (this.#failure) throw this.#failure.error
      const result = await consumer(this.#connection)
      // A driver that answers at once would be done before it shows that nobody waits: whoever does is held up by this too.
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

  /** Ends a transaction whose work is done. Throws when it may not be committed. */
  async end(): Promise<void> {
    const left = this.#running
    await this.abandon()
    if (this.#failure) throw this.#failure.error
    assert(left === 0, 'a query was started in this transaction and not awaited')
  }

  /** Ends a transaction that is to be rolled back, once its connection has fallen silent. */
  async abandon(): Promise<void> {
    this.#over = true
    while (this.#running > 0) await this.#last
  }

  /** The error of the query that spoiled this transaction, if one did. */
  get failure(): unknown {
    return this.#failure?.error
  }
}

function bound(speech: Speech): Speech {
  return {
    createQueryCompiler: () => speech.createQueryCompiler(),
    createAdapter: () => speech.createAdapter(),
    createIntrospector: (db) => speech.createIntrospector(db),
  }
}

/** Runs the work on a lease and ends it. Throws what the work threw, or what keeps the transaction from being committed. */
export async function onLease<T>(lease: Lease, work: Work<T>, together?: object): Promise<T> {
  let value: T
  try {
    value = await work(lease.q, together)
  } catch (error) {
    await lease.abandon()
    throw error
  }
  await lease.end()
  return value
}
