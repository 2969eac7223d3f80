import type SqliteDatabase from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { Problem } from '../../../kit/problem.ts'
import { assertPlain } from '../value-check.ts'

/** How many prepared statements a connection keeps. The program has a few hundred; lists of varying length make more. */
const statementsKept = 500

/** One connection to an SQLite database, in Kysely's terms. The driver is synchronous: a query is done when it is started. */
export class SqliteConnection implements DatabaseConnection {
  readonly db: SqliteDatabase.Database
  /** How long a transaction on it tries to get its turn among other processes. */
  readonly patienceMs: number
  #statements = new Map<string, SqliteDatabase.Statement>()

  constructor(db: SqliteDatabase.Database, patienceMs: number) {
    this.db = db
    this.patienceMs = patienceMs
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    assertPlain(parameters)
    return translated(() => {
      const statement = this.#prepared(sql)
      // What rows look like is a promise of the query's own type.
      if (statement.reader) return { rows: statement.all(...parameters) as R[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
    })
  }

  // biome-ignore lint/correctness/useYield: there is nothing to yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('queries are not streamed: an open one would keep all others of its transaction waiting')
  }

  /** Runs one of the engine's own statements: begin, commit and the like. */
  run(sql: string): void {
    translated(() => this.#prepared(sql).run())
  }

  /** Takes the snapshot of a transaction that has begun. */
  look(): void {
    translated(() => this.#prepared('select 1 from sqlite_schema limit 1').get())
  }

  /** Forgets all prepared statements, since what they answer has changed with the schema. */
  forget(): void {
    this.#statements.clear()
  }

  close(): void {
    this.forget()
    this.db.close()
  }

  #prepared(sql: string): SqliteDatabase.Statement {
    const known = this.#statements.get(sql)
    // Taken out and put back, the most recent ones stand last.
    if (known) this.#statements.delete(sql)
    const statement = known ?? this.db.prepare(sql)
    this.#statements.set(sql, statement)
    if (this.#statements.size > statementsKept) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest)
        break
      }
    }
    return statement
  }
}

/** What SQLite says when the file or its disk is at fault, and not the query. */
const faults: Readonly<Record<string, string>> = {
  SQLITE_CANTOPEN: 'The database file cannot be opened',
  SQLITE_CORRUPT: 'The database file is damaged',
  SQLITE_FULL: 'The disk of the database is full',
  SQLITE_IOERR: 'The database file cannot be read or written',
  SQLITE_NOTADB: 'The file is not an SQLite database',
  SQLITE_PERM: 'The database file may not be opened',
  SQLITE_READONLY: 'The database file cannot be written to',
}

/** Does it, and turns what the file or the disk brought about into a refusal. */
export function translated<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const message = faults[primaryCode(error)]
    // A transaction that only looks is told so by the same code; that is a bug of the one who wrote in it.
    if (message === undefined || (error instanceof Error && /attempt to write a readonly/.test(error.message)))
      throw error
    // Waiting does not make a database of another file.
    const code = primaryCode(error) === 'SQLITE_NOTADB' ? 'STORE_FOREIGN' : 'STORE_UNAVAILABLE'
    throw new Problem(code, message, { outcome: 'none' }, { cause: error })
  }
}

/** Whether another process was in the way, so that it may go better in a moment. */
export function isBusy(error: unknown): boolean {
  return ['SQLITE_BUSY', 'SQLITE_LOCKED'].includes(primaryCode(error))
}

/** The general one of SQLite's codes: SQLITE_IOERR_FSYNC is an SQLITE_IOERR. */
function primaryCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.split('_').slice(0, 2).join('_')
}
