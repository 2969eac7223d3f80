import { by, ceilTo, type Exact, exact, exactOf, floor, over } from './exact.ts'
import {
  type CoinCode,
  coins,
  decimalsOf,
  incrementOf,
  type Payment,
  type PriceCode,
  type Terms,
} from './payment-facts.ts'

/** Prices older than this stop all trades once they age (docs/gateway.md, "Provoke error codes"). */
const oldest = 10 * 60_000

/** Values of the coins, the fees of the service and the networks, and the merchant's accounts; null for a missing price. */
export class Market {
  readonly prices: Record<string, Exact | null>
  /** Time of the prices; null while they stand still. */
  asOf: number | null = null
  /** Units by `kind/coin`: the accounts of the merchant. */
  readonly accounts = new Map<string, bigint>()

  constructor(prices: Record<string, string>) {
    this.prices = Object.fromEntries(Object.entries(prices).map(([asset, text]) => [asset, exactOf(text)]))
  }

  setPrice(asset: string, usd: string | null): void {
    this.prices[asset] = usd === null ? null : exactOf(usd)
  }

  isFreshAt(now: number): boolean {
    return this.asOf === null || now - this.asOf <= oldest
  }

  priceOf(asset: string): Exact | null {
    return this.prices[asset] ?? null
  }

  /** Converts units of one currency to another; the same currency needs no price. */
  converted(units: bigint, from: PriceCode, to: PriceCode): Exact | null {
    if (from === to) return exact(units)
    const assetOf = (code: PriceCode) => (code in coins ? coins[code as CoinCode].asset : code)
    const [one, other] = [this.priceOf(assetOf(from)), this.priceOf(assetOf(to))]
    if (one === null || other === null) return null
    const dollars = over(by(exact(units), one), exact(10n ** BigInt(decimalsOf(from))))
    return by(over(dollars, other), exact(10n ** BigInt(decimalsOf(to))))
  }

  /** Returns the whole price in the coin now, rounded up to the precision of payers; with the fee of 0.5 % added. */
  wholeNow({ price, fiat, coin, isFeeOnTop }: Pick<Payment, 'price' | 'fiat' | 'coin' | 'isFeeOnTop'>): bigint | null {
    const exactly = this.converted(price, fiat, coin)
    if (exactly === null) return null
    const due = ceilTo(exactly, incrementOf(coin))
    return isFeeOnTop ? ceilTo(exact(due * 1000n, 995n), incrementOf(coin)) : due
  }

  /** Returns the merchant's part of an amount: less half a percent, which is rounded in its favor. */
  outcomeOf(units: bigint, coin: CoinCode, outcomeCoin: CoinCode): bigint | null {
    const net = this.converted(units - (units * 5n) / 1000n, coin, outcomeCoin)
    return net === null ? null : floor(net)
  }

  transferFee(coin: CoinCode): bigint | null {
    const [asset, amount] = coins[coin].fee
    if (asset === coins[coin].asset)
      return ceilTo(by(exactOf(amount), exact(10n ** BigInt(coins[coin].decimals))), incrementOf(coin))
    const [native, own] = [this.priceOf(asset), this.priceOf(coins[coin].asset)]
    if (native === null || own === null) return null
    const dollars = by(exactOf(amount), native)
    return ceilTo(by(over(dollars, own), exact(10n ** BigInt(coins[coin].decimals))), incrementOf(coin))
  }

  /** Returns whether a payment can be quoted: with fresh prices of all that it needs. */
  isQuotable({ coin, outcomeCoin, fiat, given }: Terms, now: number): boolean {
    const needed = [
      // The smallest payment depends on dollars and on the network's fee.
      this.converted(1n, 'usd', coin),
      this.transferFee(coin),
      this.converted(1n, coin, outcomeCoin),
      ...(given === null ? [this.converted(1n, fiat, coin)] : []),
    ]
    return this.isFreshAt(now) && needed.every((each) => each !== null)
  }

  account = (kind: string, coin: CoinCode): bigint => this.accounts.get(`${kind}/${coin}`) ?? 0n

  book(kind: string, coin: CoinCode, units: bigint): void {
    this.accounts.set(`${kind}/${coin}`, this.account(kind, coin) + units)
  }

  fund(coin: CoinCode, text: string): void {
    const { n, d } = by(exactOf(text), exact(10n ** BigInt(coins[coin].decimals)))
    this.book('available', coin, n / d)
  }
}
