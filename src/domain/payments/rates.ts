import type { Coin } from '../chains/coins.ts'
import { coinOf, isFiat } from '../chains/coins.ts'
import { networks } from '../chains/networks.ts'
import { larger, parseUnits, type Ratio, ratioOf } from '../money.ts'
import { askable, scaleOf } from './amounts.ts'

/** What things are worth: one table of dollar prices at a moment, from one source that can be replaced. */

export interface RateTable {
  /** The moment the prices are of. */
  readonly asOf: number
  /** Dollars per whole unit, decimal text, by asset or fiat code. */
  readonly usd: Readonly<Record<string, string>>
}

/** The table used where no other source is put in its place: round figures, so that examples can be checked by hand. */
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

/** What a table can price: in its own order, coins' assets and fiat currencies. */
export function rateAssets(rates: RateTable): string[] {
  return Object.keys(rates.usd)
}

/** The smallest payment and the largest one, in dollars. */
const smallestUsd = '1'
const largestUsd = '1000000'
/** A payment is at least this many times what it costs to move it on: smaller ones would be eaten by their own fees. */
const feesPerMinimum = 4n

/** How a unit of one currency relates to a unit of another; nothing when one of them has no price. */
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

/** Units of one currency in units of another, cut toward zero; nothing without a price. */
export function converted(rates: RateTable, units: bigint, from: string, to: string): bigint | undefined {
  if (from === to) return units
  const ratio = ratioBetween(rates, from, to)
  return ratio && (units * ratio.numerator) / ratio.denominator
}

/** What a payer is asked for in a coin for a price, cut up to the coin's precision; nothing without a price. */
export function dueFor(rates: RateTable, price: bigint, from: string, coin: Coin): bigint | undefined {
  if (from === coin.code) return askable(price, coin)
  const ratio = ratioBetween(rates, from, coin.code)
  if (!ratio) return undefined
  return askable((price * ratio.numerator + ratio.denominator - 1n) / ratio.denominator, coin)
}

/** The fee of a transfer on the coin's network, in units of the coin itself; nothing without a price. */
export function transferFeeIn(rates: RateTable, coin: Coin): bigint | undefined {
  const { nativeCoin, transferFee } = networks[coin.network]
  const fee = parseUnits(transferFee, scaleOf(nativeCoin))
  const native = coinOf(nativeCoin)
  if (!native) return undefined
  return dueFor(rates, fee, nativeCoin, coin)
}

/** The smallest payment in a coin: estimate, look-up and creation all ask here, so they agree. */
export function minimumIn(rates: RateTable, coin: Coin): bigint | undefined {
  const floor = dueFor(rates, parseUnits(smallestUsd, scaleOf('usd')), 'usd', coin)
  const fee = transferFeeIn(rates, coin)
  if (floor === undefined || fee === undefined) return undefined
  return larger(floor, fee * feesPerMinimum)
}

/** The largest payment in a coin. */
export function maximumIn(rates: RateTable, coin: Coin): bigint | undefined {
  return dueFor(rates, parseUnits(largestUsd, scaleOf('usd')), 'usd', coin)
}
