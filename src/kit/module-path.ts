import { join } from 'node:path'

const isSource = import.meta.url.endsWith('.ts')

/** Where the program's own sources lie as they are run: as they were written, or built, where this file is beside them. */
const folder = isSource ? join(import.meta.dirname, '..') : import.meta.dirname

/** The path of a file that the program brings along, below `src`; of a module, in the language it is run in. */
export function ownFile(path: string): string {
  return join(folder, isSource ? path : path.replace(/\.ts$/, '.js'))
}
