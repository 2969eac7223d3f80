import { join } from 'node:path'
import type { BookExportRow, BookHolderRow, BookMonthRow, BookOwnerRow } from '../../db/schema/book.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'
import { lockBook, type Me } from '../book/lock.ts'
import { recorded } from '../book/runs.ts'
import { type ExportFormat, exportsIn, saveExports } from './export-state.ts'
import { translated } from './files/csv-file.ts'
import type { Disk } from './files/disk.ts'
import { refuseAnothersFolder, writeManifest } from './files/manifest.ts'
import { betsOfMonth, notOurs, openBetFiles } from './files/month-files.ts'
import { parquetFile, writeParquetFile } from './files/parquet-file.ts'
import type { ExportSummary } from './schema.ts'
import { bookMonths } from './slip-rows.ts'
import { betsLock } from './sync/sync.ts'

/** Receives the steps of an export. */
export interface ExportReport {
  waiting(holder: BookHolderRow | undefined): void
  warn(text: string): void
  /** Called with the number of rows that were written since the last call, and the month of their file. */
  written(rows: number, month: string): void
}

/** Dependencies of an export. */
export interface ExportDependencies {
  readonly book: Book
  /** Address of the book; its lock file is next to it. */
  readonly bookUrl: string
  readonly disk: Disk
  readonly sleep: Sleep
  readonly stop: AbortSignal
  readonly runId: string
  readonly me: Me
  /** Program and version, for the manifest. */
  readonly tool: string
  readonly report: ExportReport
  readonly exitOf: (end: { value: ExportSummary } | { error: unknown }) => number
}

/**
 * Writes a folder's files from the book, without network requests: all files of a new folder; missing and changed files of an
 * existing one. CSV files are byte for byte those of a sync. Parquet files have the same columns with types.
 *
 * Throws LOCKED_BY_ANOTHER, BOOK_EMPTY, or FILE_EXISTS for a file that does not belong to this book.
 */
export async function exportBets(
  dependencies: ExportDependencies,
  options: {
    readonly out: string
    readonly format?: ExportFormat
    readonly waitMs?: number
    readonly force?: boolean
  },
): Promise<ExportSummary> {
  const { book, bookUrl, sleep, stop, runId, me, report, exitOf } = dependencies
  const { out: folder, format = 'csv', waitMs = 0, force = false } = options
  const owner = await book.store.read(({ q }) => q.selectFrom('book_owner').selectAll().executeTakeFirst())
  if (!owner)
    throw new Problem('BOOK_EMPTY', 'The book is empty. Run first: countroom bets sync --out bets', {
      category: 'not-found',
    })
  const lockOptions = { url: bookUrl, job: betsLock, me, waitMs, sleep, signal: stop, onWait: report.waiting }
  const lock = await lockBook(book, lockOptions)
  const work = async (): Promise<ExportSummary> => {
    const write = format === 'csv' ? writeCsvFiles : writeParquetFiles
    const written = await write(dependencies, owner, { folder, force })
    const files = written.files.map(({ file, rows, bytes, sha256 }) => ({ file, rows, bytes, sha256 }))
    return {
      companyCode: owner.company_code,
      environment: owner.environment,
      out: written.folder,
      rows: files.reduce((sum, { rows }) => sum + rows, 0),
      files,
    }
  }
  try {
    return await recorded(book, { id: runId, job: 'bets export' }, work, (end) => ({
      exit: exitOf(end),
      summary: 'value' in end ? { out: end.value.out, rows: end.value.rows } : {},
    }))
  } finally {
    await lock.release()
  }
}

interface Written {
  /** The folder by its path without links. */
  readonly folder: string
  readonly files: readonly BookExportRow[]
}

interface Target {
  readonly folder: string
  readonly force: boolean
}

async function writeCsvFiles(
  { book, disk, tool, report }: ExportDependencies,
  owner: BookOwnerRow,
  { folder, force }: Target,
): Promise<Written> {
  const { warn, written: onFilled } = report
  const files = await openBetFiles({ book, disk, folder, force, warn, onFilled })
  try {
    await refuseAnothersFolder(disk, files.folder, owner)
    await files.recover()
    const settled = await files.settle()
    await book.store.write((tx) => saveExports(tx, settled))
    await writeManifest({ book, disk, tool }, files.folder, files.states())
    return { folder: files.folder, files: files.states() }
  } finally {
    await files.close()
  }
}

/** Writes each month's file whole: a Parquet file ends with its index, so it cannot be continued. */
async function writeParquetFiles(
  { book, disk, tool, stop, report }: ExportDependencies,
  owner: BookOwnerRow,
  target: Target,
): Promise<Written> {
  const folder = await translated(target.folder, disk.makeFolder(target.folder))
  await refuseAnothersFolder(disk, folder, owner)
  const { months, known } = await book.store.read(async (reader) => ({
    months: await bookMonths(reader),
    known: new Map((await exportsIn(reader, folder, 'parquet')).map((row) => [row.file, row])),
  }))
  const pathOf = (month: BookMonthRow) => join(folder, parquetFile(month.month))
  const names = new Set(await translated(folder, disk.names(folder)))
  const foreign = months.filter(({ month }) => names.has(parquetFile(month)) && !known.has(parquetFile(month)))
  if (foreign.length > 0 && !target.force) throw notOurs(foreign.map(pathOf))
  const files: BookExportRow[] = []
  for (const month of months) {
    stop.throwIfAborted()
    const row = known.get(parquetFile(month.month))
    const there = await translated(pathOf(month), disk.look(pathOf(month)))
    const isIntact = row !== undefined && there?.bytes === row.bytes && there.modifiedAt === row.modified_at
    if (row !== undefined && !isIntact)
      report.warn(`${pathOf(month)} ${there ? 'was changed by another program' : 'is missing'}; writing it again`)
    const isCurrent = isIntact && row.place === month.last_place && row.rows === month.rows
    const written = isCurrent
      ? row
      : await writeParquetFile(
          disk,
          { folder, month, tool },
          reported(betsOfMonth(book, month, 0, stop), month, report),
        )
    if (!isCurrent) await book.store.write((tx) => saveExports(tx, [written]))
    files.push(written)
  }
  return { folder, files }
}

/** Yields the same pages, and reports each after the consumer has written it. */
async function* reported<Page extends { readonly bets: readonly unknown[] }>(
  pages: AsyncIterable<Page>,
  { month }: BookMonthRow,
  report: ExportReport,
): AsyncGenerator<Page> {
  for await (const page of pages) {
    yield page
    report.written(page.bets.length, month)
  }
}
