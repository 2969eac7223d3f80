import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { BookMonthRow } from '../../../db/schema/book.ts'
import { betFile, betHeader, betLine, monthOfFile } from '../../../domain/bets/csv.ts'
import { betOf } from '../../../domain/bets/fast-parser.ts'
import type { Disk } from '../../bets/files/disk.ts'
import { type ManifestFile, manifestName, readManifest } from '../../bets/files/manifest.ts'
import { fileRows } from '../../bets/repair/sorted-months.ts'
import { bookMonths } from '../../bets/slip-rows.ts'
import type { Book } from '../book.ts'
import { bookPosition } from '../cursor-position.ts'
import { Faults } from './faults.ts'
import type { BookCheck } from './schema.ts'

/** Compares the CSV files of a folder and their manifest with the book, byte by byte. */
export async function checkFiles(
  { book, disk, signal }: { readonly book: Book; readonly disk: Disk; readonly signal: AbortSignal },
  folder: string,
): Promise<BookCheck> {
  const faults = new Faults('files')
  try {
    const names = await disk.names(folder)
    const manifest = await readManifest(disk, folder)
    const { months, position } = await book.store.read(async (reader) => ({
      months: (await bookMonths(reader)).filter(({ rows }) => rows > 0),
      position: await bookPosition(reader),
    }))
    if (!manifest) faults.add(`${join(folder, manifestName)} is missing`)
    else if (manifest.cursor !== (position?.cursor ?? null))
      faults.add(`the manifest ends at ${manifest.cursor}, but the book at ${position?.cursor ?? null}`)
    for (const month of months) {
      signal.throwIfAborted()
      faults.checked += 1
      const name = betFile(month.month)
      const listed = manifest?.files.find(({ file }) => file === name)
      const fault = await faultOfFile({ book, disk, path: join(folder, name), month, listed })
      if (fault !== undefined) faults.add(`${name}: ${fault}`)
      else if (manifest && !listed) faults.add(`${name} is not in the manifest`)
    }
    const expected = new Set(months.map(({ month }) => month))
    for (const name of names.toSorted()) {
      const month = monthOfFile(name)
      if (month !== null && !expected.has(month)) faults.add(`${name} is a file of a month that the book does not have`)
    }
  } catch (error) {
    if (signal.aborted) throw error
    faults.cannotCheck(error instanceof Error ? error.message : String(error))
  }
  return faults.result()
}

interface FileCheck {
  readonly book: Book
  readonly disk: Disk
  readonly path: string
  readonly month: BookMonthRow
  readonly listed: ManifestFile | undefined
}

/** Returns the first fault of a file: the line that differs from the book, or the field of the manifest. */
async function faultOfFile({ book, disk, path, month, listed }: FileCheck): Promise<string | undefined> {
  const there = await disk.look(path)
  if (!there) return 'is missing'
  const file = await disk.openToRead(path)
  const hash = createHash('sha256')
  let at = 0
  let lines = 0
  try {
    const differs = async (text: string): Promise<string | undefined> => {
      const expected = Buffer.from(text)
      const actual = await file.read(at, expected.length)
      if (!expected.equals(actual)) return `line ${lines + firstDifferentLine(expected, actual)} differs from the book`
      hash.update(expected)
      at += expected.length
      lines += countLines(expected)
      return undefined
    }
    const header = await differs(betHeader)
    if (header !== undefined) return header
    for await (const { rows } of fileRows(book, month, 0)) {
      const fault = await differs(rows.map((row) => betLine(betOf(row.record))).join(''))
      if (fault !== undefined) return fault
    }
  } finally {
    await file.close()
  }
  if (there.bytes > at) return `has ${there.bytes - at} bytes after its last line (line ${lines})`
  if (listed && (listed.bytes !== at || listed.sha256 !== hash.digest('hex') || listed.rows !== month.rows))
    return 'differs from the manifest'
  return undefined
}

const lineFeed = 10

function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (const byte of bytes) if (byte === lineFeed) lines += 1
  return lines
}

/** Returns the number of the first line, from 1, in which two texts differ. */
function firstDifferentLine(expected: Uint8Array, actual: Uint8Array): number {
  let line = 1
  for (const [i, byte] of expected.entries()) {
    if (actual[i] !== byte) return line
    if (byte === lineFeed) line += 1
  }
  return line
}
