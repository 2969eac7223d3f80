import { knownDatabase } from './database-name.ts'

/** A lock that is held. */
export interface HeldLock {
  /** Aborted when the lock was lost before it was released, as a broken connection to a server brings about. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** The names held in this process for databases that no other process can see. */
const heldInMemory = new Set<string>()

/**
 * Takes the lock of that name on a database, or answers with nothing when another process, or another part of this one,
 * has it. Never waits. It is tied to the life of the process: after a `kill -9` it is free at once, and there is nothing
 * to clean up. For a file it is held on a file beside it, for PostgreSQL on a connection of its own.
 */
export async function tryLock(url: string, name: string): Promise<HeldLock | undefined> {
  const kind = knownDatabase(url)
  if (kind === 'postgres') return (await import('./postgres/lock.ts')).lockPostgres(url, name)
  if (kind === 'file') return (await import('./sqlite/lock.ts')).lockSqlite(`${url}.${name}.lock`)
  if (heldInMemory.has(name)) return undefined
  heldInMemory.add(name)
  return { lost: new AbortController().signal, release: async () => void heldInMemory.delete(name) }
}
