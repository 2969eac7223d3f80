import { describe, expect, test } from 'vitest'
import { depositTo, refundPayment, setCoin } from '../../../../src/services/gateway/admin/platform.ts'
import { chainTxsTo, saveChainTx } from '../../../../src/services/gateway/queries/chain.ts'
import { allEntries } from '../../../../src/services/gateway/queries/ledger.ts'
import { confirmTx } from '../../../../src/services/gateway/simulator/chain-control.ts'
import { removeTx } from '../../../../src/services/gateway/simulator/chains.ts'
import { aMerchant, aPayment, type House, openHouse, refusal } from '../house.ts'

/** The destination of a payment's money: a wallet, custody, or its payer. A transfer on TRON costs 2.1 dollars. */

const minute = 60_000
const day = 24 * 60 * minute
const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

async function opened() {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  return {
    house,
    merchant,
    payment: (id: number) => merchant.client.payment({ params: { payment_id: String(id) } }),
    /** Balance of an address on the chain, in units. */
    sentTo: async (address: string) =>
      (await house.app.store.read((reader) => chainTxsTo(reader, 'production', address))).map(({ units }) => units),
  }
}

/** Pays and confirms the deposit at once, without advancing the clock. Returns its sender. */
async function payNow(house: House, id: number, amount?: string): Promise<string> {
  const { id: txId, sender } = await depositTo(house.app, id, amount === undefined ? {} : { amount })
  await house.settle()
  await confirmTx(house.app, txId)
  await house.settle()
  return sender
}

describe('a settlement to a wallet', () => {
  test.each([
    // Half a percent of either is 0.010552: 2.1 dollars remain, and a millionth more.
    ['2.110552', { outcome: 2.1, sent: [], balance: { usdttrc20: { amount: 2.1, pendingAmount: 0 } } }],
    ['2.110553', { outcome: 0.000001, sent: ['1'], balance: {} }],
  ])('of %s is sent only if an amount remains after the network fee', async (amount, expected) => {
    const { house, merchant, payment, sentTo } = await opened()
    await setCoin(house.app, merchant.id, 'usdttrc20', { wallet })
    const { payment_id: id } = await aPayment(merchant)
    await payNow(house, id, amount)
    await house.wait(7 * day + 2 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'expired', outcome_amount: expected.outcome })
    expect(await sentTo(wallet)).toEqual(expected.sent)
    expect(await merchant.client.balance({})).toEqual(expected.balance)
    await house.proveLedger()
  })

  test('sends the amount after both fees once, for any number of reports by the chain', async () => {
    const { house, merchant, payment, sentTo } = await opened()
    await setCoin(house.app, merchant.id, 'usdttrc20', { wallet })
    const { payment_id: id } = await aPayment(merchant)
    await payNow(house, id)
    await house.wait(2 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'finished', outcome_amount: 97.4 })
    expect(await sentTo(wallet)).toEqual(['97400000'])
    const entries = await house.app.store.read(allEntries)
    await house.app.store.write(async (tx) => {
      for (const { id } of await chainTxsTo(tx, 'production', wallet)) await saveChainTx(tx, id, { due_at: tx.now })
    })
    await house.settle()
    expect(house.failures).toEqual([])
    expect(await house.app.store.read(allEntries)).toEqual(entries)
  })

  test('dropped by its network finishes nothing, however late that is detected', async () => {
    const { house, merchant, payment } = await opened()
    await setCoin(house.app, merchant.id, 'usdttrc20', { wallet })
    const { payment_id: id } = await aPayment(merchant)
    await payNow(house, id)
    await house.app.store.write(async (tx) => {
      for (const { id } of await chainTxsTo(tx, 'production', wallet)) await removeTx(tx, 'out', id)
    })
    await house.sleep(60 * minute)
    await house.settle()
    expect((await payment(id)).payment_status).toBe('sending')
    await house.proveLedger()
  })

  test('is not confused with another transfer', async () => {
    const { house, merchant } = await opened()
    const input = { environment: 'production', network: 'trx', recipient: wallet, contract: null, units: 5n } as const
    await house.app.chains.send({ ...input, id: 'unknown' })
    await house.wait(2 * minute)
    expect(house.failures).toEqual([])
    expect(await house.app.store.read(allEntries)).toEqual([])
    expect(await merchant.client.balance({})).toEqual({})
  })
})

describe('a refund', () => {
  test.each([
    ['2.1', 'AMOUNT_TOO_SMALL'],
    ['2.100001', 'not refused'],
  ])('of %s is possible only if an amount remains after the network fee', async (amount, answer) => {
    const { house, merchant, payment, sentTo } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    const payer = await payNow(house, id, amount)
    expect(await refusal(refundPayment(house.app, id))).toBe(answer)
    await house.wait(2 * minute)
    const isBack = answer === 'not refused'
    expect(await payment(id)).toMatchObject({ payment_status: isBack ? 'refunded' : 'partially_paid' })
    expect(await sentTo(payer)).toEqual(isBack ? ['1'] : [])
    await house.proveLedger()
  })

  test('goes to the first of several payers', async () => {
    const { house, merchant, sentTo } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    const [first, second] = [await payNow(house, id, '30'), await payNow(house, id, '20')]
    expect(await refundPayment(house.app, id)).toMatchObject({ refunded: '47.9' })
    await house.settle()
    expect([await sentTo(first), await sentTo(second)]).toEqual([['47900000'], []])
  })

  test('is a conflict while the money is being sent to the merchant, and if none arrived', async () => {
    const { house, merchant, payment } = await opened()
    await setCoin(house.app, merchant.id, 'usdttrc20', { wallet })
    const { payment_id: sending } = await aPayment(merchant)
    await payNow(house, sending)
    expect((await payment(sending)).payment_status).toBe('sending')
    expect(await refusal(refundPayment(house.app, sending))).toBe('CONFLICT')
    const { payment_id: expired } = await aPayment(merchant, { is_fixed_rate: true })
    expect(await refusal(refundPayment(house.app, expired, wallet))).toBe('CONFLICT')
    await house.wait(20 * minute)
    expect((await payment(expired)).payment_status).toBe('expired')
    expect(await refusal(refundPayment(house.app, expired, wallet))).toBe('CONFLICT')
  })

  test('of a finished payment takes the full amount from the balance, and leaves its outcome unchanged', async () => {
    const { house, merchant, payment } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    await payNow(house, id)
    // The balance is 99.50 of the 100.
    expect(await refusal(refundPayment(house.app, id))).toBe('INSUFFICIENT_BALANCE')
    await payNow(house, (await aPayment(merchant)).payment_id)
    expect(await refundPayment(house.app, id)).toMatchObject({ refunded: '97.9' })
    await house.wait(2 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'refunded', outcome_amount: 99.5 })
    expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 99, pendingAmount: 0 } })
    await house.proveLedger()
  })

  test('of a sub-account’s payment takes the credited amount from the sub-account, and nothing else', async () => {
    const { house, merchant } = await opened()
    const client = await merchant.signedIn()
    const amy = (await client.createSubaccount({ body: { name: 'amy' } })).result.id
    const made = async (amount?: string) => {
      const body = { currency: 'trx', amount: 50, sub_partner_id: amy }
      const { result } = await (await merchant.signedIn()).createSubPayment({ body })
      await payNow(house, result.payment_id, amount)
      return result.payment_id
    }
    const held = async () => (await client.subBalance({ params: { id: amy } })).result.balances
    const whole = await made()
    await made()
    const part = await made('20')
    expect(await held()).toEqual({ trx: { amount: 99.5, pendingAmount: 20 } })
    expect(await refundPayment(house.app, part)).toMatchObject({ refunded: '13' })
    // Money on its way back to its payer is no longer expected.
    expect(await held()).toEqual({ trx: { amount: 99.5, pendingAmount: 0 } })
    expect(await refundPayment(house.app, whole)).toMatchObject({ refunded: '43' })
    await house.wait(2 * minute)
    expect(await held()).toEqual({ trx: { amount: 49.5, pendingAmount: 0 } })
    expect(await client.balance({})).toEqual({})
    await house.proveLedger()
  })
})

test('an added fee leaves the price, and makes the rate fixed', async () => {
  const { house, merchant, payment } = await opened()
  // 199 is 200 less half a percent; 100.502512… is rounded up.
  for (const [price_amount, due] of [
    [199, 200],
    [100, 100.502513],
  ]) {
    const made = await aPayment(merchant, { price_amount, is_fee_paid_by_user: true })
    expect(made).toMatchObject({ pay_amount: due, is_fixed_rate: true, is_fee_paid_by_user: true })
    await house.wait(20 * minute)
    expect((await payment(made.payment_id)).payment_status).toBe('expired')
  }
})
