import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents. Node's `recursive` option is not used: on file systems such as `/proc`,
 * which report ENOENT below an existing folder, it loops forever.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (isFolder(path)) return
    const above = dirname(path)
    if (codeOf(error) !== 'ENOENT' || above === path || isFolder(above)) throw error
    makeFolder(above, mode)
    mkdirOnce(path, mode)
  }
}

/** Makes a rename survive a power failure. Windows cannot open a folder, and does not need it. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Another process may create the folder first; that counts as success. */
function mkdirOnce(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
