import Type from 'typebox'
import type { Callback, Credential } from '../../../http/contract/contract.ts'
import { Conversion, Payment, Payout, Subscription, SubTransfer } from './schemas.ts'

/** What the reference says of the gateway beyond its endpoints (2-payment-gateway-api, Errors and Events). */

export const credentials = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key of this environment.' },
  Token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token of POST /auth, valid for 5 minutes.',
  },
} as const satisfies Readonly<Record<string, Credential>>

export const accepts = { anyone: [], key: [['ApiKey']], login: [['ApiKey']], user: [['ApiKey', 'Token']] } as const

export const environments = {
  '/sandbox': 'The sandbox: testnets, with its own accounts, keys and IPN secrets.',
} as const

export const groups = {
  status: 'Whether the service is up.',
  auth: 'Tokens for what moves or holds funds.',
  currencies: 'Enabled currencies.',
  'full-currencies': 'Enabled currencies with network, contract and precision.',
  merchant: "The merchant's own currencies.",
  estimate: 'Conversion at the current rate.',
  'min-amount': 'The smallest payment.',
  payment: 'Payments, each with its own deposit address.',
  invoice: 'Hosted invoices.',
  'invoice-payment': 'Payments of invoices.',
  balance: 'Custody balances.',
  payout: 'Payout batches and their verification.',
  'payout-withdrawal': 'The smallest payout.',
  conversion: 'Conversions between currencies.',
  'sub-partner': 'Sub-accounts: balances, transfers, payments.',
  subscriptions: 'Recurring payments and their plans.',
  'fiat-payouts': 'Fiat payouts: not supported.',
} as const

export const meanings = {
  INVALID_REQUEST_PARAMS: 'A parameter is missing or invalid.',
  INVALID_AMOUNT: 'Not a valid positive number for the currency.',
  INVALID_ADDRESS: "The address is invalid for the currency's network.",
  AMOUNT_TOO_SMALL: 'Below the minimum, which the message names and GET /min-amount tells.',
  AMOUNT_TOO_LARGE: 'Above the maximum for the operation.',
  AMOUNT_OUT_OF_RANGE: 'Outside of the allowed range.',
  CURRENCY_UNAVAILABLE: 'The currency is not supported, or not enabled for the account.',
  RATE_UNAVAILABLE: 'There is no exchange rate now: try again later.',
  AUTH_REQUIRED: 'The key is missing, or e-mail or password is wrong.',
  INVALID_API_KEY: 'The key is unknown, revoked or for the other environment.',
  INVALID_TOKEN: 'The token is missing, invalid or expired: ask POST /auth for a new one.',
  MFA_REQUIRED: 'A 2FA code is needed.',
  INVALID_MFA_CODE: 'The 2FA code is wrong, expired or was used before.',
  FORBIDDEN: 'The key or the user lacks the permission, or the account is not verified yet.',
  IP_NOT_ALLOWED: "The source address is not on the key's allowlist.",
  NOT_FOUND: 'There is no such thing, or it belongs to another account.',
  CONFLICT: 'The state of the thing does not allow it.',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used with another body.',
  IDEMPOTENCY_IN_FLIGHT: 'The first request with this Idempotency-Key is still at work: ask again after Retry-After.',
  RATE_LIMITED: 'Too many requests of the key or from the address: wait as Retry-After says.',
  INSUFFICIENT_BALANCE: 'The available balance is too low.',
  LIMIT_EXCEEDED: "The account's limit for one payout or for a day would be exceeded.",
  ADDRESS_NOT_WHITELISTED: 'The destination is not on the whitelist, or not the wallet registered in the console.',
  POOL_EXHAUSTED: 'There is no deposit address now: try again shortly.',
  FROZEN: 'Operations of the account, or of the whole platform, are frozen for the time being.',
  POLICY_REJECTED: 'The signing policy refuses it: the destination is on a sanctions list, for one.',
  NOT_SUPPORTED: 'Not supported: fiat payouts, for one.',
  UPSTREAM_ERROR: 'A chain or the source of prices failed: try again later.',
  INTERNAL_ERROR: 'Something went wrong on our side: try again later.',
} as const

/** The header that every endpoint takes which creates something. */
export const creatingHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'The same key and body give the first answer again; another body is refused. Kept 48 hours, one space of keys per merchant.',
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
        'The same, while the compatibility option is on; the merchant may choose another name for this header.',
    }),
  ),
})

const { subscriber: _inside, ...subscription } = Subscription.properties

/** What merchants are told, one callback for every change of a status. */
export const callbacks: Readonly<Record<string, Callback>> = {
  payment: {
    summary: 'A payment has a new status',
    description:
      'The body is GET /payment/{payment_id} of that moment, its keys sorted, without white space: verify the raw bytes. Any 2xx acknowledges; everything else is tried again with growing waits, ten times unless the merchant set another number. Callbacks may come twice and in any order.',
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
      sub_partner_id: Type.Optional(Type.String({ description: 'The sub-account that is charged.' })),
      email: Type.Optional(Type.String({ description: 'Who is sent bills, where no sub-account is charged.' })),
      currency: Type.String(),
      amount: Type.String(),
      ipn_callback_url: Type.Union([Type.String(), Type.Null()]),
    }),
  },
}
