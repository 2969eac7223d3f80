import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '../../../kit/problem.ts'
import type { Work, WriteOptions } from '../engine.ts'
import { Lease, onLease } from '../kysely-dialect.ts'
import { createSemaphore } from '../semaphore.ts'
import type { SqliteConnection } from './connection.ts'
import type { LogSync } from './log-sync.ts'
import { driverlessDialect, retryWhileBusy } from './transaction.ts'

/** Maximum number of writes per commit: enough to share the disk's cost, few enough not to delay the first. */
const groupSize = 100

/** Queue of writes on the single writing connection. */
export interface Queue {
  /** Adds a write, which shares its commit with others in the queue. */
  add<T>(work: Work<T>, options?: WriteOptions): Promise<T>
  /** Runs something on the connection between two groups of writes. */
  aside<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when all requested work is done. */
  idle(): Promise<void>
}

/** A write in the queue. */
interface Job {
  /**
   * Runs the work and returns the function that reports its result. On failure it rolls back to the end of the job before; the
   * first job of a transaction rolls back all of it.
   */
  attempt(isFirst: boolean): Promise<() => void>
  reject(error: unknown): void
  readonly syncsLater: boolean
}

/** A group of writes that is committed, and its results. */
interface Committed {
  readonly group: readonly Job[]
  readonly acknowledgements: readonly (() => void)[]
}

/** Creates the queue. With a log, writes that allow it are committed without a sync, and acknowledged after one in the background. */
export function createQueue(connection: SqliteConnection, log?: LogSync): Queue {
  const jobs: Job[] = []
  const syncing = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  const turns = createSemaphore(1)
  let draining = false
  const drain = async () => {
    try {
      while (jobs.length > 0) {
        // One turn of the event loop later, concurrent requests have joined the same group.
        await nextTurn()
        await turns.run(async () => {
          if (failure) throw failure.error
          const isLater = log !== undefined && jobs[0]?.syncsLater === true
          connection.syncCommits(!isLater)
          const committed = await commitTogether(connection, jobs)
          if (committed && isLater) acknowledgeLater(log, committed)
          else for (const acknowledge of committed?.acknowledgements ?? []) acknowledge()
        })
      }
    } catch (error) {
      for (const job of jobs.splice(0)) job.reject(error)
    }
    draining = false
  }
  const acknowledgeLater = (log: LogSync, { group, acknowledgements }: Committed) => {
    const synced = log.sync().then(
      () => {
        for (const acknowledge of acknowledgements) acknowledge()
      },
      (cause: unknown) => {
        const message = 'The database file cannot be written to the disk'
        failure ??= { error: new Problem('STORE_UNAVAILABLE', message, { outcome: 'unknown' }, { cause }) }
        for (const job of group) job.reject(failure.error)
      },
    )
    syncing.add(synced)
    void synced.then(() => syncing.delete(synced))
  }
  return {
    add: (work, { syncsLater = false } = {}) =>
      new Promise((resolve, reject) => {
        // The work keeps its caller's async context, not that of the call that started the group.
        const inContext = AsyncLocalStorage.snapshot()
        const attempt = (isFirst: boolean) =>
          inContext(() => attemptJob({ connection, isFirst }, work, resolve, reject))
        jobs.push({ attempt, reject, syncsLater })
        if (draining) return
        draining = true
        void drain()
      }),
    aside: (work) => turns.run(work),
    async idle() {
      while (draining) await nextTurn()
      await turns.idle()
      await Promise.all(syncing)
    },
  }
}

/**
 * Runs the queued jobs, and those added while they run, in one transaction. Each result, also a refusal, is reported
 * after the commit, because it may depend on the other jobs. If the commit fails, all jobs fail and nothing is returned.
 */
async function commitTogether(connection: SqliteConnection, jobs: Job[]): Promise<Committed | undefined> {
  try {
    await retryWhileBusy(connection.busyTimeoutMs, () => connection.run('begin immediate'))
  } catch (error) {
    for (const job of jobs.splice(0)) job.reject(error)
    return undefined
  }
  const group: Job[] = []
  const acknowledgements: (() => void)[] = []
  try {
    while (group.length < groupSize) {
      const job = jobs.shift()
      if (!job) break
      group.push(job)
      acknowledgements.push(await job.attempt(group.length === 1))
      // The first job failed and took the transaction with it; the others get their own.
      if (!connection.db.inTransaction) break
    }
    if (connection.db.inTransaction) connection.run('commit')
  } catch (error) {
    for (const job of group) job.reject(error)
    if (connection.db.inTransaction) connection.run('rollback')
    return undefined
  }
  return { group, acknowledgements }
}

/**
 * Throws only when the whole group is impossible. The first job needs no savepoint, because nothing was written before it.
 * SQLite copies every page that a savepoint changes: a page of 1,000 slips would copy hundreds.
 */
async function attemptJob<T>(
  { connection, isFirst }: { connection: SqliteConnection; isFirst: boolean },
  work: Work<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Promise<() => void> {
  if (!isFirst) connection.run('savepoint job')
  try {
    const value = await onLease(new Lease(driverlessDialect, connection), work)
    if (!isFirst) connection.run('release job')
    return () => resolve(value)
  } catch (error) {
    // A full disk makes SQLite roll back the whole transaction, including the other jobs.
    if (!connection.db.inTransaction) throw error
    connection.run(isFirst ? 'rollback' : 'rollback to job')
    if (!isFirst) connection.run('release job')
    return () => reject(error)
  }
}
