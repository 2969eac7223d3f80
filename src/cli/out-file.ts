import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Problem } from '../kit/problem.ts'
import { writeWhole } from '../world/whole-file.ts'

/** Where a result is to be written, refused before anybody is asked for anything: a file that is there is somebody's work. */
export function outFile(file: string | undefined, force: boolean): string | null {
  if (file === undefined) return null
  const path = resolve(file)
  const known = statSync(path, { throwIfNoEntry: false })
  if (known && !known.isFile())
    throw new Problem('INVALID_USAGE', `${path} is no file: name one that the result is to be written to`, {
      file: path,
    })
  if (!force && existsSync(path))
    throw new Problem('FILE_EXISTS', `${path} is there already; --force overwrites it`, { file: path })
  return path
}

/** Writes a result of the user's whole or not at all; one that is there already with the same bytes is left as it is. */
export function writeOut(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  // As the user's own umask has it: these are the user's documents, and hold no secret of the program's.
  writeWhole(path, text, { file: 0o666 & ~process.umask(), folder: 0o777 & ~process.umask() })
}
