import driver from 'pg'
import type { HeldLock } from '../lock.ts'
import { unavailable } from './errors.ts'
import { parsePostgresUrl } from './url.ts'

/** Connection timeout. */
const connectMs = 10_000

/**
 * Takes a named lock in the database, or returns undefined when it is held. It belongs to its own connection, so the
 * server releases it when this process ends. When the connection breaks, `lost` is aborted.
 */
export async function lockPostgres(url: string, name: string): Promise<HeldLock | undefined> {
  const address = parsePostgresUrl(url)
  const client = new driver.Client({
    connectionString: address.connectionString,
    options: address.options,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    fallback_application_name: 'countroom lock',
  })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  try {
    await client.connect()
    const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as held', [
      `countroom lock ${address.schema ?? ''} ${name}`,
    ])
    if (rows[0]?.held === true) return { lost: lost.signal, release: () => client.end() }
  } catch (error) {
    await client.end().catch(() => {})
    throw unavailable(error, address, 'none')
  }
  await client.end()
  return undefined
}
