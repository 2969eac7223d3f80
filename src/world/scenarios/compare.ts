import { cutUnits, formatUnits, parseUnits, unitsOf } from '../../domain/money.ts'

/** Decimals of compared figures. */
const scale = 8

/** Returns whether a figure is as expected. Numbers are compared by value, all else as text. */
export function holds(
  actual: string,
  {
    is,
    atLeast,
    atMost,
  }: { readonly is: string | undefined; readonly atLeast: string | undefined; readonly atMost: string | undefined },
): boolean {
  const units = unitsOf(actual, scale)
  const isEqual = is === undefined || (units === null ? actual === is : units === unitsOf(is, scale))
  if (atLeast === undefined && atMost === undefined) return isEqual
  if (units === null) return false
  return (
    isEqual &&
    (atLeast === undefined || units >= parseUnits(atLeast, scale)) &&
    (atMost === undefined || units <= parseUnits(atMost, scale))
  )
}

export function difference(after: string, before: string): string {
  return formatUnits(parseUnits(after, scale) - parseUnits(before, scale), scale)
}

/** Decimals of a partial payment: no coin of the simulated chains has fewer. */
const coinScale = 6

/** Returns a percentage of an amount of coins, truncated. */
export function shareOf(amount: string, percent: number): string {
  return formatUnits(((cutUnits(amount, coinScale) ?? 0n) * BigInt(percent)) / 100n, coinScale)
}
