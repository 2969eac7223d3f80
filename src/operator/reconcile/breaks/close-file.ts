import type { BookBreakRow } from '../../../db/schema/book.ts'
import type { Reader } from '../../../db/store.ts'
import { type BreakReason, breakReasonCodes, isBreakId } from '../../../domain/reconcile/breaks.ts'
import { Problem } from '../../../kit/problem.ts'
import { grouped } from '../../../kit/text/count-text.ts'
import type { Book } from '../../book/book.ts'
import { atPlatformTime } from '../../book/cursor-position.ts'
import { csvTable } from '../../csv/read.ts'
import { type CsvFault, refuseFaults } from '../../csv/row-errors.ts'
import { apply, type Changed, changed, refusalOf } from './actions.ts'
import { breakLike } from './store.ts'

/** Bulk close of breaks by a CSV file with the columns `break,reason,note`. */

const columns = ['break', 'reason', 'note'] as const

/** Maximum length of a note. */
export const longestNote = 2000

/** A row of the file. */
export interface CloseRow {
  readonly line: number
  readonly name: string
  readonly reason: string
  readonly note: string
  readonly hasMoreCells: boolean
}

/** A row that cannot be carried out, with the reason. */
export interface RefusedRow extends CsvFault {
  readonly break: string
  /** True if the row is valid, and the state of the break forbids it. */
  readonly isConflict: boolean
}

/** Result of a bulk close. */
export interface ClosedByFile {
  readonly rows: readonly BookBreakRow[]
  readonly refused: readonly RefusedRow[]
}

/** Reads the rows of the file. Errors of the file as a whole throw INVALID_FILE; those of rows are found against the book. */
export async function closeRowsFromCsv(file: string | Uint8Array): Promise<CloseRow[]> {
  const { head, rows } = await csvTable(file, 'The file')
  if (rows.length === 0) throw new Problem('INVALID_FILE', 'The file has no breaks')
  checkHeader(head)
  const cell = (cells: readonly string[], name: string) => cells[head.indexOf(name)] ?? ''
  return rows.map(({ line, cells }) => ({
    line,
    name: cell(cells, 'break').toLowerCase(),
    reason: cell(cells, 'reason').toLowerCase(),
    note: cell(cells, 'note'),
    hasMoreCells: cells.length > head.length,
  }))
}

/** Refuses a header with all its errors at once. */
function checkHeader(head: readonly string[]): void {
  const isKnown = (name: string) => columns.some((known) => known === name)
  const unknown = [...new Set(head.filter((name) => !isKnown(name)))].map((name) => `"${name}"`)
  const faults = [
    ...['break', 'reason'].flatMap((name) => (head.includes(name) ? [] : [`no column "${name}"`])),
    ...columns.flatMap((name) => (head.indexOf(name) === head.lastIndexOf(name) ? [] : [`the column "${name}" twice`])),
    ...(unknown.length === 0 ? [] : [`unknown ${unknown.length === 1 ? 'column' : 'columns'} ${unknown.join(', ')}`]),
  ]
  if (faults.length > 0)
    throw new Problem('INVALID_FILE', `The file has ${faults.join(', ')}; valid columns: ${columns.join(', ')}`)
}

/**
 * Closes the breaks of the rows in one transaction. Without `isPartial` nothing is closed if any row is refused; the problem then has
 * every row's error.
 */
export function closeByFile(
  book: Book,
  rows: readonly CloseRow[],
  actor: string,
  { isPartial, isDryRun }: { readonly isPartial: boolean; readonly isDryRun: boolean },
): Promise<ClosedByFile> {
  const work = async (reader: Reader) => {
    const judged = await judge(reader, rows)
    if (!isPartial || judged.changes.length === 0) refuseRows(judged.refused)
    return judged
  }
  const result = ({ changes, refused }: Judged): ClosedByFile => ({ rows: changes.map(({ row }) => row), refused })
  if (isDryRun) return book.store.read(async (reader) => result(await work(await atPlatformTime(reader))))
  return book.store.write(async (on) => {
    const tx = await atPlatformTime(on)
    const judged = await work(tx)
    for (const each of judged.changes) await apply(tx, actor, each)
    return result(judged)
  })
}

interface Judged {
  readonly changes: readonly Changed[]
  readonly refused: readonly RefusedRow[]
}

async function judge(reader: Reader, rows: readonly CloseRow[]): Promise<Judged> {
  const changes: Changed[] = []
  const refused: RefusedRow[] = []
  const lines = new Map<string, number>()
  for (const each of rows) {
    const found = isBreakId(each.name) ? await breakLike(reader, each.name) : `"${each.name}" is not a break ID`
    const row = typeof found === 'string' ? undefined : found
    const before = row && lines.get(row.id)
    const fault = row && refusalOf(row, 'closed')
    const faults = [
      each.hasMoreCells && 'more cells than columns; put a note that contains a comma in quotes',
      typeof found === 'string' && found,
      before !== undefined && `${row?.id} is already in line ${before}`,
      !isReason(each.reason) && `"${each.reason}" is not a reason; valid reasons: ${breakReasonCodes.join(', ')}`,
      each.reason === 'other' && each.note === '' && 'the reason "other" requires a note',
      each.note.length > longestNote && `the note has more than ${grouped(longestNote)} characters`,
    ].flatMap((message) => message || [])
    if (row && before === undefined) lines.set(row.id, each.line)
    const isConflict = faults.length === 0 && fault !== undefined
    if (fault !== undefined && row) faults.push(`${row.id} is ${fault} it`)
    const { line, name } = each
    if (faults.length > 0) refused.push({ line, break: row?.id ?? name, message: faults.join('; '), isConflict })
    else if (row)
      changes.push(
        changed(row, { what: 'closed', reason: each.reason as BreakReason, note: each.note || null }, reader.now),
      )
  }
  return { changes, refused }
}

const isReason = (text: string): boolean => breakReasonCodes.some((code) => code === text)

/** Refuses a file with every error: as a conflict if all are about the states of breaks, else as an invalid file. */
function refuseRows(refused: readonly RefusedRow[]): void {
  if (!refused.every(({ isConflict }) => isConflict)) refuseFaults(refused)
  if (refused.length === 0) return
  throw new Problem(
    'CONFLICT',
    `${refused.map(({ line, message }) => `Line ${line}: ${message}`).join('; ')}. Nothing was closed; to close the other rows, add --partial`,
    { problems: refused, remoteCode: null },
  )
}
