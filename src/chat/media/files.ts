import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../kit/folder.ts'
import { headBytes } from './types.ts'

/** The bytes of uploads on the disk. Their names are our own ids: nothing a client says becomes part of a path. */

export function fileOf(folder: string, uploadId: string): string {
  return join(folder, uploadId)
}

/** Puts bytes at a place of the file and waits until they are on the disk; what a crash left behind there is overwritten. */
export async function writeAt(folder: string, uploadId: string, offset: number, bytes: Uint8Array): Promise<void> {
  if (offset === 0) makeFolder(folder, 0o700)
  const path = fileOf(folder, uploadId)
  const file = await openOrMake(path)
  try {
    for (let written = 0; written < bytes.byteLength; ) {
      const { bytesWritten } = await file.write(bytes, written, bytes.byteLength - written, offset + written)
      written += bytesWritten
    }
    await file.sync()
  } finally {
    await file.close()
  }
  if (offset === 0) await syncFolder(folder)
}

async function openOrMake(path: string) {
  try {
    return await open(path, 'r+')
  } catch {
    return open(path, 'wx+', 0o600)
  }
}

/** A new file is found again after a crash only when its folder is on the disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export async function removeFile(folder: string, uploadId: string): Promise<void> {
  await rm(fileOf(folder, uploadId), { force: true })
}

/** The hash of the first `size` bytes, and the beginning. */
export async function digestFile(folder: string, uploadId: string, size: number) {
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let headLength = 0
  for await (const chunk of createReadStream(fileOf(folder, uploadId), { end: size - 1 }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    if (headLength < headBytes) {
      head.push(chunk.subarray(0, headBytes - headLength))
      headLength += chunk.length
    }
  }
  return { sha256: hash.digest('hex'), head: Buffer.concat(head) }
}
