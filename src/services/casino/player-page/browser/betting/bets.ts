import { textOf, unitsOf } from '../money.ts'
import type { TableInfo } from '../views.ts'

/** Amounts by zone. */
export type Bets = Readonly<Record<string, bigint>>

export const total = (bets: Bets) => Object.values(bets).reduce((all, amount) => all + amount, 0n)

export const isSame = (a: Bets, b: Bets) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

const sorted = (bets: Bets) =>
  Object.entries(bets)
    .sort()
    .map(([zone, amount]) => [zone, String(amount)])

export const texts = (bets: Bets) =>
  Object.fromEntries(Object.entries(bets).map(([zone, amount]) => [zone, textOf(amount)]))

/** A reason why bets cannot be placed. */
export type BetFault = 'BET_LIMIT' | 'INSUFFICIENT_BALANCE'

/** Checks bets against the limits of a zone and against the money for them; `available` includes what is placed already. */
export function faultOf(info: TableInfo, bets: Bets, available: bigint): BetFault | null {
  const { min, max } = info
  const isOutside = (amount: bigint) =>
    amount > 0n && ((min !== null && amount < unitsOf(min)) || (max !== null && amount > unitsOf(max)))
  if (Object.values(bets).some(isOutside)) return 'BET_LIMIT'
  return total(bets) + holdOf(info, bets) > available ? 'INSUFFICIENT_BALANCE' : null
}

/** Returns the hold of bets beyond their stakes: in Niu Niu a double bet can lose more than its stake. */
export function holdOf({ holdFactor }: TableInfo, bets: Bets): bigint {
  const factor = BigInt(holdFactor ?? 0)
  return Object.entries(bets).reduce(
    (all, [zone, amount]) => all + (zone.endsWith('D') && factor > 0n ? amount * factor : 0n),
    0n,
  )
}
