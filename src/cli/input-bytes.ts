import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

/** The exact bytes of a file, or of stdin where `-` was said: a signature is over bytes, not over what they mean as text. */
export function readBytes(path: string): Promise<Uint8Array> {
  return path === '-' ? buffer(process.stdin) : readFile(path)
}
