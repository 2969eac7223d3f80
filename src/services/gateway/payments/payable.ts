import type { MerchantRow } from '../../../db/schema/gateway.ts'
import type { Reader } from '../../../db/store.ts'
import type { Coin } from '../../../domain/chains/coins.ts'
import { larger } from '../../../domain/money.ts'
import { amountText, truncated } from '../../../domain/payments/amounts.ts'
import { converted, maximumIn, minimumIn, type RateTable } from '../../../domain/payments/rates.ts'
import { isProblem, type Problem } from '../../../kit/problem.ts'
import { refuse } from '../api/contract.ts'
import { atLeast, enabledCoinsOf, priced } from '../rates/currencies.ts'
import { latestRates } from '../rates/rates.ts'
import type { Gateway } from '../service.ts'
import { checkPrice } from './payments.ts'

/**
 * Checks that at least one of the merchant's coins can pay a price. Throws AMOUNT_TOO_SMALL with the minimum,
 * AMOUNT_TOO_LARGE with the maximum, RATE_UNAVAILABLE, or CURRENCY_UNAVAILABLE for an account without coins.
 */
export async function checkPayable(
  app: Gateway,
  reader: Reader,
  merchant: MerchantRow,
  { price, currency, isFeePaidByUser }: { price: bigint; currency: string; isFeePaidByUser: boolean },
): Promise<void> {
  const enabled = await enabledCoinsOf(reader, merchant.id)
  if (enabled.length === 0) throw refuse('CURRENCY_UNAVAILABLE', 'No currency is enabled for the account')
  // Nothing is quoted yet, so prices that are too old to trade on are sufficient for the check.
  const rates = await latestRates(app, reader)
  const refused = new Set<string>()
  for (const coin of enabled) {
    const problem = problemFrom(() => checkPrice(rates, price, currency, { coin, isFeePaidByUser }))
    if (problem === undefined) return
    refused.add(problem.code)
  }
  if (refused.has('AMOUNT_TOO_SMALL')) throw tooSmall(rates, enabled, currency)
  if (refused.has('AMOUNT_TOO_LARGE')) throw tooLarge(rates, enabled, currency)
  throw refuse('RATE_UNAVAILABLE', `No exchange rate is available for ${currency}: try again later`)
}

function problemFrom(check: () => void): Problem | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!isProblem(error)) throw error
    return error
  }
}

function tooSmall(rates: RateTable, enabled: readonly Coin[], currency: string): Problem {
  // One coin was below its minimum, so the currency has a price. Coins without a price are skipped.
  const minimums = enabled
    .flatMap((coin) => {
      const minimum = minimumIn(rates, coin)
      return minimum === undefined ? [] : [{ coin, units: atLeast(rates, minimum, coin.code, currency) }]
    })
    .reduce((best, each) => (each.units < best.units ? each : best))
  const limit = amountText(minimums.units, currency)
  return refuse('AMOUNT_TOO_SMALL', `The minimum payment is ${limit} ${currency}, paid in ${minimums.coin.code}`, {
    limit,
  })
}

function tooLarge(rates: RateTable, enabled: readonly Coin[], currency: string): Problem {
  const max = enabled
    .flatMap((coin) => {
      const maximum = maximumIn(rates, coin)
      return maximum === undefined ? [] : [priced(converted(rates, maximum, coin.code, currency))]
    })
    .reduce((best, each) => larger(best, each))
  const limit = amountText(truncated(max, currency), currency)
  return refuse('AMOUNT_TOO_LARGE', `The maximum payment is ${limit} ${currency}`, { limit })
}
