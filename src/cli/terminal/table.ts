import { withoutFormula } from '../../domain/spreadsheet-formula.ts'
import { csvOf } from '../../kit/csv-text.ts'
import { minuteText } from '../../kit/moment.ts'
import type { Paint, Style } from './color.ts'
import { padEnd, padStart, printable, widthOf, wrap } from './text.ts'

/** A column: the field and its format. */
export interface Column {
  readonly key: string
  readonly title?: string
  /** `amount` and `count` are right-aligned; `time` is epoch milliseconds, printed in UTC. Decimal text is printed unchanged. */
  readonly kind?: 'text' | 'amount' | 'count' | 'time'
  /** True to never wrap the cell, for IDs that are copied. */
  readonly whole?: boolean
  /** True to drop other columns first where the screen is too narrow for all. */
  readonly keep?: boolean
  /** Minimum width of a text column that may wrap, unless all of its cells are narrower. Other columns are dropped for it. */
  readonly least?: number
  /** Formats the value for people; CSV has the value itself. */
  readonly show?: (value: unknown) => string
  /** Color of a cell. */
  readonly tint?: (value: unknown) => Style | undefined
}

/** Returns a column that may be named by its key only. */
export const asColumn = (column: Column | string): Column => (typeof column === 'string' ? { key: column } : column)

export type Row = object

export interface TableOptions {
  /** Infinity for output that is not fitted to a screen: then no cell wraps. */
  readonly width: number
  readonly paint: Paint
  readonly hasHeader: boolean
  /**
   * Allows columns to be dropped if the table is too wide, the last ones first, so that no cell is broken; called with
   * their keys. Without it nothing is lost, whatever the width: for output that a program may read.
   */
  readonly onDropped?: ((keys: readonly string[]) => void) | undefined
}

/** Returns the columns of `--columns a,b` in that order. The caller rejects unknown names. */
export function pickColumns(columns: readonly Column[], names: readonly string[] | undefined): readonly Column[] {
  if (names === undefined) return columns
  return names.flatMap((name) => columns.filter((column) => column.key === name))
}

/**
 * Formats rows as a table within the width of the screen. Cells wrap. If that is not enough, empty columns are dropped, then
 * others if that is allowed, and then each row becomes a list.
 */
export function tableText(rows: readonly Row[], columns: readonly Column[], options: TableOptions): string {
  const nonEmpty = columns.filter((column) => rows.some((row) => cellText(fieldOf(row, column.key), column) !== ''))
  const isFilled = nonEmpty.length === columns.length
  return (
    tableWithin(rows, columns, options) ??
    (isFilled ? undefined : tableWithin(rows, nonEmpty, options)) ??
    tableOfFewer(rows, nonEmpty, options) ??
    rows.map((row) => fieldsText(row, nonEmpty, options)).join('\n')
  )
}

/** Returns the table of the first columns that fit, at least two; undefined if there are none or none may be dropped. */
function tableOfFewer(rows: readonly Row[], columns: readonly Column[], options: TableOptions): string | undefined {
  if (options.onDropped === undefined) return undefined
  const left = [...columns]
  for (const last of columns.toReversed()) {
    if (left.length <= 2) return undefined
    if (last.keep) continue
    left.splice(left.indexOf(last), 1)
    const text = tableWithin(rows, left, options)
    if (text === undefined) continue
    options.onDropped(columns.filter((column) => !left.includes(column)).map(({ key }) => key))
    return text
  }
  return undefined
}

/** Returns a note about the columns that a table left out, and how to see them. */
export function droppedText(keys: readonly string[], hasColumnsFlag: boolean): string {
  return `Not shown at this width: ${keys.join(', ')}. To see them, use ${hasColumnsFlag ? '--columns A,B,… or --json' : '--json'}`
}

/**
 * Returns a function that formats the rows of a long list page by page. The first page decides on the columns and their widths;
 * cells of later pages that are wider wrap.
 */
export function pagedTable(columns: readonly Column[], options: TableOptions): (rows: readonly Row[]) => string {
  let layout: { columns: readonly Column[]; widths: readonly number[] } | undefined
  return (rows) => {
    if (rows.length === 0) return ''
    if (layout) return ended(tableLines(rows, layout.columns, widthsFrom(layout, rows, options), options.paint))
    const left = [...columns]
    for (;;) {
      const widths = widthsOf(rows, left, options)
      if (widths || left.length <= 2) {
        layout = { columns: left, widths: widths ?? left.map(() => Math.floor((options.width - gap) / left.length)) }
        break
      }
      const last = left.findLastIndex(({ keep }) => !keep)
      left.splice(last === -1 ? left.length - 1 : last, 1)
    }
    const dropped = columns.filter((column) => !left.includes(column)).map(({ key }) => key)
    if (dropped.length > 0) options.onDropped?.(dropped)
    const header = rowLines(left.map(titleOf), left, layout.widths).map((line) => options.paint('bold', line))
    return ended([...(options.hasHeader ? header : []), ...tableLines(rows, left, layout.widths, options.paint)])
  }
}

/** Returns the widths of a later page: those of the first. Without a limit its wider cells stay whole. */
function widthsFrom(
  { columns, widths }: { readonly columns: readonly Column[]; readonly widths: readonly number[] },
  rows: readonly Row[],
  options: TableOptions,
): readonly number[] {
  if (Number.isFinite(options.width)) return widths
  return (widthsOf(rows, columns, options) ?? []).map((width, i) => Math.max(width, widths[i] ?? 0))
}

/** Returns the table, or undefined if its columns cannot fit. */
function tableWithin(rows: readonly Row[], columns: readonly Column[], options: TableOptions): string | undefined {
  const widths = widthsOf(rows, columns, options)
  if (widths === undefined) return undefined
  const lines = tableLines(rows, columns, widths, options.paint)
  if (!options.hasHeader) return ended(lines)
  const header = rowLines(columns.map(titleOf), columns, widths).map((line) => options.paint('bold', line))
  return ended([...header, ...lines])
}

const cellsOf = (rows: readonly Row[], columns: readonly Column[]): string[][] =>
  rows.map((row) => columns.map((column) => cellText(fieldOf(row, column.key), column)))

/** Returns the widths of columns within the screen, or undefined if they cannot fit. */
function widthsOf(rows: readonly Row[], columns: readonly Column[], options: TableOptions): number[] | undefined {
  const titles = columns.map(titleOf)
  const cells = cellsOf(rows, columns)
  const natural = titles.map((title, i) =>
    Math.max(options.hasHeader ? widthOf(title) : 1, ...cells.map((row) => widthOf(row[i] ?? ''))),
  )
  const least = columns.map((column, i) =>
    leastWidth(
      column,
      cells.map((row) => row[i] ?? ''),
      options,
    ),
  )
  return fitted(natural, least, options.width)
}

function tableLines(
  rows: readonly Row[],
  columns: readonly Column[],
  widths: readonly number[],
  paint: Paint,
): string[] {
  const tints = rows.map((row) => columns.map(({ key, tint }) => tint?.(fieldOf(row, key))))
  return cellsOf(rows, columns).flatMap((row, i) => rowLines(row, columns, widths, { tints: tints[i] ?? [], paint }))
}

/** Formats one object as names and values. */
export function fieldsText(
  row: Row,
  named: readonly (Column | string)[],
  { width, paint }: Omit<TableOptions, 'hasHeader'>,
): string {
  const columns = named.map(asColumn)
  const left = Math.max(0, ...columns.map((column) => widthOf(titleOf(column))))
  const lines = columns.flatMap((column) => {
    const value = fieldOf(row, column.key)
    const tint = column.tint?.(value)
    const [first = '', ...more] = wrap(cellText(value, column), Math.max(20, width - left - 2)).map((line) =>
      tint === undefined ? line : paint(tint, line),
    )
    const name = paint('bold', padEnd(titleOf(column), left))
    return [`${name}  ${first}`.trimEnd(), ...more.map((line) => `${' '.repeat(left)}  ${line}`)]
  })
  return ended(lines)
}

/** Formats rows as CSV (RFC 4180, UTF-8, LF line endings). For programs: nothing is wrapped, shortened or colored. */
export function csvText(rows: readonly Row[], columns: readonly Column[], hasHeader: boolean): Promise<string> {
  const records = rows.map((row) => columns.map((column) => csvCell(fieldOf(row, column.key), column)))
  return csvOf(hasHeader ? [columns.map(({ key }) => key), ...records] : records)
}

/** Formats a cell. Numbers keep their minus sign; text that looks like a formula is escaped. */
function csvCell(value: unknown, column: Column): string {
  const text = valueText(value, column)
  const isText = (column.kind ?? 'text') === 'text'
  return isText ? withoutFormula(text) : text
}

/** Returns a field by its name, else by its path. */
export function fieldOf(row: Row, key: string): unknown {
  if (Object.hasOwn(row, key)) return Reflect.get(row, key)
  const into = (part: unknown, name: string) =>
    part !== null && typeof part === 'object' ? Reflect.get(part, name) : undefined
  return key.split('.').reduce<unknown>(into, row)
}

const cellText = (value: unknown, column: Column): string =>
  printable(column.show?.(value) ?? timeText(valueText(value, column))).replace(/[\n\t]/g, ' ')

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/

/** People read times to the minute; CSV and JSON keep ISO 8601. */
const timeText = (text: string): string => (isoTime.test(text) ? minuteText(text) : text)

const acronyms = new Set(['id', 'url', 'ipn', 'usd', 'gb', 'utc'])

/** Returns the title of a column. Without one it is made of the key: `lastLoginAt` becomes `last login`. */
export function titleOf({ key, title }: Pick<Column, 'key' | 'title'>): string {
  if (title !== undefined) return title
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[ _.]/)
  if (words.length > 1 && /^at$/i.test(words.at(-1) ?? '')) words.pop()
  const all = words.map((word) => (acronyms.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()))
  return all.join(' ').replace('win loss', 'win/loss')
}

function valueText(value: unknown, { kind }: Column): string {
  if (value === undefined || value === null) return ''
  if (kind === 'time' && typeof value === 'number') return new Date(value).toISOString()
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const gap = 2
/** Minimum width of a text column that stays readable. */
const narrowest = 12

/** Maximum length of a word that is not broken. */
const longestWhole = 40

/** Maximum width of a text that is not broken between its words either, where columns can be dropped: a name, a list of variants. */
const shortText = 20

const minutePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})? UTC$/

/** Returns the width that a column keeps: that of its longest word or short text if columns can be dropped instead. Undefined: its own. */
function leastWidth(
  { kind = 'text', whole, least = narrowest }: Column,
  cells: readonly string[],
  { onDropped }: TableOptions,
): number | undefined {
  if (kind !== 'text' || whole) return undefined
  // A time that is broken in two cannot be read down a column.
  if (onDropped === undefined)
    return Math.max(narrowest, ...cells.filter((cell) => minutePattern.test(cell)).map(widthOf))
  const isWhole = (cell: string) => widthOf(cell) <= shortText || minutePattern.test(cell)
  const words = cells.map((cell) => (isWhole(cell) ? cell : (cell.split(' ').sort(byWidth)[0] ?? '')))
  return Math.max(least, Math.min(longestWhole, Math.max(0, ...words.map(widthOf))))
}

const byWidth = (a: string, b: string): number => widthOf(b) - widthOf(a)

/** Returns column widths that fit the screen, shrinking the widest text columns first. Undefined if that is impossible. */
function fitted(
  natural: readonly number[],
  least: readonly (number | undefined)[],
  width: number,
): number[] | undefined {
  const widths = [...natural]
  const total = () => widths.reduce((sum, part) => sum + part, 0) + gap * (widths.length - 1)
  while (total() > width) {
    const shrinkable = widths.map((part, i) => (part > (least[i] ?? part) ? part : 0))
    const widest = Math.max(...shrinkable)
    if (widest <= 0) return undefined
    const at = shrinkable.indexOf(widest)
    const to = least[at] ?? widest
    widths[at] = Math.max(to, widest - Math.max(1, Math.min(widest - to, total() - width)))
  }
  return widths
}

function rowLines(
  cells: readonly string[],
  columns: readonly Column[],
  widths: readonly number[],
  color?: { tints: readonly (Style | undefined)[]; paint: Paint },
): string[] {
  const broken = cells.map((cell, i) => wrap(cell, widths[i] ?? cell.length))
  const height = Math.max(1, ...broken.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    broken
      .map((lines, i) => {
        const isRight = columns[i]?.kind === 'amount' || columns[i]?.kind === 'count'
        const cell = (isRight ? padStart : padEnd)(lines[line] ?? '', widths[i] ?? 0)
        const tint = color?.tints[i]
        return tint === undefined ? cell : (color?.paint(tint, cell) ?? cell)
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

const ended = (lines: readonly string[]): string => (lines.length === 0 ? '' : `${lines.join('\n')}\n`)
