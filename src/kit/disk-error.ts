import { Problem } from './problem.ts'

/** Error category of a failed write: a full disk is temporary, a wrong path is configuration. */
type Category = 'temporary' | 'configuration'

const codes: Readonly<Record<string, readonly [reason: string, category: Category]>> = {
  ENOSPC: ['the disk is full', 'temporary'],
  EFBIG: ['the file would exceed the maximum file size', 'temporary'],
  EDQUOT: ['the disk quota of this user is used up', 'temporary'],
  ENOENT: ['the folder does not exist and cannot be created', 'temporary'],
  EACCES: ['permission denied', 'configuration'],
  EPERM: ['permission denied', 'configuration'],
  EROFS: ['the file system is read-only', 'configuration'],
  ENOTDIR: ['part of the path is not a folder', 'configuration'],
  EISDIR: ['it is a folder', 'configuration'],
  EEXIST: ['a file of that name exists', 'configuration'],
}

/**
 * Turns the error of a system call into OUTPUT_FAILED with the reason; any other error is returned unchanged. `next`
 * tells the user what was or was not written.
 */
export function outputFailed(path: string, error: unknown, next = 'Nothing was written'): unknown {
  if (!(error instanceof Error) || error instanceof Problem || !('code' in error)) return error
  if (typeof error.code !== 'string') return error
  const [reason, category] = codes[error.code] ?? [`the system call failed with ${error.code}`, 'temporary']
  const message = `Cannot write ${path}: ${reason}. ${next}`
  return new Problem('OUTPUT_FAILED', message, { file: path, category }, { cause: error })
}

/** Runs a function that writes a file and reports system errors as OUTPUT_FAILED. */
export function writing<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw outputFailed(path, error)
  }
}
