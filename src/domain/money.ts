/**
 * Conversion between decimal text, used on the wire and in columns, and `bigint` units at a scale, used for sums. No
 * floats are involved. Amounts are truncated toward zero, so that no amount grows by being written.
 */
import assert from 'node:assert/strict'

/** Decimals of a player amount: balances, stakes, payouts. */
export const playerScale = 4
/** Decimals of an account amount in US dollars. */
export const usdScale = 6

/** `Amount`: at most 15 digits before the point and 4 after it. */
export const amountPattern = /^-?[0-9]{1,15}([.][0-9]{1,4})?$/
/** `PositiveAmount`, which must also be above zero. */
export const positiveAmountPattern = /^[0-9]{1,15}([.][0-9]{1,4})?$/
/** `UsdAmount`: at most 12 digits before the point and 6 after it. */
export const usdAmountPattern = /^-?[0-9]{1,12}([.][0-9]{1,6})?$/

/** Largest `Amount`, in units. */
export const maxAmount = 10n ** 19n - 1n
/** Largest `UsdAmount`, in units. */
export const maxUsd = 10n ** 18n - 1n

/** An exact ratio: `numerator / denominator`, the denominator above zero. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

const plainDecimal = /^(-?)([0-9]+)(?:[.]([0-9]+))?$/

/** Parses decimal text into units, or returns `null` for other text and for more decimals than the scale. */
export function unitsOf(text: string, scale: number): bigint | null {
  const parts = plainDecimal.exec(text)
  if (!parts) return null
  const [, minus, whole = '', fraction = ''] = parts
  if (fraction.length > scale) return null
  const units = BigInt(whole + fraction.padEnd(scale, '0'))
  return minus === '-' ? -units : units
}

/** Parses text that was validated before; anything else is a bug. */
export function parseUnits(text: string, scale: number): bigint {
  const units = unitsOf(text, scale)
  assert(units !== null, `"${text}" is not a decimal with at most ${scale} decimals`)
  return units
}

/** Parses decimal text with any number of decimals and truncates it to the scale; `null` for other text. */
export function cutUnits(text: string, scale: number): bigint | null {
  const point = text.indexOf('.')
  // Cut-off characters must be digits too, or invalid text would become valid.
  if (!plainDecimal.test(text)) return null
  if (point < 0 || text.length - point - 1 <= scale) return unitsOf(text, scale)
  return unitsOf(text.slice(0, scale === 0 ? point : point + 1 + scale), scale)
}

/** Returns decimal text without trailing zeros: `95`, `0.5`, `-40`. Zero has no sign. */
export function formatUnits(units: bigint, scale: number): string {
  if (units < 0n) return `-${formatUnits(-units, scale)}`
  const digits = units.toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/**
 * Returns decimal text with exactly `decimals` decimals, rounded half away from zero: for people, and for fields that
 * promise cents.
 */
export function formatFixed(units: bigint, scale: number, decimals: number): string {
  assert(decimals <= scale, 'a fixed form cannot have more decimals than the scale')
  if (units < 0n) {
    const positive = formatFixed(-units, scale, decimals)
    return /[1-9]/.test(positive) ? `-${positive}` : positive
  }
  const step = 10n ** BigInt(scale - decimals)
  const digits = ((units + step / 2n) / step).toString().padStart(decimals + 1, '0')
  if (decimals === 0) return digits
  return `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`
}

/** Parses a player amount that the contract accepted. */
export function parseAmount(text: string): bigint {
  return parseUnits(text, playerScale)
}

/** Formats a player amount as the API does. A sum beyond the range of `Amount` is a bug: limits prevent it. */
export function formatAmount(units: bigint): string {
  assert(isWithinAmount(units), `${units} units exceed the range of an amount`)
  return formatUnits(units, playerScale)
}

/** Returns whether a text has the form of `Amount`. */
export function isAmount(text: string): boolean {
  return amountPattern.test(text)
}

/** Returns whether a text is a `PositiveAmount`: its form, and above zero. */
export function isPositiveAmount(text: string): boolean {
  return positiveAmountPattern.test(text) && parseAmount(text) > 0n
}

/** Returns whether units fit into an `Amount`. */
export function isWithinAmount(units: bigint): boolean {
  return units <= maxAmount && units >= -maxAmount
}

/** Parses an account amount that was validated before. */
export function parseUsd(text: string): bigint {
  return parseUnits(text, usdScale)
}

/** Formats an account amount as the API does. */
export function formatUsd(units: bigint): string {
  assert(units <= maxUsd && units >= -maxUsd, `${units} units exceed the range of a US dollar amount`)
  return formatUnits(units, usdScale)
}

/** Returns whether a text has the form of `UsdAmount`. */
export function isUsdAmount(text: string): boolean {
  return usdAmountPattern.test(text)
}

/** Formats an account amount with two decimals, as account events do. */
export function formatUsdCents(units: bigint): string {
  return formatFixed(units, usdScale, 2)
}

/** Returns the sum; 0 for no units. */
export function sum(units: Iterable<bigint>): bigint {
  let total = 0n
  for (const each of units) total += each
  return total
}

/** Multiplies units by a ratio, truncated toward zero as `bigint` division does. */
export function times(units: bigint, ratio: Ratio): bigint {
  assert(ratio.denominator > 0n, 'a ratio must have a denominator above zero')
  return (units * ratio.numerator) / ratio.denominator
}

/** Parses decimal text into a ratio: `0.05` is 5 in 100. `null` for other text. */
export function ratioOf(text: string): Ratio | null {
  const parts = plainDecimal.exec(text)
  if (!parts) return null
  const decimals = parts[3]?.length ?? 0
  return { numerator: parseUnits(text, decimals), denominator: 10n ** BigInt(decimals) }
}

/** Compares units for sorting: below zero when the first is smaller. */
export function compareUnits(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns the smaller of two; Math.min does not accept bigint. */
export function smaller(a: bigint, b: bigint): bigint {
  return compareUnits(a, b) < 0 ? a : b
}

/** Returns the larger of two. */
export function larger(a: bigint, b: bigint): bigint {
  return compareUnits(a, b) < 0 ? b : a
}

/** Converts units to another scale, truncated toward zero. */
export function rescale(units: bigint, from: number, to: number): bigint {
  return to >= from ? units * 10n ** BigInt(to - from) : units / 10n ** BigInt(from - to)
}
