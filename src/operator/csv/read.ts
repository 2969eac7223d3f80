import { Problem } from '../../kit/problem.ts'

/** A CSV file: its titles, and its rows with their line numbers. */
export interface CsvTable {
  readonly head: readonly string[]
  readonly rows: readonly CsvRow[]
}

export interface CsvRow {
  readonly line: number
  /** As many cells as titles or fewer; more only if the row has more. */
  readonly cells: readonly string[]
}

const separators = [',', ';', '\t']

/**
 * Reads a CSV file with commas, semicolons or tabs, detected from its first line or Excel's `sep=`, with or without a byte order
 * mark. Drops empty lines, rows and columns that spreadsheets leave. Throws INVALID_FILE with messages that start with
 * `name`.
 */
export async function csvTable(input: string | Uint8Array, name: string): Promise<CsvTable> {
  const { text, delimiter, skipped } = separated(typeof input === 'string' ? input : utf8Text(input, name), name)
  const { parse } = await import('csv-parse/sync')
  let records: { record: string[]; info: { lines: number } }[]
  try {
    // The types do not show that `info` changes the result.
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
  const filled = records.flatMap(({ record, info }): CsvRow[] =>
    // Spreadsheets leave rows of separators below the last one.
    record.every((cell) => cell === '') ? [] : [{ line: info.lines + skipped - breaksIn(record), cells: record }],
  )
  const [head, ...rows] = filled
  if (head === undefined) return { head: [], rows: [] }
  // Drops columns without title and content. A row with more cells than titles is kept, because an amount may contain
  // a comma.
  // Not Math.max(...widths): a file can have more rows than a call may have arguments.
  const width = filled.reduce(
    (widest, { cells }) => Math.max(widest, cells.findLastIndex((cell) => cell !== '') + 1),
    0,
  )
  const cut = (cells: readonly string[]) => (cells.length > head.cells.length ? cells : cells.slice(0, width))
  return { head: cut(head.cells), rows: rows.map(({ line, cells }) => ({ line, cells: cut(cells) })) }
}

/** Decodes the file. Another encoding would change names and digits. */
export function utf8Text(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('INVALID_FILE', `${name} is not UTF-8. Save it as CSV UTF-8`, { file: name })
  }
}

/** Removes Excel's `sep=` line, if there is one. */
function separated(input: string, name: string): { text: string; delimiter: string; skipped: number } {
  const text = input.replace(/^\uFEFF/, '')
  const [line, separator] = /^"?sep=([^\r\n"]*)"?[^\S\t\r\n]*(?:\r\n|\n|\r|$)/i.exec(text) ?? []
  if (line === undefined || separator === undefined) return { text, delimiter: delimiterOf(text), skipped: 0 }
  const delimiter = separator === '\t' ? separator : separator.trim()
  if (separators.includes(delimiter)) return { text: text.slice(line.length), delimiter, skipped: 1 }
  throw new Problem(
    'INVALID_FILE',
    `${name} names the separator ${JSON.stringify(separator.slice(0, 20))} in line 1. Use commas, semicolons or tabs, or delete the line`,
    { file: name, line: 1 },
  )
}

/** Spreadsheets in many countries write semicolons. */
function delimiterOf(text: string): string {
  const [head = ''] = text.trimStart().split(/\r?\n|\r/, 1)
  return separators.find((each) => head.includes(each)) ?? ','
}

/** Line breaks inside cells: a row is identified by its first line. */
function breaksIn(record: readonly string[]): number {
  return record.reduce((count, cell) => count + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)
}

function notCsv(name: string, error: unknown, { text, skipped }: { text: string; skipped: number }): Problem {
  const { code, lines } = error as { code?: string; lines?: number }
  // The parser reports an open quote at the end of the file; the cause is a line with an odd number of quotes.
  const odd = text.split(/\r\n|\n|\r/).findIndex((each) => each.split('"').length % 2 === 0) + 1
  const lineNumber = code === 'CSV_QUOTE_NOT_CLOSED' ? odd : lines
  const line = typeof lineNumber === 'number' ? lineNumber + skipped : undefined
  const at = line === undefined ? '' : ` in line ${line}`
  const reason =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? `a quote${at} is not closed; write a quote inside a cell twice`
      : code === 'INVALID_OPENING_QUOTE'
        ? `a cell contains a quote${at}; put the whole cell in quotes, and write inner quotes twice`
        : code === 'CSV_INVALID_CLOSING_QUOTE'
          ? `text follows a closing quote${at}; write a quote inside a cell twice`
          : error instanceof Error
            ? error.message
            : String(error)
  return new Problem('INVALID_FILE', `${name} is not valid CSV: ${reason}`, { file: name, ...(line ? { line } : {}) })
}
