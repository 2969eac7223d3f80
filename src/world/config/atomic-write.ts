import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writing } from '../../kit/disk-error.ts'
import { makeFolder, syncFolder } from '../../kit/make-folder.ts'

/**
 * Writes a file completely or not at all: into a temporary file next to it, synced, then renamed. Throws OUTPUT_FAILED
 * when the disk refuses. The modes apply from the start, so that no other user can ever open the file.
 */
export function writeWhole(path: string, text: string, modes: { file: number; folder: number }): void {
  writing(path, () => writeInSteps(path, text, modes))
}

function writeInSteps(path: string, text: string, modes: { file: number; folder: number }): void {
  const folder = dirname(path)
  makeFolder(folder, modes.folder)
  const draft = join(folder, `.${basename(path)}.${process.pid}.draft`)
  try {
    // `wx` refuses an existing file, also a link planted by another user.
    const file = openSync(draft, 'wx', modes.file)
    try {
      // The umask can only have removed permissions; the owner must be able to read the file.
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
