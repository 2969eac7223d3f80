import { join } from 'node:path'

const isSource = import.meta.url.endsWith('.ts')

/** Folder of the running program's sources: `src`, or the build output when this file was built. */
const folder = isSource ? join(import.meta.dirname, '..') : import.meta.dirname

/**
 * Returns the path of a file below `src` that ships with the program. Modules get the extension of the running
 * language.
 */
export function ownFile(path: string): string {
  return join(folder, isSource ? path : path.replace(/\.ts$/, '.js'))
}
