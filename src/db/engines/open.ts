import type { Kysely } from 'kysely'
import type { Tables } from '../schema/index.ts'
import { knownDatabase } from './database-name.ts'
import type { Engine } from './engine.ts'

/**
 * Opens the engine for a URL. Each driver is loaded on demand, so that a program on one of them never loads the other.
 * `logPages` is SQLite's alone.
 */
export async function openEngine(url: string, poolSize?: number, logPages?: number): Promise<Engine> {
  if (knownDatabase(url) === 'postgres') return (await postgres()).openPostgres(url, poolSize)
  return (await sqlite()).openSqlite(url, { poolSize, logPages })
}

/** Reads a database without writers, such as a snapshot, or one whose schema may be old. A file is not changed, not even its format. */
export async function readDatabase<T>(
  url: string,
  work: (q: Kysely<Tables>) => Promise<T>,
  { busyMs = 5000 } = {},
): Promise<T> {
  if (knownDatabase(url) === 'file')
    return (await sqlite()).readFileOnly(url, work, (db) => db.pragma(`busy_timeout = ${Math.round(busyMs)}`))
  const engine = await openEngine(url, 1)
  try {
    return await engine.read(work)
  } finally {
    await engine.close()
  }
}

/** Opens a database in memory, with the content of the image if given. */
export async function openMemory(image: Buffer | undefined): Promise<Engine> {
  return (await sqlite()).openSqliteMemory(image)
}

/** Loads the driver of a URL, so that a limited time for its database begins afterwards. */
export async function loadDriver(url: string): Promise<void> {
  await (knownDatabase(url) === 'postgres' ? postgres() : sqlite())
}

const sqlite = () => import('./sqlite/index.ts')
const postgres = () => import('./postgres/index.ts')
