import { textOf } from '../money.ts'
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

/** Returns the hold of bets beyond their stakes: in Niu Niu a double bet can lose more than its stake. */
export function holdOf({ holdFactor }: TableInfo, bets: Bets): bigint {
  const factor = BigInt(holdFactor ?? 0)
  return Object.entries(bets).reduce(
    (all, [zone, amount]) => all + (zone.endsWith('D') && factor > 0n ? amount * factor : 0n),
    0n,
  )
}
