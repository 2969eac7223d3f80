import type { MerchantRow } from '../../../db/schema/gateway.ts'
import type { Tx } from '../../../db/store.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'
import type { Handlers, Sender } from '../../../http/contract/contract.ts'
import { type Service, serve } from '../../../http/server/handle.ts'
import { reachedBy } from '../../../http/server/public-url.ts'
import { gateway, refuse } from '../api/contract.ts'
import {
  createConversion,
  createSubaccount,
  createSubPayment,
  createSubTransfer,
  depositToSub,
  listConversions,
  listSubaccounts,
  listSubPayments,
  listSubTransfers,
  readBalance,
  readConversion,
  readSubBalance,
  readSubTransfer,
  writeOffSub,
} from '../custody.ts'
import { checkCallbackNames } from '../ipn/ipns.ts'
import { createInvoice, createInvoicePayment, listInvoices, readInvoice } from '../payments/invoices.ts'
import { createPayment, listPayments, readPayment, updateEstimate } from '../payments/payments.ts'
import { listPayouts, payoutFee, payoutMinimum, readPayout } from '../payout-lists.ts'
import { cancelBatch, cancelPayout, createPayouts, verifyPayouts } from '../payouts.ts'
import {
  estimate,
  listCurrencies,
  listFullCurrencies,
  listMerchantCoins,
  lookUpMinimum,
  readCurrency,
  validateAddress,
} from '../rates/currencies.ts'
import type { Gateway, MerchantCaller } from '../service.ts'
import {
  cancelSubscription,
  createPlan,
  createSubscription,
  listPlans,
  listSubscriptions,
  readPlan,
  readSubscription,
  updatePlan,
} from '../subscriptions.ts'
import { authenticateCaller, type Callers } from './auth.ts'
import { creating } from './idempotency.ts'
import { logIn } from './login.ts'

/** Path prefixes of each environment: the sandbox is served next to production, on the same origin. */
export const gatewayPrefixes: Readonly<Record<GatewayEnvironment, readonly string[]>> = {
  production: gateway.prefixes,
  sandbox: gateway.prefixes.map((prefix) => `/sandbox${prefix}`),
}

/** Returns the handlers of the gateway's endpoints for one environment. */
function handlersOf(app: Gateway, environment: GatewayEnvironment): Handlers<typeof gateway, Callers> {
  const create = createIn(app)
  return {
    status: async () => ({ message: 'OK' }),
    auth: ({ caller, body, sender }) => logIn(app, environment, caller.merchant, { ...body, address: sender.address }),
    currencies: () => listCurrencies(),
    currency: ({ params }) => readCurrency(environment, params.code),
    fullCurrencies: () => listFullCurrencies(environment),
    merchantCoins: ({ caller }) => listMerchantCoins(app, caller.merchant),
    estimate: ({ query }) => estimate(app, query),
    minAmount: ({ query }) => lookUpMinimum(app, query),
    createPayment: create('createPayment', createPayment),
    payments: ({ caller, query }) => listPayments(app, caller.merchant, query),
    payment: ({ caller, params }) => readPayment(app, caller.merchant, params.payment_id),
    updateEstimate: ({ caller, params }) => updateEstimate(app, caller.merchant, params.payment_id),
    createInvoice: create('createInvoice', createInvoice),
    invoices: ({ caller, query, sender }) => listInvoices(reachedBy(app, sender), caller.merchant, query),
    invoice: ({ caller, params, sender }) => readInvoice(reachedBy(app, sender), caller.merchant, params.id),
    createInvoicePayment: create('createInvoicePayment', createInvoicePayment),
    balance: ({ caller }) => readBalance(app, caller.merchant),
    validateAddress: ({ body }) => validateAddress(environment, body),
    createPayouts: create('createPayouts', createPayouts),
    verifyPayouts: ({ caller, params, body, sender }) =>
      verifyPayouts(app, caller, params.id, { code: body.verification_code, address: sender.address }),
    payout: ({ caller, params }) => readPayout(app, caller.merchant, params.id),
    payouts: ({ caller, query }) => listPayouts(app, caller.merchant, query),
    payoutFee: ({ query }) => payoutFee(app, query),
    payoutMinimum: ({ params }) => payoutMinimum(app, params.coin),
    cancelPayout: ({ caller, params, body }) =>
      cancelPayout(app, caller.merchant, params.id === 'w_id' ? String(body.payout_id ?? '') : params.id),
    cancelBatch: ({ caller, params }) => cancelBatch(app, caller.merchant, params.id),
    createConversion: create('createConversion', createConversion),
    conversion: ({ caller, params }) => readConversion(app, caller.merchant, params.id),
    conversions: ({ caller, query }) => listConversions(app, caller.merchant, query),
    createSubaccount: create('createSubaccount', createSubaccount),
    subBalance: ({ caller, params }) => readSubBalance(app, caller.merchant, params.id),
    subaccounts: ({ caller, query }) => listSubaccounts(app, caller.merchant, query),
    subTransfers: ({ caller, query }) => listSubTransfers(app, caller.merchant, query),
    subTransfer: ({ caller, params }) => readSubTransfer(app, caller.merchant, params.id),
    createSubTransfer: create('createSubTransfer', createSubTransfer),
    depositToSub: create('depositToSub', depositToSub),
    writeOffSub: create('writeOffSub', writeOffSub),
    createSubPayment: create('createSubPayment', createSubPayment),
    subPayments: ({ caller, query }) => listSubPayments(app, caller.merchant, query),
    createPlan: create('createPlan', createPlan),
    updatePlan: async ({ caller, params, body }) => {
      await checkCallbackNames(app, body)
      return updatePlan(app, caller.merchant, params.id, body)
    },
    plan: ({ caller, params }) => readPlan(app, caller.merchant, params.id),
    plans: ({ caller, query }) => listPlans(app, caller.merchant, query),
    createSubscription: create('createSubscription', createSubscription),
    subscriptions: ({ caller, query }) => listSubscriptions(app, caller.merchant, query),
    subscription: ({ caller, params }) => readSubscription(app, caller.merchant, params.id),
    cancelSubscription: ({ caller, params }) => cancelSubscription(app, caller.merchant, params.id),
    ...fiatHandlers,
  }
}

/** Returns a function that makes handlers of creating endpoints: one transaction, once per Idempotency-Key. */
const createIn =
  (app: Gateway) =>
  <Body, Reply>(name: string, work: (app: Gateway, tx: Tx, merchant: MerchantRow, body: Body) => Promise<Reply>) =>
  async ({ caller, sender, body }: { caller: MerchantCaller; sender: Sender; body: Body }) => {
    await checkCallbackNames(app, body)
    return creating(app, { caller, sender, name, body }, (tx) =>
      work(reachedBy(app, sender), tx, caller.merchant, body),
    )
  }

/** Serves the gateway for one environment. */
export function gatewayService(app: Gateway, environment: GatewayEnvironment): Service {
  const service = serve(
    gateway,
    (request) => authenticateCaller(app, environment, request),
    handlersOf(app, environment),
    {
      prefixes: gatewayPrefixes[environment],
    },
  )
  return {
    ...service,
    nameOf: (method, path) => service.nameOf(method, path.replace(/\/$/, '')),
    // Clients of the compatible gateway append a slash to some paths; a redirect would drop their headers.
    respond: (incoming, prefix, log) =>
      service.respond({ ...incoming, url: incoming.url.replace(/^([^?]*)\/(?=\?|$)/, '$1') }, prefix, log),
  }
}

async function noFiatPayouts(): Promise<never> {
  const { code, message } = gateway.unsupported['/fiat-payouts']
  throw refuse(code, message)
}

/** Handlers of the fiat payout endpoints, which refuse every request. */
const fiatHandlers = {
  fiatProviders: noFiatPayouts,
  fiatCurrencies: noFiatPayouts,
  fiatCryptoCurrencies: noFiatPayouts,
  fiatPaymentMethods: noFiatPayouts,
  fiatAccounts: noFiatPayouts,
  fiatRates: noFiatPayouts,
  fiatPayouts: noFiatPayouts,
  createFiatPayout: noFiatPayouts,
  createFiatAccount: noFiatPayouts,
  updateFiatAccount: noFiatPayouts,
}
