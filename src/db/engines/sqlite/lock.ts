import { closeSync, existsSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Problem } from '../../../kit/problem.ts'
import type { HeldLock } from '../lock.ts'
import { isBusy, translated } from './connection.ts'

/**
 * Takes the lock of a separate file, or returns undefined when it is held. The file is an empty database: the lock is
 * SQLite's own, which the operating system releases when the process ends. The file stays, because deleting it would
 * let two processes lock two files of one name.
 */
export async function lockSqlite(path: string): Promise<HeldLock | undefined> {
  makePrivate(path)
  const db = translated(() => new Database(path, { timeout: 0 }))
  try {
    translated(() => db.exec('begin exclusive'))
  } catch (error) {
    db.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return { lost: new AbortController().signal, release: async () => void db.close() }
}

/**
 * Creates the file if it does not exist. An existing file is not opened: under POSIX, closing a file releases every
 * lock of the process on it, also one held through another descriptor.
 */
function makePrivate(path: string): void {
  if (existsSync(path)) return
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return
    throw new Problem('STORE_UNAVAILABLE', `The lock file ${path} cannot be created`, { path }, { cause: error })
  }
}
