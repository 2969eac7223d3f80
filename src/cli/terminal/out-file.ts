import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { nearest } from '../../kit/nearest.ts'
import { Problem } from '../../kit/problem.ts'
import { writeWhole } from '../../world/config/atomic-write.ts'

/** Checks an output path before any request. An existing file is never overwritten without --force. */
export function outFile(file: string | undefined, force: boolean): string | null {
  if (file === undefined) return null
  const path = resolve(file)
  const known = statSync(path, { throwIfNoEntry: false })
  if (known && !known.isFile()) {
    const kind = known.isDirectory() ? 'a folder' : 'not a regular file'
    throw new Problem('INVALID_USAGE', `${path} is ${kind}; name a file to write`, { file: path })
  }
  refuseMissing(path)
  if (!force && existsSync(path))
    throw new Problem('FILE_EXISTS', `${path} already exists. To overwrite it, add --force`, { file: path })
  return path
}

/** Checks the name of an output folder before any request. An empty one is usually an unset variable of a script. */
export function outFolder(folder: string): string {
  if (folder === '') throw new Problem('INVALID_USAGE', '--out is empty; name the folder to write')
  return folder
}

/** Checks that the folder of an output file exists. It is not created, because a missing folder is usually a typing error. */
function refuseMissing(path: string): void {
  const folder = dirname(path)
  if (isFolder(folder)) return
  let above = dirname(folder)
  while (!isFolder(above) && dirname(above) !== above) above = dirname(above)
  const [name = ''] = relative(above, folder).split(sep)
  const near = nearest(name, foldersIn(above), 1)[0]
  const hint = near === undefined ? 'create it first, or name another file' : `did you mean ${join(above, near)}?`
  throw new Problem('INVALID_USAGE', `Folder ${folder} for ${basename(path)} does not exist; ${hint}`, {
    ...{ file: path, folder },
    ...(near === undefined ? {} : { nearest: join(above, near) }),
  })
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Lists folders for the suggestion only; an unreadable folder has none. */
function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []))
  } catch {
    return []
  }
}

/** Writes a result file atomically. An existing file with the same bytes is left as it is. */
export function writeOut(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  // Mode by the umask of the user: these are the user's documents and have no secrets of the program.
  writeWhole(path, text, { file: 0o666 & ~process.umask(), folder: 0o777 & ~process.umask() })
}
