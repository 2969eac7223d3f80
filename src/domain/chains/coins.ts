import type { GatewayEnvironment, NetworkCode } from './networks.ts'

/** The currencies customers pay in (2-payment-gateway-api, currency codes) and the fiat currencies prices are made in. */

export interface Coin {
  readonly code: string
  readonly name: string
  readonly network: NetworkCode
  /** Decimals of the chain: the scale of the coin's units. */
  readonly decimals: number
  /** Decimals of amounts that we compute. A JSON number carries these exactly, unlike a chain's eighteen. */
  readonly precision: number
  /** The token's contract by environment; null for a network's own coin. */
  readonly contract: Readonly<Record<GatewayEnvironment, string>> | null
  /** Name in the rates table: ether has one price on six networks. */
  readonly asset: string
}

export const coins: readonly Coin[] = [
  native('eth', 'Ether', 'eth', 18, 'eth'),
  token('usdc', 'USD Coin', 'eth', 6, 'usdc', {
    production: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    sandbox: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
  }),
  native('bnbbsc', 'BNB', 'bsc', 18, 'bnb'),
  token('usdtbsc', 'Tether USD (BSC)', 'bsc', 18, 'usdt', {
    production: '0x55d398326f99059fF775485246999027B3197955',
    sandbox: '0x337610d27c682E347C9cD60BD4b3b107C9d34dDd',
  }),
  native('maticmainnet', 'Polygon', 'matic', 18, 'matic'),
  token('usdcmatic', 'USD Coin (Polygon)', 'matic', 6, 'usdc', {
    production: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    sandbox: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582',
  }),
  native('avax', 'Avalanche', 'avaxc', 18, 'avax'),
  token('usdcavax', 'USD Coin (Avalanche)', 'avaxc', 6, 'usdc', {
    production: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
    sandbox: '0x5425890298aed601595a70AB815c96711a31Bc65',
  }),
  native('etharb', 'Ether (Arbitrum)', 'arbitrum', 18, 'eth'),
  token('usdcarb', 'USD Coin (Arbitrum)', 'arbitrum', 6, 'usdc', {
    production: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    sandbox: '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d',
  }),
  native('ethbase', 'Ether (Base)', 'base', 18, 'eth'),
  token('usdcbase', 'USD Coin (Base)', 'base', 6, 'usdc', {
    production: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    sandbox: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  }),
  native('ethop', 'Ether (Optimism)', 'op', 18, 'eth'),
  token('usdcop', 'USD Coin (Optimism)', 'op', 6, 'usdc', {
    production: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    sandbox: '0x5fd84259d66Cd46123540766Be93DFE6D43130D7',
  }),
  native('trx', 'Tron', 'trx', 6, 'trx'),
  token('usdttrc20', 'Tether USD (TRON)', 'trx', 6, 'usdt', {
    production: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    sandbox: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf',
  }),
  native('sol', 'Solana', 'sol', 9, 'sol'),
  token('usdcsol', 'USD Coin (Solana)', 'sol', 6, 'usdc', {
    production: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    sandbox: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  }),
  native('btc', 'Bitcoin', 'btc', 8, 'btc'),
]

/** The fiat currencies a price can be in. */
export const fiats = ['usd', 'eur', 'gbp', 'jpy', 'twd', 'thb', 'krw', 'vnd', 'php', 'myr'] as const
/** Scale of fiat units in sums. Amounts have the decimals of their currency, which are never more. */
export const fiatScale = 2
/** Decimals of each currency (ISO 4217, minor units). */
const fiatDecimals: Readonly<Record<(typeof fiats)[number], number>> = {
  usd: 2,
  eur: 2,
  gbp: 2,
  jpy: 0,
  twd: 2,
  thb: 2,
  krw: 0,
  vnd: 0,
  php: 2,
  myr: 2,
}

function native(code: string, name: string, network: NetworkCode, decimals: number, asset: string): Coin {
  return { code, name, network, decimals, precision: Math.min(8, decimals), contract: null, asset }
}

function token(
  code: string,
  name: string,
  network: NetworkCode,
  decimals: number,
  asset: string,
  contract: Record<GatewayEnvironment, string>,
): Coin {
  return { code, name, network, decimals, precision: Math.min(6, decimals), contract, asset }
}

const byCode = new Map(coins.map((coin) => [coin.code, coin]))

/** Returns the coin with this code, in any case. */
export function coinOf(code: string): Coin | undefined {
  return byCode.get(code.toLowerCase())
}

/** Returns whether prices can be in a fiat currency of this code. */
export function isFiat(code: string): boolean {
  return fiats.some((fiat) => fiat === code.toLowerCase())
}

/** Returns the decimals of amounts in a fiat currency. */
export function fiatDecimalsOf(code: string): number {
  const fiat = fiats.find((each) => each === code.toLowerCase())
  return fiat === undefined ? fiatScale : fiatDecimals[fiat]
}

/** Returns the contract that a deposit of this coin must name; null for the network's own coin. */
export function contractOf(coin: Coin, environment: GatewayEnvironment): string | null {
  return coin.contract?.[environment] ?? null
}
