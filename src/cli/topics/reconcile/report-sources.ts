import { basename } from 'node:path'
import { withoutPassword } from '../../../db/engines/database-name.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { exportsBetween } from '../../../operator/bets/export-state.ts'
import type { ReportSource } from '../../../operator/report/layout.ts'
import type { OpenBook } from '../../context/services.ts'

/** The content of a file that is written next to a report. */
export interface WrittenFile {
  readonly path: string | null
  readonly text: string
  readonly content: string
}

/** Lists what a report names as its sources: the book, its files of these days, and the CSV file written with it. */
export async function reportSources(
  book: OpenBook | undefined,
  days: { readonly start: string; readonly end: string } | null,
  csv: WrittenFile,
): Promise<ReportSource[]> {
  const files =
    book && days
      ? await book.book.store.read((reader) => exportsBetween(reader, Date.parse(days.start), Date.parse(days.end)))
      : []
  return [
    ...(book === undefined ? [] : [{ name: bookName(book), content: 'book', sha256: null }]),
    ...files.map(({ folder, file, rows, bytes, sha256 }) => ({
      name: `${folder}/${file}`,
      content: `${countText(rows, 'row')}, ${countText(bytes, 'byte')}`,
      sha256,
    })),
    ...(csv.path === null ? [] : [{ name: basename(csv.path), content: csv.content, sha256: sha256Hex(csv.text) }]),
  ]
}

/** Returns the name of a book, without a password. */
export const bookName = ({ url }: OpenBook): string => withoutPassword(url)
