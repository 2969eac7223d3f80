import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reader, Tx } from '../../../db/store.ts'
import { makeFolder } from '../../../kit/make-folder.ts'
import { Problem } from '../../../kit/problem.ts'
import { knownUploads, moveToCopy, storedFiles } from '../queries/media.ts'
import { type Copy, fileOf } from './files.ts'

/** Files of uploads that are copied into and out of snapshots of the database. */

/** A file with the bytes that the database has counted. */
export interface PortableFile extends Copy {
  readonly bytes: Buffer
}

const uploadName = /^upl_[0-9A-Za-z]{1,40}$/

/** Reads the files that the rows of a database refer to. Files that are missing on disk are skipped. */
export async function readFiles(folder: string, reader: Reader): Promise<PortableFile[]> {
  const files: PortableFile[] = []
  for (const { id, copy, size } of await storedFiles(reader)) {
    const path = fileOf(folder, { id, copy })
    if (existsSync(path)) files.push({ id, copy, bytes: readFileSync(path).subarray(0, size) })
  }
  return files
}

/**
 * Writes the files that do not exist. If another timeline has created a different file with the name, the file becomes
 * a later copy and its rows are updated. Existing files may have readers, so they are not changed. Throws INVALID_FILE
 * for a name that no upload can have, such as a path to another folder.
 */
export async function storeFiles(folder: string, tx: Tx, files: readonly PortableFile[]): Promise<void> {
  for (const { id, copy } of files)
    if (!uploadName.test(id) || !Number.isSafeInteger(copy) || copy < 0)
      throw new Problem('INVALID_FILE', `The snapshot has a file with the name ${JSON.stringify(id.slice(0, 60))}`)
  if (files.length > 0) makeFolder(folder, 0o700)
  for (const { id, copy, bytes } of files) {
    let freeCopy = copy
    while (!isFreeFor(fileOf(folder, { id, copy: freeCopy }), bytes)) freeCopy++
    await write(fileOf(folder, { id, copy: freeCopy }), bytes)
    if (freeCopy !== copy) await moveToCopy(tx, { id, copy }, freeCopy)
  }
}

/** Deletes the files of uploads that have no row in the database, with all copies. Returns the number of files. */
export async function removeUnknownFiles(folder: string, reader: Reader): Promise<number> {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const names = files.flatMap((file) => {
    const [id = '', copy] = file.split('.')
    return uploadName.test(id) && /^\d+$/.test(copy ?? '0') ? [{ file, id }] : []
  })
  const known = await knownUploads(reader, [...new Set(names.map(({ id }) => id))])
  const unknown = names.filter(({ id }) => !known.has(id))
  for (const { file } of unknown) rmSync(join(folder, file), { force: true })
  return unknown.length
}

function isFreeFor(path: string, bytes: Buffer): boolean {
  return !existsSync(path) || readFileSync(path).equals(bytes)
}

async function write(path: string, bytes: Buffer): Promise<void> {
  if (existsSync(path)) return
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
