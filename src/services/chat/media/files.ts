import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile as copyBytes, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChatMediaRow } from '../../../db/schema/chat.ts'
import { makeFolder } from '../../../kit/make-folder.ts'
import { headBytes } from './file-types.ts'

/** Bytes of uploads on disk. File names are our own ids: nothing that a client sends becomes part of a path. */

/** An upload and the number of its file's copy. After a writer's lease has expired, another copy is used. */
export interface Copy {
  readonly id: string
  readonly copy: number
}

export function fileOf(folder: string, { id, copy }: Copy): string {
  return join(folder, copy === 0 ? id : `${id}.${copy}`)
}

/** Returns the file of a sent medium. */
export function fileOfMedia(folder: string, { upload_id: id, copy }: ChatMediaRow): string {
  return fileOf(folder, { id, copy })
}

/** Writes bytes at an offset and syncs them to disk. Bytes left by a crash are overwritten. */
export async function writeAt(folder: string, copy: Copy, offset: number, bytes: Uint8Array): Promise<void> {
  if (offset === 0) makeFolder(folder, 0o700)
  const path = fileOf(folder, copy)
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

/** Syncs a folder: a new file survives a crash only if its folder is synced too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates another copy with the bytes of an existing one, and syncs it to disk. */
export async function copyFile(folder: string, from: Copy, copy: number): Promise<void> {
  const path = fileOf(folder, { id: from.id, copy })
  await copyBytes(fileOf(folder, from), path)
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(folder)
}

export async function removeFile(folder: string, copy: Copy): Promise<void> {
  await rm(fileOf(folder, copy), { force: true })
}

/** Deletes all copies of an upload. */
export async function removeCopies(folder: string, { id, copies }: { id: string; copies: number }): Promise<void> {
  for (let copy = 0; copy <= copies; copy++) await removeFile(folder, { id, copy })
}

/** Returns the hash of the first `size` bytes, and the start of the file. */
export async function digestFile(folder: string, copy: Copy, size: number) {
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let headLength = 0
  for await (const chunk of createReadStream(fileOf(folder, copy), { end: size - 1 }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    if (headLength < headBytes) {
      head.push(chunk.subarray(0, headBytes - headLength))
      headLength += chunk.length
    }
  }
  return { sha256: hash.digest('hex'), head: Buffer.concat(head) }
}
