import {
  type ApiSamples,
  fromEnvironment,
  fromResponse,
  fromVariable,
  type Step,
  unique,
} from '../../../http/docs/samples/sample.ts'
import { signatureVectors } from './signature-vectors.ts'

const payment = { price_amount: 100, price_currency: 'usd', pay_currency: 'usdttrc20' } as const
const newPayment: Step = { call: 'createPayment', as: 'payment', body: payment }
const paymentId = fromResponse('payment', ['payment_id'], 5000000191)

const newInvoice: Step = {
  call: 'createInvoice',
  as: 'invoice',
  body: { price_amount: 100, price_currency: 'usd', order_description: 'Chips' },
}
const invoiceId = fromResponse('invoice', ['id'], '5000000192')

const withdrawals = {
  withdrawals: [
    {
      address: fromEnvironment('PAYOUT_ADDRESS', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'),
      currency: 'usdttrc20',
      amount: 20,
    },
  ],
} as const
const newPayout: Step = { call: 'createPayouts', as: 'batch', body: withdrawals }
const laterPayout: Step = { ...newPayout, body: { ...withdrawals, execute_at: '2099-01-01T00:00:00Z' } }
const batchId = fromResponse('batch', ['id'], '5000000193')
const payoutId = fromResponse('batch', ['withdrawals', 0, 'id'], '5000000194')

const conversion = { amount: 10, from_currency: 'usdttrc20', to_currency: 'trx' } as const

const newSubaccount: Step = { call: 'createSubaccount', as: 'customer', body: { name: unique('customer') } }
const subId = fromResponse('customer', ['result', 'id'], '5000000195')
const funds = { currency: 'usdttrc20', amount: 5 } as const
const deposit: Step = { call: 'depositToSub', as: 'deposit', body: { ...funds, sub_partner_id: subId } }

const plan = { title: 'VIP, monthly', interval_day: 30, amount: 50, currency: 'usd' } as const
const newPlan: Step = { call: 'createPlan', as: 'plan', body: plan }
const planId = fromResponse('plan', ['result', 'id'], '5000000196')
const subscription = { subscription_plan_id: planId, email: 'ann@shop.example' } as const
const newSubscription: Step = { call: 'createSubscription', as: 'subscription', body: subscription }
const subscriptionId = fromResponse('subscription', ['result', 'id'], '5000000197')

const login: readonly Step[] = [
  {
    call: 'auth',
    as: 'login',
    body: {
      email: fromEnvironment('EMAIL', 'demo@production.example'),
      password: fromEnvironment('SECRET', 'the password of the account'),
    },
  },
  { header: 'Authorization', value: ['Bearer ', fromResponse('login', ['token'], 'eyJhbGciOiJIUzI1NiJ9…')] },
]

/** Code samples of the gateway API. They run in a new demo world. */
export const gatewaySamples: ApiSamples = {
  environment: {
    BASE_URL: 'Scheme, host and port of the gateway; with /sandbox at the end for the sandbox.',
    API_KEY: 'API key. Payout endpoints need one with payout permission.',
    SECRET: 'Password of the account, for endpoints that need a token.',
    EMAIL: 'Email address of the account, for endpoints that need a token.',
    TOTP_SECRET: 'Base32 secret of the two-factor authentication, to verify payouts.',
    PAYOUT_ADDRESS: 'Whitelisted address for usdttrc20, to create payouts.',
  },
  readyFile: {
    BASE_URL: 'baseUrl',
    API_KEY: 'gateway.production.payoutApiKey',
    SECRET: 'gateway.production.password',
    EMAIL: 'gateway.production.email',
    TOTP_SECRET: 'gateway.production.totpSecret',
    PAYOUT_ADDRESS: 'gateway.production.whitelisted.usdttrc20',
  },
  keyHeader: 'x-api-key',
  before: { user: login },
  refused: [
    'fiatProviders',
    'fiatCurrencies',
    'fiatCryptoCurrencies',
    'fiatPaymentMethods',
    'fiatAccounts',
    'fiatRates',
    'fiatPayouts',
    'createFiatPayout',
    'createFiatAccount',
    'updateFiatAccount',
  ],
  endpoints: {
    status: {},
    auth: login[0] !== undefined && 'body' in login[0] && login[0].body ? { body: login[0].body } : {},
    currencies: {},
    currency: { params: { code: 'btc' } },
    fullCurrencies: {},
    merchantCoins: {},
    estimate: { query: { amount: 100, currency_from: 'usd', currency_to: 'btc' } },
    minAmount: { query: { currency_from: 'btc', currency_to: 'usdttrc20' } },
    createPayment: { body: { ...payment, order_id: 'order-1042', order_description: 'Chips' } },
    payments: { query: { limit: 10, page: 0 } },
    payment: { first: [newPayment], params: { payment_id: paymentId } },
    updateEstimate: { first: [newPayment], params: { payment_id: paymentId } },
    createInvoice: { body: { price_amount: 100, price_currency: 'usd', order_id: 'order-1042' } },
    invoices: { query: { limit: 10, page: 0 } },
    invoice: { first: [newInvoice], params: { id: invoiceId } },
    createInvoicePayment: { first: [newInvoice], body: { iid: invoiceId, pay_currency: 'btc' } },
    balance: {},
    validateAddress: {
      first: [newPayment],
      body: {
        address: fromResponse('payment', ['pay_address'], 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'),
        currency: 'usdttrc20',
      },
    },
    createPayouts: { body: withdrawals },
    verifyPayouts: {
      first: [newPayout, { set: 'code', to: { kind: 'totp', environment: 'TOTP_SECRET' } }],
      params: { id: batchId },
      body: { verification_code: fromVariable('code', '287082') },
    },
    payout: {
      first: [...login, newPayout],
      params: { id: payoutId },
    },
    payouts: { query: { limit: 10, page: 0 } },
    payoutFee: { query: { currency: 'usdttrc20', amount: 20 } },
    payoutMinimum: { params: { coin: 'usdttrc20' } },
    cancelPayout: { first: [laterPayout], params: { id: payoutId } },
    cancelBatch: { first: [laterPayout], params: { id: batchId } },
    createConversion: { body: conversion },
    conversion: {
      first: [{ call: 'createConversion', as: 'conversion', body: conversion }],
      params: { id: fromResponse('conversion', ['result', 'id'], '5000000198') },
    },
    conversions: { query: { limit: 10 } },
    createSubaccount: { body: { name: unique('customer') } },
    subBalance: { first: [...login, newSubaccount], params: { id: subId } },
    subaccounts: { query: { limit: 10 } },
    subTransfers: { query: { limit: 10 } },
    subTransfer: {
      first: [newSubaccount, deposit],
      params: { id: fromResponse('deposit', ['result', 'id'], '5000000199') },
    },
    createSubTransfer: {
      first: [newSubaccount, deposit, { call: 'createSubaccount', as: 'friend', body: { name: unique('customer') } }],
      body: { ...funds, from_id: subId, to_id: fromResponse('friend', ['result', 'id'], '5000000200') },
    },
    depositToSub: { first: [newSubaccount], body: { ...funds, sub_partner_id: subId } },
    writeOffSub: { first: [newSubaccount, deposit], body: { ...funds, sub_partner_id: subId } },
    createSubPayment: { first: [newSubaccount], body: { currency: 'usdttrc20', amount: 50, sub_partner_id: subId } },
    subPayments: { query: { limit: 10 } },
    createPlan: { body: plan },
    updatePlan: { first: [newPlan], params: { id: planId }, body: { amount: 60 } },
    plan: { first: [...login, newPlan], params: { id: planId } },
    plans: {},
    createSubscription: { first: [newPlan], body: subscription },
    subscriptions: {},
    subscription: { first: [...login, newPlan, newSubscription], params: { id: subscriptionId } },
    cancelSubscription: { first: [newPlan, newSubscription], params: { id: subscriptionId } },
    fiatProviders: {},
    fiatCurrencies: {},
    fiatCryptoCurrencies: {},
    fiatPaymentMethods: {},
    fiatAccounts: {},
    fiatRates: {},
    fiatPayouts: {},
    createFiatPayout: {},
    createFiatAccount: {},
    updateFiatAccount: { params: { id: '1' } },
  },
  fields: {
    price_currency: 'usd',
    pay_currency: 'usdttrc20',
    outcome_currency: 'usdttrc20',
    currency: 'usdttrc20',
    payment_id: 5000000191,
    price_amount: 100,
    pay_amount: 100.25,
    order_id: 'order-1042',
    order_description: 'Chips',
    pay_address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
    address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
    network: 'trx',
    email: 'ann@shop.example',
    customer_email: 'ann@shop.example',
    title: 'VIP, monthly',
    token: 'eyJhbGciOiJIUzI1NiJ9…',
    invoice_url: 'https://pay.example.com/invoice/4c1f9b7e2a',
    gw_payment_url: 'https://pay.example.com/pay/4c1f9b7e2a',
    name: 'customer-1042',
    hash: 'a3f1…',
  },
  vectors: signatureVectors,
}
