import { generateSync } from 'otplib'
import { describe, expect, test } from 'vitest'
import {
  depositTo,
  enrollTotp,
  fund,
  setCoin,
  setWhitelisted,
  theMerchant,
} from '../../../src/services/gateway/admin/platform.ts'
import { keepingEngines } from '../../support/databases/engines.ts'
import { aMerchant, aPayment, openHouse, refusal } from './house.ts'

const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

describe.each(keepingEngines)('on $name', (engine) => {
  test('money is received, split and paid out, to the last unit', async () => {
    const database = await engine.database()
    const house = await openHouse({ open: database.open, rateLimits: true })
    const merchant = await aMerchant(house, {
      scopes: { scopes: ['read', 'payments', 'custody', 'payouts'], addresses: ['127.0.0.1'] },
    })
    const eth = await aPayment(merchant, { pay_currency: 'eth', price_amount: 1000 })
    await depositTo(house.app, eth.payment_id, { amount: '0.250000000000000001' })
    await house.wait(600_000)
    const usdt = await aPayment(merchant)
    await setCoin(house.app, merchant.id, 'usdttrc20', { wallet })
    await depositTo(house.app, usdt.payment_id)
    await house.wait(600_000)
    const { data } = await merchant.client.payments({ query: { sortBy: 'price_amount', orderBy: 'desc' } })
    expect(data.map(({ payment_status }) => payment_status)).toEqual(['finished', 'finished'])
    expect(data[0]?.actually_paid).toBe(0.25)

    await house.app.store.write(async (tx) => {
      await fund(house.app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '200')
    })
    await setWhitelisted(house.app, merchant.id, 'usdttrc20', wallet)
    const { totpSecret } = await enrollTotp(house.app, merchant.id)
    const client = await merchant.loggedIn()
    const sub = (await client.createSubaccount({ body: { name: 'amy' } })).result.id
    await client.depositToSub({ body: { currency: 'eth', amount: '0.1', sub_partner_id: sub } })
    await client.createConversion({ body: { amount: '0.1', from_currency: 'eth', to_currency: 'btc' } })
    const withdrawals = [{ address: wallet, currency: 'usdttrc20', amount: '100' }]
    const twice = { headers: { 'idempotency-key': 'one' } }
    const { id } = await client.createPayouts({ body: { withdrawals } }, twice)
    expect((await client.createPayouts({ body: { withdrawals } }, twice)).id).toBe(id)
    const verification_code = generateSync({ secret: totpSecret, epoch: house.now() / 1000 })
    await client.verifyPayouts({ params: { id }, body: { verification_code } })
    await house.wait(600_000)
    expect((await merchant.client.payouts({ query: {} })).payouts).toMatchObject([{ status: 'finished' }])
    expect(await merchant.client.balance({})).toMatchObject({ usdttrc20: { amount: 97.9, pendingAmount: 0 } })
    await house.proveLedger()
    expect(house.failures).toEqual([])
  })

  test('every list has each entry once, with any sort field and direction', async () => {
    const database = await engine.database()
    const house = await openHouse({ open: database.open })
    const merchant = await aMerchant(house, {
      scopes: { scopes: ['read', 'payments', 'custody', 'payouts'], addresses: ['127.0.0.1'] },
    })
    await house.app.store.write(async (tx) => {
      await fund(house.app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '500')
    })
    await setWhitelisted(house.app, merchant.id, 'usdttrc20', wallet)
    const client = await merchant.loggedIn()
    const sub = (await client.createSubaccount({ body: { name: 'amy' } })).result.id
    for (const [i, pay] of ['btc', 'usdttrc20', 'eth', 'usdttrc20', 'eth'].entries()) {
      const amount = String(10 + i)
      await client.createPayouts({ body: { withdrawals: [{ address: wallet, currency: 'usdttrc20', amount }] } })
      await client.createConversion({ body: { amount, from_currency: 'usdttrc20', to_currency: 'btc' } })
      await client.depositToSub({ body: { currency: 'usdttrc20', amount, sub_partner_id: sub } })
      await client.createSubaccount({ body: { name: `sub-${i}` } })
      await client.createSubPayment({
        body: { currency: pay, amount: pay === 'btc' ? 1 : 10 + i, sub_partner_id: sub },
      })
      if (i % 2 === 0) await house.wait(1_000)
    }
    type Part = { limit: number; offset: number; order: string; by: string }
    const lists: [string[], (part: Part) => Promise<readonly { id?: unknown; payment_id?: unknown }[]>][] = [
      [
        ['id', 'batchId', 'dateCreated', 'dateRequested', 'dateUpdated', 'currency', 'status'],
        async ({ limit, offset, order, by }) =>
          (await client.payouts({ query: { limit, page: offset / limit, order, order_by: by } })).payouts,
      ],
      [
        [''],
        async ({ limit, offset, order }) => (await client.conversions({ query: { limit, offset, order } })).result,
      ],
      [
        [''],
        async ({ limit, offset, order }) => (await client.subaccounts({ query: { limit, offset, order } })).result,
      ],
      [
        [''],
        async ({ limit, offset, order }) => (await client.subTransfers({ query: { limit, offset, order } })).result,
      ],
      [
        ['id', 'status', 'pay_currency', 'created_at', 'updated_at'],
        async ({ limit, offset, order, by }) =>
          (await client.subPayments({ query: { limit, page: offset, orderBy: order, sortBy: by } })).result,
      ],
    ]
    for (const [keys, list] of lists) {
      for (const by of keys) {
        const inOrder = async (order: string, limit: number) => {
          const ids: unknown[] = []
          for (let offset = 0; offset < 12; offset += limit)
            for (const { id, payment_id } of await list({ limit, offset, order, by })) ids.push(id ?? payment_id)
          return ids
        }
        const up = await inOrder('asc', 2)
        expect(new Set(up).size).toBeGreaterThanOrEqual(5)
        expect(up, by).toEqual(await inOrder('asc', 12))
        expect(up, by).toEqual((await inOrder('desc', 2)).reverse())
      }
    }
    const only = async (query: object) => (await client.subPayments({ query })).count
    expect([await only({ pay_currency: 'ETH' }), await only({ id: 'x' }), await only({ status: 'waiting' })]).toEqual([
      2, 0, 5,
    ])
    expect(house.failures).toEqual([])
  })

  test('of many concurrent spends of one balance, as many succeed as it covers', async () => {
    const database = await engine.database({ poolSize: 8 })
    const house = await openHouse({ open: database.open })
    const merchant = await aMerchant(house)
    await house.app.store.write(async (tx) => {
      await fund(house.app, tx, await theMerchant(tx, merchant.id), 'btc', '0.5')
    })
    const client = await merchant.loggedIn()
    const sub = (await client.createSubaccount({ body: { name: 'amy' } })).result.id
    const body = { currency: 'btc', amount: '0.1', sub_partner_id: sub }
    const ends = await Promise.all(Array.from({ length: 12 }, () => refusal(client.depositToSub({ body }))))
    expect(ends.filter((end) => end === 'not refused')).toHaveLength(5)
    expect(ends.filter((end) => end === 'INSUFFICIENT_BALANCE')).toHaveLength(7)
    await house.proveLedger()
  })
})
