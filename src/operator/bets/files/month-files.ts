import { join } from 'node:path'
import type { BookExportRow, BookMonthRow } from '../../../db/schema/book.ts'
import { betFile, betHeader, betLine, monthOfFile } from '../../../domain/bets/csv.ts'
import { betOf } from '../../../domain/bets/fast-parser.ts'
import type { PulledBet } from '../../../domain/bets/record.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../book/book.ts'
import { exportsIn, saveExports } from '../export-state.ts'
import { fileRows } from '../repair/sorted-months.ts'
import { bookMonths } from '../slip-rows.ts'
import { CsvFile, emptyExport, type Lines, translated } from './csv-file.ts'
import type { Disk } from './disk.ts'

export interface BetFilesOptions {
  readonly book: Book
  readonly disk: Disk
  readonly folder: string
  /** True to overwrite files that do not belong to this book. */
  readonly force?: boolean
  /** Called for every file that is written again, with the reason. */
  readonly warn: (text: string) => void
  /** Called with the number of rows that were written from the book to a month's file. */
  readonly onFilled?: ((rows: number, month: string) => void) | undefined
}

/** New rows of a month. */
export interface AddedLines {
  readonly month: string
  readonly lines: Lines
  /** Place of the last one in the book. */
  readonly lastPlace: number
}

/** Maximum number of open files: the current month and the previous one; after a resync an older one. */
const filesOpen = 4

/** Opens the folder, and makes it if it is missing. */
export async function openBetFiles(options: BetFilesOptions): Promise<BetFiles> {
  const { book, disk } = options
  const folder = await translated(options.folder, disk.makeFolder(options.folder))
  return new BetFiles(options, folder, await book.store.read((reader) => exportsIn(reader, folder, 'csv')))
}

/** The CSV files of a folder, one per month, all of them made from the book. */
export class BetFiles {
  /** The folder by its path without links. */
  readonly folder: string
  readonly #options: BetFilesOptions
  /** Written position of each file, by its month. */
  readonly #known: Map<string, BookExportRow>
  /** The files that are open, the least recently opened first. */
  readonly #open = new Map<string, CsvFile>()
  /** The months whose state is not saved in the book yet. */
  readonly #changed = new Set<string>()

  constructor(options: BetFilesOptions, folder: string, exports: readonly BookExportRow[]) {
    this.folder = folder
    this.#options = options
    this.#known = new Map(exports.map((row) => [row.month, row]))
  }

  /**
   * Brings every file in step with the book: truncates the remains of a crash, and writes missing rows. Refuses with
   * FILE_EXISTS, before it changes anything, a folder with a file that is not of this book.
   */
  async recover(): Promise<void> {
    const { book, disk, warn, force = false } = this.#options
    const months = new Map((await book.store.read(bookMonths)).map((row) => [row.month, row]))
    const foreignMonths = await this.#foreignMonths(months)
    if (foreignMonths.length > 0 && !force) throw notOurs(foreignMonths.map((month) => this.#pathOf(month)))
    for (const month of foreignMonths)
      if (!months.has(month)) warn(`${this.#pathOf(month)} does not belong to this book and is not changed`)
    const unclaimed = this.claims(months.keys())
    await book.store.write((tx) => saveExports(tx, unclaimed))
    for (const month of months.values()) {
      const row = this.#stateOf(month.month)
      const path = this.#pathOf(month.month)
      const there = await translated(path, disk.look(path))
      const isTrusted = there?.bytes === row.bytes && there.modifiedAt === row.modified_at
      if (isTrusted && row.place === month.last_place) continue
      await this.#fill(month)
    }
  }

  /** Returns the rows to save in the book before files of these months may exist. */
  claims(months: Iterable<string>): BookExportRow[] {
    const rows = [...new Set(months)].filter((month) => !this.#known.has(month)).map((month) => this.#emptyOf(month))
    for (const row of rows) this.#known.set(row.month, row)
    return rows
  }

  /** Adds rows that are safe in the book. */
  async append({ month, lines, lastPlace }: AddedLines): Promise<void> {
    const { file, isDamaged } = await this.#fileOf(month)
    if (isDamaged) {
      const row = (await this.#options.book.store.read(bookMonths)).find((each) => each.month === month)
      if (row) await this.#fill(row)
    }
    // Rows filled from the book may be the same ones, or later ones.
    if (lastPlace <= file.place) return
    this.#changed.add(month)
    await file.append(lines, lastPlace)
  }

  /** Writes everything that was added since the last call durably to the disk. Returns the rows to save in the book. */
  async settle(): Promise<BookExportRow[]> {
    for (const [month, file] of this.#open) if (this.#changed.has(month)) this.#known.set(month, await file.settle())
    const rows = [...this.#changed].flatMap((month) => this.#known.get(month) ?? [])
    this.#changed.clear()
    return rows
  }

  /** Returns how far every file is, in the order of their names. */
  states(): BookExportRow[] {
    return [...this.#known.values()].filter((row) => row.rows > 0).sort((a, b) => (a.file < b.file ? -1 : 1))
  }

  async close(): Promise<void> {
    for (const file of this.#open.values()) await file.close()
    this.#open.clear()
  }

  #pathOf(month: string): string {
    return join(this.folder, betFile(month))
  }

  #emptyOf(month: string): BookExportRow {
    return emptyExport({ folder: this.folder, file: betFile(month), month })
  }

  #stateOf(month: string): BookExportRow {
    return this.#known.get(month) ?? this.#emptyOf(month)
  }

  /** Opens the month's file, as far as its saved state goes. A damaged one is emptied, and must be filled from the book. */
  async #fileOf(month: string): Promise<{ file: CsvFile; isDamaged: boolean }> {
    const { disk, warn } = this.#options
    const openFile = this.#open.get(month)
    if (openFile) return { file: openFile, isDamaged: false }
    const row = this.#stateOf(month)
    const { csv: file, damage } = await CsvFile.open(disk, this.#pathOf(month), row)
    this.#open.set(month, file)
    if (damage !== undefined) warn(`${file.path} ${damage}; writing it again from the book`)
    if (row.bytes === 0) await translated(this.folder, disk.syncFolder(this.folder))
    await this.#closeOldest()
    return { file, isDamaged: damage !== undefined }
  }

  async #closeOldest(): Promise<void> {
    for (const [month, file] of this.#open) {
      if (this.#open.size <= filesOpen) break
      if (this.#changed.has(month)) this.#known.set(month, await file.settle())
      await file.close()
      this.#open.delete(month)
    }
  }

  /** Writes the month's missing rows from the book. */
  async #fill(month: BookMonthRow): Promise<void> {
    this.#changed.add(month.month)
    const { file } = await this.#fileOf(month.month)
    for await (const { bets, lastPlace } of betsOfMonth(this.#options.book, month, file.place)) {
      await file.append({ bets: () => bets }, lastPlace)
      this.#options.onFilled?.(bets.length, month.month)
    }
  }

  /**
   * Returns the months of files that are not recorded in the book. A file that already has the contents that the book
   * would write is adopted.
   */
  async #foreignMonths(months: ReadonlyMap<string, BookMonthRow>): Promise<string[]> {
    const { book, disk } = this.#options
    const foreignMonths: string[] = []
    for (const name of (await translated(this.folder, disk.names(this.folder))).toSorted()) {
      const month = monthOfFile(name)
      if (month === null || this.#known.has(month)) continue
      const rows = months.get(month)
      if (!rows || !(await isBeginning(disk, this.#pathOf(month), betsOfMonth(book, rows, 0))))
        foreignMonths.push(month)
    }
    return foreignMonths
  }
}

/** Yields the bets of a month after a place in the book. */
export async function* betsOfMonth(book: Book, month: BookMonthRow, after: number, stop?: AbortSignal) {
  for await (const { rows, lastPlace } of fileRows(book, month, after)) {
    stop?.throwIfAborted()
    yield { bets: rows.map((row) => betOf(row.record)), lastPlace }
  }
}

/** Returns whether a file is a prefix of the rows. */
async function isBeginning(
  disk: Disk,
  path: string,
  rows: AsyncIterable<{ readonly bets: readonly PulledBet[] }>,
): Promise<boolean> {
  const { bytes = 0 } = (await translated(path, disk.look(path))) ?? {}
  const file = await translated(path, disk.openToRead(path))
  try {
    let at = 0
    const continuesWith = async (text: string): Promise<boolean> => {
      const expected = Buffer.from(text)
      const actual = await translated(path, file.read(at, Math.min(expected.length, bytes - at)))
      at += actual.length
      return expected.subarray(0, actual.length).equals(actual)
    }
    if (!(await continuesWith(betHeader))) return false
    for await (const { bets } of rows) {
      if (at >= bytes) return true
      if (!(await continuesWith(bets.map(betLine).join('')))) return false
    }
    return at >= bytes
  } finally {
    await file.close()
  }
}

export function notOurs(paths: readonly string[]): Problem {
  return new Problem(
    'FILE_EXISTS',
    `${paths.join(', ')} ${paths.length === 1 ? 'exists and does' : 'exist and do'} not belong to this book. Use another folder, or overwrite with --force`,
    { files: paths },
  )
}
