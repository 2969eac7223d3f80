import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Problem } from '../../kit/problem.ts'

/** Real paths of the database files that this process has open. */
const open = new Set<string>()

/**
 * Registers a database file as open and returns the function that removes the entry. Throws STORE_IN_USE when this
 * process has it open: a second connection of its own would block the whole process until the lock times out.
 */
export function claimFile(path: string): () => void {
  const real = realPath(path)
  if (open.has(real))
    throw new Problem('STORE_IN_USE', `This process already has the database ${path} open: share that store`, { path })
  open.add(real)
  return () => open.delete(real)
}

/** Returns the path with all links resolved; for a new file, that of its folder. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path))
    } catch (error) {
      throw new Problem('STORE_UNAVAILABLE', `The folder ${dirname(path)} does not exist`, { path }, { cause: error })
    }
  }
}
