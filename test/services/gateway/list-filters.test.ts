import { expect, test } from 'vitest'
import { aMerchant, aPayment, openHouse } from './house.ts'

/** Every list with a status filter, a status that things in it have, and those of 2-payment-gateway-api, States and transitions. */
const lists = [
  ['/payment', 'waiting', 'waiting confirming confirmed sending partially_paid finished failed refunded expired'],
  ['/payout', 'creating', 'creating waiting processing sending finished failed rejected'],
  ['/conversion', 'finished', 'processing finished failed'],
  ['/sub-partner/transfers', 'finished', 'processing finished failed'],
  ['/subscriptions', 'past_due', 'active past_due paused cancelled'],
  [
    '/sub-partner/payments',
    'waiting',
    'waiting confirming confirmed sending partially_paid finished failed refunded expired',
  ],
] as const

test.each(lists)(
  'GET %s takes the documented statuses in any case and refuses every other',
  async (path, usual, all) => {
    const house = await openHouse()
    const merchant = await aMerchant(house, {
      scopes: { scopes: ['read', 'payments', 'custody', 'payouts'], addresses: ['127.0.0.1'] },
    })
    await aPayment(merchant)
    const { token } = await merchant.client.auth({ body: { email: merchant.email, password: merchant.password } })
    const ask = async (query: string) => {
      const headers = { 'x-api-key': merchant.apiKey, authorization: `Bearer ${token}` }
      const reply = await house.server.inject({ method: 'GET', path: `/api/v1${path}?${query}`, headers })
      return JSON.parse(reply.body)
    }
    for (const status of all.split(' '))
      for (const text of [status, status.toUpperCase()])
        expect(await ask(`status=${text}`), text).not.toHaveProperty('statusCode')
    const everything = await ask('')
    for (const empty of ['status=', 'status=%20', 'status=,']) expect(await ask(empty), empty).toEqual(everything)
    for (const wrong of ['paid', 'FINISHED2', 'WAITING_PAY', `${usual},odd`, '%00', '1']) {
      const told = await ask(`status=${wrong}`)
      expect([wrong, told.statusCode, told.code]).toEqual([wrong, 400, 'INVALID_REQUEST_PARAMS'])
      if (wrong !== '%00') expect(told.message).toContain(all.split(' ').join(', '))
    }
  },
)

test('payments are listed by status, one or several', async () => {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  await aPayment(merchant)
  const count = async (status: string) => (await merchant.client.payments({ query: { status } })).total
  expect([await count('waiting'), await count('finished'), await count('finished,waiting')]).toEqual([1, 0, 1])
})
