/** Limits, tokens, idempotency and callbacks. Source: 2-payment-gateway-api, "Limits", "Authentication", "Events". */

export const tokenMinutes = 5
/** Minimum retention of idempotency keys. */
export const idempotencyHours = 24
/**
 * "Events", delivery rules 1: exponential back-off, ten attempts unless the console sets another number. Figures that
 * the document does not define are ours (docs/decisions.md, "Callbacks of the gateway"): 10 seconds, each further delay
 * three times as long, up to a day, with jitter of up to a fifth; 1 to 20 attempts.
 */
export const ipn = {
  attempts: 10,
  firstWaitSeconds: 10,
  factor: 3,
  longestWaitSeconds: 86_400,
  jitter: 0.2,
  settable: { least: 1, most: 20 },
} as const
/** Numeric rates are not shown; ours: docs/decisions.md, "Requests and refusals of the gateway". */
export const rates = [
  { per: 'key', perSecond: 50, burst: 200 },
  { per: 'address', perSecond: 100, burst: 400 },
] as const
/** Compatibility, section 7: wrong codes for a batch, and the hour after which an unverified one is rejected. */
export const payoutVerification = { tries: 10, rejectedAfterMinutes: 60, digits: 6, periodSeconds: 30 } as const
/** Compatibility, section 5: a quote's and a payment's life. */
export const quoteMinutes = 20
export const validDays = 7
/** Compatibility, section 10: the days after which an unpaid subscription ends. */
export const subscriptionUnpaidDays = 7

/** "Events": headers of a callback. */
export const headers = {
  type: 'application/json',
  signature: 'x-gw-sig',
  compatible: 'x-compat-sig',
  hex: /^[0-9a-f]{128}$/,
} as const

/** "Events", delivery rules 1: true if a status acknowledges. */
export const acknowledges = [
  { status: 200, is: true },
  { status: 201, is: true },
  { status: 204, is: true },
  { status: 299, is: true },
  { status: 301, is: false },
  { status: 302, is: false },
  { status: 400, is: false },
  { status: 404, is: false },
  { status: 410, is: false },
  { status: 500, is: false },
  { status: 503, is: false },
] as const

/** "Events", delivery rules 3: callback URLs that are refused. */
export const refusedCallbacks = [
  'http://10.0.0.1/ipn',
  'https://10.0.0.1/ipn',
  'https://192.168.1.1/ipn',
  'https://172.16.0.1/ipn',
  'https://169.254.169.254/latest',
  'https://[fd00::1]/ipn',
  'https://[fe80::1]/ipn',
  'ftp://merchant.example/ipn',
  'not a url',
] as const
