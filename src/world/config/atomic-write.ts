import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writing } from '../../kit/disk-error.ts'
import { makeFolder } from '../../kit/make-folder.ts'

/**
 * Puts a text under a name whole or not at all: written beside it, made durable, then renamed into place.
 * A disk that does not take it is OUTPUT_FAILED. The modes hold from the first instant, so that there is no moment in which somebody else could open the file.
 */
export function writeWhole(path: string, text: string, modes: { file: number; folder: number }): void {
  writing(path, () => writeInSteps(path, text, modes))
}

function writeInSteps(path: string, text: string, modes: { file: number; folder: number }): void {
  const folder = dirname(path)
  makeFolder(folder, modes.folder)
  const draft = join(folder, `.${basename(path)}.${process.pid}.draft`)
  try {
    // `wx` refuses a file that is already there, also a link somebody laid in the way.
    const file = openSync(draft, 'wx', modes.file)
    try {
      // The umask can only have taken rights away; a file must still be readable to the one who owns it.
      fchmodSync(file, modes.file)
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  syncFolder(folder)
}

/** Makes a rename survive a power cut. Windows cannot open a folder, and does not need it. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
