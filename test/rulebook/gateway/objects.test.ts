import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { networkCodes } from '../../../src/domain/chains/networks.ts'
import { fund, setWhitelisted, theMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { aReceiver } from '../../support/http/receiver.ts'
import { shared } from '../shared.ts'
import * as coins from './currencies.ts'
import { aShop, ask, order } from './gateway.ts'
import * as limits from './limits.ts'
import * as book from './objects.ts'
import * as states from './states.ts'

const shop = shared((world) => aShop(world))
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const kinds: Record<string, (value: unknown) => boolean> = {
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string' && value !== '',
  boolean: (value) => typeof value === 'boolean',
  iso: (value) => iso.test(String(value)),
  digits: (value) => typeof value === 'string' && /^\d+$/.test(value),
  'decimal text': (value) => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value),
  'string or null': (value) => value === null || typeof value === 'string',
}

function expectFields(body: Record<string, unknown>, fields: Readonly<Record<string, string>>) {
  const wrong = Object.entries(fields).filter(([name, kind]) => !kinds[kind]?.(body[name]))
  expect(wrong.map(([name, kind]) => `${name} is no ${kind}: ${JSON.stringify(body[name])}`)).toEqual([])
}

describe('currencies', () => {
  test('the sandbox has every code of the table, in lower case, and full-currencies describes each', async () => {
    const codes = coins.sandboxNetworks.flatMap((each) => [...each.codes])
    const { body } = await ask(shop(), 'GET /currencies')
    expect([...body.currencies].toSorted()).toEqual([...codes].toSorted())
    const full = (await ask(shop(), 'GET /full-currencies')).body.currencies
    for (const code of codes)
      expectFields(
        full.find((each: { code: string }) => each.code === code),
        coins.detail,
      )
    const words = Object.fromEntries(full.map((each: { code: string; network: string }) => [each.code, each.network]))
    expect(words).toMatchObject(coins.networkWords)
    const networkOf = (code: string) => words[code]
    for (const each of coins.sandboxNetworks) expect(new Set(each.codes.map(networkOf)).size).toBe(1)
    expect(new Set(Object.values(words)).size).toBe(coins.productionNetworks)
    expect(networkCodes).toHaveLength(coins.productionNetworks)
  })

  test('merchant/coins has the codes under both names', async () => {
    const { body } = await ask(shop(), 'GET /merchant/coins')
    expect(body.currencies).toEqual(body.selectedCurrencies)
  })
})

describe('payments and invoices', () => {
  test('the create response, the look-up and the IPN', async () => {
    const receiver = await aReceiver()
    const created = await ask(shop(), 'POST /payment', { ...order, ipn_callback_url: receiver.url })
    expect(created.status).toBe(201)
    expectFields(created.body, book.createdPayment)
    expect(created.body.payment_status).toBe(states.first.payment)
    const path = `/payment/${created.body.payment_id}`
    const lookup = await ask(shop(), `GET ${path}`)
    expect(lookup.status).toBe(200)
    expect(Object.keys(lookup.body).toSorted()).toEqual([...book.ipnFields].toSorted())
    expect(lookup.body.updated_at).toMatch(iso)
    expect(lookup.body.invoice_id).toBeNull()
    await shop().world.settle()
    for (const { raw, headers } of receiver.got) {
      const signature = createHmac('sha512', shop().ipnSecret).update(raw).digest('hex')
      expect(headers[limits.headers.signature]).toBe(signature)
      expect(signature).toMatch(limits.headers.hex)
      expect(headers[limits.headers.compatible]).toBeUndefined()
      expect(String(headers['content-type'])).toContain(limits.headers.type)
      const ipn = JSON.parse(raw.toString())
      expect(Object.keys(ipn)).toEqual([...book.ipnFields].toSorted())
      expect(raw.toString()).toBe(JSON.stringify(ipn))
    }
  })

  test('an invoice', async () => {
    const urls = { success_url: 'https://shop.example/ok', cancel_url: 'https://shop.example/no' }
    const { pay_currency: _open, ...open } = order
    const { status, body } = await ask(shop(), 'POST /invoice', { ...open, ...urls })
    expect(status).toBe(201)
    expectFields(body, book.invoice)
    expect(body).toMatchObject({ pay_currency: null, price_amount: '100', price_currency: 'usd', ...urls })
    const paying = await ask(shop(), 'POST /invoice-payment', { iid: body.id, pay_currency: 'btc' })
    expect(paying.status).toBe(201)
    expect((await ask(shop(), `GET /payment/${paying.body.payment_id}`)).body.invoice_id).toBe(Number(body.id))
  })

  test.each(book.paymentList.sortBy)('the list sorted by %s, up and down', async (sortBy) => {
    for (const orderBy of book.paymentList.orderBy) {
      const { status, body } = await ask(shop(), `GET /payment/?sortBy=${sortBy}&orderBy=${orderBy}`)
      expect(status).toBe(200)
      expect(Object.keys(body).toSorted()).toEqual([...book.paymentList.fields].toSorted())
    }
  })

  test.each([0, 1, 500, 501])('a page of %i', async (limit) => {
    const { least, most } = book.paymentList.limit
    expect((await ask(shop(), `GET /payment/?limit=${limit}`)).status).toBe(limit < least || limit > most ? 400 : 200)
  })

  test('both roots, and with a slash at the end', async () => {
    const headers = { 'x-api-key': shop().apiKey }
    for (const path of [
      '/sandbox/api/v1/payment/',
      '/sandbox/api/v1/payment',
      '/sandbox/v1/payment/',
      '/sandbox/v1/payment?limit=1',
    ])
      expect((await shop().world.server.inject({ method: 'GET', path, headers })).status, path).toBe(200)
  })
})

describe('custody and subscriptions', () => {
  const keys = (value: object) => Object.keys(value)
  test('sub-accounts', async () => {
    const made = await ask(shop(), 'POST /sub-partner/balance', { name: 'ann' })
    expect(made.status).toBe(200)
    expect(keys(made.body.result)).toEqual(expect.arrayContaining([...book.subAccount]))
    expect([409, 400]).toContain((await ask(shop(), 'POST /sub-partner/balance', { name: 'ann' })).status)
    const named = async (name: string) => (await ask(shop(), 'POST /sub-partner/balance', { name })).status
    const { longest } = book.subAccountName
    expect([await named('n'.repeat(longest)), await named('n'.repeat(longest + 1))]).toEqual([200, 400])
    expect([await named(''), await named('ann@example.com')]).toEqual([400, 400])
    const list = await ask(shop(), 'GET /sub-partner')
    expect(list.body.count).toBe(list.body.result.length)
  })

  test('payouts, conversions and transfers', async () => {
    const { world, id } = shop()
    const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
    await world.store.write(async (tx) => fund(world.gateway, tx, await theMerchant(tx, id), 'usdttrc20', '1000'))
    await setWhitelisted(world.gateway, id, 'usdttrc20', wallet)
    const withdrawals = [{ address: wallet, currency: 'usdttrc20', amount: 100 }]
    const batch = await ask(shop(), 'POST /payout', { withdrawals })
    expect(batch.status).toBe(200)
    const [item] = batch.body.withdrawals
    expect(keys(item)).toEqual(expect.arrayContaining([...book.payoutItem]))
    expect(item).toMatchObject({ amount: '100', status: states.first.payout, batch_withdrawal_id: batch.body.id })
    const turned = await ask(shop(), 'POST /conversion', { amount: 50, from_currency: 'usdttrc20', to_currency: 'trx' })
    expect(turned.status).toBe(200)
    expect(keys(turned.body.result)).toEqual(expect.arrayContaining([...book.conversion]))
    expect(states.conversionStatuses).toContain(turned.body.result.status)
    const sub = await ask(shop(), 'POST /sub-partner/balance', { name: 'payee' })
    const given = { currency: 'usdttrc20', amount: 5, sub_partner_id: sub.body.result.id }
    const moved = await ask(shop(), 'POST /sub-partner/deposit', given)
    expect(moved.status).toBe(200)
    expect(keys(moved.body.result)).toEqual(expect.arrayContaining([...book.subTransfer]))
    expect(moved.body.result.amount).toBe('5')
    expect(states.transferStatuses).toContain(moved.body.result.status)
  })

  test('plans and subscriptions', async () => {
    const title = { title: 'Monthly', interval_day: 30, amount: 10, currency: 'usd' }
    const made = await ask(shop(), 'POST /subscriptions/plans', title)
    expect(made.status).toBe(200)
    expect(keys(made.body.result)).toEqual(expect.arrayContaining([...book.plan]))
    expect(made.body.result.interval_day).toBe('30')
    const subscribed = await ask(shop(), 'POST /subscriptions', {
      subscription_plan_id: made.body.result.id,
      email: 'ann@example.com',
    })
    expect(subscribed.status).toBe(200)
    const { result } = subscribed.body
    expect(keys(result)).toEqual(expect.arrayContaining([...book.subscription]))
    expect(states.subscriptionStatuses).toContain(result.status)
    expect(result.subscriber).toEqual({ email: 'ann@example.com' })
    const deletion = await ask(shop(), `DELETE /subscriptions/${result.id}`)
    expect([deletion.status, deletion.body]).toEqual([200, { result: 'ok' }])
  })
})

describe('states and limits', () => {
  // Its clock is moved: the token of the other shop would expire.
  const movedShop = shared((world) => aShop(world))

  test('an idempotency key is kept for 24 hours at least', async () => {
    const headers = { 'x-api-key': movedShop().apiKey, 'idempotency-key': 'kept' }
    const first = await ask(movedShop(), 'POST /payment', order, headers)
    movedShop().world.clock.add(`${limits.idempotencyHours * 3600 - 1}s`)
    await movedShop().world.settle()
    expect((await ask(movedShop(), 'POST /payment', order, headers)).body.payment_id).toBe(first.body.payment_id)
  })

  test('a token lasts five minutes', async () => {
    const own = await aShop(movedShop().world, 'other@shop.example')
    const { exp } = JSON.parse(Buffer.from(own.token.split('.')[1] ?? '', 'base64url').toString())
    const now = await own.world.clock.now()
    expect(exp).toBe(Math.floor(now / 1000) + limits.tokenMinutes * 60)
    expect((await ask(own, 'GET /conversion')).status).toBe(200)
    movedShop().world.clock.add(`${limits.tokenMinutes * 60 - 1}s`)
    expect((await ask(own, 'GET /conversion')).status).toBe(200)
    movedShop().world.clock.add('2s')
    expect((await ask(own, 'GET /conversion')).body).toMatchObject({ statusCode: 401, code: 'INVALID_TOKEN' })
  })
})
