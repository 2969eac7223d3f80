import { describe, expect, test } from 'vitest'
import { shared } from '../shared.ts'
import { aFundedShop, ask, order, wallet } from './gateway.ts'
import * as book from './manners.ts'

const shop = shared(async (world) => {
  const made = await aFundedShop(world)
  const post = async (endpoint: string, body: object) => (await ask(made, endpoint, body)).body
  const later = new Date((await world.clock.now()) + 3_600_000).toISOString()
  const withdrawals = [{ address: wallet, currency: 'usdttrc20', amount: 10 }]
  const terms = { title: 'Weekly', interval_day: 7, amount: 10, currency: 'usd' }
  const plan = (await post('POST /subscriptions/plans', terms)).result.id
  const subscribed = await post('POST /subscriptions', { subscription_plan_id: plan, email: 'ann@example.com' })
  const batch = await post('POST /payout', { withdrawals, execute_at: later })
  const ids: Readonly<Record<string, string>> = {
    payment: String((await post('POST /payment', order)).payment_id),
    invoice: (await post('POST /invoice', { price_amount: 10, price_currency: 'usd' })).id,
    item: batch.withdrawals[0].id,
    batch: batch.id,
    subscription: subscribed.result.id,
    plan,
  }
  const named = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? name)
  return { ...made, ids, named }
})
const inject = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  shop().world.server.inject({ method, path: `/sandbox${path}`, headers, ...(body === undefined ? {} : { body }) })
const pay = (change: object) => ask(shop(), 'POST /payment', { ...order, ...change })

describe('paths and headers', () => {
  test('both roots and a slash at the end return the same', async () => {
    const replies = await Promise.all(book.spellings.map((path) => inject('GET', path, { 'x-api-key': shop().apiKey })))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    for (const { headers } of replies) expect(headers['content-type']).toMatch(book.contentType)
  })

  test.each(['X-Api-Key', 'X-API-KEY', 'x-api-key'])('the key in the header %s', async (name) => {
    const reply = await inject('GET', '/api/v1/balance', {
      [name]: shop().apiKey,
      'origin-ip': '1.2.3.4',
    })
    expect(reply.status).toBe(200)
  })

  test.each(book.bodiless)('$endpoint without a body', async ({ endpoint, status }) => {
    const [method = '', path = ''] = shop().named(endpoint).split(' ')
    const headers = {
      'x-api-key': shop().apiKey,
      authorization: `Bearer ${shop().token}`,
      'content-type': 'application/json',
    }
    const reply = await inject(method, `/api/v1${path}`, { ...headers, 'content-length': '0' })
    expect([reply.status, reply.body]).toEqual([status, expect.stringMatching(/./)])
  })

  test.each(book.forms)('$endpoint as a form', async ({ endpoint, form, status }) => {
    const [method = '', path = ''] = endpoint.split(' ')
    const headers = { 'x-api-key': shop().apiKey, 'content-type': 'application/x-www-form-urlencoded' }
    expect((await inject(method, `/api/v1${path}`, headers, shop().named(form))).status).toBe(status)
  })
})

describe('values', () => {
  test.each(book.amounts)('an amount of $sent is $answered', async ({ sent, answered }) => {
    const { status, body } = await pay({ price_amount: sent })
    expect([status, body.price_amount]).toEqual([201, answered])
  })

  test.each(book.tickers)('tickers $pay_currency and $price_currency are returned in lower case', async (sent) => {
    const { status, body } = await pay(sent)
    expect([status, body.pay_currency, body.price_currency]).toEqual([201, 'usdttrc20', 'usd'])
    const estimate = `/estimate?amount=1&currency_from=${sent.price_currency}&currency_to=${sent.pay_currency}`
    expect((await ask(shop(), `GET ${estimate}`)).body).toMatchObject({
      currency_from: 'usd',
      currency_to: 'usdttrc20',
    })
  })

  test.each(book.orderIds)('an order id of $sent', async ({ sent, answered }) => {
    const { body } = await pay({ order_id: sent })
    expect([body.order_id, (await ask(shop(), `GET /payment/${body.payment_id}`)).body.order_id]).toEqual([
      answered,
      answered,
    ])
  })

  test.each(book.truths)('a truth value of %s in a query', async (value) => {
    for (const path of [
      `/currencies?fixed_rate=${value}`,
      `/merchant/coins?fixed_rate=${value}`,
      `/min-amount?currency_from=btc&is_fixed_rate=${value}&is_fee_paid_by_user=${value}`,
    ])
      expect((await ask(shop(), `GET ${path}`)).status, path).toBe(200)
  })

  test('unknown fields are ignored, and fixed_rate is is_fixed_rate', async () => {
    const { status, body } = await pay({ ...book.unknown, fixed_rate: true })
    expect([status, body.is_fixed_rate]).toEqual([201, true])
    expect((await ask(shop(), 'GET /currencies?whatever=1')).status).toBe(200)
  })

  test('ids are digits: a number for a payment, texts for all others, and either is accepted', async () => {
    const { ids } = shop()
    for (const [name, id] of Object.entries(ids)) expect(id, name).toMatch(book.id)
    expect(Number.isInteger((await pay({})).body.payment_id)).toBe(true)
    for (const iid of [ids['invoice'], Number(ids['invoice'])]) {
      const paid = await ask(shop(), 'POST /invoice-payment', { iid, pay_currency: 'trx' })
      expect(paid.status).toBe(201)
    }
    for (const plan of [ids['plan'], Number(ids['plan'])]) {
      const sent = { subscription_plan_id: plan, email: `p${typeof plan}@example.com` }
      expect((await ask(shop(), 'POST /subscriptions', sent)).status).toBe(200)
    }
  })

  test('addresses: OK as a JSON text, or INVALID_ADDRESS', async () => {
    const headers = { 'x-api-key': shop().apiKey, 'content-type': 'application/json' }
    const validate = (address: string, currency: string) =>
      inject('POST', '/api/v1/payout/validate-address', headers, JSON.stringify({ address, currency, extra_id: null }))
    expect(await validate(wallet, 'usdttrc20')).toMatchObject({ status: 200, body: book.ok })
    for (const [address, currency] of [
      [`${wallet}x`, 'usdttrc20'],
      [wallet.toLowerCase(), 'usdttrc20'],
      [wallet, 'btc'],
      ['', 'trx'],
    ] as const) {
      const { status, body } = await validate(address, currency)
      expect([status, JSON.parse(body).code]).toEqual([400, expect.stringMatching(/^INVALID_/)])
    }
  })

  test('a payout by its item is a list of one, and by its batch an object', async () => {
    const { ids } = shop()
    const item = (await ask(shop(), `GET /payout/${ids['item']}`)).body
    const batch = (await ask(shop(), `GET /payout/${ids['batch']}`)).body
    expect(item).toMatchObject([{ id: ids['item'], batch_withdrawal_id: ids['batch'] }])
    expect(batch).toMatchObject({ id: ids['batch'], withdrawals: [{ id: ids['item'] }] })
  })

  test('balances are by ticker, and an empty account has none', async () => {
    const { body } = await ask(shop(), 'GET /balance')
    expect(Object.keys(body)).toEqual(['usdttrc20'])
    expect(Object.keys(body.usdttrc20).toSorted()).toEqual(['amount', 'pendingAmount'])
    const empty = await aFundedShop(shop().world, 'poor@shop.example')
    await ask(empty, 'POST /conversion', { amount: 1000, from_currency: 'usdttrc20', to_currency: 'trx' })
    expect(Object.keys((await ask(empty, 'GET /balance')).body)).toEqual(['trx'])
  })
})
