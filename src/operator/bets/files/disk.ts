import { constants, type FileHandle, open, readdir, readFile, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../../../kit/make-folder.ts'

/** A file opened for reading and writing. */
export interface DiskFile {
  /** Returns size, last change (epoch milliseconds), and whether the file was deleted. */
  look(): Promise<{ bytes: number; modifiedAt: number; isGone: boolean }>
  /** Reads up to this many bytes from a position; fewer at the end, none after it. */
  read(at: number, maxBytes: number): Promise<Uint8Array>
  write(bytes: Uint8Array, at: number): Promise<void>
  /** Truncates the file at a position. */
  cut(to: number): Promise<void>
  /** Resolves when all writes would survive a power cut. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** File system operations of a job. Injected, so that a test can make each of them fail. */
export interface Disk {
  /** Creates the folder if it is missing, and returns its path with links resolved. */
  makeFolder(path: string): Promise<string>
  names(folder: string): Promise<string[]>
  /** Returns size and last change of a file, or undefined. */
  look(path: string): Promise<{ bytes: number; modifiedAt: number } | undefined>
  /** Opens a file; creates it if it is missing. */
  open(path: string): Promise<DiskFile>
  /** Opens an existing file for reading. */
  openToRead(path: string): Promise<Pick<DiskFile, 'read' | 'close'>>
  /** Reads the text of a file, or returns undefined. */
  read(path: string): Promise<string | undefined>
  /** Writes a text atomically. */
  writeWhole(path: string, text: string): Promise<void>
  /** Renames a file, over an existing one, durably. */
  replace(from: string, to: string): Promise<void>
  /** Deletes a file if it exists. */
  remove(path: string): Promise<void>
  /** Resolves when the names in a folder would survive a power cut. */
  syncFolder(path: string): Promise<void>
}

export const realDisk: Disk = {
  async makeFolder(path) {
    makeFolder(path)
    return realpath(path)
  },
  names: (folder) => readdir(folder),
  async look(path) {
    const file = await undefinedIfMissing(open(path, 'r'))
    if (!file) return undefined
    try {
      return await sizeOf(file)
    } finally {
      await file.close()
    }
  },
  async open(path) {
    return toDiskFile(await open(path, constants.O_RDWR | constants.O_CREAT, 0o666))
  },
  async openToRead(path) {
    return toDiskFile(await open(path, 'r'))
  },
  read: (path) => undefinedIfMissing(readFile(path, 'utf8')),
  async writeWhole(path, text) {
    const draft = join(dirname(path), `.${basename(path)}.${process.pid}.draft`)
    try {
      const file = await open(draft, 'w')
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw error
    }
    await syncFolder(dirname(path))
  },
  async replace(from, to) {
    await rename(from, to)
    await syncFolder(dirname(to))
  },
  remove: (path) => rm(path, { force: true }),
  syncFolder,
}

function toDiskFile(file: FileHandle): DiskFile {
  return {
    async look() {
      const { nlink } = await file.stat()
      return { ...(await sizeOf(file)), isGone: nlink === 0 }
    },
    async read(at, maxBytes) {
      const buffer = Buffer.allocUnsafe(maxBytes)
      let done = 0
      while (done < maxBytes) {
        const { bytesRead } = await file.read(buffer, done, maxBytes - done, at + done)
        if (bytesRead === 0) break
        done += bytesRead
      }
      return buffer.subarray(0, done)
    },
    async write(bytes, at) {
      // On a nearly full disk a write can be partial.
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
        done += bytesWritten
      }
    },
    cut: (to) => file.truncate(to),
    sync: () => file.datasync(),
    close: () => file.close(),
  }
}

async function sizeOf(file: FileHandle): Promise<{ bytes: number; modifiedAt: number }> {
  const { size, mtimeMs } = await file.stat()
  return { bytes: size, modifiedAt: Math.floor(mtimeMs) }
}

/** Makes a file name durable. Windows cannot open a folder, and does not need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function undefinedIfMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
