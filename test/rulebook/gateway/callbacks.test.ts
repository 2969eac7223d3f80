import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { setMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { sendTestIpn } from '../../../src/services/gateway/admin/test-ipn.ts'
import { aReceiver } from '../../support/http/receiver.ts'
import { testWorld } from '../../support/worlds/world.ts'
import { aFundedShop, ask, order, wallet } from './gateway.ts'
import * as limits from './limits.ts'
import * as book from './objects.ts'

test('every kind of callback has its fields, is flat, sorted and signed, and equals the looked-up object', async () => {
  const receiver = await aReceiver()
  const shop = await aFundedShop(await testWorld())
  const { world } = shop
  await setMerchant(world.gateway, shop.id, { ipnUrl: receiver.url })
  const post = async (endpoint: string, sent: object) => (await ask(shop, endpoint, sent)).body
  await post('POST /payment', { ...order, order_description: 'Äpfel/1 "2" 全' })
  await post('POST /payout', { withdrawals: [{ address: wallet, currency: 'usdttrc20', amount: 10 }] })
  await post('POST /conversion', { amount: 10, from_currency: 'usdttrc20', to_currency: 'trx' })
  const sub = (await post('POST /sub-partner/balance', { name: 'ann' })).result.id
  await post('POST /sub-partner/deposit', { currency: 'usdttrc20', amount: 50, sub_partner_id: sub })
  const terms = { title: 'Monthly', interval_day: 30, amount: 20, currency: 'usdttrc20' }
  const plan = (await post('POST /subscriptions/plans', terms)).result
  await post('POST /subscriptions', { subscription_plan_id: plan.id, sub_partner_id: sub })
  await sendTestIpn(world.gateway, shop.id)
  await world.settle()
  const bodies = receiver.got.map(({ raw }) => JSON.parse(raw.toString()))
  const seen = new Set<string>()
  for (const { kind, by, fields, path } of book.callbacks) {
    const body = bodies.find((each) => by in each && !('gw_test' in each) && !seen.has(JSON.stringify(each)))
    expect(body, kind).toBeDefined()
    seen.add(JSON.stringify(body))
    expect(Object.keys(body), kind).toEqual(expect.arrayContaining([...fields]))
    if (path === null) continue
    const looked = (await ask(shop, `GET ${path}${body.payment_id ?? body.id}`)).body
    const object = Array.isArray(looked) ? looked[0] : (looked.result ?? looked)
    expect(body, kind).toEqual(object)
  }
  // A test notification has a marker field and the fields of a payment.
  const tested = bodies.find((each) => 'gw_test' in each)
  expect(Object.keys(tested)).toEqual(expect.arrayContaining([...book.ipnFields]))
  expect(bodies).toHaveLength(book.callbacks.length + 1)
  for (const { raw, headers } of receiver.got) {
    const text = raw.toString()
    const sorted = Object.fromEntries(Object.entries(JSON.parse(text)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    expect(text).toBe(JSON.stringify(sorted))
    expect(Object.values(sorted).filter((value) => typeof value === 'object' && value !== null)).toEqual([])
    const signature = createHmac('sha512', shop.ipnSecret).update(raw).digest('hex')
    expect(headers[limits.headers.signature]).toBe(signature)
    expect(headers['content-type']).toBe(limits.headers.type)
    if ('payment_id' in sorted) expect(text).not.toMatch(/https?:/)
  }
})
