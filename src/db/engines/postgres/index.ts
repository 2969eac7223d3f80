import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import driver from 'pg'
import { sha256Hex } from '../../../kit/hmac.ts'
import type { Tables } from '../../schema/index.ts'
import type { Engine, Work } from '../engine.ts'
import { createSemaphore } from '../semaphore.ts'
import { type PgClient, type PgPool, valueParsers } from './connection.ts'
import { captureResult, createWriteGroups } from './group-commit.ts'
import { detachedEnding, monthPartitions } from './month-partitions.ts'
import { openSignals, type PgListener } from './notify.ts'
import { onlineChanges } from './online-changes.ts'
import { postgresSnapshots } from './snapshots.ts'
import { storeByKey } from './store-by-key.ts'
import { tableShape } from './table-shape.ts'
import { type TransactionAddress, Transactions } from './transactions.ts'
import { parsePostgresUrl } from './url.ts'

/** Timeouts for connecting, for a statement and for an idle transaction. */
const connectMs = 10_000
const statementMs = 60_000
const standstillMs = 60_000

/** Opens PostgreSQL with a connection pool. */
export async function openPostgres(url: string, poolSize = 10): Promise<Engine> {
  const address = parsePostgresUrl(url)
  const pool = new driver.Pool({
    connectionString: address.connectionString,
    options: `${address.options} -c idle_in_transaction_session_timeout=${standstillMs} -c statement_timeout=${statementMs}`,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    // Queries of a transaction that do not need each other's results then take one round trip.
    pipeline: true,
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
  return postgresEngine({ connect: () => checkOut(pool), end: () => pool.end() }, poolSize, address, open, url)
}

/** Takes a client from the pool and listens for its errors: an unhandled break would end the process. */
async function checkOut(pool: pg.Pool): Promise<PgClient> {
  const client = await pool.connect()
  client.on('error', ignore)
  return {
    isPipelined: true,
    query: (query) => client.query(query),
    release(broken) {
      client.off('error', ignore)
      client.release(broken)
    },
  }
}

/** The running query also rejects on a break, and that is handled. */
function ignore(): void {}

/** Creates the engine over any pool of PostgreSQL connections. `size` is its number of connections. */
export function postgresEngine(
  pool: PgPool,
  size: number,
  address: TransactionAddress,
  /** Opens a connection for messages between processes, if supported. */
  open?: () => PgListener,
  /** Address with which other schemas of the database are opened. */
  url = 'postgres://localhost',
): Engine {
  // Waiting happens here and not in the pool, whose timeout is for connecting.
  const semaphore = createSemaphore(size)
  const transactions = new Transactions(pool, address)
  // Writes that wait for another process must not use up the connections of the rest.
  const writeGroupSlots = createSemaphore(Math.ceil(size / 2))
  const writeGroups = createWriteGroups((writeGroup, works) =>
    writeGroupSlots.run(() => semaphore.run(() => transactions.untilDone(works, writeGroup))),
  )
  const alone = <T>(work: Work<T>) =>
    semaphore.run(() =>
      transactions.once('rebuild', async (q) => {
        await takeLock(q, address.schema)
        return work(q)
      }),
    )
  const channel = `countroom ${sha256Hex(address.schema ?? '').slice(0, 32)}`
  const signals =
    open && openSignals({ channel, open, notify: (to, text) => semaphore.run(() => notify(transactions, to, text)) })
  return {
    ...(signals ? { signals } : {}),
    isShared: true,
    read: (work) => semaphore.run(() => transactions.read(work)),
    readTogether: (works) => semaphore.run(() => transactions.readTogether(works)),
    async write(work, { writeGroup } = {}) {
      if (writeGroup !== undefined) return writeGroups.add(writeGroup, work)
      const { value, keep } = captureResult(work)
      await semaphore.run(() => transactions.untilDone([keep]))
      return value()
    },
    alone,
    partitions: monthPartitions(alone, (work) => semaphore.run(() => transactions.once('rebuild', work))),
    online: onlineChanges(pool, address, (work) => semaphore.run(work)),
    storeByKey,
    tables,
    tableShape,
    snapshots: postgresSnapshots({ url, schema: address.schema, transactions, size, semaphore }),
    async close() {
      await signals?.close()
      await writeGroups.idle()
      await semaphore.idle()
      await pool.end()
    },
  }
}

async function notify(transactions: Transactions, channel: string, text: string): Promise<void> {
  const client = await transactions.begin('begin')
  let isDone = false
  try {
    await client.query({ text: 'select pg_notify($1, $2)', values: [channel, text] })
    await client.query({ text: 'commit' })
    isDone = true
  } finally {
    client.release(!isDone)
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
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and not relname like ${`%\\${detachedEnding}`}
    order by relname`.execute(q)
  return rows.map((row) => row.name)
}
