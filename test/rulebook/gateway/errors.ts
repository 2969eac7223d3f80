/** Errors. Source: 2-payment-gateway-api, "Errors" and "Error body". */

/** "Errors": codes with their HTTP status. */
export const errors = {
  INVALID_REQUEST_PARAMS: 400,
  INVALID_AMOUNT: 400,
  INVALID_ADDRESS: 400,
  AMOUNT_TOO_SMALL: 400,
  AMOUNT_TOO_LARGE: 400,
  AMOUNT_OUT_OF_RANGE: 400,
  CURRENCY_UNAVAILABLE: 400,
  RATE_UNAVAILABLE: 503,
  AUTH_REQUIRED: 401,
  INVALID_API_KEY: 403,
  INVALID_TOKEN: 401,
  MFA_REQUIRED: 401,
  INVALID_MFA_CODE: 403,
  FORBIDDEN: 403,
  IP_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  IDEMPOTENCY_IN_FLIGHT: 409,
  RATE_LIMITED: 429,
  INSUFFICIENT_BALANCE: 400,
  LIMIT_EXCEEDED: 400,
  ADDRESS_NOT_WHITELISTED: 400,
  POOL_EXHAUSTED: 503,
  FROZEN: 423,
  POLICY_REJECTED: 403,
  NOT_SUPPORTED: 501,
  UPSTREAM_ERROR: 502,
  INTERNAL_ERROR: 500,
} as const

/**
 * Codes that never occur by themselves in a world, because others name the fault more exactly; an injected fault
 * returns them to test a client (docs/decisions.md).
 */
export const byFaultAlone = ['AMOUNT_OUT_OF_RANGE', 'UPSTREAM_ERROR'] as const

/** "Error body": its keys, in order, and the value of the first. */
export const errorBody = { keys: ['status', 'statusCode', 'code', 'message'], status: false } as const

/**
 * Endpoints with their required credentials: none, the API key, or the key and the bearer token. "Endpoints",
 * "Authentication" and gateway compatibility, section 0. The ids in paths do not exist.
 */
export const access = [
  { endpoint: 'GET /status', needs: 'none' },
  { endpoint: 'GET /currencies', needs: 'key' },
  { endpoint: 'GET /currencies/btc', needs: 'key' },
  { endpoint: 'GET /full-currencies', needs: 'key' },
  { endpoint: 'GET /merchant/coins', needs: 'key' },
  { endpoint: 'GET /estimate?amount=1&currency_from=usd&currency_to=btc', needs: 'key' },
  { endpoint: 'GET /min-amount?currency_from=btc', needs: 'key' },
  { endpoint: 'POST /payment', needs: 'key' },
  { endpoint: 'GET /payment/999999999', needs: 'key' },
  { endpoint: 'GET /payment/', needs: 'key' },
  { endpoint: 'POST /payment/999999999/update-merchant-estimate', needs: 'key' },
  { endpoint: 'POST /invoice', needs: 'key' },
  { endpoint: 'GET /invoice', needs: 'key' },
  { endpoint: 'GET /invoice/999999999', needs: 'key' },
  { endpoint: 'POST /invoice-payment', needs: 'key' },
  { endpoint: 'GET /balance', needs: 'key' },
  { endpoint: 'POST /payout/validate-address', needs: 'key' },
  { endpoint: 'POST /payout', needs: 'key + JWT' },
  { endpoint: 'POST /payout/999999999/verify', needs: 'key + JWT' },
  { endpoint: 'POST /payout/999999999/cancel', needs: 'key + JWT' },
  { endpoint: 'POST /payout/999999999/cancel-batch', needs: 'key + JWT' },
  { endpoint: 'GET /payout/999999999', needs: 'key' },
  { endpoint: 'GET /payout', needs: 'key' },
  { endpoint: 'GET /payout/fee?currency=btc&amount=1', needs: 'key' },
  { endpoint: 'GET /payout-withdrawal/min-amount/btc', needs: 'key' },
  { endpoint: 'POST /conversion', needs: 'key + JWT' },
  { endpoint: 'GET /conversion', needs: 'key + JWT' },
  { endpoint: 'GET /conversion/999999999', needs: 'key + JWT' },
  { endpoint: 'POST /sub-partner/balance', needs: 'key + JWT' },
  { endpoint: 'GET /sub-partner/balance/999999999', needs: 'key' },
  { endpoint: 'GET /sub-partner', needs: 'key + JWT' },
  { endpoint: 'GET /sub-partner/transfers', needs: 'key + JWT' },
  { endpoint: 'GET /sub-partner/transfer/999999999', needs: 'key + JWT' },
  { endpoint: 'POST /sub-partner/transfer', needs: 'key + JWT' },
  { endpoint: 'POST /sub-partner/deposit', needs: 'key + JWT' },
  { endpoint: 'POST /sub-partner/write-off', needs: 'key + JWT' },
  { endpoint: 'POST /sub-partner/payment', needs: 'key + JWT' },
  { endpoint: 'GET /sub-partner/payments', needs: 'key + JWT' },
  { endpoint: 'POST /subscriptions/plans', needs: 'key + JWT' },
  { endpoint: 'PATCH /subscriptions/plans/999999999', needs: 'key + JWT' },
  { endpoint: 'GET /subscriptions/plans/999999999', needs: 'key' },
  { endpoint: 'GET /subscriptions/plans', needs: 'key' },
  { endpoint: 'POST /subscriptions', needs: 'key + JWT' },
  { endpoint: 'GET /subscriptions', needs: 'key' },
  { endpoint: 'GET /subscriptions/999999999', needs: 'key' },
  { endpoint: 'DELETE /subscriptions/999999999', needs: 'key + JWT' },
] as const

/** "What the service does" 7 and compatibility, section 10: fiat payouts are 501 everywhere. */
export const notSupported = [
  'GET /fiat-payouts/providers',
  'GET /fiat-payouts/fiat-currencies',
  'GET /fiat-payouts/crypto-currencies',
  'GET /fiat-payouts/payment-methods',
  'GET /fiat-payouts/accounts',
  'GET /fiat-payouts',
  'POST /fiat-payouts',
  'POST /fiat-payouts/account',
  'PATCH /fiat-payouts/account/999999999',
  'GET /fiat-payouts/rates',
] as const

/**
 * Objects that do not exist: 404; an id of a payment that is no number: 400. "Errors" and compatibility, sections 1 and
 * 5.
 */
export const missing = [
  { endpoint: 'GET /payment/999999999', code: 'NOT_FOUND' },
  { endpoint: 'GET /payment/abc', code: 'INVALID_REQUEST_PARAMS' },
  { endpoint: 'GET /payout/999999999', code: 'NOT_FOUND' },
  { endpoint: 'GET /conversion/999999999', code: 'NOT_FOUND' },
  { endpoint: 'GET /conversion/abc', code: 'NOT_FOUND' },
  { endpoint: 'GET /sub-partner/transfer/999999999', code: 'NOT_FOUND' },
  { endpoint: 'GET /sub-partner/balance/999999999', code: 'NOT_FOUND' },
  { endpoint: 'GET /subscriptions/plans/999999999', code: 'NOT_FOUND' },
  { endpoint: 'GET /subscriptions/999999999', code: 'NOT_FOUND' },
  { endpoint: 'DELETE /subscriptions/999999999', code: 'NOT_FOUND' },
  { endpoint: 'GET /invoice/999999999', code: 'NOT_FOUND' },
  { endpoint: 'GET /currencies/none', code: 'NOT_FOUND|CURRENCY_UNAVAILABLE' },
  { endpoint: 'POST /payout/999999999/cancel', code: 'NOT_FOUND' },
  { endpoint: 'POST /payout/999999999/cancel-batch', code: 'NOT_FOUND' },
  { endpoint: 'POST /payment/999999999/update-merchant-estimate', code: 'NOT_FOUND' },
  { endpoint: 'GET /nothing', code: 'NOT_FOUND' },
] as const

/** Requests that are refused, with the code of each. The other fields are valid. */
export const refusedPayments = [
  { change: { price_amount: undefined }, code: 'INVALID_REQUEST_PARAMS|INVALID_AMOUNT' },
  { change: { price_currency: undefined }, code: 'INVALID_REQUEST_PARAMS' },
  { change: { pay_currency: undefined }, code: 'INVALID_REQUEST_PARAMS' },
  { change: { price_amount: 0 }, code: 'INVALID_AMOUNT' },
  { change: { price_amount: -1 }, code: 'INVALID_AMOUNT' },
  { change: { price_amount: 'ten' }, code: 'INVALID_AMOUNT' },
  { change: { price_amount: '' }, code: 'INVALID_AMOUNT|INVALID_REQUEST_PARAMS' },
  { change: { pay_currency: 'doge1' }, code: 'CURRENCY_UNAVAILABLE' },
  { change: { price_currency: 'xyz' }, code: 'CURRENCY_UNAVAILABLE' },
  { change: { price_amount: 0.000001 }, code: 'INVALID_AMOUNT' },
  { change: { price_amount: 0.01 }, code: 'AMOUNT_TOO_SMALL' },
] as const
