import type { Coin } from '../chains/coins.ts'
import { coinOf, isFiat } from '../chains/coins.ts'
import { networks } from '../chains/networks.ts'
import { larger, parseUnits, type Ratio, ratioOf } from '../money.ts'
import { roundedUp, scaleOf } from './amounts.ts'

/** Exchange rates: one table of dollar prices at a moment, from one replaceable source. */

export interface RateTable {
  /** Moment of the prices. */
  readonly asOf: number
  /** Dollars per whole unit, decimal text, by asset or fiat code. */
  readonly usd: Readonly<Record<string, string>>
}

/** The default table: round figures, so that examples can be checked by hand. */
export const fixedRates: RateTable = {
  asOf: Date.UTC(2026, 0, 1),
  usd: {
    usd: '1',
    eur: '1.1',
    gbp: '1.3',
    jpy: '0.0065',
    twd: '0.031',
    thb: '0.03',
    krw: '0.0007',
    vnd: '0.00004',
    php: '0.017',
    myr: '0.24',
    btc: '100000',
    eth: '4000',
    bnb: '800',
    sol: '200',
    avax: '25',
    matic: '0.25',
    trx: '0.3',
    usdt: '1',
    usdc: '1',
  },
}

/** Returns the codes that a table has prices for, in its order: coins' assets and fiat currencies. */
export function rateAssets(rates: RateTable): string[] {
  return Object.keys(rates.usd)
}

/** Minimum and maximum payment, in dollars. */
const smallestUsd = '1'
const largestUsd = '1000000'
/** A payment is at least this many times the fees of moving it on, or the fees would use it up. */
const feesPerMinimum = 4n

/** Returns the exchange ratio of two currencies, or undefined when one has no price. */
function ratioBetween(rates: RateTable, from: string, to: string): Ratio | undefined {
  const a = priceOf(rates, from)
  const b = priceOf(rates, to)
  if (!a || !b || a.numerator <= 0n || b.numerator <= 0n) return undefined
  return {
    numerator: a.numerator * b.denominator * 10n ** BigInt(scaleOf(to)),
    denominator: a.denominator * b.numerator * 10n ** BigInt(scaleOf(from)),
  }
}

function priceOf(rates: RateTable, currency: string): Ratio | undefined {
  const asset = coinOf(currency)?.asset ?? (isFiat(currency) ? currency : undefined)
  const text = asset === undefined ? undefined : rates.usd[asset]
  return text === undefined ? undefined : (ratioOf(text) ?? undefined)
}

/** Converts units between currencies, truncated toward zero; undefined without a price. */
export function converted(rates: RateTable, units: bigint, from: string, to: string): bigint | undefined {
  if (from === to) return units
  const ratio = ratioBetween(rates, from, to)
  return ratio && (units * ratio.numerator) / ratio.denominator
}

/** Returns the amount due in a coin for a price, rounded up to the coin's precision; undefined without a price. */
export function dueFor(rates: RateTable, price: bigint, from: string, coin: Coin): bigint | undefined {
  if (from === coin.code) return roundedUp(price, coin)
  const ratio = ratioBetween(rates, from, coin.code)
  if (!ratio) return undefined
  return roundedUp((price * ratio.numerator + ratio.denominator - 1n) / ratio.denominator, coin)
}

/** Returns the fee of a transfer on the coin's network, in units of the coin; undefined without a price. */
export function transferFeeIn(rates: RateTable, coin: Coin): bigint | undefined {
  const { nativeCoin, transferFee } = networks[coin.network]
  const fee = parseUnits(transferFee, scaleOf(nativeCoin))
  const native = coinOf(nativeCoin)
  if (!native) return undefined
  return dueFor(rates, fee, nativeCoin, coin)
}

/** Returns the minimum payment in a coin. Estimate, look-up and creation all use it, so they agree. */
export function minimumIn(rates: RateTable, coin: Coin): bigint | undefined {
  const floor = dueFor(rates, parseUnits(smallestUsd, scaleOf('usd')), 'usd', coin)
  const fee = transferFeeIn(rates, coin)
  if (floor === undefined || fee === undefined) return undefined
  return larger(floor, fee * feesPerMinimum)
}

/** Returns the maximum payment in a coin. */
export function maximumIn(rates: RateTable, coin: Coin): bigint | undefined {
  return dueFor(rates, parseUnits(largestUsd, scaleOf('usd')), 'usd', coin)
}
