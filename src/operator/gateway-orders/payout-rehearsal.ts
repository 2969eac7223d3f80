import { Decimal } from 'decimal.js'
import { decimalTextOf } from '../../domain/payments/amounts.ts'
import type { Client } from '../../http/contract/contract.ts'
import { isProblem } from '../../kit/problem.ts'
import type { gateway } from '../../services/gateway/api/contract.ts'
import type { PayoutItemInput } from '../../services/gateway/api/schemas.ts'

/** Read-only gateway calls about payouts. */
export type RehearsalSource = Pick<
  Client<typeof gateway>,
  'validateAddress' | 'payoutMinimum' | 'payoutFee' | 'balance'
>

/** Required amount of a coin, as decimal text. */
export interface CoinNeed {
  readonly currency: string
  readonly payouts: number
  readonly amount: string
  /** Network fees, in addition. */
  readonly fees: string
  readonly total: string
  readonly available: string
  readonly minimum: string
}

/** An error that the platform would return. `item` is the index in the batch, or null for all payouts of a coin. */
export interface RehearsalFault {
  readonly item: number | null
  readonly code: string
  readonly message: string
}

export interface Rehearsal {
  readonly needs: readonly CoinNeed[]
  readonly faults: readonly RehearsalFault[]
}

/** Enough digits to add amounts without rounding. */
const Exact = Decimal.clone({ precision: 80 })
/** Number of addresses checked in parallel. */
const atOnce = 4

/**
 * Checks a batch with the platform without creating it: every address, the minimum payout, the network fees, the balance.
 * Whitelist and account limits cannot be checked in advance.
 */
export async function rehearsePayouts(source: RehearsalSource, items: readonly PayoutItemInput[]): Promise<Rehearsal> {
  const [bad, balance] = [await badAddresses(source, items), await source.balance({})]
  const faults: RehearsalFault[] = []
  const needs: CoinNeed[] = []
  for (const [currency, ofCoin] of Map.groupBy(placed(items), ({ currency }) => currency)) {
    const first = ofCoin[0]?.amount ?? '0'
    let prices: { fee: InstanceType<typeof Exact>; minimum: InstanceType<typeof Exact> }
    try {
      const [{ fee }, { result }] = await Promise.all([
        source.payoutFee({ query: { currency, amount: first } }),
        source.payoutMinimum({ params: { coin: currency } }),
      ])
      prices = { fee: exact(fee), minimum: exact(result) }
    } catch (error) {
      if (!isProblem(error) || !isAboutCoin(error.code)) throw error
      faults.push(...ofCoin.map(({ at }) => ({ item: at, code: error.code, message: error.message })))
      continue
    }
    const { fee, minimum } = prices
    for (const { at, address, amount } of ofCoin) {
      const because = bad.get(`${currency} ${address}`)
      if (because !== undefined) faults.push({ item: at, ...because })
      if (exact(amount).lt(minimum))
        faults.push({
          item: at,
          code: 'AMOUNT_TOO_SMALL',
          message: `The minimum payout is ${minimum.toFixed()} ${currency}`,
        })
    }
    const amount = ofCoin.reduce((sum, each) => sum.plus(each.amount), new Exact(0))
    const fees = fee.times(ofCoin.length)
    const total = amount.plus(fees)
    const available = exact(balance[currency]?.amount ?? 0)
    if (total.gt(available))
      faults.push({
        item: null,
        code: 'INSUFFICIENT_BALANCE',
        message: `The batch needs ${total.toFixed()} ${currency} including network fees, but only ${available.toFixed()} is available`,
      })
    needs.push({
      currency,
      payouts: ofCoin.length,
      amount: amount.toFixed(),
      fees: fees.toFixed(),
      total: total.toFixed(),
      available: available.toFixed(),
      minimum: minimum.toFixed(),
    })
  }
  return { needs, faults: faults.sort((a, b) => (a.item ?? items.length) - (b.item ?? items.length)) }
}

/** Errors about the coin, not about authentication or availability. */
const isAboutCoin = (code: string) =>
  ['CURRENCY_UNAVAILABLE', 'INVALID_REQUEST_PARAMS', 'INVALID_AMOUNT', 'NOT_FOUND'].includes(code)

/** Converts a number of a response by its shortest text. */
const exact = (value: number | string) => new Exact(typeof value === 'string' ? value : (decimalTextOf(value) ?? value))

function placed(items: readonly PayoutItemInput[]) {
  return items.map(({ address, currency, amount }, at) => ({
    at,
    address: String(address),
    currency: String(currency).toLowerCase(),
    amount: String(amount),
  }))
}

/** Validates each distinct address. */
async function badAddresses(source: RehearsalSource, items: readonly PayoutItemInput[]) {
  const unique = [...new Map(placed(items).map((item) => [`${item.currency} ${item.address}`, item])).entries()]
  const bad = new Map<string, { code: string; message: string }>()
  for (let i = 0; i < unique.length; i += atOnce)
    await Promise.all(
      unique.slice(i, i + atOnce).map(async ([key, { address, currency }]) => {
        try {
          await source.validateAddress({ body: { address, currency } })
        } catch (error) {
          // Errors about a coin are reported with its prices.
          if (!isProblem(error) || !(error.code === 'INVALID_ADDRESS' || isAboutCoin(error.code))) throw error
          if (error.code === 'INVALID_ADDRESS') bad.set(key, { code: error.code, message: error.message })
        }
      }),
    )
  return bad
}
