import Type from 'typebox'
import type { Callback, Credential } from '../../../http/contract/contract.ts'
import { Conversion, Payment, Payout, Subscription, SubTransfer } from './schemas.ts'

/** Parts of the reference beyond the endpoints (2-payment-gateway-api, Errors and Events). */

export const credentials = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key of this environment.' },
  Token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token from POST /auth, valid for 5 minutes.',
  },
} as const satisfies Readonly<Record<string, Credential>>

export const accepts = { anyone: [], key: [['ApiKey']], login: [['ApiKey']], user: [['ApiKey', 'Token']] } as const

export const environments = {
  '/sandbox': 'The sandbox: testnets, with its own accounts, keys and IPN secrets.',
} as const

export const groups = {
  status: 'Status of the service.',
  auth: 'Tokens for endpoints that move or hold funds.',
  currencies: 'Enabled currencies.',
  'full-currencies': 'Enabled currencies with network, contract and precision.',
  merchant: "The merchant's own currencies.",
  estimate: 'Conversion at the current rate.',
  'min-amount': 'Minimum payment.',
  payment: 'Payments, each with its own deposit address.',
  invoice: 'Hosted invoices.',
  'invoice-payment': 'Payments of invoices.',
  balance: 'Custody balances.',
  payout: 'Payout batches and their verification.',
  'payout-withdrawal': 'Minimum payout.',
  conversion: 'Conversions between currencies.',
  'sub-partner': 'Sub-accounts: balances, transfers, payments.',
  subscriptions: 'Recurring payments and their plans.',
  'fiat-payouts': 'Fiat payouts: not supported.',
} as const

export const meanings = {
  INVALID_REQUEST_PARAMS: 'A parameter is missing or invalid.',
  INVALID_AMOUNT: 'Not a valid positive number for the currency.',
  INVALID_ADDRESS: "The address is invalid for the currency's network.",
  AMOUNT_TOO_SMALL: 'Below the minimum, which the message contains and GET /min-amount returns.',
  AMOUNT_TOO_LARGE: 'Above the maximum for the operation.',
  AMOUNT_OUT_OF_RANGE: 'Outside of the allowed range.',
  CURRENCY_UNAVAILABLE: 'The currency is not supported, or not enabled for the account.',
  RATE_UNAVAILABLE: 'No exchange rate is available: try again later.',
  AUTH_REQUIRED: 'The key is missing, or email or password is wrong.',
  INVALID_API_KEY: 'The key is unknown, revoked or for the other environment.',
  INVALID_TOKEN: 'The token is missing, invalid or expired: get a new one from POST /auth.',
  MFA_REQUIRED: 'A 2FA code is required.',
  INVALID_MFA_CODE: 'The 2FA code is wrong, expired or was already used.',
  FORBIDDEN: 'The key or the user lacks the permission, or the account is not verified yet.',
  IP_NOT_ALLOWED: "The source address is not on the key's allowlist.",
  NOT_FOUND: 'The object does not exist or belongs to another account.',
  CONFLICT: 'The state of the object does not allow it.',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used with a different request.',
  IDEMPOTENCY_IN_FLIGHT:
    'The first request with this Idempotency-Key is still being processed: retry after the time in Retry-After.',
  RATE_LIMITED: 'Too many requests with the key or from the address: retry after the time in Retry-After.',
  INSUFFICIENT_BALANCE: 'The available balance is too low.',
  LIMIT_EXCEEDED: "The account's limit for a single payout or for a day would be exceeded.",
  ADDRESS_NOT_WHITELISTED: 'The destination is not on the whitelist, or not the wallet registered in the console.',
  POOL_EXHAUSTED: 'No deposit address is available: try again shortly.',
  FROZEN: 'Operations of the account or of the whole platform are temporarily frozen.',
  POLICY_REJECTED: 'The signing policy rejects it, for example because the destination is on a sanctions list.',
  NOT_SUPPORTED: 'Not supported, such as fiat payouts.',
  UPSTREAM_ERROR: 'A chain or the price source failed: try again later.',
  INTERNAL_ERROR: 'Internal error: try again later.',
} as const

/** Header of every endpoint that creates something. */
export const creatingHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'The same key and body return the first response again; a different body is rejected. Kept for 48 hours. Keys are unique per merchant.',
    }),
  ),
})

const signature = Type.String({
  description: "Lower-case hex HMAC-SHA512 of the raw body with the merchant's IPN secret.",
})
const headers = Type.Object({
  'x-gw-sig': signature,
  'x-compat-sig': Type.Optional(
    Type.String({
      description:
        'A copy of x-gw-sig while the compatibility option is on. The merchant can choose another name for this header.',
    }),
  ),
})

const { subscriber: _inside, ...subscription } = Subscription.properties

/** Callbacks to merchants, one for every change of a status. */
export const callbacks: Readonly<Record<string, Callback>> = {
  payment: {
    summary: 'A payment has a new status',
    description:
      'The body is GET /payment/{payment_id} at that moment, with sorted keys and no white space: verify the raw bytes. Any 2xx acknowledges it. Everything else is retried with growing delays, ten times unless the merchant set another number. Callbacks can be duplicated and arrive in any order.',
    headers,
    body: Payment,
  },
  payout: { summary: 'A payout of a batch has a new status', headers, body: Payout },
  conversion: { summary: 'A conversion is finished', headers, body: Conversion },
  transfer: { summary: "A transfer between the merchant's accounts is finished", headers, body: SubTransfer },
  subscription: {
    summary: 'A subscription has a new status',
    headers,
    body: Type.Object({
      ...subscription,
      sub_partner_id: Type.Optional(Type.String({ description: 'The charged sub-account.' })),
      email: Type.Optional(Type.String({ description: 'The recipient of the bills, if no sub-account is charged.' })),
      currency: Type.String(),
      amount: Type.String(),
      ipn_callback_url: Type.Union([Type.String(), Type.Null()]),
    }),
  },
}
