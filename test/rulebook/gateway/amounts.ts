/**
 * Amounts, minimums and fees. Source: 2-payment-gateway-api, "What the service does" 6 and "Currency detail";
 * compatibility, sections 3 to 5. Shares that the documents do not define: docs/decisions.md, "Payments and invoices".
 */

/** The decimals of each coin on its chain, which full-currencies returns as network_precision. */
export const coinDecimals = {
  eth: 18,
  usdc: 6,
  bnbbsc: 18,
  usdtbsc: 18,
  maticmainnet: 18,
  usdcmatic: 6,
  avax: 18,
  usdcavax: 6,
  etharb: 18,
  usdcarb: 6,
  ethbase: 18,
  usdcbase: 6,
  ethop: 18,
  usdcop: 6,
  trx: 6,
  usdttrc20: 6,
  sol: 9,
  usdcsol: 6,
  btc: 8,
} as const

/** Fiat currencies with their decimals (ISO 4217). */
export const fiatDecimals = {
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
} as const

/** The share of a payment that the service keeps, and the shares of the price that may be missing. */
export const serviceFeePercent = 0.5
export const tolerancePercent = { default: 0.5, least: 0, most: 10 } as const

/** Deposits for a payment of 100 usdttrc20 at tolerances, by whether they complete it. */
export const tolerances = [
  { percent: null, amount: '99.5', completes: true },
  { percent: null, amount: '99.499999', completes: false },
  { percent: null, amount: '100', completes: true },
  { percent: 0, amount: '100', completes: true },
  { percent: 0, amount: '99.999999', completes: false },
  { percent: 10, amount: '90', completes: true },
  { percent: 10, amount: '89.999999', completes: false },
] as const

/** Payouts in a fiat currency are not supported, in any currency. */
export const fiatPayouts = ['usd', 'EUR', 'jpy', 'CHF', 'brl'] as const
