import { join } from 'node:path'
import type { BookExportRow, BookMonthRow } from '../../../db/schema/book.ts'
import { betFile, betHeader, betLine, monthOfFile } from '../../../domain/bets/csv.ts'
import { betOf } from '../../../domain/bets/fast-parser.ts'
import type { PulledBet } from '../../../domain/bets/record.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../book/book.ts'
import { exportsIn, saveExports } from '../export-state.ts'
import { bookMonths, slipsAfter } from '../slip-rows.ts'
import { emptyExport, translated } from './csv-file.ts'
import type { CsvDesk, Lines, MonthFile } from './csv-writer.ts'
import type { Disk } from './disk.ts'

/** The CSV files of a folder, one per month, all of them made of what is in the book. */
export interface BetFiles {
  /** The folder by its path without links. */
  readonly folder: string
  /**
   * Brings every file in step with the book: what a crash left over is cut off, what is missing is written. Refuses with
   * FILE_EXISTS, before it changes anything, a folder with a file that is not of this book.
   */
  recover(): Promise<void>
  /** What has to be noted in the book before a file of these months may be there. */
  claims(months: Iterable<string>): BookExportRow[]
  /** Adds rows that are safe in the book, the last of which has that place there. */
  append(month: string, lines: Lines, lastPlace: number): Promise<void>
  /** Makes durable what was added since the last time, and answers with what may be noted in the book. */
  settle(): Promise<BookExportRow[]>
  /** How far every file is, in the order of their names. */
  states(): BookExportRow[]
  close(): Promise<void>
}

export interface BetFilesOptions {
  readonly book: Book
  readonly disk: Disk
  /** Where the files are written; closed with them. */
  readonly openDesk: () => CsvDesk
  readonly folder: string
  /** Whether a file that is not of this book is written over. */
  readonly force?: boolean
  /** Told of every file that has to be written again, and why. */
  readonly warn: (text: string) => void
}

/** How many rows are read from the book at once. */
const rowsAtOnce = 1000
/** How many files are kept open: a month and the one before are what is written; after a resync an older one. */
const filesOpen = 4

/** Opens the folder, making it where there is none. */
export async function openBetFiles(options: BetFilesOptions): Promise<BetFiles> {
  const { book, disk, warn, force = false } = options
  const folder = await translated(options.folder, disk.makeFolder(options.folder))
  const known = new Map((await book.store.read((reader) => exportsIn(reader, folder))).map((row) => [row.month, row]))
  const desk = options.openDesk()
  const open = new Map<string, MonthFile>()
  const pathOf = (month: string) => join(folder, betFile(month))
  const emptyOf = (month: string) => emptyExport({ folder, file: betFile(month), month })

  /** The month's file, as far as its record goes. One that was spoilt is empty, and has to be filled from the book. */
  const fileOf = async (month: string): Promise<{ file: MonthFile; isSpoilt: boolean }> => {
    const found = open.get(month)
    if (found) return { file: found, isSpoilt: false }
    const row = known.get(month) ?? emptyOf(month)
    const { file, spoilt } = await desk.open(pathOf(month), row)
    open.set(month, file)
    if (spoilt !== undefined) warn(`${file.path} ${spoilt}: it is written again from the book`)
    if (row.bytes === 0) await translated(folder, disk.syncFolder(folder))
    for (const [oldest, other] of open) {
      if (open.size <= filesOpen) break
      if (changed.has(oldest)) known.set(oldest, await other.settle())
      await other.close()
      open.delete(oldest)
    }
    return { file, isSpoilt: spoilt !== undefined }
  }
  const fill = async (month: BookMonthRow, file: MonthFile) => {
    changed.add(month.month)
    for await (const { bets, lastPlace } of rowsOf(month, file.place))
      await file.append({ bets: () => bets }, lastPlace)
  }
  /** The months whose record is not what the book has noted. */
  const changed = new Set<string>()

  const rowsOf = async function* (month: BookMonthRow, after: number) {
    for (let place = after; ; ) {
      const rows = await book.store.read((reader) => slipsAfter(reader, { month, place, limit: rowsAtOnce }))
      const last = rows.at(-1)
      if (!last) return
      place = last.place
      yield { bets: rows.map((row) => betOf(row.record)), lastPlace: place }
    }
  }

  /** Files of our form that the book knows nothing of. One that holds just what the book would write is taken over. */
  const strangers = async (months: ReadonlyMap<string, BookMonthRow>): Promise<string[]> => {
    const found: string[] = []
    for (const name of (await translated(folder, disk.names(folder))).toSorted()) {
      const month = monthOfFile(name)
      if (month === null || known.has(month)) continue
      const rows = months.get(month)
      if (!rows || !(await isBeginning(disk, pathOf(month), rowsOf(rows, 0)))) found.push(month)
    }
    return found
  }

  return {
    folder,
    async recover() {
      const months = new Map((await book.store.read(bookMonths)).map((row) => [row.month, row]))
      const others = await strangers(months)
      if (others.length > 0 && !force) throw notOurs(others.map(pathOf))
      for (const month of others)
        if (!months.has(month)) warn(`${pathOf(month)} is not of this book and is left as it is for now`)
      const unclaimed = [...months.keys()].filter((month) => !known.has(month)).map(emptyOf)
      await book.store.write((tx) => saveExports(tx, unclaimed))
      for (const row of unclaimed) known.set(row.month, row)
      for (const month of months.values()) {
        const row = known.get(month.month) ?? emptyOf(month.month)
        const there = await translated(pathOf(month.month), disk.look(pathOf(month.month)))
        const isTrusted = there?.bytes === row.bytes && there.modifiedAt === row.modified_at
        if (isTrusted && row.place === month.last_place) continue
        await fill(month, (await fileOf(month.month)).file)
      }
    },
    claims: (months) => {
      const rows = [...new Set(months)].filter((month) => !known.has(month)).map(emptyOf)
      for (const row of rows) known.set(row.month, row)
      return rows
    },
    async append(month, lines, lastPlace) {
      const { file, isSpoilt } = await fileOf(month)
      if (isSpoilt) {
        const row = (await book.store.read(bookMonths)).find((each) => each.month === month)
        if (row) await fill(row, file)
      }
      // What was filled from the book may have held these rows already, and even later ones.
      if (lastPlace <= file.place) return
      changed.add(month)
      await file.append(lines, lastPlace)
    },
    async settle() {
      for (const [month, file] of open) if (changed.has(month)) known.set(month, await file.settle())
      const rows = [...changed].flatMap((month) => known.get(month) ?? [])
      changed.clear()
      return rows
    },
    states: () => [...known.values()].filter((row) => row.rows > 0).sort((a, b) => (a.file < b.file ? -1 : 1)),
    async close() {
      for (const file of open.values()) await file.close()
      open.clear()
      await desk.close()
    },
  }
}

/** Whether all of a file is what the rows begin with. */
async function isBeginning(
  disk: Disk,
  path: string,
  rows: AsyncIterable<{ readonly bets: readonly PulledBet[] }>,
): Promise<boolean> {
  const { bytes = 0 } = (await translated(path, disk.look(path))) ?? {}
  const file = await translated(path, disk.openToRead(path))
  try {
    let at = 0
    const goesOnWith = async (text: string): Promise<boolean> => {
      const wanted = Buffer.from(text)
      const found = await translated(path, file.read(at, Math.min(wanted.length, bytes - at)))
      at += found.length
      return wanted.subarray(0, found.length).equals(found)
    }
    if (!(await goesOnWith(betHeader))) return false
    for await (const { bets } of rows) {
      if (at >= bytes) return true
      if (!(await goesOnWith(bets.map(betLine).join('')))) return false
    }
    return at >= bytes
  } finally {
    await file.close()
  }
}

function notOurs(paths: readonly string[]): Problem {
  return new Problem(
    'FILE_EXISTS',
    `${paths.join(', ')} ${paths.length === 1 ? 'is' : 'are'} there already and not of this book: name another folder, or --force to write over`,
    { files: paths },
  )
}
