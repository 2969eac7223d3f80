import { closeSync, existsSync, openSync } from 'node:fs'
import { Problem } from '../../../kit/problem.ts'
import type { HeldLock } from '../lock.ts'
import { isBusy, translated } from './connection.ts'

/**
 * Takes the lock that a file of its own stands for, or answers with nothing when somebody has it. The file is a database
 * with nothing in it: what is held is SQLite's own lock on it, which the operating system takes back when the process
 * ends, however it ends. The file stays, since deleting it would let two hold two files of one name.
 */
export async function lockSqlite(path: string): Promise<HeldLock | undefined> {
  const { default: Database } = await import('better-sqlite3')
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
 * Makes the file where it is not there yet. One that is there is not touched: by the rules of POSIX, closing a file gives
 * up every lock the process has on it, also one held through another opening.
 */
function makePrivate(path: string): void {
  if (existsSync(path)) return
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return
    throw new Problem('STORE_UNAVAILABLE', `The lock ${path} cannot be made`, { path }, { cause: error })
  }
}
