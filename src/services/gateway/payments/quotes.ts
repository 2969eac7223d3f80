import type { PaymentRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { Coin } from '../../../domain/chains/coins.ts'
import { parseUnits, times } from '../../../domain/money.ts'
import { amountText, askable, scaleOf } from '../../../domain/payments/amounts.ts'
import { amountDue, judge } from '../../../domain/payments/deposits.ts'
import { hasEnded, quoteMs, serviceFee } from '../../../domain/payments/payment.ts'
import { converted, dueFor, type RateTable } from '../../../domain/payments/rates.ts'
import { isProblem } from '../../../kit/problem.ts'
import { merchantOf } from '../queries/merchants.ts'
import { isRefunding, liveDeposits, savePayment } from '../queries/payments.ts'
import { priced, theCoin } from '../rates/currencies.ts'
import { currentRates } from '../rates/rates.ts'
import type { Gateway } from '../service.ts'

/** Quotes: what a payment asks for and until when. Every statement of an amount due is backed by a quote that holds. */

/** Returns what the whole price costs in a coin, with the service fee on top where the customer pays it. */
export function quote(rates: RateTable, price: bigint, currency: string, coin: Coin, isFeePaidByUser: boolean): bigint {
  const due = priced(dueFor(rates, price, currency, coin))
  if (!isFeePaidByUser) return due
  // Of what is asked for, less the fee, the price remains.
  const { numerator, denominator } = serviceFee
  return askable((due * denominator + (denominator - numerator) - 1n) / (denominator - numerator), coin)
}

/** Returns what the merchant gets of an amount paid, in the currency of the outcome. */
export function expectedOutcome(rates: RateTable, paid: bigint, currency: string, outcomeCurrency: string): string {
  return amountText(priced(outcomeOf(rates, paid, currency, outcomeCurrency)), outcomeCurrency)
}

/** As `expectedOutcome`, in units; undefined without a price. */
export function outcomeOf(rates: RateTable, paid: bigint, currency: string, outcome: string): bigint | undefined {
  return converted(rates, paid - times(paid, serviceFee), currency, outcome)
}

/** Returns whether the amount due is stated by a quote that has expired. A fixed rate and a named amount have none. */
export function isQuoteExpired(payment: PaymentRow, now: number): boolean {
  return payment.is_fixed_rate === 0 && payment.is_amount_given === 0 && hasEnded(payment.quote_until, now)
}

/** Returns what the whole price of a payment costs at the rates of the moment. */
export function wholeAt(rates: RateTable, payment: PaymentRow): bigint {
  const price = parseUnits(payment.price_amount, scaleOf(payment.price_currency))
  const coin = theCoin(payment.pay_currency)
  return quote(rates, price, payment.price_currency, coin, payment.is_fee_paid_by_user === 1)
}

/**
 * Replaces an expired quote: the part of the price that no deposit covers is quoted at the rates of the moment. Leaves a
 * quote that holds, and one of a payment whose refund is under way. RATE_UNAVAILABLE without fresh rates. Does not touch `updated_at`, which marks what callbacks report.
 */
export async function requoted(app: Gateway, tx: Tx, payment: PaymentRow): Promise<PaymentRow> {
  if (!isQuoteExpired(payment, tx.now) || (await isRefunding(tx, payment.id))) return payment
  const rates = await currentRates(app, tx)
  const coin = theCoin(payment.pay_currency)
  const whole = wholeAt(rates, payment)
  const { counted } = judge(await liveDeposits(tx, payment), await toleranceOf(tx, payment))
  const due = amountDue(whole, counted, coin)
  const change = {
    whole_amount: amountText(whole, coin.code),
    pay_amount: amountText(due, coin.code),
    // What was received so far is stated as it is; before anything came, what the whole will bring.
    ...(payment.actually_paid === '0'
      ? { outcome_amount: expectedOutcome(rates, due, coin.code, payment.outcome_currency) }
      : {}),
    quote_until: Math.min(tx.now + quoteMs, Math.max(payment.valid_until, tx.now)),
  }
  await savePayment(tx, payment.id, change)
  return { ...payment, ...change }
}

/** As `requoted`; without fresh rates the expired quote stands, since money that arrived waits for nobody's rates. */
export async function requotedIfPossible(app: Gateway, tx: Tx, payment: PaymentRow): Promise<PaymentRow> {
  try {
    return await requoted(app, tx, payment)
  } catch (error) {
    if (!isProblem(error, 'RATE_UNAVAILABLE')) throw error
    return payment
  }
}

/** Returns the share of the price that may be missing. */
export async function toleranceOf(reader: Reader, payment: PaymentRow) {
  const merchant = await merchantOf(reader, payment.merchant)
  return { numerator: BigInt(merchant?.tolerance_bps ?? 0), denominator: 10_000n }
}
