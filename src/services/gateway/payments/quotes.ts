import type { PaymentRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { Coin } from '../../../domain/chains/coins.ts'
import { parseUnits, times } from '../../../domain/money.ts'
import { amountText, roundedUp, scaleOf } from '../../../domain/payments/amounts.ts'
import { amountDue, evaluateDeposits } from '../../../domain/payments/deposits.ts'
import { hasEnded, quoteMs, serviceFee } from '../../../domain/payments/payment.ts'
import { converted, dueFor, type RateTable } from '../../../domain/payments/rates.ts'
import { isProblem } from '../../../kit/problem.ts'
import { merchantOf } from '../queries/merchants.ts'
import { liveDeposits, savePayment } from '../queries/payments.ts'
import { isRefunding } from '../queries/refunds.ts'
import { priced, theCoin } from '../rates/currencies.ts'
import { currentRates } from '../rates/rates.ts'
import type { Gateway } from '../service.ts'

/** Quotes: the amount due and its expiry. An expired quote is replaced before it is shown, if there are fresh rates. */

/** Returns the cost of the whole price in a coin, plus the service fee if the customer pays it. */
export function quote(rates: RateTable, price: bigint, currency: string, coin: Coin, isFeePaidByUser: boolean): bigint {
  const due = priced(dueFor(rates, price, currency, coin))
  if (!isFeePaidByUser) return due
  // Rounded up, so that the amount due less the fee is at least the price.
  const { numerator, denominator } = serviceFee
  return roundedUp((due * denominator + (denominator - numerator) - 1n) / (denominator - numerator), coin)
}

/** Returns the merchant's share of a paid amount, in the currency of the outcome. */
export function expectedOutcome(rates: RateTable, paid: bigint, currency: string, outcomeCurrency: string): string {
  return amountText(priced(outcomeOf(rates, paid, currency, outcomeCurrency)), outcomeCurrency)
}

/** Same as `expectedOutcome`, in units; undefined without a price. */
export function outcomeOf(rates: RateTable, paid: bigint, currency: string, outcome: string): bigint | undefined {
  return converted(rates, paid - times(paid, serviceFee), currency, outcome)
}

/** Returns whether the quote has expired. Fixed rates, and amounts that the merchant gave, are not quoted again. */
export function isQuoteExpired(payment: PaymentRow, now: number): boolean {
  return payment.is_fixed_rate === 0 && payment.is_amount_given === 0 && hasEnded(payment.quote_until, now)
}

/** Returns the cost of a payment's whole price at the current rates. */
export function wholeAt(rates: RateTable, payment: PaymentRow): bigint {
  const price = parseUnits(payment.price_amount, scaleOf(payment.price_currency))
  const coin = theCoin(payment.pay_currency)
  return quote(rates, price, payment.price_currency, coin, payment.is_fee_paid_by_user === 1)
}

/**
 * Replaces an expired quote: the uncovered part of the price is quoted at the current rates. A valid quote, and that of
 * a payment with a refund under way, is left unchanged. Throws RATE_UNAVAILABLE without fresh rates. Does not touch
 * `updated_at`, which marks changes that callbacks report.
 */
export async function requoted(app: Gateway, tx: Tx, payment: PaymentRow): Promise<PaymentRow> {
  if (!isQuoteExpired(payment, tx.now) || (await isRefunding(tx, payment.id))) return payment
  const rates = await currentRates(app, tx)
  const coin = theCoin(payment.pay_currency)
  const whole = wholeAt(rates, payment)
  const { counted } = evaluateDeposits(await liveDeposits(tx, payment), await toleranceOf(tx, payment))
  const due = amountDue(whole, counted, coin)
  const change = {
    whole_amount: amountText(whole, coin.code),
    pay_amount: amountText(due, coin.code),
    // Before the first deposit, the outcome is the expected one of the whole; later, that of the received amount.
    ...(payment.actually_paid === '0'
      ? { outcome_amount: expectedOutcome(rates, due, coin.code, payment.outcome_currency) }
      : {}),
    quote_until: Math.min(tx.now + quoteMs, Math.max(payment.valid_until, tx.now)),
  }
  await savePayment(tx, payment.id, change)
  return { ...payment, ...change }
}

/**
 * Same as `requoted`, but without fresh rates the expired quote stays, because a received deposit cannot wait for
 * rates.
 */
export async function requotedIfPossible(app: Gateway, tx: Tx, payment: PaymentRow): Promise<PaymentRow> {
  try {
    return await requoted(app, tx, payment)
  } catch (error) {
    if (!isProblem(error, 'RATE_UNAVAILABLE')) throw error
    return payment
  }
}

/** Returns the tolerated missing share of the price. */
export async function toleranceOf(reader: Reader, payment: PaymentRow) {
  const merchant = await merchantOf(reader, payment.merchant)
  return { numerator: BigInt(merchant?.tolerance_bps ?? 0), denominator: 10_000n }
}
