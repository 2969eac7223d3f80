import { createHash, type Hash } from 'node:crypto'
import type { BookExportRow } from '../../../db/schema/book.ts'
import { betHeader, betLine } from '../../../domain/bets/csv.ts'
import { type BetTotals, maxLineBytes, RecordLines } from '../../../domain/bets/csv-bytes.ts'
import type { PulledBet } from '../../../domain/bets/record.ts'
import { formatUnits, parseAmount, playerScale } from '../../../domain/money.ts'
import { outputFailed } from '../../../kit/disk-error.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Disk, DiskFile } from './disk.ts'

/** Records to write. */
export interface Lines {
  bets(): Iterable<PulledBet>
  /** Returns the bytes of their JSON, separated by commas, if all of them match the grammar of the fast parser. */
  records?(): Uint8Array
}

/** Number of characters converted to bytes per call: large enough to be fast, small enough for short-lived buffers. */
const textAtOnce = 32_768
/** Buffer size for a usual page. */
const bufferBytes = 512 * 1024
/** Number of bytes per read when a whole file is read. */
const readBytes = 1 << 20

/**
 * One month's file, opened for appending. Keeps the hash of all its bytes, so that its state is computed from what it wrote.
 * A write runs in the background; its error is thrown by the next call.
 */
export class CsvFile {
  readonly path: string
  readonly #file: DiskFile
  readonly #key: Pick<BookExportRow, 'folder' | 'file' | 'month'>
  #hash: Hash
  #rows = 0
  #bytes = 0
  #place = 0
  #totals: BetTotals = new Map()
  #writing: Promise<void> = Promise.resolve()
  #isDirty = false
  #buffer = Buffer.alloc(bufferBytes)
  #filled = 0

  private constructor(file: DiskFile, path: string, key: Pick<BookExportRow, 'folder' | 'file' | 'month'>) {
    this.#file = file
    this.path = path
    this.#key = key
    this.#hash = createHash('sha256')
  }

  /**
   * Opens the file at the position of its record and cuts off anything after it. If the file does not match the record, it is
   * emptied and the reason is returned; all rows must then be written again.
   */
  static async open(disk: Disk, path: string, row: BookExportRow): Promise<{ csv: CsvFile; damage?: string }> {
    const { folder, file, month } = row
    const opened = new CsvFile(await translated(path, disk.open(path)), path, { folder, file, month })
    try {
      const damage = await opened.#resume(row)
      return { csv: opened, ...(damage === undefined ? {} : { damage }) }
    } catch (error) {
      await opened.close()
      throw error
    }
  }

  async #resume(row: BookExportRow): Promise<string | undefined> {
    const { bytes } = await this.#do(this.#file.look())
    const damage =
      bytes === 0 && row.bytes > 0 ? 'is missing' : bytes < row.bytes ? 'is too short' : await this.#readThrough(row)
    if (damage !== undefined) {
      this.#hash = createHash('sha256')
      await this.#do(this.#file.cut(0))
      return damage
    }
    if (bytes > row.bytes) await this.#do(this.#file.cut(row.bytes))
    this.#rows = row.rows
    this.#bytes = row.bytes
    this.#place = row.place
    this.#totals = totalsFrom(row.totals)
    return undefined
  }

  async #readThrough(row: BookExportRow): Promise<string | undefined> {
    for (let at = 0; at < row.bytes; ) {
      const bytes = await this.#do(this.#file.read(at, Math.min(readBytes, row.bytes - at)))
      if (bytes.length === 0) return 'is too short'
      this.#hash.update(bytes)
      at += bytes.length
    }
    return this.#hash.copy().digest('hex') === row.sha256 ? undefined : 'was changed by another program'
  }

  /** Place of the last row in the file. */
  get place(): number {
    return this.#place
  }

  /**
   * Appends lines, and the header before the first ones. Resolves when they are being written and those of the previous call
   * are written.
   */
  async append({ bets, records }: Lines, lastPlace: number): Promise<void> {
    // One buffer for all bytes; it is free again when the last write is done.
    await this.#do(this.#writing)
    this.#filled = 0
    if (this.#bytes === 0) this.#gather(betHeader)
    if (records) this.#gatherRecords(records())
    else this.#gatherBets(bets())
    const bytes = this.#buffer.subarray(0, this.#filled)
    this.#hash.update(bytes)
    this.#writing = this.#file.write(bytes, this.#bytes)
    // Awaited by the next call; until then the rejection must not count as unhandled.
    this.#writing.catch(() => {})
    this.#bytes += bytes.length
    this.#place = lastPlace
    this.#isDirty = true
  }

  #gatherRecords(records: Uint8Array): void {
    this.#reserve(maxLineBytes(records.length))
    const lines = new RecordLines(records, this.#buffer, this.#filled)
    this.#filled = lines.write(this.#totals)
    this.#rows += lines.rows
  }

  #gatherBets(bets: Iterable<PulledBet>): void {
    let text = ''
    for (const bet of bets) {
      text += betLine(bet)
      count(this.#totals, bet)
      this.#rows += 1
      if (text.length > textAtOnce) {
        this.#gather(text)
        text = ''
      }
    }
    this.#gather(text)
  }

  #gather(text: string): void {
    this.#reserve(3 * text.length)
    this.#filled += this.#buffer.write(text, this.#filled)
  }

  /** Makes room for more bytes. */
  #reserve(bytes: number): void {
    const needed = this.#filled + bytes
    if (needed > this.#buffer.length)
      this.#buffer = Buffer.concat([this.#buffer.subarray(0, this.#filled)], Math.ceil(1.25 * needed))
  }

  /** Makes everything written durable, and returns the position. */
  async settle(): Promise<BookExportRow> {
    await this.#do(this.#writing)
    if (this.#isDirty) await this.#do(this.#file.sync())
    this.#isDirty = false
    const { bytes, modifiedAt, isGone } = await this.#do(this.#file.look())
    if (isGone) throw fileFailed(this.path, 'it was deleted while it was written', 'temporary')
    if (bytes !== this.#bytes) throw fileFailed(this.path, 'another program is writing to it', 'conflict')
    return {
      ...this.#key,
      rows: this.#rows,
      bytes: this.#bytes,
      place: this.#place,
      sha256: this.#hash.copy().digest('hex'),
      modified_at: modifiedAt,
      totals: totalsText(this.#totals),
    }
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => {})
    await this.#file.close()
  }

  async #do<T>(work: Promise<T>): Promise<T> {
    return translated(this.path, work)
  }
}

/** Returns the record of an empty file. */
export function emptyExport(key: Pick<BookExportRow, 'folder' | 'file' | 'month'>): BookExportRow {
  const sha256 = createHash('sha256').digest('hex')
  return { ...key, rows: 0, bytes: 0, place: 0, sha256, modified_at: 0, totals: '{}' }
}

/** Returns the size of a file and the SHA-256 of its first bytes; undefined if there is no file. */
export async function hashOfFile(
  disk: Disk,
  path: string,
  length: number,
): Promise<{ bytes: number; sha256: string } | undefined> {
  const there = await translated(path, disk.look(path))
  if (!there) return undefined
  const file = await translated(path, disk.openToRead(path))
  const hash = createHash('sha256')
  try {
    for (let at = 0; at < length; ) {
      const bytes = await translated(path, file.read(at, Math.min(readBytes, length - at)))
      if (bytes.length === 0) break
      hash.update(bytes)
      at += bytes.length
    }
    return { bytes: there.bytes, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}

/** Adds a bet to the sums of its file. */
export function count(totals: BetTotals, { currency, delta }: Pick<PulledBet, 'currency' | 'delta'>): void {
  const total = totals.get(currency)
  if (total) {
    total.rows += 1
    total.delta += parseAmount(delta)
  } else totals.set(currency, { rows: 1, delta: parseAmount(delta) })
}

/** Returns the sums as they are stored. */
export function totalsText(totals: BetTotals): string {
  const sorted = [...totals].sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(
    Object.fromEntries(
      sorted.map(([currency, { rows, delta }]) => [currency, { rows, delta: formatUnits(delta, playerScale) }]),
    ),
  )
}

function totalsFrom(text: string): BetTotals {
  const totals: Record<string, { rows: number; delta: string }> = JSON.parse(text)
  return new Map(
    Object.entries(totals).map(([currency, { rows, delta }]) => [currency, { rows, delta: parseAmount(delta) }]),
  )
}

/** Converts a file system error. The rows are safe in the book; only the file is behind. */
export async function translated<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw outputFailed(path, error, next)
  }
}

const next = 'All synced rows are safe in the book; the next run writes the rest'

function fileFailed(path: string, reason: string, category: 'temporary' | 'conflict'): Problem {
  return new Problem('OUTPUT_FAILED', `Cannot write ${path}: ${reason}. ${next}`, { file: path, category })
}
