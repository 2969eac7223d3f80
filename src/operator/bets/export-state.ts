import type { BookExportRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'

/** Progress of the files per folder. A file is trusted only up to the position stored here. */

/** Kinds of files, by the end of their names. */
export type ExportFormat = 'csv' | 'parquet'

export async function exportsIn({ q }: Reader, folder: string, format: ExportFormat): Promise<BookExportRow[]> {
  const rows = await q.selectFrom('book_exports').selectAll().where('folder', '=', folder).orderBy('file').execute()
  return rows.filter(({ file }) => file.endsWith(`.${format}`))
}

export function allExports({ q }: Reader): Promise<BookExportRow[]> {
  return q.selectFrom('book_exports').selectAll().orderBy('folder').orderBy('file').execute()
}

/** Returns the files of a bet sync with rows between two moments. Slips are in the file of their cursor's UTC month. */
export function exportsBetween({ q }: Reader, from: number, to: number): Promise<BookExportRow[]> {
  const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7).replace('-', '')
  return q
    .selectFrom('book_exports')
    .selectAll()
    .where('month', 'in', [...new Set([monthOf(from), monthOf(to - 1)])])
    .orderBy('folder')
    .orderBy('file')
    .execute()
}

export async function saveExports({ q }: Tx, rows: readonly BookExportRow[]): Promise<void> {
  for (const row of rows) {
    const { folder: _folder, file: _file, ...change } = row
    await q
      .insertInto('book_exports')
      .values(row)
      .onConflict((conflict) => conflict.columns(['folder', 'file']).doUpdateSet(change))
      .execute()
  }
}
