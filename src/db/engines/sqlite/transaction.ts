import { setTimeout as wait } from 'node:timers/promises'
import { SqliteAdapter, SqliteIntrospector } from 'kysely'
import { Problem } from '../../../kit/problem.ts'
import type { Work } from '../engine.ts'
import { type DriverlessDialect, Lease, onLease } from '../kysely-dialect.ts'
import { isBusy, type SqliteConnection } from './connection.ts'
import { QueryCompiler } from './query-compiler.ts'

/** Maximum wait between two attempts. */
const tryEveryMs = 20
/** Longest counted time of an attempt and the wait before it. */
const countedMs = 500

const adapter = new SqliteAdapter()
const compiler = new QueryCompiler()

/** Compiles queries to SQLite's SQL. */
export const driverlessDialect: DriverlessDialect = {
  createAdapter: () => adapter,
  createQueryCompiler: () => compiler,
  createIntrospector: (db) => new SqliteIntrospector(db),
}

/** Runs a work in a read-only transaction on one snapshot. */
export async function snapshot<T>(connection: SqliteConnection, work: Work<T>): Promise<T> {
  await retryWhileBusy(connection.busyTimeoutMs, () => {
    connection.run('begin')
    try {
      connection.look()
    } catch (error) {
      connection.run('rollback')
      throw error
    }
  })
  try {
    return await onLease(new Lease(driverlessDialect, connection), work)
  } finally {
    // A disk error may have ended it already.
    if (connection.db.inTransaction) connection.run('rollback')
  }
}

/** Retries while another process holds the lock. Of a time in which this process does not run, `countedMs` are counted. */
export async function retryWhileBusy<T>(timeoutMs: number, work: () => T): Promise<T> {
  let waitedMs = 0
  let lastMs = performance.now()
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw error
      const nowMs = performance.now()
      waitedMs += Math.min(nowMs - lastMs, countedMs)
      lastMs = nowMs
      if (waitedMs > timeoutMs)
        throw new Problem(
          'STORE_BUSY',
          'The database is locked by another process',
          { outcome: 'none' },
          { cause: error },
        )
    }
    await wait(Math.random() * tryEveryMs)
  }
}
