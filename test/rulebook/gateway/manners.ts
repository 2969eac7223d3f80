/** Formats that clients of the compatible gateway send. Source: gateway compatibility, sections 1, 3, 4 and 7. */

/** 1, 1 and 2: roots and slashes with the same response. */
export const spellings = [
  ...['/api/v1/currencies', '/v1/currencies', '/api/v1/currencies/', '/v1/currencies/'],
  ...['/api/v1/currencies?fixed_rate=true', '/v1/currencies/?fixed_rate=true'],
] as const

/** 1, 6: truth values in queries. */
export const truths = ['true', 'True', 'TRUE', 'false', 'False', 'FALSE'] as const

/** 1, 3: calls without a body, whose content type is still JSON. */
export const bodiless = [
  { endpoint: 'GET /currencies', status: 200 },
  { endpoint: 'POST /payment/{payment}/update-merchant-estimate', status: 200 },
  { endpoint: 'POST /payout/{item}/cancel', status: 200 },
  { endpoint: 'DELETE /subscriptions/{subscription}', status: 200 },
] as const

/** 1, 6: an amount and a ticker as they arrive, and as they are returned. */
export const amounts = [
  { sent: 10, answered: 10 },
  { sent: '10', answered: 10 },
  { sent: '10.00000000', answered: 10 },
  { sent: '10.50', answered: 10.5 },
  { sent: 10.5, answered: 10.5 },
  // "Rounded to the currency's precision".
  { sent: 30.000000000000004, answered: 30 },
] as const
export const tickers = [
  { pay_currency: 'USDTTRC20', price_currency: 'USD' },
  { pay_currency: 'UsdtTrc20', price_currency: 'Usd' },
  { pay_currency: 'usdttrc20', price_currency: 'usd' },
] as const

/** 1, 6: order ids arrive as texts and as numbers. */
export const orderIds = [
  { sent: 'A-1', answered: 'A-1' },
  { sent: 17, answered: '17' },
  { sent: 'with/slash é', answered: 'with/slash é' },
] as const

/** 1, 7: routes that also accept forms. */
export const forms = [
  { endpoint: 'POST /payment', form: 'price_amount=10&price_currency=usd&pay_currency=trx', status: 201 },
  { endpoint: 'POST /invoice', form: 'price_amount=10&price_currency=usd', status: 201 },
  { endpoint: 'POST /invoice-payment', form: 'iid={invoice}&pay_currency=trx', status: 201 },
  {
    endpoint: 'POST /payout/validate-address',
    form: 'address=TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH&currency=usdttrc20',
    status: 200,
  },
] as const

/** 1, 8: unknown fields and parameters are ignored; `fixed_rate` is another name of `is_fixed_rate`. */
export const unknown = { source: 'plugin', whatever: { a: [1] }, case: null } as const

/** 1, 10: ids are decimal digits, about 8 to 10 of them. */
export const id = /^[0-9]{8,11}$/

/** 1, 12. */
export const contentType = /^application\/json; charset=utf-8$/i

/** 7: verify and validate-address return this JSON text. */
export const ok = '"OK"'
