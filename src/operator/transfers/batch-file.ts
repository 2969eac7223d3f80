import { formatAmount, isPositiveAmount, parseAmount, positiveAmountPattern } from '../../domain/money.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { isTwoWayPoint } from '../../domain/wallet/amount-advice.ts'
import type { Movement } from '../../domain/wallet/batch.ts'
import {
  amountFault,
  currencyFault,
  type InputFault,
  txnFault,
  usernameFault,
} from '../../domain/wallet/transfer-faults.ts'
import { repeatedName } from '../../kit/canonical-json.ts'
import { nearest } from '../../kit/nearest.ts'
import { Problem } from '../../kit/problem.ts'
import { countText, grouped, partText } from '../../kit/text/count-text.ts'
import { csvTable, utf8Text } from '../csv/read.ts'

/** A transfer in a file. */
export interface BatchTransfer extends Movement {
  /** Line number, or item number in a JSON list. */
  readonly line: number
  readonly txnId: string | undefined
  readonly note: string | null
}

/** An error of one row. */
export interface RowFault extends InputFault {
  readonly line: number
}

export interface TransferFile {
  /** Unit of row numbers. */
  readonly unit: 'Line' | 'Item'
  /** The valid rows. */
  readonly rows: readonly BatchTransfer[]
  readonly faults: readonly RowFault[]
  /** Folded names in invalid rows. What these players would have at a later row is unknown. */
  readonly doubtful: ReadonlySet<string>
  /** Number of rows, valid or not. */
  readonly count: number
}

export interface FileOptions {
  /** Name of the file in errors. */
  readonly name: string
  /** Direction of all rows without one. */
  readonly dir: 'in' | 'out' | undefined
  /** Currency of all rows without one. */
  readonly currency: string | undefined
  /** True to allow rows with the same player, direction and amount without a txnId. */
  readonly repeats: boolean
}

/** Fields and their accepted column titles. Case, blanks, dashes and underscores are ignored. */
const titles = {
  username: ['username', 'user', 'player'],
  dir: ['dir', 'direction'],
  amount: ['amount'],
  currency: ['currency', 'cur'],
  txnId: ['txnid', 'txn'],
  note: ['note'],
} as const
type Field = keyof typeof titles
const fields = Object.keys(titles) as Field[]

const directions: Readonly<Record<string, 'in' | 'out'>> = {
  in: 'in',
  deposit: 'in',
  out: 'out',
  withdraw: 'out',
  withdrawal: 'out',
}

const maxRows = 100_000
const longestNote = 200
/** Maximum number of errors in the message; --json has all. */
const maxListedErrors = 100

/** A row of the file before parsing. */
interface RawRow {
  readonly line: number
  readonly cells: Readonly<Partial<Record<Field, unknown>>>
  /** True if `1.234` may mean 1234 in this file. */
  readonly isPointOpen?: boolean
}

/**
 * Reads the transfers of a file: CSV with a header, a JSON list, or one JSON object per line, detected by its first
 * character. Invalid rows are returned as faults, so that they can be reported with those of the book and the platform.
 * Throws INVALID_FILE for a file whose rows cannot be read.
 */
export async function transfersFrom(bytes: Uint8Array, options: FileOptions): Promise<TransferFile> {
  const text = utf8Text(bytes, options.name)
  const { unit, rows } = await rawRows(text, options)
  if (rows.length === 0) throw invalidFile(options, 'has no transfers')
  if (rows.length > maxRows)
    throw invalidFile(
      options,
      `has ${countText(rows.length, 'transfer')}, but a batch can have at most ${grouped(maxRows)}; split the file`,
    )
  const read = rows.map((row) => transferOf(row, options))
  const transfers = read.flatMap(({ transfer }) => transfer ?? [])
  const faults = [...read.flatMap((each) => each.faults), ...faultsTogether(transfers, unit, options)]
  const lines = new Set(faults.map(({ line }) => line))
  const names = rows.flatMap(({ line, cells: { username } }) =>
    lines.has(line) && typeof username === 'string' ? [foldUsername(username.trim())] : [],
  )
  return { unit, rows: transfers, faults, doubtful: new Set(names), count: rows.length }
}

async function rawRows(text: string, options: FileOptions): Promise<{ unit: 'Line' | 'Item'; rows: RawRow[] }> {
  const start = text.trimStart()
  const repeated = /^[[{]/.test(start) ? repeatedName(text) : undefined
  if (repeated)
    throw invalidFile(
      options,
      `has the key ${JSON.stringify(repeated.name.slice(0, 70))} twice in one object, in line ${repeated.line}`,
      { line: repeated.line },
    )
  if (start.startsWith('[')) return { unit: 'Item', rows: itemsOf(start, options) }
  if (start.startsWith('{')) return fromObjects(text, options)
  return { unit: 'Line', rows: await csvRows(text, options) }
}

/** A single object is a document with a list, or the only line of many. */
function fromObjects(text: string, options: FileOptions): { unit: 'Line' | 'Item'; rows: RawRow[] } {
  const whole = jsonOr(text)
  if (isObject(whole) && Array.isArray(whole['transfers']))
    return { unit: 'Item', rows: whole['transfers'].map((item, i) => objectRow(item, i + 1, 'Item', options)) }
  const rows = text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    const value = jsonOr(line)
    if (value === undefined) throw invalidFile(options, `is not a JSON object in line ${i + 1}`, { line: i + 1 })
    return [objectRow(value, i + 1, 'Line', options)]
  })
  return { unit: 'Line', rows }
}

function itemsOf(text: string, options: FileOptions): RawRow[] {
  const list = jsonOr(text)
  if (!Array.isArray(list)) throw invalidFile(options, 'is not JSON')
  return list.map((item, i) => objectRow(item, i + 1, 'Item', options))
}

function objectRow(value: unknown, line: number, unit: 'Line' | 'Item', options: FileOptions): RawRow {
  if (!isObject(value))
    throw invalidFile(options, `is not a list of objects: ${unit.toLowerCase()} ${line} is not an object`, { line })
  const named = Object.entries(value).map(([title, cell]) => [fieldOf(title, options), cell] as const)
  const twice = named.find(([field], i) => named.findIndex(([other]) => other === field) !== i)
  if (twice) throw invalidFile(options, `has the ${twice[0]} of ${unit.toLowerCase()} ${line} twice`, { line })
  return { line, cells: Object.fromEntries(named) }
}

/** The parser's message is dropped, because it quotes the text. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

async function csvRows(text: string, options: FileOptions): Promise<RawRow[]> {
  const { head, rows } = await csvTable(text, options.name)
  if (head.length === 0) return []
  const columns = head.map((title) => fieldOf(title, options))
  const twice = columns.find((field, i) => columns.indexOf(field) !== i)
  if (twice !== undefined) throw invalidFile(options, `has two columns for the ${twice}`)
  for (const field of ['username', 'amount'] as const)
    if (!columns.includes(field)) throw invalidFile(options, `has no column "${field}": ${columnHint}`)
  if (!columns.includes('currency') && options.currency === undefined)
    throw invalidFile(options, `has no column "currency"; add it, or pass --currency`)
  const isPointOpen = mayPartThousands(
    text,
    rows.map(({ cells }) => cells[columns.indexOf('amount')] ?? ''),
  )
  return rows.map(({ line, cells }): RawRow => {
    if (cells.length > columns.length) return { line, cells: { txnId: tooMany } }
    return { line, cells: Object.fromEntries(columns.map((field, i) => [field, cells[i] ?? ''])), isPointOpen }
  })
}

/**
 * Returns whether the point in `1.234` may separate thousands. In files with semicolons the decimal sign is usually the
 * comma, unless another amount shows that it is the point.
 */
function mayPartThousands(text: string, amounts: readonly string[]): boolean {
  const isComma = /^(?:\s*"?sep=[^\r\n]*[\r\n]+)?[^\r\n,]*;/i.test(text)
  return isComma && !amounts.some((amount) => /^[+-]?[0-9]+[.][0-9]+$/.test(amount) && !isTwoWayPoint(amount))
}

/** Marks a row with more cells than columns, usually because of a comma in an amount. */
const tooMany = Symbol('too many cells')

const columnHint = 'valid columns: username, amount, currency and optionally dir, txnId, note'

function fieldOf(title: string, options: FileOptions): Field {
  const plain = title.toLowerCase().replace(/[\s_-]/g, '')
  const field = fields.find((each) => (titles[each] as readonly string[]).includes(plain))
  if (field !== undefined) return field
  const [near] = nearest(plain, Object.values(titles).flat(), 1)
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  throw invalidFile(options, `has an unknown column ${JSON.stringify(title.slice(0, 70))}${hint}; ${columnHint}`)
}

function transferOf(
  { line, cells, isPointOpen = false }: RawRow,
  options: FileOptions,
): { faults: RowFault[]; transfer?: BatchTransfer | undefined } {
  const fault = (field: string, code: string, message: string) => ({ line, field, code, message })
  if (cells.txnId === tooMany)
    return {
      faults: [fault('row', 'INVALID_FILE', 'more cells than columns; does an amount contain a comma?')],
    }
  const numbers = fields.filter((field) => typeof cells[field] === 'number')
  const odd = fields.filter(
    (field) => !['string', 'number', 'undefined'].includes(typeof cells[field]) && cells[field] !== null,
  )
  const faults: RowFault[] = [
    ...numbers.map((field) =>
      fault(field, 'INVALID_FILE', `the ${field} is a JSON number, which may have lost precision; put it in quotes`),
    ),
    ...odd.map((field) => fault(field, 'INVALID_FILE', `the ${field} is not a text`)),
  ]
  const cell = (field: Field) => (typeof cells[field] === 'string' ? cells[field].trim() : '')
  // A cell with several lines is usually an unclosed quote; other errors of the row would be misleading.
  const broken = fields.find((field) => field !== 'note' && /[\r\n]/.test(cell(field)))
  if (broken !== undefined)
    faults.push(fault(broken, 'INVALID_FILE', `the ${broken} spans several lines; is a quote not closed?`))
  if (isPointOpen && isTwoWayPoint(cell('amount')))
    faults.push(
      fault(
        'amount',
        'INVALID_AMOUNT',
        `the amount ${cell('amount')} is ambiguous in a file with semicolons: write ${cell('amount').replace('.', '')}, or ${cell('amount')}0 if the point is a decimal point`,
      ),
    )
  if (faults.length > 0) return { faults }
  const username = cell('username')
  const currency = (cell('currency') || (options.currency ?? '')).toUpperCase()
  const txnId = cell('txnId') || undefined
  const note = cell('note') || null
  const move = directed(cell('dir'), cell('amount'), options)
  const rowFaults = [
    username === ''
      ? { field: 'username', code: 'INVALID_USERNAME', message: 'the player is missing' }
      : usernameFault(username),
    move.fault,
    currency === ''
      ? { field: 'currency', code: 'INVALID_CURRENCY', message: 'the currency is missing' }
      : currencyFault(currency),
    currency !== '' && options.currency !== undefined && currency !== options.currency.toUpperCase()
      ? {
          field: 'currency',
          code: 'INVALID_CURRENCY',
          message: `the currency is ${currency}, but --currency is ${options.currency.toUpperCase()}`,
        }
      : undefined,
    txnFault(txnId),
    noteFault(note),
  ].flatMap((each) => each ?? [])
  if (rowFaults.length > 0 || move.dir === undefined) return { faults: rowFaults.map((each) => ({ line, ...each })) }
  const amount = formatAmount(parseAmount(move.amount))
  return { faults: [], transfer: { line, username, dir: move.dir, amount, currency, txnId, note } }
}

/** Returns the direction and the unsigned amount. The sign decides only if nothing else gives the direction. */
function directed(
  word: string,
  amount: string,
  { dir: flag }: FileOptions,
): { dir: 'in' | 'out' | undefined; amount: string; fault?: InputFault | undefined } {
  const written = word === '' ? undefined : directions[word.toLowerCase()]
  const wrong = (field: string, code: string, message: string) => ({
    dir: written,
    amount,
    fault: { field, code, message },
  })
  if (amount === '') return wrong('amount', 'INVALID_AMOUNT', 'the amount is missing')
  if (word !== '' && written === undefined)
    return wrong('dir', 'INVALID_PARAMETER', `the direction ${JSON.stringify(word.slice(0, 70))} must be in or out`)
  if (written !== undefined && flag !== undefined && written !== flag)
    return wrong('dir', 'INVALID_PARAMETER', `the direction is ${written}, but --dir is ${flag}`)
  const dir = written ?? flag
  const [, sign = '', bare = amount] = /^([+-])(.*)$/.exec(amount) ?? []
  if (sign !== '' && positiveAmountPattern.test(bare) && !isPositiveAmount(bare))
    return wrong('amount', 'INVALID_AMOUNT', `the amount ${amount} must be above zero`)
  if (dir !== undefined && sign !== '' && positiveAmountPattern.test(bare))
    return wrong(
      'amount',
      'INVALID_AMOUNT',
      `the amount ${amount} has a sign although the direction is given; write ${bare}`,
    )
  const plain = sign !== '' && positiveAmountPattern.test(bare) ? bare : amount
  return { dir: dir ?? (sign === '-' ? 'out' : 'in'), amount: plain, fault: amountFault(plain) }
}

function noteFault(note: string | null): InputFault | undefined {
  if (note === null) return undefined
  if (note.length > longestNote)
    return { field: 'note', code: 'INVALID_PARAMETER', message: `the note must have at most ${longestNote} characters` }
  // The book would store an unpaired surrogate as another character, and the batch would differ from the approved one.
  if (/[\p{Cc}\p{Cs}]/u.test(note))
    return {
      field: 'note',
      code: 'INVALID_PARAMETER',
      message: 'the note has line breaks, control characters or unpaired surrogates',
    }
  return undefined
}

/** Finds conflicts between rows that are valid on their own. */
function faultsTogether(rows: readonly BatchTransfer[], unit: 'Line' | 'Item', { repeats }: FileOptions): RowFault[] {
  const at = unit.toLowerCase()
  const txnIds = new Map<string, number>()
  const currencies = new Map<string, { currency: string; line: number }>()
  const moves = new Map<string, number>()
  return rows.flatMap(({ line, username, dir, amount, currency, txnId }) => {
    const faults: RowFault[] = []
    const add = (field: string, code: string, message: string) => faults.push({ line, field, code, message })
    const key = foldUsername(username)
    const other = txnId === undefined ? undefined : txnIds.get(txnId)
    if (other !== undefined) add('txnId', 'TXN_CONFLICT', `the txnId ${txnId} is also in ${at} ${other}`)
    else if (txnId !== undefined) txnIds.set(txnId, line)
    const account = currencies.get(key)
    if (account === undefined) currencies.set(key, { currency, line })
    else if (account.currency !== currency)
      add(
        'currency',
        'CURRENCY_MISMATCH',
        `${username} has the currency ${account.currency} in ${at} ${account.line}; a player has one currency`,
      )
    const move = [key, dir, amount, currency].join(' ')
    const same = moves.get(move)
    if (same === undefined) moves.set(move, line)
    else if (txnId === undefined && !repeats)
      add(
        'row',
        'REPEATED_ROW',
        `same as ${at} ${same} (${username}, ${dir} ${amount} ${currency}); to send both, give each a txnId or pass --allow-duplicates`,
      )
    return faults
  })
}

const invalidFile = (
  { name }: Pick<FileOptions, 'name'>,
  reason: string,
  detail: Record<string, unknown> = {},
): Problem => new Problem('INVALID_FILE', `${name} ${reason}`, { file: name, ...detail })

/** Builds the problem with all errors of the file, sorted by line. */
export function faultyRows(
  code: string,
  faults: readonly (Omit<RowFault, 'field'> & { readonly field?: string })[],
  unit: 'Line' | 'Item',
  rows: number,
  detail: Record<string, unknown> = {},
): Problem {
  const sorted = [...faults].sort((a, b) => a.line - b.line)
  const count = new Set(sorted.map(({ line }) => line)).size
  const lines = sorted.slice(0, maxListedErrors).map(({ line, message }) => `  ${unit} ${line}: ${message}`)
  const more =
    sorted.length > maxListedErrors
      ? [`  … and ${grouped(sorted.length - maxListedErrors)} more; see all with --json`]
      : []
  const head = `${partText(count, rows, 'row is', 'rows are')} invalid; no batch was created`
  return new Problem(code, [head, ...lines, ...more].join('\n'), { problems: sorted, remoteCode: null, ...detail })
}
