import { withoutFormula } from '../../domain/spreadsheet-formula.ts'
import type { Paint, Style } from './colour.ts'
import { padEnd, padStart, printable, widthOf, wrap } from './text.ts'

/** One column: the field it shows, and how. */
export interface Column {
  readonly key: string
  readonly title?: string
  /** `amount` and `count` stand to the right; `time` is epoch milliseconds and printed in UTC. Decimal text stays as it is. */
  readonly kind?: 'text' | 'amount' | 'count' | 'time'
  /** Never broken over two lines, as an id that is copied must not be. */
  readonly whole?: boolean
  /** What people see instead of the value; CSV keeps the value. */
  readonly show?: (value: unknown) => string
  /** The colour of a cell on a screen that has colour. */
  readonly tint?: (value: unknown) => Style | undefined
}

export type Row = object

export interface TableOptions {
  readonly width: number
  readonly paint: Paint
  readonly hasHeader: boolean
}

/** What `--columns a,b` picks, in that order; unknown names are for the caller to refuse. */
export function pickColumns(columns: readonly Column[], names: readonly string[] | undefined): readonly Column[] {
  if (names === undefined) return columns
  return names.flatMap((name) => columns.filter((column) => column.key === name))
}

/** Rows as a table of at most the screen's width. Cells are broken, never cut; where even that is too wide, columns that say nothing are left out, and then each row becomes a list. */
export function tableText(rows: readonly Row[], columns: readonly Column[], options: TableOptions): string {
  const telling = columns.filter((column) => rows.some((row) => cellText(fieldOf(row, column.key), column) !== ''))
  const isFilled = telling.length === columns.length
  return (
    tableWithin(rows, columns, options) ??
    (isFilled ? undefined : tableWithin(rows, telling, options)) ??
    rows.map((row) => fieldsText(row, telling, options)).join('\n')
  )
}

/** The table, or nothing where its columns cannot fit. */
function tableWithin(rows: readonly Row[], columns: readonly Column[], options: TableOptions): string | undefined {
  const titles = columns.map(({ key, title }) => title ?? key)
  const cells = rows.map((row) => columns.map((column) => cellText(fieldOf(row, column.key), column)))
  const natural = titles.map((title, i) =>
    Math.max(options.hasHeader ? widthOf(title) : 1, ...cells.map((row) => widthOf(row[i] ?? ''))),
  )
  const widths = fitted(natural, columns, options.width)
  if (widths === undefined) return undefined
  const tints = rows.map((row) => columns.map(({ key, tint }) => tint?.(fieldOf(row, key))))
  const lines = cells.flatMap((row, i) =>
    rowLines(row, columns, widths, { tints: tints[i] ?? [], paint: options.paint }),
  )
  if (!options.hasHeader) return ended(lines)
  const header = rowLines(titles, columns, widths).map((line) => options.paint('bold', line))
  return ended([...header, ...lines])
}

/** One thing as a list of names and values. */
export function fieldsText(
  row: Row,
  columns: readonly Column[],
  { width, paint }: Omit<TableOptions, 'hasHeader'>,
): string {
  const left = Math.max(0, ...columns.map(({ key, title }) => widthOf(title ?? key)))
  const lines = columns.flatMap((column) => {
    const value = fieldOf(row, column.key)
    const tint = column.tint?.(value)
    const [first = '', ...more] = wrap(cellText(value, column), Math.max(20, width - left - 2)).map((line) =>
      tint === undefined ? line : paint(tint, line),
    )
    const name = paint('bold', padEnd(column.title ?? column.key, left))
    return [`${name}  ${first}`.trimEnd(), ...more.map((line) => `${' '.repeat(left)}  ${line}`)]
  })
  return ended(lines)
}

/** Rows as CSV (RFC 4180, UTF-8, lines ended by LF): for programs, so nothing is broken, shortened or coloured. */
export async function csvText(rows: readonly Row[], columns: readonly Column[], hasHeader: boolean): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const records = rows.map((row) => columns.map((column) => csvCell(fieldOf(row, column.key), column)))
  return stringify(hasHeader ? [columns.map(({ key }) => key), ...records] : records)
}

/** Numbers keep their minus sign. */
function csvCell(value: unknown, column: Column): string {
  const text = valueText(value, column)
  const isText = (column.kind ?? 'text') === 'text'
  return isText ? withoutFormula(text) : text
}

/** A field by its name, or by its path where no field has that very name. */
export function fieldOf(row: Row, key: string): unknown {
  if (Object.hasOwn(row, key)) return Reflect.get(row, key)
  const into = (part: unknown, name: string) =>
    part !== null && typeof part === 'object' ? Reflect.get(part, name) : undefined
  return key.split('.').reduce<unknown>(into, row)
}

const cellText = (value: unknown, column: Column): string =>
  printable(column.show?.(value) ?? valueText(value, column)).replace(/[\n\t]/g, ' ')

function valueText(value: unknown, { kind }: Column): string {
  if (value === undefined || value === null) return ''
  if (kind === 'time' && typeof value === 'number') return new Date(value).toISOString()
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const gap = 2
/** Below this a column of text is no longer read but deciphered. */
const narrowest = 12

/** The widths that fit the screen, the widest text columns giving way first; nothing where they cannot. */
function fitted(natural: readonly number[], columns: readonly Column[], width: number): number[] | undefined {
  const widths = [...natural]
  const total = () => widths.reduce((sum, part) => sum + part, 0) + gap * (widths.length - 1)
  while (total() > width) {
    const bendable = widths.map((part, i) => (isBendable(columns[i]) && part > narrowest ? part : 0))
    const widest = Math.max(...bendable)
    if (widest <= 0) return undefined
    const at = bendable.indexOf(widest)
    widths[at] = Math.max(narrowest, widest - Math.max(1, Math.min(widest - narrowest, total() - width)))
  }
  return widths
}

const isBendable = (column: Column | undefined): boolean => (column?.kind ?? 'text') === 'text' && !column?.whole

function rowLines(
  cells: readonly string[],
  columns: readonly Column[],
  widths: readonly number[],
  colour?: { tints: readonly (Style | undefined)[]; paint: Paint },
): string[] {
  const broken = cells.map((cell, i) => wrap(cell, widths[i] ?? cell.length))
  const height = Math.max(1, ...broken.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    broken
      .map((lines, i) => {
        const isRight = columns[i]?.kind === 'amount' || columns[i]?.kind === 'count'
        const cell = (isRight ? padStart : padEnd)(lines[line] ?? '', widths[i] ?? 0)
        const tint = colour?.tints[i]
        return tint === undefined ? cell : (colour?.paint(tint, cell) ?? cell)
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

const ended = (lines: readonly string[]): string => (lines.length === 0 ? '' : `${lines.join('\n')}\n`)
