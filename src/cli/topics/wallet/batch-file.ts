import { formatAmount, isPositiveAmount, parseAmount, positiveAmountPattern } from '../../../domain/money.ts'
import { foldUsername } from '../../../domain/players/player.ts'
import { isTwoWayPoint } from '../../../domain/wallet/amount-advice.ts'
import type { Movement } from '../../../domain/wallet/batch.ts'
import { repeatedName } from '../../../kit/canonical-json.ts'
import { Problem } from '../../../kit/problem.ts'
import { nearest } from '../../../world/config/did-you-mean.ts'
import { amountFault, currencyFault, type Fault, txnFault, usernameFault } from '../../arguments/validate.ts'

/** A transfer as a file wants it. */
export interface WantedTransfer extends Movement {
  /** The line, or in a JSON list the number of the item. */
  readonly line: number
  readonly txnId: string | undefined
  readonly note: string | null
}

/** Something wrong with one row. */
export interface RowFault extends Fault {
  readonly line: number
}

export interface TransferFile {
  /** What its rows are counted by. */
  readonly unit: 'Line' | 'Item'
  readonly rows: readonly WantedTransfer[]
}

export interface FileOptions {
  /** How the file is called in refusals. */
  readonly name: string
  /** The direction of all rows, for a file that does not say. */
  readonly dir: 'in' | 'out' | undefined
  /** The currency of all rows, for a file that does not say. */
  readonly currency: string | undefined
  /** Whether the same player may get or give the same amount twice without an id to tell the two apart. */
  readonly repeats: boolean
}

/** The fields, and what they may be called. Case, blanks, dashes and underscores in a title do not matter. */
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

const mostRows = 100_000
const longestNote = 200
/** So many faults are written out; --json has them all. */
const mostSaid = 100

/** A row as it stands in the file, before anything is made of it. */
interface RawRow {
  readonly line: number
  readonly cells: Readonly<Partial<Record<Field, unknown>>>
  /** Whether `1.234` may as well be over a thousand in this file. */
  readonly isPointOpen?: boolean
}

/**
 * The transfers of a file: CSV with a line of titles, a JSON list, or JSON objects line by line, told apart by how it
 * begins. Everything wrong with it is said at once, as INVALID_FILE with every line.
 */
export async function transfersFrom(bytes: Uint8Array, options: FileOptions): Promise<TransferFile> {
  const { utf8Text } = await import('../../../operator/csv/read.ts')
  const text = utf8Text(bytes, options.name)
  const { unit, rows } = await rawRows(text, options)
  if (rows.length === 0) throw unfit(options, 'has no transfers')
  if (rows.length > mostRows)
    throw unfit(options, `has ${rows.length} transfers, and a plan takes ${mostRows} at most: divide it`)
  const read = rows.map((row) => transferOf(row, options))
  const wanted = read.flatMap(({ transfer }) => transfer ?? [])
  const faults = [...read.flatMap((each) => each.faults), ...faultsTogether(wanted, unit, options)]
  if (faults.length > 0) throw faultyRows('INVALID_FILE', faults, unit, rows.length)
  return { unit, rows: wanted }
}

async function rawRows(text: string, options: FileOptions): Promise<{ unit: 'Line' | 'Item'; rows: RawRow[] }> {
  const start = text.trimStart()
  const repeated = /^[[{]/.test(start) ? repeatedName(text) : undefined
  if (repeated)
    throw unfit(
      options,
      `says ${JSON.stringify(repeated.name.slice(0, 70))} twice in one object, in line ${repeated.line}`,
      { line: repeated.line },
    )
  if (start.startsWith('[')) return { unit: 'Item', rows: itemsOf(start, options) }
  if (start.startsWith('{')) return fromObjects(text, options)
  return { unit: 'Line', rows: await csvRows(text, options) }
}

/** One object is a document with a list in it, or the only line of many. */
function fromObjects(text: string, options: FileOptions): { unit: 'Line' | 'Item'; rows: RawRow[] } {
  const whole = jsonOr(text)
  if (isObject(whole) && Array.isArray(whole['transfers']))
    return { unit: 'Item', rows: whole['transfers'].map((item, i) => objectRow(item, i + 1, 'Item', options)) }
  const rows = text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    const value = jsonOr(line)
    if (value === undefined) throw unfit(options, `is not a JSON object in line ${i + 1}`, { line: i + 1 })
    return [objectRow(value, i + 1, 'Line', options)]
  })
  return { unit: 'Line', rows }
}

function itemsOf(text: string, options: FileOptions): RawRow[] {
  const list = jsonOr(text)
  if (!Array.isArray(list)) throw unfit(options, 'is not JSON')
  return list.map((item, i) => objectRow(item, i + 1, 'Item', options))
}

function objectRow(value: unknown, line: number, unit: 'Line' | 'Item', options: FileOptions): RawRow {
  if (!isObject(value))
    throw unfit(options, `is not a list of objects: ${unit.toLowerCase()} ${line} is none`, { line })
  const named = Object.entries(value).map(([title, cell]) => [fieldOf(title, options), cell] as const)
  const twice = named.find(([field], i) => named.findIndex(([other]) => other === field) !== i)
  if (twice) throw unfit(options, `says the ${twice[0]} of ${unit.toLowerCase()} ${line} twice`, { line })
  return { line, cells: Object.fromEntries(named) }
}

/** The parser's own words are kept back: they quote the text. */
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
  const { csvTable } = await import('../../../operator/csv/read.ts')
  const { head, rows } = await csvTable(text, options.name)
  if (head.length === 0) return []
  const columns = head.map((title) => fieldOf(title, options))
  const twice = columns.find((field, i) => columns.indexOf(field) !== i)
  if (twice !== undefined) throw unfit(options, `has two columns of the ${twice}`)
  for (const field of ['username', 'amount'] as const)
    if (!columns.includes(field)) throw unfit(options, `has no column "${field}": ${wanted}`)
  if (!columns.includes('currency') && options.currency === undefined)
    throw unfit(options, `has no column "currency", and --currency was not said`)
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
 * Whether a point in `1.234` may part thousands: where semicolons part the columns the comma is the decimal sign, and nothing
 * else in the file shows that here it is the point.
 */
function mayPartThousands(text: string, amounts: readonly string[]): boolean {
  const isComma = /^(?:\s*"?sep=[^\r\n]*[\r\n]+)?[^\r\n,]*;/i.test(text)
  return isComma && !amounts.some((amount) => /^[+-]?[0-9]+[.][0-9]+$/.test(amount) && !isTwoWayPoint(amount))
}

/** Stands in a row that has more cells than there are titles: a comma in an amount, most likely. */
const tooMany = Symbol('too many cells')

const wanted = 'it takes username, amount, currency and, where wanted, dir, txnId, note'

function fieldOf(title: string, options: FileOptions): Field {
  const plain = title.toLowerCase().replace(/[\s_-]/g, '')
  const field = fields.find((each) => (titles[each] as readonly string[]).includes(plain))
  if (field !== undefined) return field
  const [near] = nearest(plain, Object.values(titles).flat(), 1)
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  throw unfit(options, `has an unknown column ${JSON.stringify(title.slice(0, 70))}${hint} ${wanted}`)
}

function transferOf(
  { line, cells, isPointOpen = false }: RawRow,
  options: FileOptions,
): { faults: RowFault[]; transfer?: WantedTransfer | undefined } {
  const fault = (field: string, code: string, message: string) => ({ line, field, code, message })
  if (cells.txnId === tooMany)
    return {
      faults: [fault('row', 'INVALID_FILE', 'there are more cells than columns: is there a comma in an amount?')],
    }
  const numbers = fields.filter((field) => typeof cells[field] === 'number')
  const odd = fields.filter(
    (field) => !['string', 'number', 'undefined'].includes(typeof cells[field]) && cells[field] !== null,
  )
  const faults: RowFault[] = [
    ...numbers.map((field) =>
      fault(
        field,
        'INVALID_FILE',
        `the ${field} is a JSON number, which may already be another than was meant: write it as text, in quotes`,
      ),
    ),
    ...odd.map((field) => fault(field, 'INVALID_FILE', `the ${field} is no text`)),
  ]
  const cell = (field: Field) => (typeof cells[field] === 'string' ? cells[field].trim() : '')
  // Two rows or more in one cell: all that is said of it would be about a text that nobody meant.
  const broken = fields.find((field) => field !== 'note' && /[\r\n]/.test(cell(field)))
  if (broken !== undefined)
    faults.push(fault(broken, 'INVALID_FILE', `the ${broken} goes on over several lines: is a quote left open?`))
  if (isPointOpen && isTwoWayPoint(cell('amount')))
    faults.push(
      fault(
        'amount',
        'INVALID_AMOUNT',
        `the amount ${cell('amount')} stands in a file whose columns semicolons part, where a point may part thousands: write ${cell('amount').replace('.', '')}, or ${cell('amount')}0 where it is a decimal point`,
      ),
    )
  if (faults.length > 0) return { faults }
  const username = cell('username')
  const currency = (cell('currency') || (options.currency ?? '')).toUpperCase()
  const txnId = cell('txnId') || undefined
  const note = cell('note') || null
  const move = directed(cell('dir'), cell('amount'), options)
  const found = [
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
          message: `the currency is ${currency}, and --currency says ${options.currency.toUpperCase()}`,
        }
      : undefined,
    txnFault(txnId),
    noteFault(note),
  ].flatMap((each) => each ?? [])
  if (found.length > 0 || move.dir === undefined) return { faults: found.map((each) => ({ line, ...each })) }
  const amount = formatAmount(parseAmount(move.amount))
  return { faults: [], transfer: { line, username, dir: move.dir, amount, currency, txnId, note } }
}

/** The direction and the amount without its sign. A sign speaks only where nothing else says the direction. */
function directed(
  word: string,
  amount: string,
  { dir: said }: FileOptions,
): { dir: 'in' | 'out' | undefined; amount: string; fault?: Fault | undefined } {
  const told = word === '' ? undefined : directions[word.toLowerCase()]
  const wrong = (field: string, code: string, message: string) => ({
    dir: told,
    amount,
    fault: { field, code, message },
  })
  if (amount === '') return wrong('amount', 'INVALID_AMOUNT', 'the amount is missing')
  if (word !== '' && told === undefined)
    return wrong('dir', 'INVALID_PARAMETER', `the direction ${JSON.stringify(word.slice(0, 70))} is neither in nor out`)
  if (told !== undefined && said !== undefined && told !== said)
    return wrong('dir', 'INVALID_PARAMETER', `the direction is ${told}, and --dir says ${said}`)
  const dir = told ?? said
  const [, sign = '', bare = amount] = /^([+-])(.*)$/.exec(amount) ?? []
  if (sign !== '' && positiveAmountPattern.test(bare) && !isPositiveAmount(bare))
    return wrong('amount', 'INVALID_AMOUNT', `the amount ${amount} is not above zero`)
  if (dir !== undefined && sign !== '' && positiveAmountPattern.test(bare))
    return wrong(
      'amount',
      'INVALID_AMOUNT',
      `the amount ${amount} has a sign, and the direction is said already: write ${bare}`,
    )
  const plain = sign !== '' && positiveAmountPattern.test(bare) ? bare : amount
  return { dir: dir ?? (sign === '-' ? 'out' : 'in'), amount: plain, fault: amountFault(plain) }
}

function noteFault(note: string | null): Fault | undefined {
  if (note === null) return undefined
  if (note.length > longestNote)
    return { field: 'note', code: 'INVALID_PARAMETER', message: `the note is longer than ${longestNote} characters` }
  // A half character would come out of the book as another one, and the plan would not be what was approved.
  if (/[\p{Cc}\p{Cs}]/u.test(note))
    return {
      field: 'note',
      code: 'INVALID_PARAMETER',
      message: 'the note has line breaks, control characters or half characters in it',
    }
  return undefined
}

/** What is wrong with rows that are well each by itself. */
function faultsTogether(rows: readonly WantedTransfer[], unit: 'Line' | 'Item', { repeats }: FileOptions): RowFault[] {
  const at = unit.toLowerCase()
  const txnIds = new Map<string, number>()
  const currencies = new Map<string, { currency: string; line: number }>()
  const moves = new Map<string, number>()
  return rows.flatMap(({ line, username, dir, amount, currency, txnId }) => {
    const faults: RowFault[] = []
    const add = (field: string, code: string, message: string) => faults.push({ line, field, code, message })
    const key = foldUsername(username)
    const other = txnId === undefined ? undefined : txnIds.get(txnId)
    if (other !== undefined) add('txnId', 'TXN_CONFLICT', `the txnId ${txnId} stands in ${at} ${other} too`)
    else if (txnId !== undefined) txnIds.set(txnId, line)
    const account = currencies.get(key)
    if (account === undefined) currencies.set(key, { currency, line })
    else if (account.currency !== currency)
      add(
        'currency',
        'CURRENCY_MISMATCH',
        `${username} is in ${account.currency} in ${at} ${account.line}: a player has one currency`,
      )
    const move = [key, dir, amount, currency].join(' ')
    const same = moves.get(move)
    if (same === undefined) moves.set(move, line)
    else if (txnId === undefined && !repeats)
      add(
        'row',
        'REPEATED_ROW',
        `it repeats ${at} ${same} (${username}, ${dir} ${amount} ${currency}): give both a txnId, or say --repeats, if it is meant twice`,
      )
    return faults
  })
}

const unfit = ({ name }: Pick<FileOptions, 'name'>, why: string, detail: Record<string, unknown> = {}): Problem =>
  new Problem('INVALID_FILE', `${name} ${why}`, { file: name, ...detail })

/** All that is wrong with the rows of a file, in the order of its lines. */
export function faultyRows(
  code: string,
  faults: readonly (Omit<RowFault, 'field'> & { readonly field?: string })[],
  unit: 'Line' | 'Item',
  rows: number,
  detail: Record<string, unknown> = {},
): Problem {
  const sorted = [...faults].sort((a, b) => a.line - b.line)
  const count = new Set(sorted.map(({ line }) => line)).size
  const said = sorted.slice(0, mostSaid).map(({ line, message }) => `  ${unit} ${line}: ${message}`)
  const more = sorted.length > mostSaid ? [`  … and ${sorted.length - mostSaid} more, all of them with --json`] : []
  const head = `${count} of ${rows} ${rows === 1 ? 'row is' : 'rows are'} not fit. No plan was made`
  return new Problem(code, [head, ...said, ...more].join('\n'), { problems: sorted, remoteCode: null, ...detail })
}
