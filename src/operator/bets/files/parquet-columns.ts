import type { ColumnSource } from 'hyparquet-writer'
import { createMomentReader } from '../../../domain/bets/moment-reader.ts'
import type { PulledBet } from '../../../domain/bets/record.ts'
import { playerScale } from '../../../domain/money.ts'
import { createCache } from '../../../kit/cache.ts'
import { Problem } from '../../../kit/problem.ts'
import { amountOf } from '../slip-versions.ts'

/** The columns of a Parquet file: those of the CSV files, with the same names in the same order, and with types. */

/** Digits of the largest amount, and bytes of a decimal with them. */
const amountDigits = 19
const amountBytes = 9

type SchemaElement = NonNullable<Parameters<typeof import('hyparquet-writer').parquetWrite>[0]['schema']>[number]

interface Column {
  readonly name: string
  readonly element: Omit<SchemaElement, 'name'>
  readonly encoding?: ColumnSource['encoding']
  readonly statistics?: boolean
  readonly newValues: () => ColumnValues
}

/** The values of a column for one row group. */
interface ColumnValues {
  add(bets: readonly PulledBet[]): void
  /** Returns the values of all bets in order. */
  all(): unknown[]
}

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const
/** Text that comes as bytes. */
const bytes = { type: 'BYTE_ARRAY' } as const
const isRequired = { repetition_type: 'REQUIRED' } as const
const isOptional = { repetition_type: 'OPTIONAL' } as const

/** Reads values one by one; undefined where the CSV has an empty cell. */
function valuesBy(valueIn: (bet: PulledBet) => unknown): ColumnValues {
  const values: unknown[] = []
  return {
    add(bets) {
      for (const bet of bets) values.push(valueIn(bet))
    },
    all: () => values,
  }
}

/** Texts that recur in most rows. Nearly every group has all of them, so minimum and maximum help no reader. */
function fewTexts(name: string, textIn: (bet: PulledBet) => string): Column {
  const element = { ...text, ...isRequired }
  const newValues = () => {
    // A text cut from a record keeps the whole record in memory, so equal texts share the first one.
    const known = new Map<string, string>()
    return valuesBy((bet) => {
      const own = textIn(bet)
      const first = known.get(own)
      if (first === undefined) known.set(own, own)
      return first ?? own
    })
  }
  return { name, element, encoding: 'RLE_DICTIONARY', statistics: false, newValues }
}

/** Texts that differ in most rows. They are encoded together: one by one takes several times as long. */
function manyTexts(name: string, textIn: (bet: PulledBet) => string): Column {
  const newValues = (): ColumnValues => {
    const parts: EncodedTexts[] = []
    return {
      add: (bets) => void parts.push(encodedTexts(bets.map(textIn))),
      all: () => parts.flatMap(textBytes),
    }
  }
  return { name, element: { ...bytes, ...isRequired }, encoding: 'PLAIN', statistics: false, newValues }
}

/** Texts encoded into one buffer, so that their records do not stay in memory until the group is written. */
interface EncodedTexts {
  readonly whole: Buffer
  /** Length of each text in bytes. */
  readonly lengths: readonly number[]
}

function encodedTexts(texts: readonly string[]): EncodedTexts {
  const whole = Buffer.from(texts.join(''))
  const lengths = texts.map(({ length }) => length)
  if (lengths.reduce((sum, length) => sum + length, 0) === whole.length) return { whole, lengths }
  // Encoded together, a lone surrogate at the end of one text and one at the start of the next would become one character.
  const each = texts.map((text) => Buffer.from(text))
  return { whole: Buffer.concat(each), lengths: each.map(({ length }) => length) }
}

function textBytes({ whole, lengths }: EncodedTexts): Uint8Array[] {
  let end = 0
  return lengths.map((length) => {
    end += length
    return new Uint8Array(whole.buffer, whole.byteOffset + end - length, length)
  })
}

function wholeNumber(name: string, valueIn: (bet: PulledBet) => number): Column {
  const value = (bet: PulledBet) => BigInt(valueIn(bet))
  return {
    name,
    element: { type: 'INT64', ...isRequired },
    encoding: 'DELTA_BINARY_PACKED',
    newValues: () => valuesBy(value),
  }
}

function amount(name: string, amountIn: (bet: PulledBet) => string | undefined, isAlways = true): Column {
  const valueIn = (bet: PulledBet) => {
    const own = amountIn(bet)
    return own === undefined ? undefined : (decimalOf(own) ?? unreadable(bet, name, own))
  }
  const element = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: amountBytes } as const
  // The bytes of negative amounts do not sort as the amounts do, so the writer's statistics would be wrong.
  const rest = { encoding: 'RLE_DICTIONARY', statistics: false, newValues: () => valuesBy(valueIn) } as const
  return { name, element: { ...element, ...(isAlways ? isRequired : isOptional) }, ...rest }
}

function moment(name: string, momentIn: (bet: PulledBet) => string): Column {
  const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const
  const read = createMomentReader()
  const valueIn = (bet: PulledBet) => {
    const at = read(momentIn(bet))
    return Number.isNaN(at) ? unreadable(bet, name, momentIn(bet)) : BigInt(at)
  }
  return {
    name,
    element: { type: 'INT64', logical_type, ...isRequired },
    encoding: 'DELTA_BINARY_PACKED',
    newValues: () => valuesBy(valueIn),
  }
}

const columns: readonly Column[] = [
  wholeNumber('recSeq', (bet) => bet.recSeq),
  manyTexts('slipId', (bet) => bet.slipId),
  wholeNumber('rev', (bet) => bet.rev),
  fewTexts('status', (bet) => bet.status),
  fewTexts('username', (bet) => bet.username),
  fewTexts('currency', (bet) => bet.currency),
  fewTexts('tableId', (bet) => bet.tableId),
  fewTexts('game', (bet) => bet.game),
  fewTexts('variant', (bet) => bet.variant),
  manyTexts('roundId', (bet) => bet.roundId),
  fewTexts('shoe', (bet) => bet.shoe),
  wholeNumber('round', (bet) => bet.round),
  amount('stake', (bet) => bet.stake),
  amount('hold', (bet) => bet.hold, false),
  amount('validStake', (bet) => bet.validStake),
  amount('rolling', (bet) => bet.rolling),
  amount('payout', (bet) => bet.payout),
  amount('winLoss', (bet) => bet.winLoss),
  amount('delta', (bet) => bet.delta),
  amount('rake', (bet) => bet.rake, false),
  { name: 'onsite', element: { type: 'BOOLEAN', ...isOptional }, newValues: () => valuesBy((bet) => bet.onsite) },
  fewTexts('resultCode', (bet) => bet.resultCode),
  manyTexts('cardInfo', (bet) => bet.cardInfo),
  moment('placedAt', (bet) => bet.placedAt),
  moment('settledAt', (bet) => bet.settledAt),
  manyTexts('bets', (bet) => bet.bets),
  manyTexts('result', (bet) => bet.result),
]

/** The schema that rows are written by: amounts and most texts come as bytes, because the writer's own conversion takes several times as long. */
export const writtenSchema: SchemaElement[] = [
  { name: 'bets', num_children: columns.length },
  ...columns.map(({ name, element }) => ({ name, ...element })),
]

const decimal = { converted_type: 'DECIMAL', precision: amountDigits, scale: playerScale } as const

/** The schema that the file says it has: these bytes are decimals and texts. */
export const namedSchema: SchemaElement[] = writtenSchema.map((element) => {
  if (element.type === 'FIXED_LEN_BYTE_ARRAY') return { ...element, ...decimal }
  return element.type === 'BYTE_ARRAY' ? { ...element, ...text } : element
})

/** The columns of one row group. */
export interface GroupColumns {
  /** Number of rows so far. */
  readonly rows: number
  add(bets: readonly PulledBet[]): void
  sources(): ColumnSource[]
}

/** Starts a row group. Bets are converted as they are added, so that they do not stay in memory until the group is written. */
export function startGroup(): GroupColumns {
  const group = columns.map(({ name, encoding, statistics, newValues }) => ({
    options: {
      name,
      ...(encoding === undefined ? {} : { encoding }),
      ...(statistics === undefined ? {} : { statistics }),
    },
    values: newValues(),
  }))
  let rows = 0
  return {
    get rows() {
      return rows
    },
    add(bets) {
      for (const { values } of group) values.add(bets)
      rows += bets.length
    },
    sources: () =>
      group.map(({ options, values }) => ({
        ...options,
        // The writer reads it once, when it writes the column: the views of texts exist for one column at a time.
        get data() {
          return values.all()
        },
      })),
  }
}

/** Maximum number of amounts that are kept with their bytes: most amounts recur. */
const keptAmounts = 5_000
const kept = createCache<Uint8Array | undefined>(keptAmounts)

/** Returns an amount as a decimal of the file, big-endian two's complement; undefined if it cannot be read. */
function decimalOf(amount: string): Uint8Array | undefined {
  return kept(amount, encodedAmount)
}

function encodedAmount(amount: string): Uint8Array | undefined {
  const units = amountOf(amount)
  if (units === null) return undefined
  const bytes = new Uint8Array(amountBytes)
  const view = new DataView(bytes.buffer)
  view.setInt8(0, units < 0n ? -1 : 0)
  if (BigInt.asIntN(64, units) !== units) view.setInt8(0, Number(units >> 64n))
  view.setBigUint64(1, BigInt.asUintN(64, units))
  return bytes
}

function unreadable({ slipId, rev }: PulledBet, field: string, value: string): never {
  throw new Problem(
    'CANNOT_CONCLUDE',
    `The ${field} of slip ${slipId} revision ${rev} is "${value.slice(0, 40)}", which cannot be written as a typed value. Export CSV instead: countroom bets export --out bets`,
    { slipId, rev, field },
  )
}
