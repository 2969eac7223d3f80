import { constants, existsSync, linkSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type SqliteDatabase from 'better-sqlite3'
import Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { realAmbient } from '../../../kit/ambient.ts'
import { makeFolder } from '../../../kit/make-folder.ts'
import type { Tables } from '../../schema/index.ts'
import type { ComparedSchemas, SnapshotDraft, SnapshotStorage } from '../snapshot-storage.ts'
import { finishCopy } from './backup.ts'
import { SqliteConnection, translated } from './connection.ts'
import { tableShape } from './table-shape.ts'
import { snapshot } from './transaction.ts'

/** Ending of a snapshot's file. */
export const snapshotEnding = '.snapshot'
/** Beginning of the name of a draft: no snapshot's name has a dot. */
const draftMark = '.draft-'

/** Folder of the files, and the function that replaces the database by one. */
export interface SqliteSnapshotDependencies {
  readonly folder: string
  /** Copies the database into a new file. */
  copyLive(to: string): Promise<void>
  /** Replaces the database by the content of a file. */
  load(from: string): Promise<void>
}

/** Snapshots of an SQLite database: files in a folder next to it. */
export function sqliteSnapshots({ folder, copyLive, load }: SqliteSnapshotDependencies): SnapshotStorage {
  const fileOf = (name: string) => join(folder, `${name}${snapshotEnding}`)
  const draft = () => newDraft(folder, fileOf, load)
  const copied = async (from: string) => {
    const copy = draft()
    await copyFile(from, copy.url, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    return copy
  }
  return {
    async list() {
      if (!existsSync(folder)) return []
      return readdirSync(folder)
        .filter((file) => file.endsWith(snapshotEnding) && !file.startsWith('.'))
        .map((file) => ({ name: file.slice(0, -snapshotEnding.length), url: join(folder, file) }))
    },
    async copyLive() {
      const copy = draft()
      await copyLive(copy.url)
      return copy
    },
    copySnapshot: (name) => copied(fileOf(name)),
    copyFile: copied,
    empty: async () => draft(),
    compare: compareFiles,
    async remove(name) {
      const exists = existsSync(fileOf(name))
      rmSync(fileOf(name), { force: true })
      return exists
    },
    async sweep() {
      if (!existsSync(folder)) return
      for (const file of readdirSync(folder))
        if (file.startsWith(draftMark)) rmSync(join(folder, file), { force: true })
    },
  }
}

/** Names a new private file. */
function newDraft(
  folder: string,
  fileOf: (name: string) => string,
  load: SqliteSnapshotDependencies['load'],
): SnapshotDraft {
  makeFolder(folder, 0o700)
  const url = join(folder, `${draftMark}${realAmbient().id()}`)
  const discard = async () => {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${url}${ending}`, { force: true })
  }
  return {
    url,
    async publish(name) {
      finishCopy(url)
      // A link never replaces a file: of two that publish one name, one wins.
      try {
        linkSync(url, fileOf(name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        return false
      }
      await discard()
      return true
    },
    async load() {
      await load(url)
      await discard()
    },
    discard,
  }
}

/** Opens two files on one connection, which only reads. */
function compareFiles<T>(
  from: string,
  to: string,
  work: (q: Kysely<Tables>, schemas: ComparedSchemas) => Promise<T>,
): Promise<T> {
  return readFileOnly(
    from,
    (q) => work(q, { from: 'main', to: 'later', shapeOf: (table) => tableShape(q, table) }),
    (db) => db.prepare('attach database ? as later').run(to),
  )
}

/** Reads a file without changing it, not even its format. */
export async function readFileOnly<T>(
  path: string,
  work: (q: Kysely<Tables>) => Promise<T>,
  prepare?: (db: SqliteDatabase.Database) => void,
): Promise<T> {
  const connection = new SqliteConnection(
    translated(() => new Database(path, { readonly: true, fileMustExist: true })),
    0,
  )
  try {
    prepare?.(connection.db)
    return await snapshot(connection, work)
  } finally {
    connection.close()
  }
}

/** Snapshots of a database in memory: files in the folder for temporary files, which are removed at the end. */
export function memoryStorage(dependencies: Omit<SqliteSnapshotDependencies, 'folder'>): SnapshotStorage {
  let storage: SnapshotStorage | undefined
  const opened = () => {
    if (storage) return storage
    const folder = mkdtempSync(join(tmpdir(), 'countroom-snapshots-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    storage = sqliteSnapshots({ ...dependencies, folder })
    return storage
  }
  return {
    list: () => opened().list(),
    copyLive: () => opened().copyLive(),
    copySnapshot: (name) => opened().copySnapshot(name),
    copyFile: (path) => opened().copyFile?.(path) ?? Promise.reject(new Error('files can be copied')),
    empty: () => opened().empty(),
    compare: compareFiles,
    remove: (name) => opened().remove(name),
    sweep: () => opened().sweep(),
  }
}
