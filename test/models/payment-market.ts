import { by, ceilTo, type Exact, exact, exactOf, floor, over } from './exact.ts'
import { type CoinCode, coins, type FiatCode, fiats, type Payment, stepOf } from './payment-facts.ts'

/** What things are worth, and what the service and the networks take. */
export class Market {
  readonly prices: Record<string, Exact>

  constructor(prices: Record<string, string>) {
    this.prices = Object.fromEntries(Object.entries(prices).map(([asset, text]) => [asset, exactOf(text)]))
  }

  setPrice(asset: string, usd: string): void {
    this.prices[asset] = exactOf(usd)
  }

  priceOf(asset: string): Exact {
    return this.prices[asset] ?? exact(1n)
  }

  /** Units of one currency in units of another. */
  converted(units: bigint, from: CoinCode | FiatCode, to: CoinCode | FiatCode): Exact {
    const assetOf = (code: CoinCode | FiatCode) => (code in fiats ? code : coins[code as CoinCode].asset)
    const scaleOf = (code: CoinCode | FiatCode) =>
      code in fiats ? fiats[code as FiatCode] : coins[code as CoinCode].decimals
    const dollars = over(by(exact(units), this.priceOf(assetOf(from))), exact(10n ** BigInt(scaleOf(from))))
    return by(over(dollars, this.priceOf(assetOf(to))), exact(10n ** BigInt(scaleOf(to))))
  }

  /** What the whole price costs in the coin now, cut up to what a payer can be asked for; with the fee of 0.5 % on top of it. */
  wholeNow({ price, fiat, coin, isFeeOnTop }: Pick<Payment, 'price' | 'fiat' | 'coin' | 'isFeeOnTop'>): bigint {
    const due = ceilTo(this.converted(price, fiat, coin), stepOf(coin))
    return isFeeOnTop ? ceilTo(exact(due * 1000n, 995n), stepOf(coin)) : due
  }

  /** What the merchant gets of an amount: less half a percent, which is cut in its favor. */
  outcomeOf(units: bigint, coin: CoinCode, outcomeCoin: CoinCode): bigint {
    const net = units - (units * 5n) / 1000n
    return coin === outcomeCoin ? net : floor(this.converted(net, coin, outcomeCoin))
  }

  transferFee(coin: CoinCode): bigint {
    const [asset, amount] = coins[coin].fee
    const dollars = by(exactOf(amount), this.priceOf(asset))
    const units = by(over(dollars, this.priceOf(coins[coin].asset)), exact(10n ** BigInt(coins[coin].decimals)))
    return ceilTo(units, stepOf(coin))
  }
}
