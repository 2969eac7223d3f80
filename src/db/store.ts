import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import { Histogram } from '../kit/histogram.ts'
import { Problem } from '../kit/problem.ts'
import { knownDatabase } from './engines/database-name.ts'
import type { Engine, WriteOptions } from './engines/engine.ts'
import type { KeptMonths } from './engines/month-partitions.ts'
import { openEngine, openMemory } from './engines/open.ts'
import type { SnapshotStorage } from './engines/snapshot-storage.ts'
import { type Migrations, migrate } from './migrate.ts'
import type { Tables } from './schema/index.ts'

/** A read-only transaction: all reads are on one snapshot. */
export interface Reader {
  readonly q: Kysely<Tables>
  /** Time of this transaction, epoch milliseconds. */
  readonly now: number
}

/**
 * A transaction that writes; its rows get its `now`. The first parameter of a query shows which of the two it needs.
 */
export interface Tx extends Reader {
  readonly writes: true
}

/** The database. One per file or URL and process, shared by all who use it. */
export interface Store {
  /** Runs reads on one snapshot. Not allowed inside another transaction. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /**
   * Runs queries that do not need each other's results, exactly one per function, on one snapshot. PostgreSQL then takes
   * one round trip for all of them.
   */
  readTogether<T>(
    queries: readonly ((on: Pick<Reader, 'q'>) => Promise<T>)[],
  ): Promise<{ readonly now: number; readonly results: readonly T[] }>
  /**
   * Runs a serializable transaction, durable when it resolves. It may be repeated from the start, so it must not touch
   * anything else. Not allowed inside another transaction.
   * `at` replaces the clock's time, for a simulator that deals in the past.
   * Writes with the same `writeGroup` (write group) run in turns where they would otherwise conflict, across processes, and
   * share a commit: for many short writes to neighboring rows. A failing one is rolled back alone and reports after the
   * commit.
   * With `syncsLater`, SQLite syncs to the disk in the background: the next write can begin, and reads can see this one, before it is
   * durable. It still resolves when it is. After a failed sync, all writes fail until the database is opened again.
   * Throws `STORE_BUSY` after too many conflicts, and `STORE_UNAVAILABLE` when the database cannot be reached or
   * written. Its `detail.outcome` is `none` when nothing was changed, `unknown` when the result of the commit was lost.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: { at?: number } & WriteOptions): Promise<T>
  /** True if several processes may serve this database, so that what they share must be stored. */
  readonly isShared: boolean
  /**
   * Sends a message to other processes on this database. Not stored and may be lost, so only for optional information.
   * Has no effect if the engine does not support it.
   */
  tell(text: string): Promise<void>
  /** Subscribes to messages of other processes; returns the unsubscribe function. */
  hear(take: (text: string) => void): () => void
  /**
   * Creates and drops partitions of a table by month. Returns the number of dropped ones; none where the engine has no
   * partitions.
   */
  keepMonths(table: keyof Tables, kept: KeptMonths): Promise<number>
  /** Copies of the whole database, kept next to it. */
  readonly snapshots: SnapshotStorage
  /** Figures since the store was opened. */
  readonly waits: StoreWaits
  /** Waits for running transactions, then closes the database. */
  close(): Promise<void>
}

/** Waits of transactions before they began, and the number of repetitions. */
export interface StoreWaits {
  readonly reads: Histogram
  readonly writes: Histogram
  readonly repeats: number
}

export interface StoreOptions {
  migrations: Migrations
  /** Called at the start of each transaction, on its own connection: a world stores its clock's offset in a table. */
  now: (q: Kysely<Tables>) => number | Promise<number | Moment>
}

/** Start of a transaction. */
export interface Moment {
  readonly at: number
  /** Called for each work of the transaction before it begins; throws when the work must not run in it. */
  admit(): void
}

/**
 * Opens the database and migrates its schema. The URL is the path of an SQLite file, `:memory:`, or `postgres://…`,
 * where `?schema=x` names the schema and `poolSize` limits the connections. `logPages` is the size at which SQLite copies its
 * write-ahead log to the database. Throws `STORE_URL` (invalid),
 * `STORE_IN_USE` (this process has the file open), `STORE_FOREIGN` (another program's database), `STORE_NEWER` (a later
 * version's) and `STORE_UNAVAILABLE` (cannot be reached or opened).
 */
export async function openStore(
  options: StoreOptions & { url: string; poolSize?: number; logPages?: number },
): Promise<Store> {
  const { url, poolSize, logPages, migrations } = options
  if (knownDatabase(url) !== 'memory') return openStoreOn(await openEngine(url, poolSize, logPages), options)
  const image = emptyImages.get(migrations)
  const engine = await openMemory(image)
  const store = await openStoreOn(engine, options)
  if (image) await engine.write(async (q) => migrations.renew?.(q))
  else if (engine.image) emptyImages.set(migrations, engine.image())
  return store
}

/** Images of empty migrated databases in memory, so that the next one in this process starts from there. */
const emptyImages = new WeakMap<Migrations, Buffer>()

/** Opens a store on an open engine. If that fails, the engine is closed. */
export async function openStoreOn(engine: Engine, { migrations, now }: StoreOptions): Promise<Store> {
  try {
    await migrate(engine, migrations)
  } catch (error) {
    await engine.close()
    throw error
  }
  return storeOver(engine, now)
}

/**
 * Marks code that runs inside a transaction. Shared by all stores of the process: a call out of a transaction is wrong
 * on any database, because the transaction may be repeated. On SQLite it would deadlock; on PostgreSQL it would seem to
 * work.
 */
const busy = new AsyncLocalStorage<true>()

function storeOver(engine: Engine, now: StoreOptions['now']): Store {
  let closing: Promise<void> | undefined
  const enter = () => {
    alone()
    if (closing) throw new Problem('STORE_UNAVAILABLE', 'The store is closed', { outcome: 'none' })
  }
  const nowIn = momentReader(now)
  const waits = { reads: new Histogram(), writes: new Histogram(), repeats: 0 }
  return {
    waits,
    async read(work) {
      enter()
      const begins = waiting(waits, 'reads')
      return engine.read((q) => {
        begins()
        return busy.run(true, async () => await work({ q, now: await nowIn(q) }))
      })
    },
    async readTogether(queries) {
      enter()
      return readTogether(engine, queries, nowIn, waiting(waits, 'reads'))
    },
    async write(work, options) {
      enter()
      const at = options?.at
      const begins = waiting(waits, 'writes')
      return engine.write((q, transaction) => {
        begins()
        return busy.run(true, async () => {
          const current = await nowIn(q, transaction)
          await transaction?.begun
          return work({ q, now: moment(at ?? current), writes: true })
        })
      }, options)
    },
    isShared: engine.isShared,
    async keepMonths(table, kept) {
      enter()
      return (await engine.partitions?.keep(table, kept)) ?? 0
    },
    async tell(text) {
      enter()
      await engine.signals?.tell(text)
    },
    snapshots: engine.snapshots,
    hear: (take) => engine.signals?.hear(take) ?? (() => {}),
    async close() {
      alone()
      closing ??= engine.close()
      await closing
    },
  }
}

/** Returns what is called when a work begins: its first time ends the wait, every other one is a repetition. */
function waiting(waits: StoreWaits & { repeats: number }, kind: 'reads' | 'writes'): () => void {
  const askedMs = performance.now()
  let runs = 0
  return () => {
    if (runs++ === 0) waits[kind].observeMs(performance.now() - askedMs)
    else waits.repeats += 1
  }
}

async function readTogether<T>(
  engine: Engine,
  queries: readonly ((on: Pick<Reader, 'q'>) => Promise<T>)[],
  nowIn: (q: Kysely<Tables>) => Promise<number>,
  begins: () => void,
): Promise<{ readonly now: number; readonly results: readonly T[] }> {
  const readMoment = (q: Kysely<Tables>) => {
    begins()
    return busy.run(true, () => nowIn(q))
  }
  const works = queries.map((query) => (q: Kysely<Tables>) => busy.run(true, () => query({ q })))
  const all = [readMoment, ...works]
  const [now, ...results] = await (engine.readTogether?.(all) ??
    engine.read((q) => Promise.all(all.map((work) => work(q)))))
  // The engine returns one result for each work, of its type.
  return { now: now as number, results: results as T[] }
}

/** Returns what reads the time of a transaction. The clock is read once for all works of a shared one, and each is admitted. */
function momentReader(now: StoreOptions['now']) {
  const moments = new WeakMap<object, number | Moment>()
  return async (q: Kysely<Tables>, transaction?: object): Promise<number> => {
    const known = transaction && moments.get(transaction)
    const current = known ?? (await now(q))
    if (transaction) moments.set(transaction, current)
    if (typeof current === 'number') return moment(current)
    current.admit()
    return moment(current.at)
  }
}

function alone(): void {
  assert(!busy.getStore(), 'the store is in use here: finish the transaction before calling out')
}

function moment(at: number): number {
  assert(Number.isSafeInteger(at), 'at must be a whole number of milliseconds')
  return at
}
