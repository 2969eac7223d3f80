import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { sha256Hex } from '../../../kit/hmac.ts'
import { Problem } from '../../../kit/problem.ts'
import type { AddedIndex, OnlineChanges } from '../online-changes.ts'
import type { PgClient, PgPool } from './connection.ts'
import { errorKindOf, unavailable } from './errors.ts'
import type { TransactionAddress } from './transactions.ts'

/** Longest wait for a lock. Others wait behind it, so it is short, and repeated. */
export const lockMs = 300
/** Time between two looks whether another process has built its index. */
const betweenMs = 300

export async function limitLockWaits(q: Kysely<unknown>): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(q)
}

/** Changes of the schema over a pool. `slot` runs something that uses one of its connections. */
export function onlineChanges(
  pool: PgPool,
  address: TransactionAddress,
  slot: <T>(work: () => Promise<T>) => Promise<T>,
): OnlineChanges {
  return {
    limitLocks: limitLockWaits,
    buildIndex: (index) =>
      slot(async () => {
        const client = await pool.connect().catch((error) => {
          throw unavailable(error, address, 'none')
        })
        try {
          // A large table takes longer than the limit of a request.
          await client.query({ text: 'set statement_timeout = 0' })
          await withLock(client, address, () => build(client, index))
        } catch (error) {
          throw translated(error, address)
        } finally {
          // The session's timeout and its lock end with it.
          client.release(true)
        }
      }),
  }
}

/**
 * One process at a time. The lock is tried and not waited for: building an index waits for all transactions, and would
 * wait for those that wait for it.
 */
async function withLock(client: PgClient, { schema }: TransactionAddress, work: () => Promise<void>): Promise<void> {
  const key = BigInt(`0x${sha256Hex(`countroom index ${schema ?? ''}`).slice(0, 15)}`)
  for (;;) {
    const { rows } = await client.query({ text: `select pg_try_advisory_lock(${key}) as held` })
    if ((rows as { held: unknown }[])[0]?.held) break
    await wait(betweenMs)
  }
  await work()
}

/** An index whose building was interrupted is there but not valid: it is built again. */
async function build(client: PgClient, { name, table, columns }: AddedIndex): Promise<void> {
  const { rows } = await client.query({
    text: 'select indisvalid as valid from pg_index where indexrelid = to_regclass(quote_ident($1))',
    values: [name],
  })
  const known = (rows as { valid: unknown }[])[0]
  if (known?.valid) return
  if (known) await client.query({ text: `drop index concurrently if exists "${name}"` })
  const list = columns.map((column) => `"${column}"`).join(', ')
  await client.query({ text: `create index concurrently "${name}" on "${table}" (${list})` })
}

function translated(error: unknown, address: TransactionAddress): unknown {
  const kind = errorKindOf(error)
  if (kind === 'disconnected') return unavailable(error, address, 'none')
  if (kind === 'other') return error
  return new Problem('STORE_BUSY', 'An index could not be built', { outcome: 'none' }, { cause: error })
}
