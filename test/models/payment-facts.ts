/** Parts of a model of payments: figures, coins and transitions from the pages, not from the program, and the state. */

const minute = 60_000
const day = 24 * 60 * minute
/** gateway-compat 5: the quote is held about 20 minutes, the address is watched about 7 days. */
export const quoteLength = 20 * minute
export const windowLength = 7 * day

/** The coins of the model: their networks as the simulated chains have them (docs/gateway.md, "Simulated chains"). */
export const coins = {
  usdttrc20: { asset: 'usdt', decimals: 6, precision: 6, blockMs: 3_000, depth: 19, fee: ['trx', '7'] },
  btc: { asset: 'btc', decimals: 8, precision: 8, blockMs: 600_000, depth: 2, fee: ['btc', '0.00002'] },
  eth: { asset: 'eth', decimals: 18, precision: 8, blockMs: 12_000, depth: 12, fee: ['eth', '0.0004'] },
} as const
export type CoinCode = keyof typeof coins

/** The smallest amount that a coin can be due. */
export const incrementOf = (coin: CoinCode) => 10n ** BigInt(coins[coin].decimals - coins[coin].precision)

/** ISO 4217: the decimals of prices. */
export const fiats = { usd: 2, jpy: 0 } as const
export type FiatCode = keyof typeof fiats
/** Currencies of a price: a payment into a sub-account has it in its own coin. */
export type PriceCode = FiatCode | CoinCode
export const decimalsOf = (code: PriceCode): number =>
  code in coins ? coins[code as CoinCode].decimals : fiats[code as FiatCode]

export const genesis = Date.UTC(2020, 0, 1)
export const heightAt = (coin: CoinCode, at: number) => Math.floor((at - genesis) / coins[coin].blockMs)
export const madeAt = (coin: CoinCode, block: number) => genesis + block * coins[coin].blockMs

/** The document's statuses, and the transitions between them drawn in docs/gateway.md. */
export const transitions: Readonly<Record<string, readonly string[]>> = {
  waiting: ['confirming', 'failed', 'expired'],
  confirming: ['waiting', 'confirmed', 'partially_paid', 'failed', 'expired'],
  partially_paid: ['confirming', 'failed', 'refunded', 'expired'],
  confirmed: ['sending', 'finished', 'refunded'],
  sending: ['finished'],
  finished: ['refunded'],
  expired: ['sending', 'finished', 'refunded'],
  failed: [],
  refunded: [],
}

export interface Tx {
  readonly number: number
  readonly kind: 'deposit' | 'settlement' | 'refund'
  readonly coin: CoinCode
  readonly units: bigint
  readonly isBad: boolean
  /** For a deposit the payment whose address it went to, otherwise the payment that it is sent for. */
  readonly to: Payment
  block: number
  isRemoved: boolean
  /** Time at which the chain changes it; null if it will not change. */
  newsAt: number | null
  state: 'unseen' | 'seen' | 'confirmed' | 'tainted' | 'removed' | 'queued' | 'sent' | 'done'
  owner: Payment | null
  /** Price in the coin when the deposit was detected. */
  whole: bigint
}

export interface Payment {
  id: number
  readonly parent: Payment | null
  readonly coin: CoinCode
  outcomeCoin: CoinCode
  readonly fiat: PriceCode
  readonly price: bigint
  /** True if its funds go to the sub-account of the model. */
  readonly isSub: boolean
  readonly isFixed: boolean
  readonly isGiven: boolean
  readonly isFeeOnTop: boolean
  readonly orderId: string | null
  readonly windowEnd: number
  status: string
  whole: bigint
  due: bigint
  quoteEnd: number
  paid: bigint
  worth: bigint
  outcome: bigint
  updatedAt: number
  isRefunding: boolean
  /** Expected contents of the callbacks, in order. */
  readonly callbacks: object[]
  /** Its transitions. */
  readonly transitions: string[]
}

export interface Terms {
  readonly coin: CoinCode
  readonly outcomeCoin: CoinCode
  readonly fiat: PriceCode
  readonly price: bigint
  readonly isSub: boolean
  readonly given: bigint | null
  readonly isFixed: boolean
  readonly isFeeOnTop: boolean
  readonly orderId: string | null
}

export function unitsOf(txs: readonly Tx[]): bigint {
  return txs.reduce((sum, { units }) => sum + units, 0n)
}
