import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Problem } from '../../kit/problem.ts'

/** The database files this process has open, by their real paths. */
const open = new Set<string>()

/**
 * Notes that a database file is being opened, and answers with what takes the note back. Refused when this process has
 * it open already: a second connection of its own would stop the whole process until the lock's timeout, for no end.
 */
export function claimFile(path: string): () => void {
  const real = realPath(path)
  if (open.has(real))
    throw new Problem('STORE_IN_USE', `This process has the database ${path} open already: share that store`, { path })
  open.add(real)
  return () => open.delete(real)
}

/** The path behind all links; that of a file that is not there yet, by its folder. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path))
    } catch (error) {
      throw new Problem('STORE_UNAVAILABLE', `There is no folder ${dirname(path)}`, { path }, { cause: error })
    }
  }
}
