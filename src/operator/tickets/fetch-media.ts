import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FileStream } from '../../http/client/download.ts'
import { remoteCodes } from '../../http/contract/wire-types.ts'
import { writing } from '../../kit/disk-error.ts'
import { Problem } from '../../kit/problem.ts'
import { safeFileName } from '../../services/chat/media/file-types.ts'

/** A file of a message, brought here whole and as it was announced, or not at all. */

/** What a message says of the file it carries. */
export interface Announced {
  readonly sizeBytes: number | null
  /** In small hexadecimal digits. */
  readonly sha256: string | null
}

export interface Fetched {
  readonly bytes: number
  readonly sha256: string
}

/** Larger than any chat lets files be; an answer without an end is not written for ever. */
const largest = 2 ** 30

/** Writes the bytes beside the place and looks at them; only what is as it was announced gets the name. */
export async function keepFile(file: FileStream, path: string, announced: Announced): Promise<Fetched> {
  if (file.status === 404 || file.status === 410)
    throw new Problem('NOT_FOUND', 'There is no such file any more, or the link to it is over', { status: file.status })
  if (file.status !== 200)
    throw new Problem(
      file.status >= 500 || file.status === 429 ? remoteCodes.unavailable : remoteCodes.unintelligible,
      `The file was answered with status ${file.status}`,
      { status: file.status },
    )
  const wanted = announced.sizeBytes ?? file.sizeBytes
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.draft`)
  const hash = createHash('sha256')
  let bytes = 0
  try {
    // `wx` refuses a link somebody laid in the way.
    const handle = writing(path, () => openSync(draft, 'wx'))
    try {
      for await (const chunk of file.bytes) {
        bytes += chunk.byteLength
        if (bytes > (wanted ?? largest)) throw unlike(`It is longer than the ${wanted ?? largest} bytes it may have`)
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
    if (wanted !== null && bytes !== wanted) throw unlike(`It has ${bytes} bytes, and ${wanted} were announced`)
    if (announced.sha256 !== null && sha256 !== announced.sha256.toLowerCase())
      throw unlike('Its checksum is not the one that was announced')
    writing(path, () => renameSync(draft, path))
    return { bytes, sha256 }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function unlike(why: string): Problem {
  return new Problem(remoteCodes.unintelligible, `${why}: nothing was kept`, { outcome: 'none' })
}

/**
 * The name under which a file is kept here: the one it came with, as the chat itself keeps names, and nothing in it that
 * would hide it, be taken for an option, or name a device.
 */
export function safeName(given: string, otherwise: string): string {
  const name = safeFileName(given === '' ? otherwise : given)
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[.~-]+/, '')
    .replace(/[. ]+$/, '')
  if (name === '') return otherwise
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name) ? `_${name}` : name
}
