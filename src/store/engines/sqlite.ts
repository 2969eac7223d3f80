import { AsyncLocalStorage } from 'node:async_hooks'
import { closeSync, openSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type SqliteDatabase from 'better-sqlite3'
import { type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { Problem } from '../../kit/problem.ts'
import type { Tables } from '../tables.ts'
import type { Engine, Work } from './engine.ts'
import { Lease, onLease, type Speech } from './lease.ts'
import { claimFile } from './open-files.ts'
import { createSlots } from './slots.ts'
import { isBusy, SqliteConnection, translated } from './sqlite-connection.ts'

/** How long SQLite itself waits for another process, standing still with this whole one. After that we wait, and others go on. */
const blockingMs = 5
/** How long a transaction tries to get its turn among other processes. */
const usualPatienceMs = 10_000
/** The longest wait between two tries. */
const tryEveryMs = 20
/** The most writes that share one commit: enough to make the disk's part in each small, few enough not to keep the first waiting. */
const groupSize = 100

const speech: Speech = {
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
}

/**
 * SQLite in this process. One connection writes. Writes that wait together are done one after another, each in a
 * savepoint of its own, and committed together: one sync to the disk for all of them, and none acknowledged before it.
 * Reads of a file have connections of their own and neither wait for writes nor see unfinished ones; a database in
 * memory has one connection for both, which they take in turns.
 */
export async function openSqlite(path: string, poolSize = 4, patienceMs = usualPatienceMs): Promise<Engine> {
  const { default: Database } = await import('better-sqlite3')
  if (path === ':memory:') return memoryEngine(new SqliteConnection(new Database(path), patienceMs))
  const release = claimFile(path)
  try {
    return await fileEngine(Database, path, { poolSize, patienceMs, release })
  } catch (error) {
    release()
    throw error
  }
}

async function fileEngine(
  Database: typeof SqliteDatabase,
  path: string,
  { poolSize, patienceMs, release }: { poolSize: number; patienceMs: number; release: () => void },
): Promise<Engine> {
  const writer = await patiently(patienceMs, () => openWriter(Database, path, patienceMs))
  const idle: SqliteConnection[] = []
  const slots = createSlots(poolSize)
  const queue = createQueue(writer)
  const openReader = () =>
    translated(() => {
      const connection = new SqliteConnection(new Database(path, { readonly: true, timeout: blockingMs }), patienceMs)
      connection.db.pragma('case_sensitive_like = on')
      return connection
    })
  return {
    read: (work) =>
      slots.run(async () => {
        const reader = idle.pop() ?? (await patiently(patienceMs, openReader))
        try {
          return await snapshot(reader, work)
        } finally {
          idle.push(reader)
        }
      }),
    write: (work) => queue.add(work),
    async alone(work) {
      const value = await queue.add(work)
      for (const connection of [writer, ...idle]) connection.forget()
      return value
    },
    tables,
    async close() {
      await Promise.all([queue.idle(), slots.idle()])
      for (const connection of [...idle, writer]) connection.close()
      release()
    },
  }
}

function memoryEngine(connection: SqliteConnection): Engine {
  prepare(connection)
  const queue = createQueue(connection)
  return {
    read: (work) =>
      queue.aside(async () => {
        connection.db.pragma('query_only = on')
        try {
          return await snapshot(connection, work)
        } finally {
          connection.db.pragma('query_only = off')
        }
      }),
    write: (work) => queue.add(work),
    async alone(work) {
      const value = await queue.add(work)
      connection.forget()
      return value
    },
    tables,
    async close() {
      await queue.idle()
      connection.close()
    },
  }
}

function openWriter(Database: typeof SqliteDatabase, path: string, patienceMs: number): SqliteConnection {
  return translated(() => {
    makePrivate(path)
    const connection = new SqliteConnection(new Database(path, { timeout: blockingMs }), patienceMs)
    try {
      prepare(connection)
      if (connection.db.pragma('journal_mode', { simple: true }) !== 'wal')
        throw new Problem('STORE_UNAVAILABLE', `The file system of ${path} cannot keep the database's log`, { path })
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  })
}

/** A database holds keys and balances: a new file is its owner's alone. The files beside it take after it. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw new Problem('STORE_UNAVAILABLE', `The database ${path} cannot be opened`, { path }, { cause: error })
  }
}

function prepare({ db }: SqliteConnection): void {
  db.pragma('journal_mode = wal') // readers and the writer do not wait for each other
  db.pragma('synchronous = full') // a commit is on the disk before it is acknowledged
  db.pragma('fullfsync = on') // on macOS nothing less reaches the disk; elsewhere it says nothing
  db.pragma('checkpoint_fullfsync = on')
  db.pragma('foreign_keys = on') // off by default, for the sake of very old files
  db.pragma('case_sensitive_like = on') // as on PostgreSQL
  db.pragma('journal_size_limit = 67108864') // a log that once grew large gives its space back
}

async function tables(q: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`.execute(q)
  return rows.map((row) => row.name)
}

/** Runs the work in a transaction that sees one state of the database and cannot change it. */
async function snapshot<T>(connection: SqliteConnection, work: Work<T>): Promise<T> {
  await patiently(connection.patienceMs, () => {
    connection.run('begin')
    try {
      connection.look()
    } catch (error) {
      connection.run('rollback')
      throw error
    }
  })
  try {
    return await onLease(new Lease(speech, connection), work)
  } finally {
    connection.run('rollback')
  }
}

/** Tries again for a while when another process is in the way. */
async function patiently<T>(patienceMs: number, work: () => T): Promise<T> {
  const end = performance.now() + patienceMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > end)
        throw new Problem(
          'STORE_BUSY',
          'Another process kept the database to itself',
          { outcome: 'none' },
          { cause: error },
        )
    }
    await wait(Math.random() * tryEveryMs)
  }
}

/** Where writes wait for their turn on the one connection that writes. */
interface Queue {
  /** A write, which shares its commit with those that wait beside it. */
  add<T>(work: Work<T>): Promise<T>
  /** Something that wants the connection between two groups of writes. */
  aside<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when all that was asked is done. */
  idle(): Promise<void>
}

/** A write that waits. */
interface Job {
  /** Does the work; answers with what acknowledges it once that is safe, or rolls back what it did. */
  attempt(): Promise<() => void>
  reject(error: unknown): void
}

function createQueue(connection: SqliteConnection): Queue {
  const jobs: Job[] = []
  const turns = createSlots(1)
  let draining = false
  const drain = async () => {
    try {
      while (jobs.length > 0) {
        // One turn of the event loop later, the requests that came in together wait together.
        await nextTurn()
        await turns.run(() => commitTogether(connection, jobs))
      }
    } catch (error) {
      for (const job of jobs.splice(0)) job.reject(error)
    }
    draining = false
  }
  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        // The work belongs to its caller, whoever happens to have started the group it is done in.
        const inContext = AsyncLocalStorage.snapshot()
        const attempt = () => inContext(() => attemptInSavepoint(connection, work, resolve, reject))
        jobs.push({ attempt, reject })
        if (draining) return
        draining = true
        void drain()
      }),
    aside: (work) => turns.run(work),
    async idle() {
      while (draining) await nextTurn()
      await turns.idle()
    },
  }
}

/**
 * Does the jobs that wait, and those that come meanwhile, in one transaction. Each hears of its end after the commit:
 * also one that was refused, since it may have been refused for what its neighbours did. If the commit fails, none of
 * it has happened and all are told so.
 */
async function commitTogether(connection: SqliteConnection, jobs: Job[]): Promise<void> {
  try {
    await patiently(connection.patienceMs, () => connection.run('begin immediate'))
  } catch (error) {
    for (const job of jobs.splice(0)) job.reject(error)
    return
  }
  const group: Job[] = []
  const acknowledgements: (() => void)[] = []
  try {
    while (group.length < groupSize) {
      const job = jobs.shift()
      if (!job) break
      group.push(job)
      acknowledgements.push(await job.attempt())
    }
    connection.run('commit')
  } catch (error) {
    for (const job of group) job.reject(error)
    if (connection.db.inTransaction) connection.run('rollback')
    return
  }
  for (const acknowledge of acknowledgements) acknowledge()
}

/** Throws only what makes the whole group impossible. */
async function attemptInSavepoint<T>(
  connection: SqliteConnection,
  work: Work<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Promise<() => void> {
  connection.run('savepoint job')
  try {
    const value = await onLease(new Lease(speech, connection), work)
    connection.run('release job')
    return () => resolve(value)
  } catch (error) {
    // A full disk and its like make SQLite roll back the whole transaction, and the neighbours' part with it.
    if (!connection.db.inTransaction) throw error
    connection.run('rollback to job')
    connection.run('release job')
    return () => reject(error)
  }
}
