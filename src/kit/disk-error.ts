import { Problem } from './problem.ts'

/** Error category of a failed write: a full disk is temporary, a wrong path is configuration. */
type Category = 'temporary' | 'configuration'

/** Reasons of file system errors, and the category of a write that fails with them. */
const codes: Readonly<Record<string, readonly [reason: string, category: Category]>> = {
  ENOSPC: ['the disk is full', 'temporary'],
  EFBIG: ['the file would exceed the maximum file size', 'temporary'],
  EDQUOT: ['the disk quota of this user is used up', 'temporary'],
  EIO: ['the device reported an I/O error', 'temporary'],
  ENOENT: ['it does not exist', 'temporary'],
  EACCES: ['permission denied', 'configuration'],
  EPERM: ['permission denied', 'configuration'],
  EROFS: ['the file system is read-only', 'configuration'],
  ENOTDIR: ['part of the path is not a folder', 'configuration'],
  EISDIR: ['it is a folder', 'configuration'],
  EEXIST: ['a file of that name exists', 'configuration'],
}

/** Returns the reason of a file system error in words, with its code. Undefined for other errors. */
export function diskErrorText(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const [reason] = Object.hasOwn(codes, code) ? (codes[code] ?? []) : []
  return reason === undefined ? undefined : `${reason} (${code})`
}

/**
 * Turns the error of a system call into OUTPUT_FAILED with the reason; any other error is returned unchanged. `next`
 * tells the user what was or was not written.
 */
export function outputFailed(path: string, error: unknown, next = 'Nothing was written'): unknown {
  if (!(error instanceof Error) || error instanceof Problem || !('code' in error)) return error
  if (typeof error.code !== 'string') return error
  const [known, category] = codes[error.code] ?? [`the system call failed with ${error.code}`, 'temporary']
  // A write creates the file, so what is missing is its folder.
  const reason = error.code === 'ENOENT' ? 'the folder does not exist and cannot be created' : known
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
