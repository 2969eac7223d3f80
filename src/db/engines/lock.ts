import { knownDatabase } from './database-name.ts'

/** A lock that is held. */
export interface HeldLock {
  /** Aborted when the lock is lost before it is released, for example with a broken connection. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Names held in this process for databases that no other process can see. */
const heldInMemory = new Set<string>()

/**
 * Takes a named lock on a database, or returns undefined when it is held by another process or another part of this
 * one. Never waits. The lock ends with the process, even after `kill -9`. For a file it is held on a file next to it,
 * for PostgreSQL on a connection of its own.
 */
export async function tryLock(url: string, name: string): Promise<HeldLock | undefined> {
  const kind = knownDatabase(url)
  if (kind === 'postgres') return (await import('./postgres/lock.ts')).lockPostgres(url, name)
  if (kind === 'file') return (await import('./sqlite/lock.ts')).lockSqlite(`${url}.${name}.lock`)
  if (heldInMemory.has(name)) return undefined
  heldInMemory.add(name)
  return { lost: new AbortController().signal, release: async () => void heldInMemory.delete(name) }
}
