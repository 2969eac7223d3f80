import { expect, test } from 'vitest'
import { createKey } from '../../../src/services/gateway/admin/platform.ts'
import { aMerchant, openHouse } from './house.ts'

test('everything below /fiat-payouts is 501 for every method, in both environments and under both prefixes', async () => {
  const house = await openHouse()
  const production = await aMerchant(house)
  const sandbox = await aMerchant(house, { environment: 'sandbox', email: 'other@shop.example' })
  const paths = [
    '',
    '/',
    '/accounts',
    '/accounts/',
    '/account',
    '/account/7',
    '/account/7/x',
    '/payouts',
    '/a/b/c?x=1',
    '/%zz',
  ]
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    for (const path of paths)
      for (const [prefix, { apiKey }] of [
        ['/api/v1', production],
        ['/v1', production],
        ['/sandbox/api/v1', sandbox],
        ['/sandbox/v1', sandbox],
      ] as const) {
        const ask = async (headers: Record<string, string>) => {
          const body = method === 'GET' ? {} : { body: '{"amount":1e400' }
          const reply = await house.server.inject({ method, path: `${prefix}/fiat-payouts${path}`, headers, ...body })
          return { status: reply.status, ...JSON.parse(reply.body) }
        }
        const where = `${method} ${prefix}/fiat-payouts${path}`
        expect(await ask({ 'x-api-key': apiKey }), where).toEqual({
          status: false,
          statusCode: 501,
          code: 'NOT_SUPPORTED',
          message: 'Fiat payouts are not supported',
        })
        expect(await ask({}), where).toMatchObject({ statusCode: 401, code: 'AUTH_REQUIRED' })
        expect(await ask({ 'x-api-key': 'wrong' }), where).toMatchObject({ statusCode: 403, code: 'INVALID_API_KEY' })
      }
  const near = await house.server.inject({
    method: 'GET',
    path: '/api/v1/fiat-payouts-of-mine',
    headers: { 'x-api-key': production.apiKey },
  })
  expect(near.status).toBe(404)
})

test('a payout in a fiat currency is 501 once the caller may pay out, alone, in a list or next to a payout in a coin', async () => {
  const house = await openHouse()
  const merchant = await aMerchant(house, {
    scopes: { scopes: ['read', 'payouts'], addresses: ['127.0.0.1'] },
  })
  const { token } = await merchant.client.auth({ body: { email: merchant.email, password: merchant.password } })
  const { apiKey: weak } = await createKey(house.app, merchant.id)
  const authorization = `Bearer ${token}`
  const ask = async (headers: Record<string, string>, body: object) => {
    const reply = await house.server.inject({
      method: 'POST',
      path: '/api/v1/payout',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return JSON.parse(reply.body).code
  }
  const item = (currency: string) => ({ address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', currency, amount: 10 })
  const full = { 'x-api-key': merchant.apiKey, authorization }
  for (const currency of ['usd', 'EUR', 'Jpy', 'krw', 'CHF', 'kwd']) {
    expect(await ask(full, item(currency))).toBe('NOT_SUPPORTED')
    expect(await ask(full, { withdrawals: [item(currency)] })).toBe('NOT_SUPPORTED')
    expect(await ask(full, { withdrawals: [{ ...item(currency), address: '' }] })).toBe('NOT_SUPPORTED')
  }
  expect(await ask(full, { withdrawals: [item('doge')] })).toBe('CURRENCY_UNAVAILABLE')
  expect(await ask({}, item('usd'))).toBe('AUTH_REQUIRED')
  expect(await ask({ 'x-api-key': merchant.apiKey }, item('usd'))).toBe('INVALID_TOKEN')
  expect(await ask({ 'x-api-key': weak, authorization }, item('usd'))).toBe('FORBIDDEN')
})
