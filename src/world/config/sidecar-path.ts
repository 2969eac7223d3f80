import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDatabaseFile } from '../../db/engines/database-name.ts'

/** Where the files lie that belong to a database. */

/** A file or folder that belongs to a database in a file: beside it, under its name. Other databases have no such place. */
export function besideDatabase(db: string, what: string): string | null {
  return isDatabaseFile(db) ? `${db}-${what}` : null
}

/** Where the bytes of uploaded files are kept. */
export const mediaFolderOf = (db: string): string => besideDatabase(db, 'media') ?? temporaryFolder(db)

/** The place of a database that has none beside it: this machine's temporary folder, under a name of its own. */
function temporaryFolder(db: string): string {
  return join(tmpdir(), `countroom-media-${createHash('sha256').update(db).digest('hex').slice(0, 16)}`)
}
