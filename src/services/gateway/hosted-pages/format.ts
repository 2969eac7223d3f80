import type { InvoiceRow, PaymentRow } from '../../../db/schema/gateway.ts'
import { type Coin, coinOf, fiatDecimalsOf, isFiat } from '../../../domain/chains/coins.ts'
import { networks } from '../../../domain/chains/networks.ts'
import { formatUnits, parseUnits, times } from '../../../domain/money.ts'
import { scaleOf } from '../../../domain/payments/amounts.ts'
import { serviceFee } from '../../../domain/payments/payment.ts'
import { converted, type RateTable } from '../../../domain/payments/rates.ts'
import type { PageLanguage } from './language.ts'

/** Formats of prices and times on the hosted pages. Prices are formatted from decimal text, so no digit is lost. */

type Decimal = `${number}`

/** Formats an amount of a price currency for people: `$1,234.50`, `¥1,235`, `0.5 BTC`. */
export function moneyText(
  amount: string,
  currency: string,
  language: PageLanguage,
  options: Intl.NumberFormatOptions = {},
): string {
  if (!isFiat(currency)) {
    const ticker = (coinOf(currency)?.asset ?? currency).toUpperCase()
    return `${new Intl.NumberFormat(language, { maximumFractionDigits: 18, ...options }).format(amount as Decimal)} ${ticker}`
  }
  const decimals = fiatDecimalsOf(currency)
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    ...options,
  }).format(amount as Decimal)
}

/** Formats the price of a payment or an invoice. */
export function priceText(
  { price_amount, price_currency }: Pick<PaymentRow | InvoiceRow, 'price_amount' | 'price_currency'>,
  language: PageLanguage,
): string {
  return moneyText(price_amount, price_currency, language)
}

/** Decimals of a computed rate. */
const rateScale = 10

/**
 * Formats an amount with the currency's decimals, or with this many significant digits if those would truncate it:
 * `$2.10`, `$0.0025`.
 */
function closeText(amount: string, currency: string, language: PageLanguage, digits: number): string {
  const decimals = /[.]([0-9]+)$/.exec(amount)?.[1]?.length ?? 0
  if (isFiat(currency) && decimals <= fiatDecimalsOf(currency)) return moneyText(amount, currency, language)
  return moneyText(amount, currency, language, {
    maximumSignificantDigits: digits,
    minimumSignificantDigits: 1,
    roundingPriority: 'morePrecision',
  })
}

/**
 * Formats the price of one coin at the quote of a payment: `1 BTC ≈ $100,000.00`. Null if the merchant gave the amount in
 * the coin, because nothing was converted.
 */
export function rateText(payment: PaymentRow, language: PageLanguage): string | null {
  const coin = coinOf(payment.pay_currency)
  if (!coin || payment.is_amount_given === 1 || payment.price_currency === coin.code) return null
  const whole = parseUnits(payment.whole_amount, coin.decimals)
  // A fee on top of the price is not part of the rate.
  const net = payment.is_fee_paid_by_user === 1 ? whole - times(whole, serviceFee) : whole
  if (net <= 0n) return null
  const priceScale = scaleOf(payment.price_currency)
  const price = parseUnits(payment.price_amount, priceScale)
  const rate = (price * 10n ** BigInt(coin.decimals + rateScale - priceScale)) / net
  return `1 ${coin.asset.toUpperCase()} ≈ ${closeText(formatUnits(rate, rateScale), payment.price_currency, language, 5)}`
}

/** Additional decimals of a fee, which may be far below a cent. */
const feeScale = 8

/** Formats the network's fee of one transfer in the price currency: `$2.10`, `$0.002`. Null without a price. */
export function networkFeeText(rates: RateTable, coin: Coin, currency: string, language: PageLanguage): string | null {
  const { nativeCoin, transferFee } = networks[coin.network]
  const fee = parseUnits(transferFee, scaleOf(nativeCoin)) * 10n ** BigInt(feeScale)
  const units = converted(rates, fee, nativeCoin, currency)
  if (units === undefined) return null
  return closeText(formatUnits(units, scaleOf(currency) + feeScale), currency, language, 2)
}

/** Formats a moment in UTC. The page's script replaces it with the customer's own time zone. */
export function momentText(at: number, language: PageLanguage): string {
  return new Intl.DateTimeFormat(language, { ...momentOptions, timeZone: 'UTC' }).format(at)
}

/** Must be the same options as in `hosted-payment.js`. */
const momentOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions

/** Formats a duration, rounded up to whole minutes, or to whole seconds below one minute: `3 minutes`. */
export function durationText(ms: number, language: PageLanguage): string {
  const unit = ms < 60_000 ? 'second' : 'minute'
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.ceil(ms / (unit === 'second' ? 1000 : 60_000)),
  )
}
