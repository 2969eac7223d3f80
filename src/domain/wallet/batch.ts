import { canonicalJson } from '../../kit/canonical-json.ts'
import { sha256Hex } from '../../kit/hmac.ts'
import { formatUnits, parseAmount, playerScale } from '../money.ts'
import { foldUsername, type PlayerStatus } from '../players/player.ts'
import type { Moved } from './approval.ts'

/** What a plan of many transfers adds up to, what it is known by, and what can be foreseen of it. */

/** One transfer that is wanted. Amount and currency are in the spelling in which they are sent. */
export interface Movement {
  readonly username: string
  readonly dir: 'in' | 'out'
  readonly amount: string
  readonly currency: string
}

export interface PlanRow extends Movement {
  /** 1 for the first row. */
  readonly place: number
  /** Where it stands in the file: the line, or the number of the item. */
  readonly line: number
  readonly txnId: string
  readonly note: string | null
}

export interface PlanTotal {
  readonly currency: string
  readonly dir: 'in' | 'out'
  readonly rows: number
  readonly amount: string
}

/** By currency and direction, rows and their sum: currencies in order, what goes in before what comes out. */
export function totalsOf(rows: readonly Movement[]): PlanTotal[] {
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

/** By currency, all that is moved, in and out together: an amount in and the same amount out are not nothing. */
export function movedOf(totals: readonly Pick<PlanTotal, 'currency' | 'amount'>[]): Moved[] {
  const sums = new Map<string, bigint>()
  for (const { currency, amount } of totals) sums.set(currency, (sums.get(currency) ?? 0n) + parseAmount(amount))
  return [...sums].map(([currency, units]) => ({ currency, amount: formatUnits(units, playerScale) }))
}

/** What is approved: every row in its order with its txnId, and whose money it is. */
export interface PlanContent {
  readonly planId: string
  readonly companyCode: string
  readonly environment: string
  /** Of the file it was made of. */
  readonly sourceSha256: string
  readonly note: string | null
  /** Who made it: another has to approve what is above the limit. */
  readonly madeBy: string
  /** Whether deposits may make players. */
  readonly creates: boolean
  readonly rows: readonly PlanRow[]
}

/** Of everything in the content: a plan with another digest is another plan. */
export function planDigest({ rows, ...about }: PlanContent): string {
  const said = rows.map(({ place, line, txnId, username, dir, amount, currency, note }) => [
    ...[place, line, txnId, username, dir, amount, currency, note],
  ])
  return sha256Hex(canonicalJson({ ...about, v: 1, rows: said }))
}

/** The same for two lists that move the same money, in whatever order and spelling, under whatever ids: for finding a doubled payday. */
export function movementsDigest(rows: readonly Movement[]): string {
  const said = rows.map(({ username, dir, amount, currency }) =>
    [foldUsername(username), dir, amount, currency].join(' '),
  )
  return sha256Hex(said.sort().join('\n'))
}

/** The form of a plan's id: short enough that a row's txnId is made of it. */
export const planIdPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/

/** The id of a transfer that has none of its own: of the plan's and the row, so that it is the same wherever the plan is made again. */
export function madeTxnId(planId: string, place: number): string {
  return `${planId}-${String(place).padStart(4, '0')}`
}

/** What the platform says of a player, as far as it matters here. */
export interface KnownPlayer {
  readonly username: string
  readonly status: PlayerStatus
  readonly currency: string
  readonly balance: string
}

/** What would go wrong with a row, were it sent now. */
export interface Foreseen {
  readonly line: number
  readonly code: 'PLAYER_NOT_FOUND' | 'CURRENCY_MISMATCH' | 'INSUFFICIENT_BALANCE'
  readonly username: string
  readonly message: string
}

/** Plays the rows through in their order on what the players have now. A row that would be refused moves nothing. */
export function foresee(
  rows: readonly (Movement & { readonly line: number })[],
  players: ReadonlyMap<string, KnownPlayer>,
  { creates }: { readonly creates: boolean },
): Foreseen[] {
  const balances = new Map<string, bigint>()
  const made = new Map<string, string>()
  return rows.flatMap(({ line, username, dir, amount, currency }): Foreseen[] => {
    const key = foldUsername(username)
    const player = players.get(key)
    const refused = (code: Foreseen['code'], message: string) => [{ line, code, username, message }]
    if (player === undefined && !made.has(key)) {
      if (dir === 'out' || !creates) return refused('PLAYER_NOT_FOUND', `there is no player ${username}`)
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
        `${username} has ${formatUnits(balance, playerScale)} ${currency} by then, not ${amount}`,
      )
    balances.set(key, dir === 'in' ? balance + units : balance - units)
    return []
  })
}
