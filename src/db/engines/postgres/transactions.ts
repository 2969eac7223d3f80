import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { sha256Hex } from '../../../kit/hmac.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Work } from '../engine.ts'
import { Lease, onLease } from '../kysely-dialect.ts'
import { createNames, type PgClient, type PgPool, PostgresConnection } from './connection.ts'
import { driverlessDialect } from './dialect.ts'
import { errorKindOf, unavailable } from './errors.ts'
import { captureResult, type WorkResult } from './group-commit.ts'
import type { PostgresAddress } from './url.ts'

/** Maximum attempts of a write on conflicts, and on duplicate keys: the next attempt sees the other row. */
const maxAttempts = 40
const maxDuplicateKeyAttempts = 4
/** Maximum wait before a write is attempted again. */
const longestWaitMs = 100

/** Statements that start a transaction. */
const beginStatements = {
  read: 'start transaction isolation level repeatable read read only',
  write: 'start transaction isolation level serializable',
  /** Not a snapshot: after waiting for the previous transaction, its changes must be visible. */
  rebuild: 'start transaction isolation level read committed',
} as const

/** Options of a transaction. */
interface TransactionOptions {
  readonly kind: keyof typeof beginStatements
  /** Write group: one transaction at a time, across all processes. */
  readonly writeGroup?: string | undefined
  /** True if each work gets its own savepoint, so that it can be undone alone. */
  readonly isGuarded?: boolean
}

export type TransactionAddress = Pick<PostgresAddress, 'schema' | 'shown' | 'scrub'>

/**
 * Thrown when a failed work may have left changes: all works of the transaction are attempted again, each with a savepoint.
 */
const spoiled = Symbol('a work failed in a shared transaction')

/** Thrown when not even the statement that begins a transaction ran. The cause is the driver's error. */
class NotBegun extends Error {}

/** Sends the statement that begins a transaction. Resolves with its failure, if any. */
async function beginTransaction(client: PgClient, statement: string): Promise<NotBegun | undefined> {
  try {
    await client.query({ text: statement })
    return undefined
  } catch (cause) {
    return new NotBegun('the transaction did not begin', { cause })
  }
}

/**
 * Repeats a read that failed because another process had changed the schema. Its connection was discarded, as every
 * other one of the pool will be that prepared the statement before the change.
 */
async function whileStale<T>(read: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await read()
    } catch (error) {
      if (errorKindOf(error) !== 'stale-statement' || attempts >= maxAttempts) throw error
    }
  }
}

/** The transactions of one database, over a pool of connections. */
export class Transactions {
  readonly #pool: PgPool
  readonly #address: TransactionAddress
  readonly #nameOf = createNames()

  constructor(pool: PgPool, address: TransactionAddress) {
    this.#pool = pool
    this.#address = address
  }

  /** Returns a connection with a started transaction. */
  begin(statement: string): Promise<PgClient> {
    return this.#onConnection(async (client) => {
      const failure = await beginTransaction(client, statement)
      if (failure) throw failure
      return client
    })
  }

  /** Hands a connection to `use`, which releases it unless it throws NotBegun. One that broke while idle is replaced once. */
  async #onConnection<T>(use: (client: PgClient) => Promise<T>): Promise<T> {
    for (let replaced = false; ; replaced = true) {
      const client = await this.#pool.connect().catch((error) => {
        throw unavailable(error, this.#address, 'none')
      })
      try {
        return await use(client)
      } catch (error) {
        if (!(error instanceof NotBegun)) throw error
        client.release(true)
        if (errorKindOf(error.cause) === 'timeout') throw tookTooLong(error.cause)
        if (errorKindOf(error.cause) !== 'disconnected') throw error.cause
        if (replaced) throw unavailable(error.cause, this.#address, 'none')
      }
    }
  }

  /** Runs a work in one transaction, once. */
  async once<T>(kind: TransactionOptions['kind'], work: Work<T>): Promise<T> {
    const { keep, value } = captureResult(work)
    await this.#runTogether([keep], { kind })
    return value()
  }

  /** Runs a read-only work. */
  read<T>(work: Work<T>): Promise<T> {
    return whileStale(() => this.once('read', work))
  }

  /**
   * Runs works of one query each on one snapshot. A pipelined connection takes one round trip for all of it: the end of
   * the transaction is sent after the last query.
   */
  readTogether(works: readonly Work<unknown>[]): Promise<unknown[]> {
    return whileStale(() => this.#readTogether(works))
  }

  #readTogether(works: readonly Work<unknown>[]): Promise<unknown[]> {
    return this.#onConnection(async (client) => {
      const connection = new PostgresConnection(client, this.#nameOf)
      const attempt = new TransactionAttempt(client, this.#address, connection)
      const begun = beginTransaction(client, beginStatements.read)
      let ended: Promise<unknown> | undefined
      const end = () => (ended ??= client.query({ text: 'rollback' }))
      let left = works.length
      const isPipelined = connection.isPipelined
      if (isPipelined)
        connection.onSent = () => {
          left -= 1
          if (left === 0) end().catch(ignored)
        }
      else await begun
      try {
        const results = await attempt.doTogether(works)
        assert(!isPipelined || left === 0, 'a work of a common read has other than one query')
        await end()
        return results
      } catch (thrown) {
        throw (await begun) ?? (await attempt.failed(thrown, undefined))
      } finally {
        if (!(await begun)) client.release(attempt.isBroken)
      }
    })
  }

  /** Runs works in one transaction, repeated on conflicts. */
  async untilDone(works: readonly Work<void>[], writeGroup?: string): Promise<WorkResult[]> {
    let isGuarded = false
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.#runTogether(works, { kind: 'write', writeGroup, isGuarded })
      } catch (error) {
        if (error === spoiled) {
          isGuarded = true
          continue
        }
        const errorKind = errorKindOf(error)
        if (
          errorKind === 'duplicate-key'
            ? attempts >= maxDuplicateKeyAttempts
            : errorKind !== 'conflict' && errorKind !== 'stale-statement'
        )
          throw error
        if (attempts >= maxAttempts)
          throw new Problem(
            'STORE_BUSY',
            `Transaction aborted after ${maxAttempts} retries because of concurrent updates; nothing was changed`,
            { outcome: 'none', runs: attempts },
            { cause: error },
          )
      }
      // A random wait: equal waits would make the same transactions collide again.
      await wait(Math.random() * Math.min(longestWaitMs, 2 ** attempts))
    }
  }

  /** Runs works one after another in one transaction, once. A single one throws; several report their results. */
  #runTogether(
    works: readonly Work<void>[],
    { kind, writeGroup, isGuarded = false }: TransactionOptions,
  ): Promise<WorkResult[]> {
    const lock = writeGroup === undefined ? undefined : writeGroupLock(this.#address.schema, writeGroup)
    return this.#onConnection(async (client) => {
      const connection = new PostgresConnection(client, this.#nameOf)
      const attempt = new TransactionAttempt(client, this.#address, connection)
      const begun = beginTransaction(client, lock ? `${lock.take}; ${beginStatements[kind]}` : beginStatements[kind])
      connection.begun = throwing(begun)
      connection.begun.catch(ignored)
      // The query of the clock is sent with the beginning.
      if (!connection.isPipelined) await connection.begun
      try {
        const results = await attempt.doWorks(works, isGuarded)
        await connection.begun
        // A read-only transaction has nothing to commit.
        if (kind === 'read') await client.query({ text: 'rollback' })
        else await attempt.commit(lock?.release)
        return results
      } catch (thrown) {
        throw (await begun) ?? (await attempt.failed(thrown, lock?.release))
      } finally {
        if (!(await begun)) client.release(attempt.isBroken)
      }
    })
  }
}

/** One transaction on one connection, from its first work to its end. */
class TransactionAttempt {
  readonly #client: PgClient
  readonly #address: TransactionAddress
  readonly #connection: PostgresConnection
  #lease: Lease
  #outcome: 'none' | 'unknown' = 'none'
  /** True if the connection cannot be used for another transaction. */
  isBroken = false

  constructor(client: PgClient, address: TransactionAddress, connection: PostgresConnection) {
    this.#client = client
    this.#address = address
    this.#connection = connection
    this.#lease = new Lease(driverlessDialect, connection)
  }

  async doWorks(works: readonly Work<void>[], isGuarded: boolean): Promise<WorkResult[]> {
    const results: WorkResult[] = []
    for (const work of works) results.push(await this.#do(work, works.length === 1, isGuarded))
    return results
  }

  /** Runs works of one query each at once. */
  doTogether(works: readonly Work<unknown>[]): Promise<unknown[]> {
    return onLease(this.#lease, (q) => Promise.all(works.map((work) => work(q))))
  }

  async commit(release: string | undefined): Promise<void> {
    this.#outcome = 'unknown'
    await this.#client.query({ text: release === undefined ? 'commit' : `commit; ${release}` })
  }

  /** Rolls back. Returns the error to throw. */
  async failed(thrown: unknown, release: string | undefined): Promise<unknown> {
    // A work's own error after a conflict does not count: it is attempted again.
    const { failure } = this.#lease
    const error = ['conflict', 'stale-statement', 'disconnected'].includes(errorKindOf(failure)) ? failure : thrown
    const errorKind = errorKindOf(error)
    this.isBroken =
      errorKind === 'stale-statement' || errorKind === 'disconnected' || !(await rolledBack(this.#client, release))
    // A transaction that is interrupted during the commit may have been committed.
    if (errorKind === 'disconnected' || (errorKind === 'timeout' && this.#outcome === 'unknown'))
      return unavailable(error, this.#address, this.#outcome)
    return errorKind === 'timeout' ? tookTooLong(error) : error
  }

  async #do(work: Work<void>, isAlone: boolean, isGuarded: boolean): Promise<WorkResult> {
    const before = this.#connection.changes
    if (isGuarded) await this.#client.query({ text: 'savepoint work' })
    const lease = new Lease(driverlessDialect, this.#connection)
    this.#lease = lease
    let result: WorkResult = 'done'
    try {
      await onLease(lease, work, this.#connection)
    } catch (error) {
      const errorKind = errorKindOf(lease.failure)
      if (isAlone || (errorKind !== 'other' && errorKind !== 'duplicate-key')) throw error
      if (isGuarded) await this.#client.query({ text: 'rollback to savepoint work' })
      else if (lease.failure !== undefined || this.#connection.changes > before) throw spoiled
      result = errorKind === 'duplicate-key' ? 'duplicate-key' : { error }
    }
    if (isGuarded) await this.#client.query({ text: 'release savepoint work' })
    return result
  }
}

/**
 * Returns the advisory lock of a write group across processes. It is taken before the transaction's snapshot, in the
 * same message, so that the snapshot includes the previous writes. The lock belongs to the session and ends with it.
 */
function writeGroupLock(schema: string | undefined, writeGroup: string): { take: string; release: string } {
  const key = BigInt(`0x${sha256Hex(`countroom lane ${schema ?? ''} ${writeGroup}`).slice(0, 15)}`)
  return {
    take: `start transaction; select pg_advisory_lock(${key}); commit`,
    release: `select pg_advisory_unlock(${key})`,
  }
}

async function throwing(begun: Promise<NotBegun | undefined>): Promise<void> {
  const failure = await begun
  if (failure) throw failure
}

/** The rejection is handled where the promise is awaited. */
function ignored(): void {}

function tookTooLong(error: unknown): Problem {
  return new Problem('STORE_BUSY', 'The database timed out', { outcome: 'none' }, { cause: error })
}

async function rolledBack(client: PgClient, after: string | undefined): Promise<boolean> {
  try {
    await client.query({ text: after === undefined ? 'rollback' : `rollback; ${after}` })
    return true
  } catch {
    return false
  }
}
