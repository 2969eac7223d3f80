import { describe, expect, test } from 'vitest'
import {
  addMerchantUser,
  listMerchantUsers,
  removeMerchantUser,
} from '../../../src/services/gateway/admin/merchant-users.ts'
import {
  createKey,
  fund,
  revokeKey,
  setMerchant,
  setWhitelisted,
  theMerchant,
} from '../../../src/services/gateway/admin/platform.ts'
import { signToken } from '../../../src/services/gateway/server/jwt.ts'
import { aMerchant, aPayment, openHouse, refusal } from './house.ts'

const body = (over = {}) => ({ price_amount: 10, price_currency: 'usd', pay_currency: 'btc', ...over })

describe('keys', () => {
  test('status needs none, every other endpoint a valid one', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    expect(await merchant.clientWith({}).status({})).toEqual({ message: 'OK' })
    expect(await merchant.clientWith({ 'x-api-key': '' }).status({})).toEqual({ message: 'OK' })
    expect(await refusal(merchant.clientWith({}).balance({}))).toBe('AUTH_REQUIRED')
    expect(await refusal(merchant.clientWith({ 'x-api-key': 'gw_p_wrong' }).balance({}))).toBe('INVALID_API_KEY')
    await revokeKey(house.app, merchant.apiKey)
    expect(await refusal(merchant.client.balance({}))).toBe('INVALID_API_KEY')
  })

  test('work in their own environment only', async () => {
    const house = await openHouse()
    const production = await aMerchant(house)
    const sandbox = await aMerchant(house, { environment: 'sandbox' })
    expect(await refusal(production.clientWith({ 'x-api-key': sandbox.apiKey }).balance({}))).toBe('INVALID_API_KEY')
    expect(await refusal(sandbox.clientWith({ 'x-api-key': production.apiKey }).balance({}))).toBe('INVALID_API_KEY')
    expect(sandbox.ipnSecret).not.toBe(production.ipnSecret)
  })

  test('allow their scopes, from the addresses of their allowlist', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house, { scopes: { scopes: ['read'] } })
    expect(await merchant.client.balance({})).toEqual({})
    expect(await refusal(merchant.client.createPayment({ body: body() }))).toBe('FORBIDDEN')
    const { apiKey } = await createKey(house.app, merchant.id, { addresses: ['10.1.0.0/16'] })
    expect(await refusal(merchant.clientWith({ 'x-api-key': apiKey }).balance({}))).toBe('IP_NOT_ALLOWED')
    const { apiKey: home } = await createKey(house.app, merchant.id, { addresses: ['127.0.0.1'] })
    expect(await merchant.clientWith({ 'x-api-key': home }).balance({})).toEqual({})
    expect(await refusal(createKey(house.app, merchant.id, { scopes: ['payouts'] }))).toBe('INVALID_REQUEST_PARAMS')
  })

  test('read an allowlist as the casino does: mapped ranges match, octal spellings are rejected', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const { apiKey } = await createKey(house.app, merchant.id, { addresses: ['::ffff:127.0.0.0/104'] })
    expect(await merchant.clientWith({ 'x-api-key': apiKey }).balance({})).toEqual({})
    for (const entry of ['010.1.1.1', '::ffff:010.1.1.1', '10.0.0.0/08'])
      expect(await refusal(createKey(house.app, merchant.id, { addresses: [entry] }))).toBe('INVALID_REQUEST_PARAMS')
  })

  test('a bearer token is ignored if none is needed', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    for (const authorization of ['Bearer undefined', 'Bearer ', 'Bearer a.b.c'])
      expect(await merchant.clientWith({ 'x-api-key': merchant.apiKey, authorization }).balance({})).toEqual({})
  })
})

describe('tokens', () => {
  test('are JWTs that expire after five minutes', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const { token } = await merchant.client.auth({ body: { email: 'OWNER@shop.example', password: merchant.password } })
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims.exp).toBe(house.now() / 1000 + 300)
    const client = merchant.clientWith({ 'x-api-key': merchant.apiKey, authorization: `Bearer ${token}` })
    expect((await client.conversions({ query: {} })).count).toBe(0)
    await house.wait(299_000)
    expect((await client.conversions({ query: {} })).count).toBe(0)
    await house.wait(1_000)
    expect(await refusal(client.conversions({ query: {} }))).toBe('INVALID_TOKEN')
  })

  test('are not issued for wrong credentials, nor for those of another account', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const other = await aMerchant(house, { email: 'other@shop.example' })
    const ask = (email: string, password: string) => refusal(merchant.client.auth({ body: { email, password } }))
    expect(await ask(merchant.email, 'wrong')).toBe('AUTH_REQUIRED')
    expect(await ask('nobody@shop.example', merchant.password)).toBe('AUTH_REQUIRED')
    expect(await ask(other.email, other.password)).toBe('AUTH_REQUIRED')
  })

  test('that are missing, forged or of another account are rejected', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const other = await aMerchant(house, { email: 'other@shop.example' })
    const { token } = await other.client.auth({ body: { email: other.email, password: other.password } })
    const forged = await signToken('00', { merchant: merchant.id, email: merchant.email }, house.now())
    for (const authorization of ['', 'Bearer undefined', `Bearer ${token}`, `Bearer ${forged}`, 'Bearer x']) {
      const client = merchant.clientWith({ 'x-api-key': merchant.apiKey, authorization })
      expect(await refusal(client.conversions({ query: {} })), authorization).toBe('INVALID_TOKEN')
    }
  })

  test('replace the key only with the compatibility option', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const credentials = { email: merchant.email, password: merchant.password }
    const bare = merchant.clientWith({})
    expect(await refusal(bare.auth({ body: credentials }))).toBe('AUTH_REQUIRED')
    const { token } = await merchant.client.auth({ body: credentials })
    const withToken = merchant.clientWith({ authorization: `Bearer ${token}` })
    expect(await refusal(withToken.conversions({ query: {} }))).toBe('AUTH_REQUIRED')
    await setMerchant(house.app, merchant.id, { compat: true })
    expect((await bare.auth({ body: credentials })).token.split('.')).toHaveLength(3)
    expect((await withToken.conversions({ query: {} })).count).toBe(0)
    expect(await refusal(withToken.balance({}))).toBe('AUTH_REQUIRED')
    expect(await refusal(bare.auth({ body: { ...credentials, password: 'wrong' } }))).toBe('AUTH_REQUIRED')
  })
})

describe('a console user', () => {
  test('gets tokens for its permissions, and none after its removal', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house, {
      scopes: { scopes: ['read', 'payouts', 'custody'], addresses: ['127.0.0.1'] },
    })
    const login = { email: 'Desk@shop.example', password: 'another long one' }
    await addMerchantUser(house.app, merchant.id, { ...login, permissions: ['custody'] })
    expect(await listMerchantUsers(house.app, merchant.id)).toEqual([
      { email: 'desk@shop.example', permissions: ['custody'] },
      { email: merchant.email, permissions: ['custody', 'payouts'] },
    ])
    const { token } = await merchant.client.auth({ body: login })
    const client = merchant.clientWith({ 'x-api-key': merchant.apiKey, authorization: `Bearer ${token}` })
    expect((await client.conversions({ query: {} })).count).toBe(0)
    expect(await refusal(client.cancelBatch({ params: { id: '1' } }))).toBe('FORBIDDEN')
    expect(await refusal((await merchant.loggedIn()).cancelBatch({ params: { id: '1' } }))).toBe('NOT_FOUND')
    await setMerchant(house.app, merchant.id, { compat: true })
    const bare = merchant.clientWith({ authorization: `Bearer ${token}` })
    expect(await refusal(bare.cancelBatch({ params: { id: '1' } }))).toBe('FORBIDDEN')
    await removeMerchantUser(house.app, merchant.id, login.email)
    expect(await refusal(client.conversions({ query: {} }))).toBe('INVALID_TOKEN')
    expect(await refusal(removeMerchantUser(house.app, merchant.id, merchant.email))).toBe('CONFLICT')
    const twin = { email: merchant.email, password: login.password, permissions: ['payouts'] as const }
    expect(await refusal(addMerchantUser(house.app, merchant.id, twin))).toBe('CONFLICT')
  })
})

test('objects of another account do not exist, for reading and for changing', async () => {
  const house = await openHouse()
  const all = { scopes: { scopes: ['read', 'payments', 'payouts', 'custody'] as const, addresses: ['127.0.0.1'] } }
  const owner = await aMerchant(house, all)
  const stranger = await (await aMerchant(house, { ...all, email: 'other@shop.example' })).loggedIn()
  await house.app.store.write(async (tx) => fund(house.app, tx, await theMerchant(tx, owner.id), 'usdttrc20', '1000'))
  const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
  await setWhitelisted(house.app, owner.id, 'usdttrc20', wallet)
  const own = await owner.loggedIn()
  const payment_id = String((await aPayment(owner)).payment_id)
  const invoice = (await own.createInvoice({ body: { price_amount: 20, price_currency: 'usd' } })).id
  const withdrawals = [{ address: wallet, currency: 'usdttrc20', amount: 10, execute_at: '2027-01-01T00:00:00Z' }]
  const batch = await own.createPayouts({ body: { withdrawals } })
  const payout = batch.withdrawals[0]?.id ?? ''
  const conversion = (
    await own.createConversion({ body: { amount: 5, from_currency: 'usdttrc20', to_currency: 'btc' } })
  ).result.id
  const sub = (await own.createSubaccount({ body: { name: 'amy' } })).result.id
  const moved = { currency: 'usdttrc20', amount: 50, sub_partner_id: sub }
  const transfer = (await own.depositToSub({ body: moved })).result.id
  const terms = { title: 'Gold', interval_day: 30, amount: 10, currency: 'usdttrc20' }
  const plan = (await own.createPlan({ body: terms })).result.id
  const input = { subscription_plan_id: plan, sub_partner_id: sub }
  const subscription = (await own.createSubscription({ body: input })).result.id
  const at = (id: string) => ({ params: { id } })
  const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
    payment: () => stranger.payment({ params: { payment_id } }),
    estimate: () => stranger.updateEstimate({ params: { payment_id } }),
    invoice: () => stranger.invoice(at(invoice)),
    'invoice payment': () => stranger.createInvoicePayment({ body: { iid: invoice, pay_currency: 'btc' } }),
    payout: () => stranger.payout(at(payout)),
    batch: () => stranger.payout(at(batch.id)),
    verify: () => stranger.verifyPayouts({ ...at(batch.id), body: { verification_code: '123456' } }),
    cancel: () => stranger.cancelPayout({ ...at(payout), body: {} }),
    'cancel batch': () => stranger.cancelBatch(at(batch.id)),
    conversion: () => stranger.conversion(at(conversion)),
    'sub-account': () => stranger.subBalance(at(sub)),
    'sub payment': () => stranger.createSubPayment({ body: moved }),
    deposit: () => stranger.depositToSub({ body: moved }),
    'write-off': () => stranger.writeOffSub({ body: moved }),
    transfer: () => stranger.subTransfer(at(transfer)),
    plan: () => stranger.plan(at(plan)),
    'plan change': () => stranger.updatePlan({ ...at(plan), body: { amount: 1 } }),
    subscribe: () => stranger.createSubscription({ body: input }),
    subscription: () => stranger.subscription(at(subscription)),
    'end of a subscription': () => stranger.cancelSubscription(at(subscription)),
  }
  for (const [what, attempt] of Object.entries(attempts))
    expect([what, await refusal(attempt())]).toEqual([what, 'NOT_FOUND'])
  expect((await stranger.payments({ query: {} })).total).toBe(0)
  expect((await stranger.payouts({ query: {} })).payouts).toEqual([])
  for (const list of [stranger.conversions, stranger.subaccounts, stranger.subTransfers, stranger.subPayments])
    expect((await list({ query: {} })).count).toBe(0)
  expect((await stranger.plans({ query: {} })).count + (await stranger.subscriptions({ query: {} })).count).toBe(0)
})

describe('an Idempotency-Key', () => {
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

  test('returns the first response again for the same body, in any order of its fields', async () => {
    const house = await openHouse()
    const { client } = await aMerchant(house)
    const first = await client.createPayment({ body: body({ order_id: 'a' }) }, keyed('k1'))
    const turned = { order_id: 'a', pay_currency: 'btc', price_currency: 'usd', price_amount: 10 }
    expect(await client.createPayment({ body: turned }, keyed('k1'))).toEqual(first)
    expect((await client.payments({ query: {} })).total).toBe(1)
  })

  test('is rejected for another body, and for another kind of object', async () => {
    const house = await openHouse()
    const { client } = await aMerchant(house)
    await client.createPayment({ body: body() }, keyed('k1'))
    expect(await refusal(client.createPayment({ body: body({ price_amount: 11 }) }, keyed('k1')))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    )
    expect(await refusal(client.createInvoice({ body: body() }, keyed('k1')))).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('is in progress until its first request ends', async () => {
    const house = await openHouse()
    const { client } = await aMerchant(house)
    const ask = () => client.createPayment({ body: body() }, keyed('k1'))
    const ends = await Promise.all([ask(), refusal(ask()), refusal(ask())])
    expect(ends.slice(1)).toEqual(['IDEMPOTENCY_IN_FLIGHT', 'IDEMPOTENCY_IN_FLIGHT'])
    expect(await ask()).toEqual(ends[0])
  })

  test('belongs to one merchant, is kept for at least 24 hours, and stores no refusal', async () => {
    const house = await openHouse()
    const one = await aMerchant(house)
    const two = await aMerchant(house, { email: 'other@shop.example' })
    const first = await one.client.createPayment({ body: body() }, keyed('k1'))
    const second = await two.client.createPayment({ body: body({ price_amount: 20 }) }, keyed('k1'))
    expect(second.payment_id).not.toBe(first.payment_id)
    await house.wait(25 * 3_600_000)
    expect(await one.client.createPayment({ body: body() }, keyed('k1'))).toEqual(first)
    expect(await refusal(one.client.createPayment({ body: body({ price_amount: 0.1 }) }, keyed('k2')))).toBe(
      'AMOUNT_TOO_SMALL',
    )
    expect((await one.client.createPayment({ body: body() }, keyed('k2'))).payment_status).toBe('waiting')
  })
})

describe('HTTP', () => {
  const send = async (path: string, init: { method?: string; body?: string; type?: string } = {}) => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const { payment_id: id } = await aPayment(merchant)
    const reply = await house.server.inject({
      method: init.method ?? 'GET',
      path: path.replace('ID', String(id)),
      headers: { 'X-Api-Key': merchant.apiKey, 'content-type': init.type ?? 'application/json' },
      ...(init.body === undefined ? {} : { body: init.body }),
    })
    return { status: reply.status, json: JSON.parse(reply.body) }
  }

  test.each([
    '/api/v1/payment',
    '/v1/payment',
    '/v1/payment/',
    '/v1/payment/?limit=10&page=0&dateFrom=&sortBy=',
    '/api/v1/payment/ID',
    '/v1/payment/ID/',
    '/v1/currencies/BTC',
    '/v1/merchant/coins?fixed_rate=True',
  ])('%s answers', async (path) => {
    expect((await send(path)).status).toBe(200)
  })

  test('a slash inside a query is kept', async () => {
    expect((await send('/v1/payment?invoiceId=a/')).json).toMatchObject({ total: 0 })
  })

  test('a body can be empty if none is needed, and a form where clients send one', async () => {
    expect((await send('/v1/payment/ID/update-merchant-estimate', { method: 'POST' })).status).toBe(200)
    const form = await send('/v1/payment', {
      method: 'POST',
      type: 'application/x-www-form-urlencoded',
      body: 'price_amount=10&price_currency=usd&pay_currency=btc&is_fixed_rate=True',
    })
    expect(form.status).toBe(201)
    expect(form.json).toMatchObject({ pay_amount: 0.0001, is_fixed_rate: true })
  })

  test('a refusal has the document’s format', async () => {
    expect((await send('/v1/payment/x')).json).toEqual({
      status: false,
      statusCode: 400,
      code: 'INVALID_REQUEST_PARAMS',
      message: 'payment_id must be a number',
    })
    expect((await send('/v1/nothing')).json.code).toBe('NOT_FOUND')
    expect((await send('/v1/payment', { method: 'POST', body: '{' })).json.code).toBe('INVALID_REQUEST_PARAMS')
    expect((await send('/v1/fiat-payouts/providers')).json).toMatchObject({ statusCode: 501, code: 'NOT_SUPPORTED' })
  })

  test('too many requests from one address are rejected, with any key or none', async () => {
    const house = await openHouse({ rateLimits: true })
    const ask = (i: number) =>
      house.server.inject({ method: 'GET', path: '/v1/status', headers: { 'x-api-key': `gw_p_${i}` } })
    for (let i = 0; i < 400; i++) expect((await ask(i)).status).toBe(200)
    const refused = await ask(400)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await house.wait(1_000)
    expect((await ask(401)).status).toBe(200)
  })

  test('too many requests with one key are rejected, with a Retry-After', async () => {
    const house = await openHouse({ rateLimits: true })
    const merchant = await aMerchant(house)
    const ask = () =>
      house.server.inject({ method: 'GET', path: '/v1/balance', headers: { 'x-api-key': merchant.apiKey } })
    for (let i = 0; i < 200; i++) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await house.wait(1_000)
    expect((await ask()).status).toBe(200)
  })
})
