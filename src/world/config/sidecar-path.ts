import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDatabaseFile } from '../../db/engines/database-name.ts'

/** Locations of the files that belong to a database. */

/** Returns the path of a file or folder next to a database file, with its name as prefix. Null for other databases. */
export function besideDatabase(db: string, suffix: string): string | null {
  return isDatabaseFile(db) ? `${db}-${suffix}` : null
}

/** Returns the folder of uploaded files. */
export const mediaFolderOf = (db: string): string => besideDatabase(db, 'media') ?? temporaryFolder(db)

/** Returns a folder in the machine's temporary folder, for a database without a folder next to it. */
function temporaryFolder(db: string): string {
  return join(tmpdir(), `countroom-media-${createHash('sha256').update(db).digest('hex').slice(0, 16)}`)
}
