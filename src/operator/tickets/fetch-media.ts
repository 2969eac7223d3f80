import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FileStream } from '../../http/client/download.ts'
import { remoteCodes } from '../../http/contract/wire-types.ts'
import { writing } from '../../kit/disk-error.ts'
import { Problem } from '../../kit/problem.ts'
import { safeFileName } from '../../services/chat/media/file-types.ts'

/** Downloads a file of a message, complete and as announced, or not at all. */

/** File data in the message. */
export interface Announced {
  readonly sizeBytes: number | null
  /** Lower-case hexadecimal digits. */
  readonly sha256: string | null
}

export interface Fetched {
  readonly bytes: number
  readonly sha256: string
}

/** Maximum file size; larger than any chat allows. */
const largest = 2 ** 30

/** Writes to a temporary file and checks it; only a valid file gets the final name. */
export async function keepFile(file: FileStream, path: string, announced: Announced): Promise<Fetched> {
  if (file.status === 404 || file.status === 410)
    throw new Problem('NOT_FOUND', 'The file no longer exists, or its link has expired', { status: file.status })
  if (file.status !== 200)
    throw new Problem(
      file.status >= 500 || file.status === 429 ? remoteCodes.unavailable : remoteCodes.unintelligible,
      `The response for the file has status ${file.status}`,
      { status: file.status },
    )
  const expectedBytes = announced.sizeBytes ?? file.sizeBytes
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.draft`)
  const hash = createHash('sha256')
  let bytes = 0
  try {
    // `wx` rejects a link that another user created at this path.
    const handle = writing(path, () => openSync(draft, 'wx'))
    try {
      for await (const chunk of file.bytes) {
        bytes += chunk.byteLength
        if (bytes > (expectedBytes ?? largest))
          throw unlike(`The file is larger than ${expectedBytes ?? largest} bytes`)
        hash.update(chunk)
        for (let at = 0; at < chunk.byteLength; ) {
          const from = at
          at += writing(path, () => writeSync(handle, chunk, from))
        }
      }
      writing(path, () => fsyncSync(handle))
    } finally {
      closeSync(handle)
    }
    const sha256 = hash.digest('hex')
    if (expectedBytes !== null && bytes !== expectedBytes)
      throw unlike(`The file has ${bytes} bytes instead of ${expectedBytes}`)
    if (announced.sha256 !== null && sha256 !== announced.sha256.toLowerCase())
      throw unlike('The checksum of the file does not match the message')
    writing(path, () => renameSync(draft, path))
    return { bytes, sha256 }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function unlike(reason: string): Problem {
  return new Problem(remoteCodes.unintelligible, `${reason}; nothing was saved`, { outcome: 'none' })
}

/**
 * Returns a safe local name: the original one, without parts that would hide the file, look like an option,
 * or name a device.
 */
export function safeName(originalName: string, otherwise: string): string {
  const name = safeFileName(originalName === '' ? otherwise : originalName)
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[.~-]+/, '')
    .replace(/[. ]+$/, '')
  if (name === '') return otherwise
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name) ? `_${name}` : name
}
