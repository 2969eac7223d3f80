import { describe, expect, test } from 'vitest'
import { gateway } from '../../../src/services/gateway/api/contract.ts'
import { aMerchant } from '../../services/gateway/house.ts'
import { shared } from '../shared.ts'
import * as book from './errors.ts'
import { aShop, ask, type Outcome, order } from './gateway.ts'
import { refusedCallbacks } from './limits.ts'

const shop = shared(async (world) => {
  const mainnet = await aMerchant({ app: world.gateway, server: world.server }, { environment: 'production' })
  return { ...(await aShop(world)), mainnetKey: mainnet.apiKey }
})

/** Checks that a failure has the body of the document and the status of its code. */
function expectRefusal({ status, body }: Outcome, codes: string) {
  expect(Object.keys(body)).toEqual(book.errorBody.keys)
  expect(codes.split('|')).toContain(body.code)
  expect(status).toBe(book.errors[body.code as keyof typeof book.errors])
  expect(body).toEqual({ status: false, statusCode: status, code: body.code, message: expect.stringMatching(/./) })
}

test('the codes are those of the table with their statuses, and no others', () => {
  expect(gateway.problems).toEqual(book.errors)
})

describe('access', () => {
  const needsKey = book.access.filter(({ needs }) => needs !== 'none')
  const needsToken = book.access.filter(({ needs }) => needs === 'key + JWT')

  test('the status needs no key', async () => {
    for (const headers of [{}, { 'x-api-key': '' }, { 'x-api-key': 'wrong' }])
      expect(await ask(shop(), 'GET /status', undefined, headers)).toMatchObject({
        status: 200,
        body: { message: 'OK' },
      })
  })

  test.each(needsKey)(
    '$endpoint without a key, with a wrong one, and with one of the other environment',
    async ({ endpoint }) => {
      const authorization = `Bearer ${shop().token}`
      expectRefusal(await ask(shop(), endpoint, undefined, { authorization }), 'AUTH_REQUIRED')
      for (const key of ['wrong', `${shop().apiKey}x`, shop().mainnetKey])
        expectRefusal(await ask(shop(), endpoint, undefined, { authorization, 'x-api-key': key }), 'INVALID_API_KEY')
    },
  )

  test.each(needsToken)('$endpoint without a token, and with a wrong one', async ({ endpoint }) => {
    const key = { 'x-api-key': shop().apiKey }
    expectRefusal(await ask(shop(), endpoint, undefined, key), 'AUTH_REQUIRED|INVALID_TOKEN')
    for (const authorization of ['Bearer a.b.c', 'Bearer undefined', `Bearer ${shop().token}x`])
      expectRefusal(await ask(shop(), endpoint, undefined, { ...key, authorization }), 'INVALID_TOKEN')
  })

  test.each(needsKey.filter(({ needs }) => needs === 'key'))('$endpoint ignores a bearer', async ({ endpoint }) => {
    for (const authorization of ['Bearer undefined', 'Bearer ', 'Bearer a.b.c']) {
      const { body } = await ask(shop(), endpoint, undefined, { 'x-api-key': shop().apiKey, authorization })
      expect(['AUTH_REQUIRED', 'INVALID_TOKEN', 'INVALID_API_KEY']).not.toContain(body?.code)
    }
  })

  test('an authentication with a wrong password', async () => {
    const { status } = await ask(shop(), 'POST /auth', { email: 'owner@shop.example', password: 'wrong' })
    expect([401, 403]).toContain(status)
  })
})

describe('refusals', () => {
  test.each(book.notSupported)('%s is not supported', async (endpoint) => {
    expectRefusal(await ask(shop(), endpoint), 'NOT_SUPPORTED')
  })

  test.each(book.missing)('$endpoint is $code', async ({ endpoint, code }) => {
    expectRefusal(await ask(shop(), endpoint), code)
  })

  test.each(book.refusedPayments)('a payment with $change is $code', async ({ change, code }) => {
    expectRefusal(await ask(shop(), 'POST /payment', { ...order, ...change }), code)
  })

  test.each(refusedCallbacks)('a callback to %s', async (ipn_callback_url) => {
    expectRefusal(await ask(shop(), 'POST /payment', { ...order, ipn_callback_url }), 'INVALID_REQUEST_PARAMS')
    expectRefusal(await ask(shop(), 'POST /invoice', { ...order, ipn_callback_url }), 'INVALID_REQUEST_PARAMS')
  })

  test('an idempotency key with another body, and the same one', async () => {
    const headers = { 'x-api-key': shop().apiKey, 'idempotency-key': 'once' }
    const first = await ask(shop(), 'POST /payment', order, headers)
    const again = await ask(shop(), 'POST /payment', order, headers)
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expectRefusal(await ask(shop(), 'POST /payment', { ...order, order_id: 'B' }, headers), 'IDEMPOTENCY_KEY_REUSED')
  })
})
