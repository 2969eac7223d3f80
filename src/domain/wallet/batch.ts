import { canonicalJson } from '../../kit/canonical-json.ts'
import { sha256Hex } from '../../kit/hmac.ts'
import { formatUnits, parseAmount, playerScale } from '../money.ts'
import { foldUsername, type PlayerStatus } from '../players/player.ts'
import type { Moved } from './approval.ts'

/** A transfer batch: its totals, its digest and its expected refusals. */

/** A transfer in a batch. Amount and currency are spelled as they are sent. */
export interface Movement {
  readonly username: string
  readonly dir: 'in' | 'out'
  readonly amount: string
  readonly currency: string
}

export interface BatchItem extends Movement {
  /** 1 for the first row. */
  readonly place: number
  /** Line in the file, or the number of the item. */
  readonly line: number
  readonly txnId: string
  readonly note: string | null
}

export interface BatchTotal {
  readonly currency: string
  readonly dir: 'in' | 'out'
  readonly rows: number
  readonly amount: string
}

/** Returns the totals by currency and direction: currencies in order, in before out. */
export function totalsOf(rows: readonly Movement[]): BatchTotal[] {
  const sums = new Map<string, { currency: string; dir: 'in' | 'out'; rows: number; units: bigint }>()
  for (const { currency, dir, amount } of rows) {
    const key = `${currency} ${dir}`
    const sum = sums.get(key) ?? { currency, dir, rows: 0, units: 0n }
    sums.set(key, { ...sum, rows: sum.rows + 1, units: sum.units + parseAmount(amount) })
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { units, ...sum }]) => ({ ...sum, amount: formatUnits(units, playerScale) }))
}

/** Returns the total moved by currency, in and out added up: equal amounts in both directions do not cancel out. */
export function movedOf(totals: readonly Pick<BatchTotal, 'currency' | 'amount'>[]): Moved[] {
  const sums = new Map<string, bigint>()
  for (const { currency, amount } of totals) sums.set(currency, (sums.get(currency) ?? 0n) + parseAmount(amount))
  return [...sums].map(([currency, units]) => ({ currency, amount: formatUnits(units, playerScale) }))
}

/** Content that is approved: every row in order with its txnId, and the tenant. */
export interface BatchContent {
  readonly planId: string
  readonly companyCode: string
  readonly environment: string
  /** SHA-256 of the source file. */
  readonly sourceSha256: string
  readonly note: string | null
  /** Author: another person must approve what exceeds the limit. */
  readonly madeBy: string
  /** True if deposits may create players. */
  readonly creates: boolean
  readonly rows: readonly BatchItem[]
}

/** Returns the digest of the whole content: a batch with another digest is another batch. */
export function batchDigest({ rows, ...about }: BatchContent): string {
  const content = rows.map(({ place, line, txnId, username, dir, amount, currency, note }) => [
    ...[place, line, txnId, username, dir, amount, currency, note],
  ])
  return sha256Hex(canonicalJson({ ...about, v: 1, rows: content }))
}

/**
 * Returns a digest that is equal for two lists of the same movements, in any order, spelling or ids: for detecting a
 * duplicate payday.
 */
export function movementsDigest(rows: readonly Movement[]): string {
  const content = rows.map(({ username, dir, amount, currency }) =>
    [foldUsername(username), dir, amount, currency].join(' '),
  )
  return sha256Hex(content.sort().join('\n'))
}

/** Pattern of a batch id: short, because each row's txnId contains it. */
export const planIdPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/

/** Returns the txnId of a row without one: made from batch id and row, so that it is the same each time. */
export function generatedTxnId(planId: string, place: number): string {
  return `${planId}-${String(place).padStart(4, '0')}`
}

/** Facts about a player on the platform. */
export interface KnownPlayer {
  readonly username: string
  readonly status: PlayerStatus
  readonly currency: string
  readonly balance: string
}

/** Expected refusal of a row if it were sent now. */
export interface Forecast {
  readonly line: number
  readonly code: 'PLAYER_NOT_FOUND' | 'CURRENCY_MISMATCH' | 'INSUFFICIENT_BALANCE'
  readonly username: string
  readonly message: string
}

/** Simulates the rows in order on the players' current balances. A row that would be refused moves nothing. */
export function forecast(
  rows: readonly (Movement & { readonly line: number })[],
  players: ReadonlyMap<string, KnownPlayer>,
  { creates }: { readonly creates: boolean },
): Forecast[] {
  const balances = new Map<string, bigint>()
  const made = new Map<string, string>()
  return rows.flatMap(({ line, username, dir, amount, currency }): Forecast[] => {
    const key = foldUsername(username)
    const player = players.get(key)
    const refused = (code: Forecast['code'], message: string) => [{ line, code, username, message }]
    if (player === undefined && !made.has(key)) {
      if (dir === 'out' || !creates) return refused('PLAYER_NOT_FOUND', `player ${username} does not exist`)
      made.set(key, currency)
    }
    const account = player?.currency.toUpperCase() ?? made.get(key)
    if (account !== currency)
      return refused('CURRENCY_MISMATCH', `${username} has an account in ${account}, not in ${currency}`)
    const balance = balances.get(key) ?? parseAmount(player?.balance ?? '0')
    const units = parseAmount(amount)
    if (dir === 'out' && units > balance)
      return refused(
        'INSUFFICIENT_BALANCE',
        `${username} would have ${formatUnits(balance, playerScale)} ${currency} at that point, not ${amount}`,
      )
    balances.set(key, dir === 'in' ? balance + units : balance - units)
    return []
  })
}
