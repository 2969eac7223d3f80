import { expect, test } from 'vitest'
import { fund, theMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { aMerchant, openHouse } from './house.ts'

const bodies: readonly [path: string, body: string, code: string][] = [
  ['/payment', '"price_amount":#,"price_currency":"usd","pay_currency":"btc"', 'INVALID_AMOUNT'],
  ['/payment', '"price_amount":10,"pay_amount":#,"price_currency":"usd","pay_currency":"btc"', 'INVALID_AMOUNT'],
  ['/payment', '"order_id":#,"price_amount":10,"price_currency":"usd","pay_currency":"btc"', 'INVALID_REQUEST_PARAMS'],
  ['/invoice', '"price_amount":#,"price_currency":"usd"', 'INVALID_AMOUNT'],
  ['/payout', '"withdrawals":[{"address":"T","currency":"trx","amount":#}]', 'INVALID_REQUEST_PARAMS'],
  ['/conversion', '"amount":#,"from_currency":"btc","to_currency":"eth"', 'INVALID_AMOUNT'],
  ['/sub-partner/transfer', '"currency":"btc","amount":#,"from_id":1,"to_id":2', 'INVALID_AMOUNT'],
  ['/sub-partner/deposit', '"currency":"btc","amount":#,"sub_partner_id":1', 'INVALID_AMOUNT'],
  ['/sub-partner/write-off', '"currency":"btc","amount":#,"sub_partner_id":1', 'INVALID_AMOUNT'],
  ['/sub-partner/payment', '"currency":"btc","amount":#,"sub_partner_id":1', 'INVALID_AMOUNT'],
  ['/subscriptions/plans', '"title":"t","interval_day":30,"amount":#,"currency":"usd"', 'INVALID_AMOUNT'],
  ['/subscriptions/plans', '"title":"t","interval_day":#,"amount":1,"currency":"usd"', 'INVALID_REQUEST_PARAMS'],
]

test('a number that JSON cannot represent is refused with 400 and changes nothing', async () => {
  const house = await openHouse()
  const merchant = await aMerchant(house, {
    scopes: { scopes: ['read', 'payments', 'custody', 'payouts'], addresses: ['127.0.0.1'] },
  })
  await house.app.store.write(async (tx) => fund(house.app, tx, await theMerchant(tx, merchant.id), 'btc', '1'))
  const { email, password } = merchant
  const { token } = await merchant.client.auth({ body: { email, password } })
  const headers = {
    'x-api-key': merchant.apiKey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': 'k',
  }
  for (const [path, fields, code] of bodies)
    for (const number of ['1e400', '-1e400', '1e-400', '-0']) {
      const body = `{${fields.replace('#', number)}}`
      const reply = await house.server.inject({ method: 'POST', path: `/api/v1${path}`, headers, body })
      const json = JSON.parse(reply.body)
      expect([path, number, reply.status, json.statusCode, json.code]).toEqual([path, number, 400, 400, code])
    }
  expect(house.failures).toEqual([])
  expect(await merchant.client.balance({})).toEqual({ btc: { amount: 1, pendingAmount: 0 } })
  await house.proveLedger()
})
