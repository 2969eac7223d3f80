import { Problem } from '../../kit/problem.ts'

/** A CSV file as a person or a spreadsheet wrote it: its titles, and its rows with the lines in which they begin. */
export interface CsvTable {
  readonly head: readonly string[]
  readonly rows: readonly CsvRow[]
}

export interface CsvRow {
  readonly line: number
  /** As many as there are titles, or fewer; more where the row has more. */
  readonly cells: readonly string[]
}

const separators = [',', ';', '\t']

/**
 * Reads a file whose columns commas, semicolons or tabs part, as its first line or Excel's own `sep=` says; with or without
 * the mark of UTF-8, and with what spreadsheets leave around a table: empty lines, rows and columns. INVALID_FILE where it
 * is none, in words that begin with `name`.
 */
export async function csvTable(input: string | Uint8Array, name: string): Promise<CsvTable> {
  const { text, delimiter, skipped } = separated(typeof input === 'string' ? input : utf8Text(input, name), name)
  const { parse } = await import('csv-parse/sync')
  let records: { record: string[]; info: { lines: number } }[]
  try {
    // The types do not know that `info` changes what comes back.
    records = parse(text, {
      trim: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
      delimiter,
    }) as never
  } catch (error) {
    throw notCsv(name, error, { text, skipped })
  }
  const told = records.flatMap(({ record, info }): CsvRow[] =>
    // A row of separators alone is what a spreadsheet leaves below its last one.
    record.every((cell) => cell === '') ? [] : [{ line: info.lines + skipped - breaksIn(record), cells: record }],
  )
  const [head, ...rows] = told
  if (head === undefined) return { head: [], rows: [] }
  // So are columns without a title and without anything in them. A row that is longer than its titles stays so: it may
  // have a comma in an amount.
  const width = Math.max(...told.map(({ cells }) => cells.findLastIndex((cell) => cell !== '') + 1))
  const cut = (cells: readonly string[]) => (cells.length > head.cells.length ? cells : cells.slice(0, width))
  return { head: cut(head.cells), rows: rows.map(({ line, cells }) => ({ line, cells: cut(cells) })) }
}

/** The text of a file; another encoding would be read as other names and other digits. */
export function utf8Text(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('INVALID_FILE', `${name} is not UTF-8: save it as CSV UTF-8`, { file: name })
  }
}

/** The table below the line in which Excel says what parts the columns, if there is one. */
function separated(input: string, name: string): { text: string; delimiter: string; skipped: number } {
  const text = input.replace(/^\uFEFF/, '')
  const [line, said] = /^"?sep=([^\r\n"]*)"?[^\S\t\r\n]*(?:\r\n|\n|\r|$)/i.exec(text) ?? []
  if (line === undefined || said === undefined) return { text, delimiter: delimiterOf(text), skipped: 0 }
  const delimiter = said === '\t' ? said : said.trim()
  if (separators.includes(delimiter)) return { text: text.slice(line.length), delimiter, skipped: 1 }
  throw new Problem(
    'INVALID_FILE',
    `${name} says in line 1 that its columns are parted by ${JSON.stringify(said.slice(0, 20))}: part them by commas, semicolons or tabs, or take the line out`,
    { file: name, line: 1 },
  )
}

/** Spreadsheets of half the world write semicolons. */
function delimiterOf(text: string): string {
  const [head = ''] = text.trimStart().split(/\r?\n|\r/, 1)
  return separators.find((each) => head.includes(each)) ?? ','
}

/** Line breaks within cells: a row is told by the line it begins in. */
function breaksIn(record: readonly string[]): number {
  return record.reduce((count, cell) => count + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)
}

function notCsv(name: string, error: unknown, { text, skipped }: { text: string; skipped: number }): Problem {
  const { code, lines } = error as { code?: string; lines?: number }
  // The parser notices an open quote at the end of the file; it is in a line whose quotes make no pairs.
  const odd = text.split(/\r\n|\n|\r/).findIndex((each) => each.split('"').length % 2 === 0) + 1
  const found = code === 'CSV_QUOTE_NOT_CLOSED' ? odd : lines
  const line = typeof found === 'number' ? found + skipped : undefined
  const at = line === undefined ? '' : ` in line ${line}`
  const why =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? `a quote that is opened${at} is never closed; one within a cell is written twice`
      : code === 'INVALID_OPENING_QUOTE'
        ? `a cell has a quote in it${at}: put the whole cell in quotes, and write those within it twice`
        : code === 'CSV_INVALID_CLOSING_QUOTE'
          ? `something follows a closing quote${at}: a quote within a cell is written twice`
          : error instanceof Error
            ? error.message
            : String(error)
  return new Problem('INVALID_FILE', `${name} is not CSV: ${why}`, { file: name, ...(line ? { line } : {}) })
}
