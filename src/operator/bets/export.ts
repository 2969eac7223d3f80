import type { BookHolderRow } from '../../db/schema/book.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'
import { lockBook, type Me } from '../book/lock.ts'
import { recorded } from '../book/runs.ts'
import { saveExports } from './export-state.ts'
import { csvWriterInProcess } from './files/csv-writer.ts'
import type { Disk } from './files/disk.ts'
import { refuseAnothersFolder, writeManifest } from './files/manifest.ts'
import { openBetFiles } from './files/month-files.ts'
import type { ExportSummary } from './schema.ts'
import { betsLock } from './sync/sync.ts'

export interface ExportParts {
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
  readonly report: { waiting(holder: BookHolderRow | undefined): void; warn(text: string): void }
  readonly exitOf: (end: { value: ExportSummary } | { error: unknown }) => number
}

/**
 * Writes a folder's CSV files from the book, without network requests: all files of a new folder; missing and changed files
 * of an existing one. The files are byte for byte those of a sync.
 *
 * Throws LOCKED_BY_ANOTHER, BOOK_EMPTY, or FILE_EXISTS for a file that does not belong to this book.
 */
export async function exportBets(
  parts: ExportParts,
  options: { readonly out: string; readonly waitMs?: number; readonly force?: boolean },
): Promise<ExportSummary> {
  const { book, bookUrl, disk, sleep, stop, runId, me, tool, report, exitOf } = parts
  const { out: folder, waitMs = 0, force = false } = options
  const owner = await book.store.read(({ q }) => q.selectFrom('book_owner').selectAll().executeTakeFirst())
  if (!owner)
    throw new Problem('BOOK_EMPTY', 'The book is empty. Run first: countroom bets sync --out bets', {
      category: 'not-found',
    })
  const lockOptions = { url: bookUrl, job: betsLock, me, waitMs, sleep, signal: stop, onWait: report.waiting }
  const lock = await lockBook(book, lockOptions)
  const work = async (): Promise<ExportSummary> => {
    const files = await openBetFiles({
      book,
      disk,
      openWriter: () => csvWriterInProcess(disk),
      folder,
      force,
      warn: report.warn,
    })
    try {
      await refuseAnothersFolder(disk, files.folder, owner)
      await files.recover()
      const settled = await files.settle()
      await book.store.write((tx) => saveExports(tx, settled))
      await writeManifest({ book, disk, tool }, files.folder, files.states())
      const states = files.states().map(({ file, rows, bytes, sha256 }) => ({ file, rows, bytes, sha256 }))
      return {
        companyCode: owner.company_code,
        environment: owner.environment,
        out: files.folder,
        rows: states.reduce((sum, { rows }) => sum + rows, 0),
        files: states,
      }
    } finally {
      await files.close()
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
