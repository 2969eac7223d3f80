import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isEmptyDatabase, notEmpty } from '../../../db/copy-tables.ts'
import { databaseKind, knownDatabase, withoutPassword } from '../../../db/engines/database-name.ts'
import type { Engine } from '../../../db/engines/engine.ts'
import { openEngine } from '../../../db/engines/open.ts'
import { isUnused } from '../../../db/engines/sqlite/backup.ts'
import { inspectDatabase } from '../../../db/inspect.ts'
import { migrate } from '../../../db/migrate.ts'
import { book as bookMigrations } from '../../../db/migrations/book/index.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { quoted } from '../../../kit/shell-quote.ts'
import { draftFor, publish, removeDraft } from './drafts.ts'

/** Targets of backups, restores and copies: a new file, or an empty PostgreSQL database. */

export interface FileTarget {
  readonly path: string
  /** Name under which a replaced file is kept; undefined if there is none to replace. */
  readonly keepAs?: string
}

/**
 * Checks that a file may be written. An existing one is replaced with `force` only, and only if it is a book that no
 * process uses: anything else would be lost. With `keeps`, the replaced file is kept under another name.
 */
export async function fileTarget(
  to: string,
  { force, keeps, now }: { readonly force: boolean; readonly keeps: boolean; readonly now: () => number },
): Promise<FileTarget> {
  const path = resolve(to)
  if (!(statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() ?? false))
    throw new Problem(
      'INVALID_USAGE',
      `The folder ${dirname(path)} does not exist. Create it first: mkdir -p ${quoted(dirname(path))}`,
      { file: path },
    )
  if (!existsSync(path)) return { path }
  if (!force) throw new Problem('FILE_EXISTS', `${path} already exists. To replace it, add --force`, { file: path })
  await refuseOther(path)
  if (!isUnused(path))
    throw new Problem('FILE_EXISTS', `${path} is in use by another process, so it cannot be replaced`, { file: path })
  const time = new Date(now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return keeps ? { path, keepAs: `${path}.before-${time}` } : { path }
}

async function refuseOther(path: string): Promise<void> {
  const refused = (reason: string) =>
    new Problem('FILE_EXISTS', `${path} ${reason}, so it is not replaced. Name another file`, { file: path })
  try {
    const { isOurs } = await inspectDatabase(path, bookMigrations)
    if (!isOurs) throw refused('is not a book')
  } catch (error) {
    if (isProblem(error, 'STORE_FOREIGN')) throw refused('is not a book')
    throw error
  }
}

/** Writes a file as a draft and renames it when it is whole. If that fails, nothing is left. */
export async function writeFileTarget<T>(
  { path, keepAs }: FileTarget,
  fill: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = draftFor(path)
  try {
    const value = await fill(draft)
    publish(draft, path, keepAs)
    return value
  } catch (error) {
    removeDraft(draft)
    throw error
  }
}

/** Opens an empty PostgreSQL database as a new book. One with rows is refused before anything in it is changed. */
export async function openServerTarget(url: string): Promise<Engine> {
  const engine = await openEngine(url, 2)
  try {
    if (!(await isEmptyDatabase(engine))) {
      const { message } = notEmpty()
      throw new Problem(
        'FILE_EXISTS',
        `${withoutPassword(url)}: ${message}, for example with ?schema=NAME at the end of the address`,
      )
    }
    await migrate(engine, bookMigrations)
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Returns the kind of a target, or refuses one that keeps nothing. */
export function targetKind(to: string): 'file' | 'postgres' {
  const kind = knownDatabase(to)
  if (kind === 'memory') throw new Problem('INVALID_USAGE', '--to :memory: keeps nothing; name a file or an address')
  return kind
}

/** Returns whether two names are the same database. */
export function isSameDatabase(a: string, b: string): boolean {
  if (databaseKind(a) !== databaseKind(b)) return false
  return databaseKind(a) === 'postgres' ? a === b : realPath(a) === realPath(b)
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    try {
      return join(realpathSync(dirname(resolve(path))), resolve(path).slice(dirname(resolve(path)).length + 1))
    } catch {
      return resolve(path)
    }
  }
}
