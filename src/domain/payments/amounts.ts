import { type Coin, coinOf, fiatDecimalsOf, fiatScale, isFiat } from '../chains/coins.ts'
import { formatUnits, unitsOf } from '../money.ts'

/**
 * Amounts of the gateway: decimal text in columns, units at the currency's own scale in sums. JSON numbers occur at the
 * edges only: read from their shortest text, written as JavaScript prints them.
 */

/** Returns the decimals of a currency's units, coin or fiat. */
export function scaleOf(currency: string): number {
  return coinOf(currency)?.decimals ?? fiatScale
}

/** Returns the decimals of computed amounts: a coin's precision, a fiat currency's own decimals. */
export function precisionOf(currency: string): number {
  return coinOf(currency)?.precision ?? fiatDecimalsOf(currency)
}

/** Returns the decimals of accepted amounts: all of a coin's, a fiat currency's own. */
function acceptedDecimals(currency: string): number {
  return coinOf(currency)?.decimals ?? fiatDecimalsOf(currency)
}

/** Returns the smallest difference of two accepted amounts, in units of the currency: 100 for a yen counted in hundredths. */
export function incrementOf(currency: string): bigint {
  return 10n ** BigInt(scaleOf(currency) - acceptedDecimals(currency))
}

/** Truncates units to the currency's own decimals, for computed amounts that are shown: no fraction of a yen. */
export function truncated(units: bigint, currency: string): bigint {
  return units - (units % incrementOf(currency))
}

/** Returns whether the gateway knows a currency. */
export function isCurrency(code: string): boolean {
  return coinOf(code) !== undefined || isFiat(code)
}

/** Returns plain decimal text of an amount sent as a number or text, or undefined if it is neither or not finite. */
export function decimalTextOf(sent: number | string): string | undefined {
  const text = typeof sent === 'number' ? String(sent) : sent.trim()
  if (/^[0-9]{1,30}([.][0-9]{1,30})?$/.test(text)) return text
  const parts = /^([0-9])(?:[.]([0-9]{1,20}))?e([+-]?[0-9]{1,2})$/i.exec(text)
  if (!parts) return undefined
  const [, whole = '', fraction = '', exponent = '0'] = parts
  const digits = whole + fraction
  const point = 1 + Number(exponent)
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length)
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Returns the units of an amount, or undefined if it is not positive or has more decimals than the currency. */
export function positiveUnits(sent: number | string, currency: string): bigint | undefined {
  const text = decimalTextOf(sent)
  const units = text === undefined ? null : unitsOf(trimmed(text), scaleOf(currency))
  return units === null || units <= 0n || units % incrementOf(currency) !== 0n ? undefined : units
}

/**
 * Returns the units of a price, rounded half up to the currency's decimals, because shops add prices up as floats and
 * send 30.000000000000004. Undefined if it is not a number, or not positive after rounding.
 */
export function priceUnits(sent: number | string, currency: string): bigint | undefined {
  const text = decimalTextOf(sent)
  const finest = text === undefined ? null : unitsOf(trimmed(text), finestDecimals)
  if (finest === null) return undefined
  const increment = 10n ** BigInt(finestDecimals - acceptedDecimals(currency))
  const units = ((finest + increment / 2n) / increment) * incrementOf(currency)
  return units <= 0n ? undefined : units
}

/** Maximum number of decimals that `decimalTextOf` accepts. */
const finestDecimals = 40

/** Removes trailing zeros: `10.00000000` dollars are valid, though dollars have two decimals. */
function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/0+$/, '').replace(/[.]$/, '') : text
}

/** Formats units of a currency as decimal text. */
export function amountText(units: bigint, currency: string): string {
  return formatUnits(units, scaleOf(currency))
}

/** Returns an amount as a JSON number. The last step: nothing is computed after it. */
export function jsonNumber(text: string): number {
  return Number(text)
}

/** Rounds units up to the coin's precision: a payer is never charged less than the amount due. */
export function roundedUp(units: bigint, coin: Coin): bigint {
  const increment = 10n ** BigInt(coin.decimals - coin.precision)
  return ((units + increment - 1n) / increment) * increment
}
