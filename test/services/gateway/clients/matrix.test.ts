import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import NowPaymentsJs from 'nowpayments-js'
import { NowPayments, verifyIpnSignature } from 'nowpayments-node'
import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { deliveriesAbout } from '../../../../src/outbox/queries.ts'
import {
  createKey,
  depositTo,
  enrollTotp,
  fund,
  setWhitelisted,
  theMerchant,
} from '../../../../src/services/gateway/admin/platform.ts'
import { scopes } from '../../../../src/services/gateway/api/scopes.ts'
import { ipnHeaders } from '../../../../src/services/gateway/ipn/ipns.ts'
import { merchantOf } from '../../../../src/services/gateway/queries/merchants.ts'
import { aMerchant, openHouse } from '../house.ts'

/** All calls of a published client, and every known way in which receivers verify our callbacks. */

const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const input = { price_amount: 29.99, price_currency: 'usd', pay_currency: 'btc', order_id: 'order-1' }

async function anOperator() {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  await house.app.store.write(async (tx) => {
    const row = await theMerchant(tx, merchant.id)
    await fund(house.app, tx, row, 'usdttrc20', '1000')
    await fund(house.app, tx, row, 'btc', '1')
  })
  await setWhitelisted(house.app, merchant.id, 'usdttrc20', wallet)
  const { totpSecret } = await enrollTotp(house.app, merchant.id)
  const { apiKey } = await createKey(house.app, merchant.id, { scopes, addresses: ['127.0.0.1'] })
  const { url } = await house.server.listen()
  const np = new NowPayments({ apiKey, baseUrl: url, ipnSecret: merchant.ipnSecret })
  const { token } = await np.getAuthToken(merchant.email, merchant.password)
  const code = () => generateSync({ secret: totpSecret, epoch: house.now() / 1000 })
  return { house, merchant, url, apiKey, np, token, code }
}

test('nowpayments-node: all of its calls', async () => {
  const { house, merchant, apiKey, np: client, token, code } = await anOperator()
  const called = new Set<string>()
  const np = new Proxy(client, {
    get(target, name, receiver) {
      called.add(String(name))
      return Reflect.get(target, name, receiver)
    },
  })
  const idOf = (reply: unknown) => (reply as { result: { id: string } }).result.id
  await np.getAuthToken('owner@shop.example', 'correct horse battery')
  await np.getStatus()
  await np.getCurrencies(true)
  await np.getFullCurrencies()
  await np.getMerchantCoins(true)
  await np.getCurrency('btc')
  await np.getEstimatePrice({ amount: 100, currency_from: 'usd', currency_to: 'btc' })
  await np.getMinAmount({ currency_from: 'btc', currency_to: 'usdttrc20' })
  const payment = await np.createPayment(input)
  await np.getPaymentStatus(payment.payment_id)
  await np.getPayments({ limit: 5 })
  await np.updatePaymentEstimate(payment.payment_id)
  const invoice = await np.createInvoice({ price_amount: 20, price_currency: 'usd' })
  await np.createInvoicePayment({ iid: invoice.id, pay_currency: 'eth' })
  expect(await np.getBalance(token)).toMatchObject({ btc: { amount: 1 } })

  const sub = idOf(await np.createSubPartner('amy', token))
  const other = idOf(await np.createSubPartner('bob', token))
  await np.deposit({ currency: 'usdttrc20', amount: 100, sub_partner_id: sub }, token)
  const moved = idOf(await np.createTransfer({ currency: 'usdttrc20', amount: 5, from_id: sub, to_id: other }, token))
  await np.writeOff({ currency: 'usdttrc20', amount: 1, sub_partner_id: other }, token)
  await np.getTransfer(moved, token)
  await np.getTransfers({}, token)
  await np.getSubPartners({}, token)
  await np.getSubPartnerBalance(sub)
  await np.createSubPartnerPayment({ currency: 'trx', amount: 50, sub_partner_id: sub, is_fixed_rate: true }, token)
  const conversion = idOf(await np.createConversion({ amount: 0.1, from_currency: 'btc', to_currency: 'eth' }, token))
  await np.getConversionStatus(conversion, token)
  await np.getConversions({}, token)

  const withdrawals = [{ address: wallet, currency: 'usdttrc20', amount: 50 }]
  await np.validatePayoutAddress({ address: wallet, currency: 'usdttrc20' })
  await np.getPayoutFee('usdttrc20', 50)
  const batch = await np.createPayout({ withdrawals }, token)
  expect(await np.verifyPayout(batch.id, code(), token)).toBe('OK')
  expect(await np.getPayoutStatus(batch.id)).toMatchObject({ id: batch.id })
  expect(await np.getPayouts({ batch_id: batch.id })).toMatchObject({ payouts: [{ amount: '50' }] })
  const scheduled = [{ ...withdrawals[0], execute_at: '2026-04-01T00:00:00.000Z' }]
  const later = await np.createPayout({ withdrawals: scheduled as typeof withdrawals }, token)
  await np.cancelPayout(String(later.withdrawals[0]?.id), token)

  // This client has no call that creates a plan.
  const own = merchant.clientWith({ 'x-api-key': apiKey, authorization: `Bearer ${token}` })
  const terms = { title: 'Gold', interval_day: 30, amount: 10, currency: 'usdttrc20' }
  const planId = (await own.createPlan({ body: terms })).result.id
  const subscription = idOf(
    await np.createSubscription({ subscription_plan_id: Number(planId), sub_partner_id: sub } as never, token),
  )
  await np.getSubscription(subscription)
  expect(await np.getSubscriptions({ limit: 5 })).toMatchObject({ count: 1 })
  await np.getSubscriptionPlan(planId)
  await np.getSubscriptionPlans({ limit: 5 })
  expect(await np.deleteSubscription(subscription, token)).toEqual({ result: 'ok' })
  // It sends the key alone to change a plan, which needs a token (2-payment-gateway-api, Authentication 2).
  await expect(np.updateSubscriptionPlan(planId, { amount: 12 })).rejects.toMatchObject({ statusCode: 401 })
  for (const call of [
    () => np.getFiatPayoutsCryptoCurrencies({} as never, token),
    () => np.getFiatPayoutsPaymentMethods({} as never, token),
    () => np.getFiatPayouts({}, token),
  ])
    await expect(call()).rejects.toMatchObject({ statusCode: 501, code: 'NOT_SUPPORTED' })

  const text = '{"payment_status":"waiting"}'
  expect(np.verifyIpn(text, hmac(merchant.ipnSecret, text))).toBe(true)

  const calls = Object.getOwnPropertyNames(NowPayments.prototype).filter((name) => /^[a-z]/.test(name))
  const offered = calls.filter((name) => name !== 'constructor' && typeof Reflect.get(client, name) === 'function')
  expect(offered.filter((name) => !called.has(name))).toEqual([])
  expect(house.failures).toEqual([])
})

test('nowpayments-js: all of its calls', async () => {
  const { house, merchant, url, apiKey, code } = await anOperator()
  const { client } = new NowPaymentsJs({ ...merchant, apiKey }) as unknown as {
    client: Record<string, (...args: unknown[]) => Promise<Record<string, unknown>>> & {
      http: { defaults: { baseURL: string } }
    }
  }
  client.http.defaults.baseURL = `${url}/v1`
  const called = new Set<string>()
  /** Calls by name, and records the call. */
  const ask = (name: string, ...args: unknown[]) => {
    called.add(name)
    const call = client[name]
    if (!call) throw new Error(`there is no call ${name}`)
    return call.apply(client, args)
  }
  const params = (amount: number) => ({ amount, currency_from: 'usd', currency_to: 'btc' })
  expect(await ask('getStatus')).toEqual({ message: 'OK' })
  await ask('authenticate')
  expect(await ask('getCurrencies')).toMatchObject({ currencies: expect.arrayContaining(['btc']) })
  expect(await ask('getFullCurrencies')).toMatchObject({ currencies: expect.any(Array) })
  expect(await ask('getMerchantCoins')).toMatchObject({ currencies: expect.arrayContaining(['btc']) })
  expect(await ask('getMinimumPaymentAmount', 'btc', 'eth', 'usd', true, true)).toMatchObject({
    fiat_equivalent: expect.any(Number),
  })
  expect(await ask('getEstimatedPrice', 100, 'usd', 'btc')).toMatchObject({ estimated_amount: 0.001 })
  const payment = await ask('createPayment', input)
  expect(await ask('getPaymentStatus', payment['payment_id'])).toMatchObject({ payment_status: 'waiting' })
  expect(await ask('getPayments', { limit: 5, page: 0 })).toMatchObject({ total: 1 })
  expect(await ask('createInvoice', { price_amount: 20, price_currency: 'usd' })).toMatchObject({ price_amount: '20' })
  expect(await ask('createConversion', { amount: 0.1, from_currency: 'btc', to_currency: 'eth' })).toMatchObject({
    result: { status: 'finished' },
  })
  expect(await ask('createSubPartner', { name: 'amy' })).toMatchObject({ result: { name: 'amy' } })
  expect(await ask('getSubPartners', { limit: 5 })).toMatchObject({ count: 1 })

  const withdrawals = [{ address: wallet, currency: 'usdttrc20', amount: 50 }]
  expect(await ask('createPayout', withdrawals[0])).toMatchObject({ withdrawals: [{ amount: '50' }] })
  const batch = await ask('createBatchPayout', withdrawals, 'https://shop.example/payout')
  const own = merchant.clientWith({ 'x-api-key': apiKey, authorization: `Bearer ${String(client['jwtToken'])}` })
  const id = String(batch['id'])
  expect(await own.verifyPayouts({ params: { id }, body: { verification_code: code() } })).toBe('OK')
  await house.wait(120_000)
  expect(await ask('getPayoutStatus', id)).toMatchObject({ withdrawals: [{ status: 'finished' }] })
  expect(await ask('getPayouts', { limit: 1 })).toMatchObject({ payouts: [{ currency: 'usdttrc20' }] })

  // It sends no token where one is needed (2-payment-gateway-api, Authentication 2)…
  const subPayment = { currency: 'trx', amount: 50, sub_partner_id: '1' }
  const unproved = { statusCode: 401, code: 'INVALID_TOKEN' }
  await expect(ask('createSubPartnerPayment', subPayment)).rejects.toMatchObject(unproved)
  await expect(ask('getConversionEstimate', params(1))).rejects.toMatchObject(unproved)
  // …and has paths that the compatible gateway does not have either.
  for (const [name, ...args] of [
    ['getCustodyBalance'],
    ['createCustodyTransfer', {}],
    ['getSubPartnerBalance', '1'],
    ['getSubPartner', '1'],
    ['getSubPartnerPayments', '1'],
    ['updateSubPartner', '1', {}],
  ] as const)
    await expect(ask(name, ...args), name).rejects.toMatchObject({ statusCode: 404, code: 'NOT_FOUND' })

  const calls = Object.getOwnPropertyNames(Object.getPrototypeOf(client))
  const helpers = ['constructor', 'authenticatedRequest']
  expect(calls.filter((name) => !helpers.includes(name) && !called.has(name))).toEqual([])
  expect(house.failures).toEqual([])
})

/** The callbacks of a payment, a payout and a subscription, each as a receiver gets it. */
async function callbacks() {
  const { house, merchant, np, token } = await anOperator()
  const ipn_callback_url = 'https://shop.example/ipn'
  const payment = await np.createPayment({ ...input, ipn_callback_url, order_description: 'Two tickets, 2nd row' })
  const withdrawals = [{ address: wallet, currency: 'usdttrc20', amount: 50 }]
  const batch = await np.createPayout({ ipn_callback_url, withdrawals }, token)
  await depositTo(house.app, Number(payment.payment_id))
  await house.wait(1_300_000)
  const subjects = [String(payment.payment_id), String(batch.withdrawals[0]?.id)]
  return house.app.store.read(async (reader) => {
    const row = await merchantOf(reader, merchant.id)
    const deliveries = (await Promise.all(subjects.map((id) => deliveriesAbout(reader, merchant.id, id)))).flat()
    if (!row) throw new Error('no merchant')
    return deliveries.map(({ body, event }) => ({
      event,
      body,
      signature: ipnHeaders(row, body)['x-gw-sig'] ?? '',
      secret: merchant.ipnSecret,
    }))
  })
}

type Callback = Awaited<ReturnType<typeof callbacks>>[number]

const hmac = (secret: string, text: string) => createHmac('sha512', secret.trim()).update(text).digest('hex')
const parsed = ({ body }: Callback): Record<string, unknown> => JSON.parse(body)

/** Sorted at every level, as four published clients do. */
function deeply(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deeply)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, deeply(Reflect.get(value, key))]),
  )
}

const python = spawnSync('python3', ['-c', 'import json, hmac']).status === 0
const php = spawnSync('php', ['-v']).status === 0

function inPython(code: string, { body, secret }: Callback): string {
  const program = `import sys,json,hmac,hashlib\nbody,secret=sys.stdin.read().split('\\0')\n${code}\nprint(hmac.new(secret.encode(),text.encode(),hashlib.sha512).hexdigest())`
  return spawnSync('python3', ['-c', program], { input: `${body}\0${secret}`, encoding: 'utf8' }).stdout.trim()
}

function inPhp(flags: string, { body, secret }: Callback): string {
  const program = `[$b,$s]=explode("\\0",stream_get_contents(STDIN));$d=json_decode($b,true);ksort($d);echo hash_hmac('sha512',json_encode($d${flags}),$s);`
  return spawnSync('php', ['-r', program], { input: `${body}\0${secret}`, encoding: 'utf8' }).stdout.trim()
}

const manners: readonly [name: string, sign: (callback: Callback) => string, skip: boolean][] = [
  ['the raw body', ({ body, secret }) => hmac(secret, body), false],
  ['keys sorted at every level', (c) => hmac(c.secret, JSON.stringify(deeply(parsed(c)))), false],
  [
    'keys sorted at the top',
    (c) =>
      hmac(
        c.secret,
        JSON.stringify(Object.fromEntries(Object.entries(parsed(c)).sort(([a], [b]) => (a < b ? -1 : 1)))),
      ),
    false,
  ],
  [
    'a list of top-level keys as a filter',
    (c) => hmac(c.secret, JSON.stringify(parsed(c), Object.keys(parsed(c)).sort())),
    false,
  ],
  ['the order received, written again', (c) => hmac(c.secret, JSON.stringify(parsed(c))), false],
  [
    'Python, sorted',
    (c) => inPython("text=json.dumps(json.loads(body),separators=(',',':'),sort_keys=True)", c),
    !python,
  ],
  ['PHP, slashes left', (c) => inPhp(',JSON_UNESCAPED_SLASHES', c), !php],
]

test('our callbacks are accepted by receivers with every known verification', async ({ annotate }) => {
  const ipns = await callbacks()
  expect(ipns.map(({ event }) => event)).toEqual(['waiting', 'confirming', 'confirmed', 'finished', 'creating'])
  for (const { body, signature, secret } of ipns) expect(verifyIpnSignature(body, signature, secret)).toBe(true)
  for (const [name, sign, isMissing] of manners) {
    if (isMissing) await annotate(`not tried, for want of the language: ${name}`)
    else for (const each of ipns) expect([name, each.body, sign(each)]).toEqual([name, each.body, each.signature])
  }
})
