import { closeSync, fsyncSync, openSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { isBusy, translated } from './connection.ts'

/** Pages per step. Between steps the process does other work. */
const pagesAtOnce = 500

/**
 * Copies an SQLite file into a new one with SQLite's online backup, while others read and write it. The copy is one snapshot: the
 * source's read transaction stays open, so that a writer does not make the backup start again. The copy is one file, without a
 * write-ahead log, checked and synced to disk.
 */
export async function backupSqlite(
  from: string,
  to: string,
  onPages?: (done: number, total: number) => void,
): Promise<void> {
  closeSync(openSync(to, 'wx', 0o600))
  const source = translated(() => new Database(from, { readonly: true, fileMustExist: true, timeout: 10_000 }))
  try {
    translated(() => {
      source.exec('begin')
      source.prepare('select 1 from sqlite_schema limit 1').get()
    })
    const { totalPages: copied } = await source.backup(to, {
      progress({ totalPages, remainingPages }) {
        onPages?.(totalPages - remainingPages, totalPages)
        return pagesAtOnce
      },
    })
    if (copied === 0) throw lockedByAnother(from)
  } catch (error) {
    throw asProblem(error, from)
  } finally {
    source.close()
  }
  finishCopy(to)
}

/** Time that a replacement waits for other writers. */
const replaceWithinMs = 10_000
/** Pause before a locked target is tried again. */
const busyPauseMs = 10

/**
 * Replaces the content of an SQLite file that is in use by that of another one, page by page in one transaction: readers see
 * the old content until it is committed, and writers wait. Not called while this process has a transaction open on it.
 */
export async function replaceSqlite(from: string, to: string): Promise<void> {
  const source = translated(() => new Database(from, { readonly: true, fileMustExist: true }))
  const endMs = performance.now() + replaceWithinMs
  try {
    // If the target is locked at the first step, the driver ends the backup without an error and without a copied page.
    while ((await copyAll(source, to, endMs)) === 0) {
      if (performance.now() > endMs) throw lockedByAnother(to)
      await wait(busyPauseMs)
    }
  } catch (error) {
    throw asProblem(error, to)
  } finally {
    source.close()
  }
}

/** Copies all pages in one transaction of the target. Returns their number; 0 if the target was locked. */
async function copyAll(source: Database.Database, to: string, endMs: number): Promise<number> {
  let before = -1
  const { totalPages } = await source.backup(to, {
    progress({ remainingPages }) {
      if (remainingPages === before && performance.now() > endMs) throw lockedByAnother(to)
      before = remainingPages
      return pagesAtOnce * 8
    },
  })
  return totalPages
}

const lockedByAnother = (path: string, options?: ErrorOptions): Problem =>
  new Problem('STORE_BUSY', `${path} is locked by another process`, { outcome: 'none' }, options)

/** Checks a copy, makes it one file without a write-ahead log, and syncs it to disk. */
export function finishCopy(path: string): void {
  const copy = translated(() => new Database(path, { fileMustExist: true }))
  try {
    translated(() => copy.pragma('journal_mode = delete'))
    const [first] = translated(() => copy.pragma('integrity_check(1)')) as { integrity_check: string }[]
    if (first?.integrity_check !== 'ok')
      throw new Problem('STORE_UNAVAILABLE', `The copy is damaged: ${first?.integrity_check}`, {
        category: 'differences',
      })
  } finally {
    copy.close()
  }
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Proves that no process uses an SQLite file, by taking its lock exclusively, and moves its write-ahead log into it.
 * Returns false when another process has it open.
 */
export function isUnused(path: string): boolean {
  const db = translated(() => new Database(path, { fileMustExist: true, timeout: 0 }))
  try {
    // In this mode SQLite needs every lock of the file, also those that readers of the log hold.
    db.pragma('locking_mode = exclusive')
    db.pragma('journal_mode = delete')
    db.exec('begin exclusive; commit')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  } finally {
    db.close()
  }
}

function asProblem(error: unknown, path: string): unknown {
  if (isProblem(error)) return error
  if (isBusy(error)) return lockedByAnother(path, { cause: error })
  try {
    translated(() => {
      throw error
    })
  } catch (translation) {
    return translation
  }
}
