import type SqliteDatabase from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { Problem } from '../../../kit/problem.ts'
import { assertPlain } from '../value-check.ts'

/** Prepared statements kept per connection. The program has a few hundred; lists of varying length add more. */
const maxStatements = 500

/** An SQLite connection for Kysely. The driver is synchronous: a query is done when it is started. */
export class SqliteConnection implements DatabaseConnection {
  db: SqliteDatabase.Database
  /** Time a transaction retries while other processes hold the lock. */
  readonly busyTimeoutMs: number
  /** True during a read transaction: queries that write are then refused. A database in memory has one connection for both. */
  isLooking = false
  #isSyncing = true
  /** Statements used lately, and those used before them: a statement moves on when the first map is full. */
  #recent = new Map<string, SqliteDatabase.Statement>()
  #older = new Map<string, SqliteDatabase.Statement>()

  constructor(db: SqliteDatabase.Database, busyTimeoutMs: number) {
    this.db = db
    this.busyTimeoutMs = busyTimeoutMs
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    assertPlain(parameters)
    return translated(() => {
      const statement = this.#prepared(sql)
      // Not by the pragma query_only: setting it makes SQLite compile all statements of the connection again.
      if (this.isLooking && !statement.readonly) throw new Error('attempt to write a readonly database')
      // The query's type promises the row type.
      if (statement.reader) return { rows: statement.all(...parameters) as R[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
    })
  }

  // biome-ignore lint/correctness/useYield: streaming is not supported, so there is nothing to yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('queries are not streamed: an open stream would block all other queries of its transaction')
  }

  /** Runs one of the engine's own statements, such as begin and commit. */
  run(sql: string): void {
    translated(() => this.#prepared(sql).run())
  }

  /** Sets whether a commit syncs the log to the disk. Not by `run`: SQLite applies this pragma only when it is prepared. */
  syncCommits(isSyncing: boolean): void {
    if (isSyncing !== this.#isSyncing) this.db.pragma(`synchronous = ${isSyncing ? 'full' : 'normal'}`)
    this.#isSyncing = isSyncing
  }

  /** Takes the snapshot of a started transaction. */
  look(): void {
    translated(() => this.#prepared('select 1 from sqlite_schema limit 1').get())
  }

  /** Discards all prepared statements, because a schema change invalidates them. */
  forget(): void {
    this.#recent.clear()
    this.#older.clear()
  }

  /** Continues with another database in place of the previous one. */
  replace(db: SqliteDatabase.Database): void {
    this.close()
    this.db = db
  }

  close(): void {
    this.forget()
    this.db.close()
  }

  #prepared(sql: string): SqliteDatabase.Statement {
    const recent = this.#recent.get(sql)
    if (recent) return recent
    const statement = this.#older.get(sql) ?? this.db.prepare(sql)
    if (this.#recent.size >= maxStatements / 2) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(sql, statement)
    return statement
  }
}

/** Messages for SQLite errors of the file or its disk, not of the query. */
const faults: Readonly<Record<string, string>> = {
  SQLITE_CANTOPEN: 'The database file cannot be opened',
  SQLITE_CORRUPT: 'The database file is damaged',
  SQLITE_FULL: 'The disk of the database is full',
  SQLITE_IOERR: 'The database file cannot be read or written',
  SQLITE_NOTADB: 'The file is not an SQLite database',
  SQLITE_PERM: 'The database file cannot be opened: permission denied',
  SQLITE_READONLY: 'The database file is read-only',
}

/** Runs a function and turns errors of the file or disk into a Problem. */
export function translated<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const message = faults[primaryCode(error)]
    // A write in a read-only transaction gives the same code; that is a bug in the caller.
    if (message === undefined || (error instanceof Error && /attempt to write a readonly/.test(error.message)))
      throw error
    // Retrying does not turn another file into a database.
    const code = primaryCode(error) === 'SQLITE_NOTADB' ? 'STORE_FOREIGN' : 'STORE_UNAVAILABLE'
    throw new Problem(code, message, { outcome: 'none' }, { cause: error })
  }
}

/** Returns whether another process held the lock, so that a retry may succeed. */
export function isBusy(error: unknown): boolean {
  return ['SQLITE_BUSY', 'SQLITE_LOCKED'].includes(primaryCode(error))
}

/** Returns the primary SQLite code: SQLITE_IOERR_FSYNC is an SQLITE_IOERR. */
function primaryCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.split('_').slice(0, 2).join('_')
}
