import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { type CopyProgress, copyTables, countRows, type TableDigest, tableDigests } from '../../../db/copy-tables.ts'
import { databaseKind, withoutPassword } from '../../../db/engines/database-name.ts'
import type { Engine } from '../../../db/engines/engine.ts'
import { openEngine } from '../../../db/engines/open.ts'
import { backupSqlite, finishCopy } from '../../../db/engines/sqlite/backup.ts'
import { inspectDatabase } from '../../../db/inspect.ts'
import { migrate } from '../../../db/migrate.ts'
import { book as bookMigrations } from '../../../db/migrations/book/index.ts'
import type { Tables } from '../../../db/schema/index.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { appendIn, type EntryFacts } from '../../audit/audit.ts'
import { fileTarget, isSameDatabase, openServerTarget, targetKind, writeFileTarget } from './target.ts'

/** Backup, restore and copy of a book. Each result is complete and verified, or there is none. */

export interface CopyWork {
  readonly now: () => number
  readonly signal: AbortSignal
  readonly progress: {
    /** Pages of an SQLite file. */
    pages(done: number, total: number): void
    readonly rows: CopyProgress
  }
}

/** Work that makes a new book. Its audit trail is that of the old one and, in the same transaction or draft, this entry. */
export interface NewBookWork extends CopyWork {
  readonly entry: EntryFacts
}

/** A finished copy. */
export interface BookCopy {
  readonly from: string
  readonly to: string
  readonly rows: number
  readonly tables: readonly TableDigest[]
  readonly bytes: number | null
  /** Name under which the replaced book was kept. */
  readonly kept: string | null
}

/** Writes one snapshot of a book to a portable file, an SQLite book, while others use the book. */
export async function backUpBook(
  work: CopyWork,
  { url, file, force }: { readonly url: string; readonly file: string; readonly force: boolean },
): Promise<BookCopy> {
  if (targetKind(file) !== 'file')
    throw new Problem('INVALID_USAGE', 'A backup is a file. To copy to a database address: countroom help book copy')
  if (isSameDatabase(url, file))
    throw new Problem('FILE_EXISTS', `${file} is the book itself; name another file`, { file })
  const target = await fileTarget(file, { force, keeps: false, now: work.now })
  const tables = await writeFileTarget(target, (draft) =>
    databaseKind(url) === 'file' ? copyPages(work, url, draft) : copyRows(work, url, draft),
  )
  return ended(url, target.path, tables, null)
}

/** Makes a book from a backup file, which stays as it is. A backup of an older version is migrated in the new book only. */
export async function restoreBook(
  work: NewBookWork,
  { file, to, force }: { readonly file: string; readonly to: string; readonly force: boolean },
): Promise<BookCopy> {
  refuseMissing(file)
  if (isSameDatabase(file, to))
    throw new Problem('FILE_EXISTS', `${to} is the backup itself; name another --to`, { file: to })
  if (targetKind(to) === 'file') {
    const target = await fileTarget(to, { force, keeps: true, now: work.now })
    const tables = await writeFileTarget(target, (draft) => copyPages(work, file, draft, entryOf(work)))
    return ended(file, target.path, tables, target.keepAs ?? null)
  }
  const folder = mkdtempSync(join(tmpdir(), 'countroom-restore-'))
  try {
    const draft = join(folder, 'backup.db')
    await copyPages(work, file, draft)
    return ended(file, to, await copyToServer(work, draft, to), null)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies a book to a new file or an empty PostgreSQL database, row by row. */
export async function copyBook(
  work: NewBookWork,
  { url, to, force }: { readonly url: string; readonly to: string; readonly force: boolean },
): Promise<BookCopy> {
  if (isSameDatabase(url, to))
    throw new Problem('FILE_EXISTS', 'The target of the copy is the book itself; name another --to')
  if (targetKind(to) !== 'file') return ended(url, to, await copyToServer(work, url, to), null)
  const target = await fileTarget(to, { force, keeps: true, now: work.now })
  const tables = await writeFileTarget(target, (draft) => copyRows(work, url, draft, entryOf(work)))
  return ended(url, target.path, tables, target.keepAs ?? null)
}

function ended(from: string, to: string, tables: readonly TableDigest[], kept: string | null): BookCopy {
  return {
    from: withoutPassword(from),
    to: withoutPassword(to),
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    tables,
    bytes: databaseKind(to) === 'file' ? statSync(to).size : null,
    kept,
  }
}

type WriteEntry = (q: Kysely<Tables>) => Promise<unknown>

const entryOf =
  ({ entry, now }: NewBookWork): WriteEntry =>
  (q) =>
    appendIn({ q, now: now(), writes: true }, entry)

/** Copies the pages of an SQLite book, and reads every row of the copy. */
async function copyPages(
  { progress, signal }: CopyWork,
  from: string,
  draft: string,
  writeEntry?: WriteEntry,
): Promise<TableDigest[]> {
  await backupSqlite(from, draft, (done, total) => {
    signal.throwIfAborted()
    progress.pages(done, total)
  }).catch((error) => {
    throw notABook(error, from)
  })
  await refuseOther(draft, from)
  const tables = await withEngine(draft, async (engine) => {
    await migrate(engine, bookMigrations)
    const counts = await engine.read((q) => countRows(engine, q))
    progress.rows.begin(counts.reduce((sum, { rows }) => sum + rows, 0))
    const digests = await engine.read((q) =>
      tableDigests(engine, q, (rows, table) => {
        signal.throwIfAborted()
        progress.rows.checked(rows, table)
      }),
    )
    if (writeEntry) await engine.write(writeEntry)
    return digests
  })
  finishCopy(draft)
  return tables
}

async function copyRows(
  { progress, signal }: CopyWork,
  from: string,
  draft: string,
  after?: WriteEntry,
): Promise<TableDigest[]> {
  const tables = await withEngine(from, async (source) => {
    await migrate(source, bookMigrations)
    return withEngine(draft, async (target) => {
      await migrate(target, bookMigrations)
      return copyTables(source, target, { progress: progress.rows, signal, after })
    })
  })
  finishCopy(draft)
  return tables
}

async function copyToServer(work: NewBookWork, from: string, to: string): Promise<TableDigest[]> {
  const { progress, signal } = work
  return withEngine(from, async (source) => {
    await migrate(source, bookMigrations)
    const target = await openServerTarget(to)
    try {
      return await copyTables(source, target, { progress: progress.rows, signal, after: entryOf(work) })
    } finally {
      await target.close()
    }
  })
}

async function withEngine<T>(url: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(url, 2)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

function refuseMissing(file: string): void {
  if (targetKind(file) !== 'file') throw new Problem('INVALID_USAGE', `${withoutPassword(file)} is not a backup file`)
  if (!(statSync(file, { throwIfNoEntry: false })?.isFile() ?? false))
    throw new Problem('NOT_FOUND', `There is no backup file ${file}`, { file, remoteCode: null })
}

/** Refuses a copy that is not a whole book of this version or an older one. */
async function refuseOther(draft: string, file: string): Promise<void> {
  const { damage, isOurs, unknown } = await inspectDatabase(draft, bookMigrations)
  if (damage.length > 0)
    throw new Problem('INVALID_FILE', `${file} is damaged: ${damage[0]}. Restore another backup`, {
      file,
      category: 'differences',
    })
  if (!isOurs) throw new Problem('INVALID_FILE', `${file} is not a book`, { file })
  if (unknown.length > 0)
    throw new Problem('STORE_NEWER', `${file} was created by a newer version of countroom. Update countroom first`, {
      file,
      unknown,
    })
}

function notABook(error: unknown, file: string): unknown {
  return isProblem(error, 'STORE_FOREIGN') ? new Problem('INVALID_FILE', `${file} is not a book`, { file }) : error
}
