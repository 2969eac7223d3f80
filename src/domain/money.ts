/**
 * The only bridge between decimal text, which the wire and the columns carry, and `bigint` units at a
 * scale, in which sums are made. A float never stands between the two. What must be cut is cut toward
 * zero, so that no amount ever grows by being written down.
 */
import assert from 'node:assert/strict'

/** Decimals of a player amount: balances, stakes, payouts. */
export const playerScale = 4
/** Decimals of an account amount in US dollars. */
export const usdScale = 6

/** `Amount`: at most 15 digits before the point and 4 after it. */
export const amountPattern = /^-?[0-9]{1,15}([.][0-9]{1,4})?$/
/** `PositiveAmount`, which must be above zero besides. */
export const positiveAmountPattern = /^[0-9]{1,15}([.][0-9]{1,4})?$/
/** `UsdAmount`: at most 12 digits before the point and 6 after it. */
export const usdAmountPattern = /^-?[0-9]{1,12}([.][0-9]{1,6})?$/

/** The largest `Amount` there is, in units. A sum beyond it cannot be told to anybody. */
export const maxAmount = 10n ** 19n - 1n
/** The largest `UsdAmount` there is, in units. */
export const maxUsd = 10n ** 18n - 1n

/** An exact share: `numerator / denominator`, the denominator above zero. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

const plainDecimal = /^(-?)([0-9]+)(?:[.]([0-9]+))?$/

/** The units that a decimal text stands for, or `null` when it is no plain decimal or has more decimals than the scale. */
export function unitsOf(text: string, scale: number): bigint | null {
  const parts = plainDecimal.exec(text)
  if (!parts) return null
  const [, sign, whole = '', fraction = ''] = parts
  if (fraction.length > scale) return null
  const units = BigInt(whole + fraction.padEnd(scale, '0'))
  return sign === '-' ? -units : units
}

/** As `unitsOf`, for text that was checked before: anything else is a bug. */
export function parseUnits(text: string, scale: number): bigint {
  const units = unitsOf(text, scale)
  assert(units !== null, `"${text}" is not a decimal with at most ${scale} decimals`)
  return units
}

/** The units of a decimal text with any number of decimals, those beyond the scale cut off; `null` when it is no plain decimal. */
export function cutUnits(text: string, scale: number): bigint | null {
  const point = text.indexOf('.')
  // Cutting must not make good text of bad: what is cut off has to be digits too.
  if (!plainDecimal.test(text)) return null
  if (point < 0 || text.length - point - 1 <= scale) return unitsOf(text, scale)
  return unitsOf(text.slice(0, scale === 0 ? point : point + 1 + scale), scale)
}

/** Decimal text without trailing zeros: `95`, `0.5`, `-40`. Zero has no sign. */
export function formatUnits(units: bigint, scale: number): string {
  if (units < 0n) return `-${formatUnits(-units, scale)}`
  const digits = units.toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Decimal text with exactly `decimals` decimals, the rest rounded half away from zero: for people, and for fields that promise cents. */
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

/** The units of a player amount that the contract accepted. */
export function parseAmount(text: string): bigint {
  return parseUnits(text, playerScale)
}

/** A player amount as the API writes it. A sum beyond the range of `Amount` is a bug: limits keep it away. */
export function formatAmount(units: bigint): string {
  assert(isWithinAmount(units), `${units} units are beyond the range of an amount`)
  return formatUnits(units, playerScale)
}

/** Whether a text has the form of `Amount`. */
export function isAmount(text: string): boolean {
  return amountPattern.test(text)
}

/** Whether a text is a `PositiveAmount`: the form, and above zero. */
export function isPositiveAmount(text: string): boolean {
  return positiveAmountPattern.test(text) && parseAmount(text) > 0n
}

/** Whether units fit into an `Amount`. */
export function isWithinAmount(units: bigint): boolean {
  return units <= maxAmount && units >= -maxAmount
}

/** The units of an account amount that was accepted before. */
export function parseUsd(text: string): bigint {
  return parseUnits(text, usdScale)
}

/** An account amount as the API writes it. */
export function formatUsd(units: bigint): string {
  assert(units <= maxUsd && units >= -maxUsd, `${units} units are beyond the range of a US dollar amount`)
  return formatUnits(units, usdScale)
}

/** Whether a text has the form of `UsdAmount`. */
export function isUsdAmount(text: string): boolean {
  return usdAmountPattern.test(text)
}

/** An account amount in cents with two decimals, as account events write it. */
export function formatUsdCents(units: bigint): string {
  return formatFixed(units, usdScale, 2)
}

/** The sum. Of nothing it is zero. */
export function sum(units: Iterable<bigint>): bigint {
  let total = 0n
  for (const each of units) total += each
  return total
}

/** Units times a ratio, cut toward zero: `bigint` division does just that. */
export function times(units: bigint, ratio: Ratio): bigint {
  assert(ratio.denominator > 0n, 'a ratio has a denominator above zero')
  return (units * ratio.numerator) / ratio.denominator
}

/** The ratio that a decimal text stands for: `0.05` is 5 in 100. `null` when it is no plain decimal. */
export function ratioOf(text: string): Ratio | null {
  const parts = plainDecimal.exec(text)
  if (!parts) return null
  const decimals = parts[3]?.length ?? 0
  return { numerator: parseUnits(text, decimals), denominator: 10n ** BigInt(decimals) }
}

/** Below zero when the first is smaller, above when it is larger: for sorting. */
export function compareUnits(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The smaller of two: Math.min does not take units. */
export function smaller(a: bigint, b: bigint): bigint {
  return compareUnits(a, b) < 0 ? a : b
}

/** The larger of two. */
export function larger(a: bigint, b: bigint): bigint {
  return compareUnits(a, b) < 0 ? b : a
}

/** The same amount at another scale, cut toward zero where that one is coarser. */
export function rescale(units: bigint, from: number, to: number): bigint {
  return to >= from ? units * 10n ** BigInt(to - from) : units / 10n ** BigInt(from - to)
}
