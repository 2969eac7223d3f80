import { setTimeout as wait } from 'node:timers/promises'
import {
  type ColumnDefinitionNode,
  type DataTypeNode,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type pg from 'pg'
import { sha256Hex } from '../../../kit/hmac.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Tables } from '../../schema/index.ts'
import type { Engine, Work } from '../engine.ts'
import { Lease, onLease, type Speech } from '../kysely-dialect.ts'
import { createSlots } from '../semaphore.ts'
import { createNames, type PgClient, type PgPool, PostgresConnection, valueParsers } from './connection.ts'
import { unavailable, verdictOn } from './errors.ts'
import { createLanes, type Ending, kept } from './group-commit.ts'
import { openSignals, type PgListener } from './notify.ts'
import { type PostgresAddress, parsePostgresUrl } from './url.ts'

/** Maximum runs of a write on conflicts, and on duplicate keys: the next run sees the other row. */
const runsAtMost = 40
const twinRunsAtMost = 4
/** Maximum wait before a write is run again. */
const longestWaitMs = 100
/** Timeouts for connecting, for a statement and for an idle transaction. */
const connectMs = 10_000
const statementMs = 60_000
const standstillMs = 60_000

/**
 * Columns as on SQLite: texts are compared by bytes, whatever the server's locale, and all whole numbers have the same
 * range.
 */
class Compiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    const parent = this.parentNode
    const inColumn = parent?.kind === 'ColumnDefinitionNode' && (parent as ColumnDefinitionNode).dataType === node
    if (inColumn && node.dataType === 'text') this.append('text collate "C"')
    else if (inColumn && node.dataType === 'integer') this.append('bigint')
    else super.visitDataType(node)
  }
}

const speech: Speech = {
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new Compiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
}

/** Statements that start a transaction. */
const beginnings = {
  look: 'start transaction isolation level repeatable read read only',
  change: 'start transaction isolation level serializable',
  /** Not a snapshot: after waiting for the previous transaction, its changes must be visible. */
  rebuild: 'start transaction isolation level read committed',
} as const

/** Options of a transaction. */
interface Manner {
  readonly kind: keyof typeof beginnings
  /** Write group: one transaction at a time, across all processes. */
  readonly lane?: string | undefined
  /** True if each work gets its own savepoint, so that it can be undone alone. */
  readonly isGuarded?: boolean
}

/**
 * Thrown when a failed work may have left changes: all works of the transaction are run again, each with a savepoint.
 */
const spoiled = Symbol('a work failed in a shared transaction')

/** Opens PostgreSQL with a connection pool. */
export async function openPostgres(url: string, poolSize = 10): Promise<Engine> {
  const address = parsePostgresUrl(url)
  const { default: driver } = await import('pg')
  const pool = new driver.Pool({
    connectionString: address.connectionString,
    options: `${address.options} -c idle_in_transaction_session_timeout=${standstillMs} -c statement_timeout=${statementMs}`,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    fallback_application_name: 'countroom',
    types: { getTypeParser: (id, format) => valueParsers[id] ?? driver.types.getTypeParser(id, format) },
  })
  // A broken idle connection has already left the pool; the next request gets a new one.
  pool.on('error', ignore)
  const open = () =>
    new driver.Client({
      connectionString: address.connectionString,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      fallback_application_name: 'countroom',
    })
  return postgresEngine({ connect: () => checkOut(pool), end: () => pool.end() }, poolSize, address, open)
}

/** Takes a client from the pool and listens for its errors: an unhandled break would end the process. */
async function checkOut(pool: pg.Pool): Promise<PgClient> {
  const client = await pool.connect()
  client.on('error', ignore)
  return {
    query: (query) => client.query(query),
    release(broken) {
      client.off('error', ignore)
      client.release(broken)
    },
  }
}

/** The running query also rejects on a break, and that is handled. */
function ignore(): void {}

/** Creates the engine over any pool that speaks PostgreSQL. `size` is its number of connections. */
export function postgresEngine(
  pool: PgPool,
  size: number,
  address: Pick<PostgresAddress, 'schema' | 'shown' | 'scrub'>,
  /** Opens a connection for messages between processes, if supported. */
  open?: () => PgListener,
): Engine {
  const nameOf = createNames()
  // Waiting happens here and not in the pool, whose timeout is for connecting.
  const slots = createSlots(size)

  /** Returns a connection with a started transaction. One that broke while idle is replaced once. */
  async function begin(statement: string): Promise<PgClient> {
    for (let replaced = false; ; replaced = true) {
      const client = await pool.connect().catch((error) => {
        throw unavailable(error, address, 'none')
      })
      try {
        await client.query({ text: statement })
        return client
      } catch (error) {
        client.release(true)
        if (verdictOn(error) === 'slow') throw tookTooLong(error)
        if (verdictOn(error) !== 'lost') throw error
        if (replaced) throw unavailable(error, address, 'none')
      }
    }
  }

  /** Runs a work in one transaction, once. Read-only transactions need no commit. */
  async function transact<T>(kind: Manner['kind'], work: Work<T>): Promise<T> {
    const { keep, value } = kept(work)
    await transactAll([keep], { kind })
    return value()
  }

  /** Runs works one after another in one transaction, once. A single one throws; several report their results. */
  async function transactAll(works: readonly Work<void>[], { kind, lane, isGuarded }: Manner): Promise<Ending[]> {
    const lock = lane === undefined ? undefined : laneLock(address.schema, lane)
    const client = await begin(lock ? `${lock.take}; ${beginnings[kind]}` : beginnings[kind])
    const connection = new PostgresConnection(client, nameOf)
    const endings: Ending[] = []
    let lease = new Lease(speech, connection)
    let outcome: 'none' | 'unknown' = 'none'
    let broken = false
    try {
      for (const work of works) {
        const before = connection.changes
        if (isGuarded) await client.query({ text: 'savepoint work' })
        lease = new Lease(speech, connection)
        try {
          await onLease(lease, work, connection)
          endings.push('done')
        } catch (error) {
          const verdict = verdictOn(lease.failure)
          if (works.length === 1 || (verdict !== 'own' && verdict !== 'twin')) throw error
          if (isGuarded) await client.query({ text: 'rollback to savepoint work' })
          else if (lease.failure !== undefined || connection.changes > before) throw spoiled
          endings.push(verdict === 'twin' ? 'twin' : { error })
        }
        if (isGuarded) await client.query({ text: 'release savepoint work' })
      }
      if (kind === 'look') await client.query({ text: 'rollback' })
      else {
        outcome = 'unknown'
        await client.query({ text: lock ? `commit; ${lock.release}` : 'commit' })
      }
      return endings
    } catch (thrown) {
      // A work's own error after a conflict does not count: it is run again.
      const error = ['again', 'stale', 'lost'].includes(verdictOn(lease.failure)) ? lease.failure : thrown
      const verdict = verdictOn(error)
      broken = verdict === 'stale' || verdict === 'lost' || !(await rolledBack(client, lock?.release))
      // A transaction that is interrupted during the commit may have been committed.
      if (verdict === 'lost' || (verdict === 'slow' && outcome === 'unknown'))
        throw unavailable(error, address, outcome)
      if (verdict === 'slow') throw tookTooLong(error)
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** Runs works in one transaction, repeated on conflicts. */
  async function untilDone(works: readonly Work<void>[], lane?: string): Promise<Ending[]> {
    let isGuarded = false
    for (let runs = 1; ; runs++) {
      try {
        return await transactAll(works, { kind: 'change', lane, isGuarded })
      } catch (error) {
        if (error === spoiled) {
          isGuarded = true
          continue
        }
        const verdict = verdictOn(error)
        if (verdict === 'twin' ? runs >= twinRunsAtMost : verdict !== 'again' && verdict !== 'stale') throw error
        if (runs >= runsAtMost)
          throw new Problem(
            'STORE_BUSY',
            `Transaction aborted after ${runsAtMost} retries because of concurrent updates; nothing was changed`,
            { outcome: 'none', runs },
            { cause: error },
          )
      }
      // A random wait: equal waits would make the same transactions collide again.
      await wait(Math.random() * Math.min(longestWaitMs, 2 ** runs))
    }
  }

  // Writes that wait for another process must not use up the connections of the rest.
  const laneSlots = createSlots(Math.ceil(size / 2))
  const lanes = createLanes((lane, works) => laneSlots.run(() => slots.run(() => untilDone(works, lane))))

  async function notify(channel: string, text: string): Promise<void> {
    const client = await begin('begin')
    let isDone = false
    try {
      await client.query({ text: 'select pg_notify($1, $2)', values: [channel, text] })
      await client.query({ text: 'commit' })
      isDone = true
    } finally {
      client.release(!isDone)
    }
  }
  const channel = `countroom ${sha256Hex(address.schema ?? '').slice(0, 32)}`
  const signals = open && openSignals({ channel, open, notify: (to, text) => slots.run(() => notify(to, text)) })

  return {
    ...(signals ? { signals } : {}),
    read: (work) => slots.run(() => transact('look', work)),
    async write(work, lane) {
      if (lane !== undefined) return lanes.add(lane, work)
      const { value, keep } = kept(work)
      await slots.run(() => untilDone([keep]))
      return value()
    },
    alone: (work) =>
      slots.run(() =>
        transact('rebuild', async (q) => {
          await takeLock(q, address.schema)
          return work(q)
        }),
      ),
    tables,
    async close() {
      await signals?.close()
      await lanes.idle()
      await slots.idle()
      await pool.end()
    },
  }
}

/**
 * Returns the advisory lock of a write group across processes. It is taken before the transaction's snapshot, in the
 * same message, so that the snapshot includes the previous writes. The lock belongs to the session and ends with it.
 */
function laneLock(schema: string | undefined, lane: string): { take: string; release: string } {
  const key = BigInt(`0x${sha256Hex(`countroom lane ${schema ?? ''} ${lane}`).slice(0, 15)}`)
  return {
    take: `start transaction; select pg_advisory_lock(${key}); commit`,
    release: `select pg_advisory_unlock(${key})`,
  }
}

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

/** Blocks schema changes by others until the transaction ends; creates the schema if it does not exist. */
async function takeLock(q: Kysely<Tables>, schema: string | undefined): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(q)
  await sql`select 1 from pg_advisory_xact_lock(hashtextextended(${`countroom ${schema ?? ''}`}, 0))`.execute(q)
  if (schema === undefined) return
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(q)
  if (rows.length === 0) await q.schema.createSchema(schema).execute()
}

async function tables(q: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() order by tablename`.execute(q)
  return rows.map((row) => row.name)
}
