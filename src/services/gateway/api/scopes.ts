import type { Endpoint } from '../../../http/contract/contract.ts'
import { gateway } from './contract.ts'

/** Scopes that a key can be limited to (2-payment-gateway-api, Authentication 3). */
export const scopes = ['read', 'payments', 'custody', 'payouts'] as const
export type Scope = (typeof scopes)[number]

/** Permissions of a user's tokens: the scopes that need a token. */
export const permissions = ['custody', 'payouts'] as const satisfies readonly Scope[]
export type Permission = (typeof permissions)[number]

/**
 * Required scope of each endpoint. Exhaustive, so that a new endpoint cannot be forgotten here. Fiat payouts are
 * refused regardless of scope.
 */
const scopeOfName: Record<keyof typeof gateway.endpoints, Scope | undefined> = {
  status: undefined,
  auth: undefined,
  currencies: 'read',
  currency: 'read',
  fullCurrencies: 'read',
  merchantCoins: 'read',
  estimate: 'read',
  minAmount: 'read',
  createPayment: 'payments',
  payments: 'payments',
  payment: 'payments',
  updateEstimate: 'payments',
  createInvoice: 'payments',
  invoices: 'payments',
  invoice: 'payments',
  createInvoicePayment: 'payments',
  balance: 'read',
  validateAddress: 'read',
  createPayouts: 'payouts',
  verifyPayouts: 'payouts',
  payout: 'payouts',
  payouts: 'payouts',
  payoutFee: 'read',
  payoutMinimum: 'read',
  cancelPayout: 'payouts',
  cancelBatch: 'payouts',
  createConversion: 'custody',
  conversion: 'custody',
  conversions: 'custody',
  createSubaccount: 'custody',
  subBalance: 'custody',
  subaccounts: 'custody',
  subTransfers: 'custody',
  subTransfer: 'custody',
  createSubTransfer: 'custody',
  depositToSub: 'custody',
  writeOffSub: 'custody',
  createSubPayment: 'custody',
  subPayments: 'custody',
  createPlan: 'custody',
  updatePlan: 'custody',
  plan: 'custody',
  plans: 'custody',
  createSubscription: 'custody',
  subscriptions: 'custody',
  subscription: 'custody',
  cancelSubscription: 'custody',
  fiatProviders: undefined,
  fiatCurrencies: undefined,
  fiatCryptoCurrencies: undefined,
  fiatPaymentMethods: undefined,
  fiatAccounts: undefined,
  fiatRates: undefined,
  fiatPayouts: undefined,
  createFiatPayout: undefined,
  createFiatAccount: undefined,
  updateFiatAccount: undefined,
}

const byEndpoint = new Map<Endpoint, Scope | undefined>(
  (Object.keys(scopeOfName) as (keyof typeof scopeOfName)[]).map((name) => [
    gateway.endpoints[name],
    scopeOfName[name],
  ]),
)

/** Returns the required scope of an endpoint; undefined when any key works. */
export function scopeOf(endpoint: Endpoint): Scope | undefined {
  return byEndpoint.get(endpoint)
}
