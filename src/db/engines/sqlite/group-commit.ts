import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Work } from '../engine.ts'
import { Lease, onLease } from '../kysely-dialect.ts'
import { createSlots } from '../semaphore.ts'
import type { SqliteConnection } from './connection.ts'
import { patiently, speech } from './transaction.ts'

/** The most writes that share one commit: enough to make the disk's part in each small, few enough not to keep the first waiting. */
const groupSize = 100

/** Where writes wait for their turn on the one connection that writes. */
export interface Queue {
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

export function createQueue(connection: SqliteConnection): Queue {
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
