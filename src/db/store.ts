import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import { Problem } from '../kit/problem.ts'
import { knownDatabase } from './engines/database-name.ts'
import type { Engine } from './engines/engine.ts'
import { openEngine, openMemory } from './engines/open.ts'
import { type Migrations, migrate } from './migrate.ts'
import type { Tables } from './schema/index.ts'

/** A transaction that looks: all it reads is one snapshot. */
export interface Reader {
  readonly q: Kysely<Tables>
  /** The moment of this transaction, epoch milliseconds. */
  readonly now: number
}

/** A transaction that changes things; what it writes bears its `now`. A query's first parameter says which of the two it needs. */
export interface Tx extends Reader {
  readonly writes: true
}

/** The database. One per file or URL and process, shared by all who use it. */
export interface Store {
  /** What is read together is one snapshot, and nothing can be written. Never inside another transaction. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /**
   * All of it or none of it, as if nobody else were writing; durable before it is acknowledged. The work is run again
   * from the start if it must be, so it touches nothing but the transaction. Never inside another transaction.
   * `at` is the moment to bear instead of the clock's, for a simulator that deals the past. Writes that name the same
   * `lane` take turns where they would otherwise be in each other's way, with those of other processes too, and those
   * that wait together share a commit: for short writes to neighbouring rows, of which many come at once. One that fails
   * in such company is undone alone, and told so after the commit.
   *
   * Ends in `STORE_BUSY` when others were in the way for too long, and in `STORE_UNAVAILABLE` when the database cannot
   * be reached or cannot write; there `detail.outcome` is `none` when nothing was changed, `unknown` when the answer
   * to the commit was lost.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: { at?: number; lane?: string }): Promise<T>
  /**
   * Says something to the other processes on this database that hear at this moment. Kept nowhere and perhaps lost: for
   * what nobody misses. Where the engine has no way for it, nobody hears.
   */
  tell(text: string): Promise<void>
  /** Hears what the others tell, until what it answers with is called. */
  hear(take: (text: string) => void): () => void
  /** Waits for what runs, then lets go of the database. */
  close(): Promise<void>
}

export interface StoreOptions {
  migrations: Migrations
  /** Asked at the start of each transaction, on its own connection: a world keeps its clock's offset in a table. */
  now: (q: Kysely<Tables>) => number | Promise<number>
}

/**
 * Opens the database and brings its schema up to date. The URL is the path of an SQLite file, `:memory:`, or
 * `postgres://…`, where `?schema=x` names the schema to live in and `poolSize` bounds the connections.
 *
 * Refuses with `STORE_URL` (not understood), `STORE_IN_USE` (this process has the file open), `STORE_FOREIGN` (another
 * program's database), `STORE_NEWER` (a later version's) and `STORE_UNAVAILABLE` (cannot be reached or opened).
 */
export async function openStore(options: StoreOptions & { url: string; poolSize?: number }): Promise<Store> {
  const { url, poolSize, migrations } = options
  if (knownDatabase(url) !== 'memory') return openStoreOn(await openEngine(url, poolSize), options)
  const image = emptyImages.get(migrations)
  const engine = await openMemory(image)
  const store = await openStoreOn(engine, options)
  if (image) await engine.write(async (q) => migrations.renew?.(q))
  else if (engine.image) emptyImages.set(migrations, engine.image())
  return store
}

/** Databases in memory with all steps of a schema taken and no rows of anybody's: the next one in this process begins there. */
const emptyImages = new WeakMap<Migrations, Buffer>()

/** A store on an engine that is open already. If that fails, the engine is closed again. */
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
 * Says in whose transaction the running code is. It belongs to the process and not to one store: a call that leaves a
 * transaction is wrong whichever database it arrives at, since the transaction may be run again. On SQLite it would
 * wait for itself for ever; on PostgreSQL it would seem to work.
 */
const busy = new AsyncLocalStorage<true>()

function storeOver(engine: Engine, now: StoreOptions['now']): Store {
  let closing: Promise<void> | undefined
  const enter = () => {
    alone()
    if (closing) throw new Problem('STORE_UNAVAILABLE', 'The store is closed', { outcome: 'none' })
  }
  /** The moments of transactions that several writes share: the clock is asked once for all of them. */
  const moments = new WeakMap<object, number>()
  const nowIn = async (q: Kysely<Tables>, together: object | undefined) => {
    const known = together && moments.get(together)
    if (known !== undefined) return known
    const asked = moment(await now(q))
    if (together) moments.set(together, asked)
    return asked
  }
  return {
    async read(work) {
      enter()
      return engine.read((q) => busy.run(true, async () => await work({ q, now: moment(await now(q)) })))
    },
    async write(work, options) {
      enter()
      const at = options?.at
      return engine.write(
        (q, together) =>
          busy.run(true, async () => await work({ q, now: moment(at ?? (await nowIn(q, together))), writes: true })),
        options?.lane,
      )
    },
    async tell(text) {
      enter()
      await engine.signals?.tell(text)
    },
    hear: (take) => engine.signals?.hear(take) ?? (() => {}),
    async close() {
      alone()
      closing ??= engine.close()
      await closing
    },
  }
}

function alone(): void {
  assert(!busy.getStore(), 'the store is already in use here: finish the transaction before calling out')
}

function moment(at: number): number {
  assert(Number.isSafeInteger(at), 'a moment is a whole number of milliseconds')
  return at
}
