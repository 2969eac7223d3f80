import { constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { copiedTables, copyTables } from '../../db/copy-tables.ts'
import { databaseKind } from '../../db/engines/database-name.ts'
import { openEngine } from '../../db/engines/open.ts'
import type { SnapshotDraft, SnapshotStorage } from '../../db/engines/snapshot-storage.ts'
import { finishCopy } from '../../db/engines/sqlite/backup.ts'
import { migrate } from '../../db/migrate.ts'
import { world as worldMigrations } from '../../db/migrations/world/index.ts'
import { realAmbient } from '../../kit/ambient.ts'
import { Problem } from '../../kit/problem.ts'
import { addContentTables } from './content.ts'

/** Portable files of snapshots: SQLite databases, for any database of the world. */

/** Writes the file of a snapshot under another name first, so that a killed run leaves no partial file. */
export async function saveFileOf(url: string, file: string, replaces: boolean): Promise<void> {
  if (existsSync(file) && !replaces)
    throw new Problem('FILE_EXISTS', `${file} already exists. To replace it, add --force`, { category: 'conflict' })
  const draft = join(dirname(file), `.${realAmbient().id()}.part`)
  try {
    if (databaseKind(url) === 'file') copyFileSync(url, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    else await copyAll(url, draft)
    finishCopy(draft)
    renameSync(draft, file)
  } finally {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${draft}${ending}`, { force: true })
  }
}

/** Copies a portable file for loading: the file itself, or all its rows. */
export async function copyFromFile(storage: SnapshotStorage, file: string): Promise<SnapshotDraft> {
  if (!existsSync(file))
    throw new Problem('NOT_FOUND', `There is no file ${file}. To list the snapshots: countroom sim snapshot list`)
  if (storage.copyFile) return storage.copyFile(file)
  const draft = await storage.empty()
  // An older version's file is migrated first: only equal tables are copied.
  const current = join(tmpdir(), `countroom-${realAmbient().id()}.part`)
  try {
    copyFileSync(file, current, constants.COPYFILE_EXCL)
    await migrated(current)
    await copyAll(current, draft.url)
  } catch (error) {
    await draft.discard()
    throw error
  } finally {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${current}${ending}`, { force: true })
  }
  return draft
}

async function migrated(url: string): Promise<void> {
  const engine = await openEngine(url, 1)
  try {
    await migrate(engine, worldMigrations)
  } finally {
    await engine.close()
  }
}

/** Copies all rows of a snapshot to an empty database of another kind. */
async function copyAll(from: string, to: string): Promise<void> {
  const source = await openEngine(from, 1)
  try {
    const target = await openEngine(to, 2)
    try {
      await migrate(target, worldMigrations)
      await target.alone(async (q) => {
        // A new database has a row of its own, such as its mark.
        for (const { name } of await copiedTables(target, q)) await sql`delete from ${sql.table(name)}`.execute(q)
        await addContentTables(q as never)
      })
      await copyTables(source, target)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
