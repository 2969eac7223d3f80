import { type Coin, coinOf, fiatDecimalsOf, fiatScale, isFiat } from '../chains/coins.ts'
import { formatUnits, unitsOf } from '../money.ts'

/**
 * Amounts of the gateway: decimal text in columns, units at the currency's own scale in sums. A JSON number stands at
 * the edges only: read from its shortest text on the way in, printed as JavaScript prints it on the way out.
 */

/** The decimals of a currency's units, coin or fiat. */
export function scaleOf(currency: string): number {
  return coinOf(currency)?.decimals ?? fiatScale
}

/** The decimals amounts are made with: a coin's precision, a fiat currency's own decimals. */
export function precisionOf(currency: string): number {
  return coinOf(currency)?.precision ?? fiatDecimalsOf(currency)
}

/** The decimals amounts are accepted with: all of a coin's, a fiat currency's own. */
function acceptedDecimals(currency: string): number {
  return coinOf(currency)?.decimals ?? fiatDecimalsOf(currency)
}

/** The smallest step between two amounts of a currency, in its units: 100 for a yen counted in hundredths. */
export function stepOf(currency: string): bigint {
  return 10n ** BigInt(scaleOf(currency) - acceptedDecimals(currency))
}

/** Units cut down to what the currency counts, for amounts that are computed and shown: no fraction of a yen. */
export function counted(units: bigint, currency: string): bigint {
  return units - (units % stepOf(currency))
}

/** Whether the gateway knows a currency at all. */
export function isCurrency(code: string): boolean {
  return coinOf(code) !== undefined || isFiat(code)
}

/** Plain decimal text of what clients send as an amount: a number, or a text of one. Nothing when it is neither or not finite. */
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

/** The units of an amount in a currency; nothing when it is no positive number or finer than the currency's units. */
export function positiveUnits(sent: number | string, currency: string): bigint | undefined {
  const text = decimalTextOf(sent)
  const units = text === undefined ? null : unitsOf(trimmed(text), scaleOf(currency))
  return units === null || units <= 0n || units % stepOf(currency) !== 0n ? undefined : units
}

/**
 * The units of a price, rounded half up where it is finer than its currency counts: shops add prices up as floats, and
 * send 30.000000000000004. Nothing when it is no number, or not positive once it is rounded.
 */
export function priceUnits(sent: number | string, currency: string): bigint | undefined {
  const text = decimalTextOf(sent)
  const finest = text === undefined ? null : unitsOf(trimmed(text), finestDecimals)
  if (finest === null) return undefined
  const step = 10n ** BigInt(finestDecimals - acceptedDecimals(currency))
  const units = ((finest + step / 2n) / step) * stepOf(currency)
  return units <= 0n ? undefined : units
}

/** As many as `decimalTextOf` lets through. */
const finestDecimals = 40

/** Trailing zeros say nothing: `10.00000000` dollars are ten dollars, though dollars have two decimals. */
function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/0+$/, '').replace(/[.]$/, '') : text
}

/** Decimal text of units of a currency. */
export function amountText(units: bigint, currency: string): string {
  return formatUnits(units, scaleOf(currency))
}

/** The JSON number of an amount: the last step there is, after which nothing is computed any more. */
export function jsonNumber(text: string): number {
  return Number(text)
}

/** Units cut up to the precision amounts of this coin are asked with: a payer is never asked for less than what is due. */
export function askable(units: bigint, coin: Coin): bigint {
  const step = 10n ** BigInt(coin.decimals - coin.precision)
  return ((units + step - 1n) / step) * step
}
