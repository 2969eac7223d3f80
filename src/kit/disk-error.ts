import { Problem } from './problem.ts'

/** What a disk's refusal to take a file means for a run. */
type Category = 'temporary' | 'configuration'

const codes: Readonly<Record<string, readonly [reason: string, category: Category]>> = {
  ENOSPC: ['the disk is full', 'temporary'],
  EFBIG: ['no file may grow so large', 'temporary'],
  EDQUOT: ['the quota of this user is used up', 'temporary'],
  ENOENT: ['there is no such folder, and it cannot be made', 'temporary'],
  EACCES: ['this user may not', 'configuration'],
  EPERM: ['this user may not', 'configuration'],
  EROFS: ['the file system is read-only', 'configuration'],
  ENOTDIR: ['a part of the path is not a folder', 'configuration'],
  EISDIR: ['it is a folder', 'configuration'],
  EEXIST: ['there is a file of that name', 'configuration'],
}

/**
 * Turns the error of a system call into OUTPUT_FAILED, which says why the file cannot be written; anything else comes back as
 * it is. `next` says what that means for the run.
 */
export function outputFailed(path: string, error: unknown, next = 'Nothing was written'): unknown {
  if (!(error instanceof Error) || error instanceof Problem || !('code' in error)) return error
  if (typeof error.code !== 'string') return error
  const [reason, category] = codes[error.code] ?? [`the disk refuses (${error.code})`, 'temporary']
  const message = `${path} cannot be written: ${reason}. ${next}`
  return new Problem('OUTPUT_FAILED', message, { file: path, category }, { cause: error })
}

/** Does what writes a file, and says in words why it could not. */
export function writing<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw outputFailed(path, error)
  }
}
