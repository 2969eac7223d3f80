import type { MerchantRow } from '../../../db/schema/gateway.ts'
import type { Reader } from '../../../db/store.ts'
import { addressPattern, isAddress } from '../../../domain/chains/addresses.ts'
import { type Coin, coinOf, coins, contractOf } from '../../../domain/chains/coins.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'
import {
  amountText,
  incrementOf,
  isCurrency,
  jsonNumber,
  positiveUnits,
  priceUnits,
  truncated,
} from '../../../domain/payments/amounts.ts'
import { converted, dueFor, minimumIn, type RateTable } from '../../../domain/payments/rates.ts'
import { refuse } from '../api/contract.ts'
import type { CurrencyDetail } from '../api/schemas.ts'
import { merchantCoins } from '../queries/merchants.ts'
import type { Gateway } from '../service.ts'
import { currentRates } from './rates.ts'

/** Lists the codes that customers can pay with. All of them support fixed rates, so `fixed_rate` is ignored. */
export async function listCurrencies(): Promise<{ currencies: string[] }> {
  return { currencies: coins.map(({ code }) => code) }
}

export async function listFullCurrencies(environment: GatewayEnvironment): Promise<{ currencies: CurrencyDetail[] }> {
  return { currencies: coins.map((coin) => toDetail(coin, environment)) }
}

export async function readCurrency(environment: GatewayEnvironment, code: string): Promise<CurrencyDetail> {
  const coin = coinOf(code)
  if (!coin) throw refuse('NOT_FOUND', `Currency ${code} does not exist`)
  return toDetail(coin, environment)
}

function toDetail(coin: Coin, environment: GatewayEnvironment): CurrencyDetail {
  return {
    id: coins.indexOf(coin) + 1,
    code: coin.code,
    name: coin.name,
    enable: true,
    wallet_regex: addressPattern(environment, coin.network),
    priority: coins.length - coins.indexOf(coin),
    // None of the ten networks needs a memo or tag with the address.
    extra_id_exists: false,
    extra_id_regex: null,
    track: true,
    network: coin.network,
    smart_contract: contractOf(coin, environment),
    network_precision: coin.decimals,
  }
}

/** Lists the codes enabled for the merchant, in the order of the whole list. */
export function listMerchantCoins(app: Gateway, merchant: MerchantRow) {
  return app.store.read(async (reader) => {
    const codes = (await enabledCoinsOf(reader, merchant.id)).map(({ code }) => code)
    return { currencies: codes, selectedCurrencies: codes }
  })
}

/** Returns the coins enabled for a merchant, in the order of the whole list. */
export async function enabledCoinsOf(reader: Reader, merchant: string): Promise<Coin[]> {
  const enabled = new Set((await merchantCoins(reader, merchant)).map(({ coin }) => coin))
  return coins.filter(({ code }) => enabled.has(code))
}

/** Returns the coin with this code if the merchant accepts it, or throws CURRENCY_UNAVAILABLE. */
export async function enabledCoin(reader: Reader, merchant: MerchantRow, code: string): Promise<Coin> {
  const coin = theCoin(code)
  if (!(await enabledCoinsOf(reader, merchant.id)).includes(coin))
    throw refuse('CURRENCY_UNAVAILABLE', `The currency ${coin.code} is not enabled for the account`)
  return coin
}

/** Returns the coin with this code, or throws CURRENCY_UNAVAILABLE. */
export function theCoin(code: string): Coin {
  const coin = coinOf(code)
  if (!coin) throw refuse('CURRENCY_UNAVAILABLE', `The currency ${code} is not supported`)
  return coin
}

/** Returns the currency of a price, coin or fiat, in lower case; or throws CURRENCY_UNAVAILABLE. */
export function theCurrency(code: string): string {
  if (!isCurrency(code)) throw refuse('CURRENCY_UNAVAILABLE', `The currency ${code} is not supported`)
  return code.toLowerCase()
}

/** Returns the result of a conversion, or throws RATE_UNAVAILABLE when it is undefined. */
export function priced(units: bigint | undefined): bigint {
  if (units === undefined) throw refuse('RATE_UNAVAILABLE', 'No exchange rate is available for this pair')
  return units
}

/** Returns the units of a positive amount in a currency, or throws INVALID_AMOUNT. */
export function theAmount(sent: number | string, currency: string, field: string): bigint {
  const units = positiveUnits(sent, currency)
  if (units === undefined)
    throw refuse('INVALID_AMOUNT', `${field} must be a valid positive number for ${currency}`, { field })
  return units
}

/** Returns the units of a positive price, rounded to its currency's decimals; or throws INVALID_AMOUNT. */
export function thePrice(sent: number | string, currency: string, field: string): bigint {
  const units = priceUnits(sent, currency)
  if (units === undefined)
    throw refuse('INVALID_AMOUNT', `${field} must be a valid positive number for ${currency}`, { field })
  return units
}

/** Converts an amount into another currency. Into a coin, the result is exactly the amount due of a payment. */
export function estimate(app: Gateway, query: { amount: string; currency_from: string; currency_to: string }) {
  return app.store.read(async (reader) => {
    const from = theCurrency(query.currency_from)
    const to = theCurrency(query.currency_to)
    const units = thePrice(query.amount, from, 'amount')
    const rates = await currentRates(app, reader)
    const coin = coinOf(to)
    const outcome = priced(coin ? dueFor(rates, units, from, coin) : shown(converted(rates, units, from, to), to))
    return {
      currency_from: from,
      amount_from: jsonNumber(amountText(units, from)),
      currency_to: to,
      estimated_amount: jsonNumber(amountText(outcome, to)),
    }
  })
}

/** Truncates units to their currency's decimals; undefined stays undefined. */
function shown(units: bigint | undefined, currency: string): bigint | undefined {
  return units === undefined ? undefined : truncated(units, currency)
}

/**
 * Returns the minimum payment in `currency_from`. If that is fiat, it is the minimum of the coin `currency_to`, or of
 * the cheapest coin if neither is a coin.
 */
export function lookUpMinimum(
  app: Gateway,
  query: { currency_from: string; currency_to?: string; fiat_equivalent?: string },
) {
  return app.store.read(async (reader) => {
    const from = theCurrency(query.currency_from)
    // Without a second currency the merchant is settled in the paid coin.
    const to = query.currency_to === undefined ? from : theCurrency(query.currency_to)
    const rates = await currentRates(app, reader)
    const coin = coinOf(from) ?? coinOf(to) ?? cheapestCoin(rates)
    const minimum = priced(minimumIn(rates, coin))
    const shown = coin.code === from ? minimum : atLeast(rates, minimum, coin.code, from)
    const fiat = query.fiat_equivalent === undefined ? undefined : theCurrency(query.fiat_equivalent)
    return {
      currency_from: from,
      currency_to: to,
      min_amount: jsonNumber(amountText(shown, from)),
      ...(fiat === undefined
        ? {}
        : { fiat_equivalent: jsonNumber(amountText(atLeast(rates, minimum, coin.code, fiat), fiat)) }),
    }
  })
}

/** Returns the coin with the lowest minimum payment, for requests that name no coin. */
function cheapestCoin(rates: RateTable): Coin {
  // A coin without a price cannot be paid with.
  const [first, ...rest] = coins.flatMap((coin) => {
    const usd = inMicroDollars(rates, coin)
    return usd === undefined ? [] : [{ coin, usd }]
  })
  if (!first) throw refuse('RATE_UNAVAILABLE', 'No exchange rate is available: try again later')
  return rest.reduce((best, each) => (each.usd < best.usd ? each : best), first).coin
}

function inMicroDollars(rates: RateTable, coin: Coin): bigint | undefined {
  const minimum = minimumIn(rates, coin)
  return minimum && converted(rates, minimum, coin.code, 'usdc')
}

/**
 * Returns the lowest price whose payment in the coin reaches the minimum: one increment more if the truncated price
 * does not.
 */
export function atLeast(rates: RateTable, minimum: bigint, coinCode: string, currency: string): bigint {
  const cut = priced(shown(converted(rates, minimum, coinCode, currency), currency))
  const reached = priced(dueFor(rates, cut, currency, theCoin(coinCode)))
  return reached >= minimum ? cut : cut + incrementOf(currency)
}

/** Throws INVALID_ADDRESS unless the address is valid on the currency's network. */
export async function validateAddress(
  environment: GatewayEnvironment,
  query: { address: string; currency: string },
): Promise<'OK'> {
  const coin = theCoin(query.currency)
  if (!isAddress(environment, coin.network, query.address.trim()))
    throw refuse('INVALID_ADDRESS', `The address is not valid for ${coin.code} on its network`)
  return 'OK'
}
