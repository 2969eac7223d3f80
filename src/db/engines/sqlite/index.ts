import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import type SqliteDatabase from 'better-sqlite3'
import Database from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { Tables } from '../../schema/index.ts'
import type { Engine } from '../engine.ts'
import { claimFile } from '../open-files.ts'
import { createSemaphore } from '../semaphore.ts'
import type { SnapshotStorage } from '../snapshot-storage.ts'
import { backupSqlite, replaceSqlite } from './backup.ts'
import { SqliteConnection, translated } from './connection.ts'
import { createQueue, type Queue } from './group-commit.ts'
import { logSyncOf } from './log-sync.ts'
import { schemaScript } from './schema-script.ts'
import { memoryStorage, sqliteSnapshots } from './snapshots.ts'
import { storeByKey } from './store-by-key.ts'
import { tableShape } from './table-shape.ts'
import { retryWhileBusy, snapshot } from './transaction.ts'

/** Time SQLite itself waits for another process, which blocks this whole process. After that we wait asynchronously. */
const blockingMs = 5
/**
 * Page cache of a connection that reads. A write by another connection empties it, so it serves one transaction; more than this
 * costs memory and saves no CPU time, because the system caches the file too.
 */
const readerCacheKiB = 4096
/** Time a transaction retries while other processes hold the lock. */
const defaultBusyTimeoutMs = 10_000

export interface SqliteOptions {
  readonly poolSize?: number | undefined
  readonly busyTimeoutMs?: number
  /**
   * Pages of the write-ahead log after which they are copied to the database. SQLite's default of 1,000 keeps each copy short.
   * More of them need fewer waits for the disk.
   */
  readonly logPages?: number | undefined
}

/**
 * Opens SQLite in this process. One connection writes. Queued writes run one after another, each after the first in its
 * own savepoint, and are committed together with one sync to disk, in the background where the writes allow it. Reads of a file have their own connections: they neither wait for
 * writes nor see uncommitted ones. A database in memory has one connection for both, used in turns.
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Engine> {
  if (path === ':memory:') return openSqliteMemory()
  const release = claimFile(path)
  try {
    return await fileEngine(Database, path, { ...options, release })
  } catch (error) {
    release()
    throw error
  }
}

export { readFileOnly } from './snapshots.ts'

/** Opens a database in memory: empty, or with the content of an image. */
export async function openSqliteMemory(image?: Buffer): Promise<Engine> {
  return memoryEngine(new SqliteConnection(new Database(image ?? ':memory:'), defaultBusyTimeoutMs))
}

async function fileEngine(
  Database: typeof SqliteDatabase,
  path: string,
  {
    poolSize = 4,
    busyTimeoutMs = defaultBusyTimeoutMs,
    logPages = 1000,
    release,
  }: SqliteOptions & { readonly release: () => void },
): Promise<Engine> {
  const writer = await retryWhileBusy(busyTimeoutMs, () => openWriter(Database, path, busyTimeoutMs))
  writer.db.pragma(`wal_autocheckpoint = ${logPages}`)
  const idle: SqliteConnection[] = []
  const semaphore = createSemaphore(poolSize)
  const log = logSyncOf(path)
  const queue = createQueue(writer, log)
  return {
    isShared: false,
    read: (work) =>
      semaphore.run(async () => {
        const reader =
          idle.pop() ?? (await retryWhileBusy(busyTimeoutMs, () => openReader(Database, path, busyTimeoutMs)))
        try {
          return await snapshot(reader, work)
        } finally {
          idle.push(reader)
        }
      }),
    write: (work, options) => queue.add(work, options),
    async alone(work) {
      // Sorting a large table for an index may need more memory than there is.
      await queue.aside(async () => useTemporary(writer, 'file'))
      const value = await queue.add(work).finally(() => queue.aside(async () => useTemporary(writer, 'memory')))
      for (const connection of [writer, ...idle]) connection.forget()
      return value
    },
    storeByKey,
    schemaScript,
    tables,
    tableShape,
    snapshots: sqliteSnapshots({
      folder: `${path}-snapshots`,
      copyLive: (to) => backupSqlite(path, to),
      load: (from) => queue.aside(() => replaceSqlite(from, path)),
    }),
    async close() {
      await Promise.all([queue.idle(), semaphore.idle()])
      await log.close()
      for (const connection of [...idle, writer]) connection.close()
      release()
    },
  }
}

function memoryEngine(connection: SqliteConnection): Engine {
  prepare(connection)
  const queue = createQueue(connection)
  return {
    isShared: false,
    read: (work) =>
      queue.aside(async () => {
        connection.isLooking = true
        try {
          return await snapshot(connection, work)
        } finally {
          connection.isLooking = false
        }
      }),
    write: (work) => queue.add(work),
    async alone(work) {
      const value = await queue.add(work)
      connection.forget()
      return value
    },
    image: () => connection.db.serialize(),
    storeByKey,
    schemaScript,
    tables,
    tableShape,
    snapshots: memorySnapshots(connection, queue),
    async close() {
      await queue.idle()
      connection.close()
    },
  }
}

/** Snapshots of a database in memory: they end with the process. */
function memorySnapshots(connection: SqliteConnection, queue: Queue): SnapshotStorage {
  return memoryStorage({
    copyLive: (to) =>
      queue.aside(async () => writeFileSync(to, connection.db.serialize(), { mode: 0o600, flag: 'wx' })),
    load: (from) =>
      queue.aside(async () => {
        const image = readFileSync(from)
        // Format versions: a database in memory has no write-ahead log.
        image[18] = 1
        image[19] = 1
        connection.replace(new Database(image))
        prepare(connection)
      }),
  })
}

function openReader(Database: typeof SqliteDatabase, path: string, busyTimeoutMs: number): SqliteConnection {
  return translated(() => {
    const connection = new SqliteConnection(new Database(path, { readonly: true, timeout: blockingMs }), busyTimeoutMs)
    connection.db.pragma('case_sensitive_like = on')
    connection.db.pragma(`cache_size = -${readerCacheKiB}`)
    return connection
  })
}

function openWriter(Database: typeof SqliteDatabase, path: string, busyTimeoutMs: number): SqliteConnection {
  return naming(path, () => {
    makePrivate(path)
    refuseOtherFile(path)
    const connection = new SqliteConnection(new Database(path, { timeout: blockingMs }), busyTimeoutMs)
    try {
      prepare(connection)
      if (connection.db.pragma('journal_mode', { simple: true }) !== 'wal')
        throw new Problem('STORE_UNAVAILABLE', `The file system of ${path} does not support SQLite's write-ahead log`, {
          path,
        })
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  })
}

/** Adds the file name to the error for a file that is not a database. */
function naming<T>(path: string, open: () => T): T {
  try {
    return translated(open)
  } catch (error) {
    if (!isProblem(error, 'STORE_FOREIGN') || 'path' in error.detail) throw error
    const hint = 'name another file, or one that does not exist yet'
    throw new Problem('STORE_FOREIGN', `${path} is not an SQLite database: ${hint}`, { path }, { cause: error })
  }
}

/**
 * A database contains keys and balances: a new file is readable by its owner only. SQLite gives its other files the
 * same mode.
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR')
      throw new Problem('STORE_FOREIGN', `${path} is a folder, not a database`, { path }, { cause: error })
    throw new Problem('STORE_UNAVAILABLE', `The database ${path} cannot be opened`, { path }, { cause: error })
  }
}

/** SQLite treats any file shorter than a page as an empty database and would overwrite it. */
function refuseOtherFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(magic.length)
    const length = readSync(file, head, 0, head.length, 0)
    if (length > 0 && !head.equals(magic)) throw new Problem('STORE_FOREIGN', 'The file is not an SQLite database')
  } finally {
    closeSync(file)
  }
}

/** First bytes of every SQLite database. */
const magic = Buffer.from('SQLite format 3\0')

function prepare(connection: SqliteConnection): void {
  const { db } = connection
  db.pragma('journal_mode = wal') // readers and the writer do not wait for each other
  db.pragma('synchronous = full') // a commit is on the disk before it is acknowledged
  db.pragma('fullfsync = on') // on macOS nothing less reaches the disk; no effect elsewhere
  db.pragma('checkpoint_fullfsync = on')
  db.pragma('foreign_keys = on') // off by default, for compatibility with old files
  db.pragma('case_sensitive_like = on') // as on PostgreSQL
  db.pragma('journal_size_limit = 67108864') // shrinks a large log again
  useTemporary(connection, 'memory')
}

/**
 * Sets where SQLite keeps what it needs to undo a savepoint or a statement. In a file, a write of more than 16 pages
 * writes them twice: 14 KB per deposit instead of 8.
 */
function useTemporary({ db }: SqliteConnection, storage: 'file' | 'memory'): void {
  db.pragma(`temp_store = ${storage}`)
}

async function tables(q: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`.execute(q)
  return rows.map((row) => row.name)
}
