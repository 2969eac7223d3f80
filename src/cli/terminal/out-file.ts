import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { Problem } from '../../kit/problem.ts'
import { writeWhole } from '../../world/config/atomic-write.ts'
import { nearest } from '../../world/config/did-you-mean.ts'

/** Where a result is to be written, refused before anybody is asked for anything: a file that is there is somebody's work. */
export function outFile(file: string | undefined, force: boolean): string | null {
  if (file === undefined) return null
  const path = resolve(file)
  const known = statSync(path, { throwIfNoEntry: false })
  if (known && !known.isFile())
    throw new Problem('INVALID_USAGE', `${path} is no file: name one that the result is to be written to`, {
      file: path,
    })
  refuseMissing(path)
  if (!force && existsSync(path))
    throw new Problem('FILE_EXISTS', `${path} is there already; --force overwrites it`, { file: path })
  return path
}

/** A file is written where its folder is: one that is not there is more often a slip than a wish, and would be a new tree. */
function refuseMissing(path: string): void {
  const folder = dirname(path)
  if (isFolder(folder)) return
  let above = dirname(folder)
  while (!isFolder(above) && dirname(above) !== above) above = dirname(above)
  const [name = ''] = relative(above, folder).split(sep)
  const near = nearest(name, foldersIn(above), 1)[0]
  const hint = near === undefined ? 'make it first, or name another file' : `did you mean ${join(above, near)}?`
  throw new Problem('INVALID_USAGE', `There is no folder ${folder}, for ${basename(path)}; ${hint}`, {
    ...{ file: path, folder },
    ...(near === undefined ? {} : { nearest: join(above, near) }),
  })
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** For a hint only: a folder that cannot be looked into has none to give. */
function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []))
  } catch {
    return []
  }
}

/** Writes a result of the user's whole or not at all; one that is there already with the same bytes is left as it is. */
export function writeOut(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  // As the user's own umask has it: these are the user's documents, and hold no secret of the program's.
  writeWhole(path, text, { file: 0o666 & ~process.umask(), folder: 0o777 & ~process.umask() })
}
