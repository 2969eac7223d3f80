import { describe, expect, test } from 'vitest'
import { coins } from '../../../../src/domain/chains/coins.ts'
import { fixedRates } from '../../../../src/domain/payments/rates.ts'
import { depositTo, setCoin, theMerchant } from '../../../../src/services/gateway/admin/platform.ts'
import { currentPayment } from '../../../../src/services/gateway/payments/invoices.ts'
import { invoiceOf as rowOf } from '../../../../src/services/gateway/queries/payments.ts'
import { ageRates, setRate } from '../../../../src/services/gateway/rates/rates.ts'
import { createPlan } from '../../../../src/services/gateway/subscriptions.ts'
import { aMerchant, type House, type Merchant, openHouse, refusal } from '../house.ts'

const invoiceOf = (merchant: Merchant, over: object) =>
  merchant.client.createInvoice({ body: { price_amount: 20, price_currency: 'usd', ...over } })

async function messageOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'not refused',
    (error: Error) => error.message,
  )
}

/** Disables all coins of a merchant except these. */
async function onlyCoins(house: House, merchant: Merchant, kept: readonly string[]) {
  for (const { code } of coins) if (!kept.includes(code)) await setCoin(house.app, merchant.id, code, 'off')
}

describe('an invoice that no coin can pay is refused when it is created:', () => {
  test('below the smallest payment, which the message names, and not at it', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    await onlyCoins(house, merchant, ['usdttrc20'])
    const tooSmall = invoiceOf(merchant, { price_amount: '8.39' })
    expect(await messageOf(tooSmall)).toBe('The minimum payment is 8.4 usd, paid in usdttrc20')
    expect(await refusal(invoiceOf(merchant, { price_amount: '8.39' }))).toBe('AMOUNT_TOO_SMALL')
    for (const price_amount of ['8.4', '8.41']) {
      const { id } = await invoiceOf(merchant, { price_amount })
      const payment = { iid: id, pay_currency: 'usdttrc20' }
      expect(await merchant.client.createInvoicePayment({ body: payment })).toMatchObject({ pay_currency: 'usdttrc20' })
    }
    const named = { price_amount: '8.39', pay_currency: 'usdttrc20' }
    expect(await refusal(invoiceOf(merchant, named))).toBe('AMOUNT_TOO_SMALL')
  })

  test('below all the smallest payments, of which the message names the first of the lowest', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const minimum = async (coin: string) =>
      (await merchant.client.minAmount({ query: { currency_from: 'usd', currency_to: coin } })).min_amount
    for (const kept of [
      ['btc', 'usdttrc20'],
      ['eth', 'usdcsol', 'sol'],
      // Coins of one network have the same transfer fee.
      ['trx', 'usdttrc20'],
      ['etharb', 'bnbbsc', 'usdcbase'],
    ]) {
      for (const { code } of coins)
        await setCoin(house.app, merchant.id, code, kept.includes(code) ? { wallet: null } : 'off')
      const enabled = (await merchant.client.merchantCoins({ query: {} })).currencies
      expect(enabled.toSorted()).toEqual(kept.toSorted())
      const limits = await Promise.all(enabled.map(async (coin) => ({ coin, least: await minimum(coin) })))
      const least = Math.min(...limits.map((each) => each.least))
      const first = limits.find((each) => each.least === least)?.coin ?? ''
      const below = (least - 0.01).toFixed(2)
      expect(await messageOf(invoiceOf(merchant, { price_amount: below }))).toBe(
        `The minimum payment is ${least} usd, paid in ${first}`,
      )
      const { id } = await invoiceOf(merchant, { price_amount: least })
      expect(await refusal(merchant.client.createInvoicePayment({ body: { iid: id, pay_currency: first } }))).toBe(
        'not refused',
      )
    }
  })

  test('below the smallest payment in the coin that has a price, when another has none', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    await onlyCoins(house, merchant, ['btc', 'eth', 'usdttrc20'])
    await setRate(house.app, 'btc', null)
    await setRate(house.app, 'eth', null)
    expect(await messageOf(invoiceOf(merchant, { price_amount: '8.39' }))).toBe(
      'The minimum payment is 8.4 usd, paid in usdttrc20',
    )
    expect(await messageOf(invoiceOf(merchant, { price_amount: '1000000.01' }))).toBe(
      'The maximum payment is 1000000 usd',
    )
    expect(await invoiceOf(merchant, {})).toMatchObject({ price_amount: '20' })
  })

  test.each([[['usdc', 'usdttrc20']], [['eth', 'usdcsol']]])(
    'above the largest payment, which is that of the coin of %j whose unit is worth more',
    async (kept) => {
      const house = await openHouse()
      const merchant = await aMerchant(house)
      await onlyCoins(house, merchant, kept)
      // A million dollars in units of 300 000 are rounded up to four units.
      await setRate(house.app, 'usdc', '300000000000')
      const tooLarge = (price_amount: string) => messageOf(invoiceOf(merchant, { price_amount }))
      expect(await tooLarge('1200000.01')).toBe('The maximum payment is 1200000 usd')
      expect(await invoiceOf(merchant, { price_amount: '1200000' })).toMatchObject({ price_amount: '1200000' })
    },
  )

  test('above the largest payment, and not at it', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    expect(await messageOf(invoiceOf(merchant, { price_amount: '1000000.01' }))).toBe(
      'The maximum payment is 1000000 usd',
    )
    expect(await refusal(invoiceOf(merchant, { price_amount: '1000000.01' }))).toBe('AMOUNT_TOO_LARGE')
    for (const price_amount of ['1000000', '999999.99'])
      expect(await invoiceOf(merchant, { price_amount })).toMatchObject({ price_amount })
  })

  test('with a named coin that does not exist or is not enabled, and for an account without coins', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    expect(await refusal(invoiceOf(merchant, { pay_currency: 'doge' }))).toBe('CURRENCY_UNAVAILABLE')
    await onlyCoins(house, merchant, ['btc'])
    expect(await refusal(invoiceOf(merchant, { pay_currency: 'eth' }))).toBe('CURRENCY_UNAVAILABLE')
    await onlyCoins(house, merchant, [])
    expect(await refusal(invoiceOf(merchant, {}))).toBe('CURRENCY_UNAVAILABLE')
  })

  test('without any price, but not for prices that are only old', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    await ageRates(house.app, 3_600_000)
    expect(await invoiceOf(merchant, {})).toMatchObject({ price_amount: '20' })
    const { eur: _gone, ...usd } = fixedRates.usd
    const without = await openHouse({ rates: { table: () => ({ ...fixedRates, usd }) } })
    const other = await aMerchant(without)
    expect(await refusal(invoiceOf(other, { price_currency: 'eur' }))).toBe('RATE_UNAVAILABLE')
  })

  test('and so is a subscription by email whose bills cannot be paid', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const plan = await house.app.store.write(async (tx) =>
      createPlan(house.app, tx, await theMerchant(tx, merchant.id), {
        title: 'Tiny',
        interval_day: 30,
        amount: '0.02',
        currency: 'usd',
      }),
    )
    const client = await merchant.loggedIn()
    const input = { subscription_plan_id: plan.result.id, email: 'amy@mail.example' }
    expect(await refusal(client.createSubscription({ body: input }))).toBe('AMOUNT_TOO_SMALL')
    expect((await client.subscriptions({ query: {} })).count).toBe(0)
  })
})

describe('an invoice with received money accepts no other payment,', () => {
  test.each([
    ['part of it', '5', 'partially_paid'],
    ['all of it', '20', 'finished'],
  ])('%s', async (_, amount, status) => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const { id } = await invoiceOf(merchant, {})
    const pay = (pay_currency: string) => merchant.client.createInvoicePayment({ body: { iid: id, pay_currency } })
    const first = await pay('usdttrc20')
    // No money was received yet, so the customer may still choose.
    const second = await pay('trx')
    await depositTo(house.app, first.payment_id, { amount })
    await house.wait(1_200_000)
    const { payment_status } = await merchant.client.payment({ params: { payment_id: String(first.payment_id) } })
    expect(payment_status).toBe(status)
    for (const coin of ['usdttrc20', 'trx', 'btc']) expect(await refusal(pay(coin))).toBe('CONFLICT')
    expect(await messageOf(pay('btc'))).toContain(String(first.payment_id))
    const { total } = await merchant.client.payments({ query: { invoiceId: id } })
    expect([total, second.payment_status]).toEqual([2, 'waiting'])
  })
})

test('an invoice exists only for its own account', async () => {
  const house = await openHouse()
  const [merchant, other] = [await aMerchant(house), await aMerchant(house, { email: 'other@shop.example' })]
  const { id } = await invoiceOf(merchant, {})
  expect(await refusal(merchant.client.invoice({ params: { id } }))).toBe('not refused')
  expect(await refusal(other.client.invoice({ params: { id } }))).toBe('NOT_FOUND')
  expect(await refusal(merchant.client.invoice({ params: { id: '1' } }))).toBe('NOT_FOUND')
  const body = { iid: id, pay_currency: 'trx' }
  expect(await refusal(other.client.createInvoicePayment({ body }))).toBe('NOT_FOUND')
})

test('an invoice in a coin is paid only in that coin', async () => {
  const merchant = await aMerchant(await openHouse())
  const { id } = await invoiceOf(merchant, { pay_currency: 'TRX' })
  const pay = (pay_currency: string) => merchant.client.createInvoicePayment({ body: { iid: id, pay_currency } })
  expect(await refusal(pay('btc'))).toBe('CONFLICT')
  expect((await pay('trx')).pay_currency).toBe('trx')
})

describe('a payment of an invoice', () => {
  async function paidIn(input: object, paying: object = {}) {
    const merchant = await aMerchant(await openHouse())
    const invoice = await invoiceOf(merchant, input)
    const body = { iid: invoice.id, pay_currency: 'usdttrc20', ...paying }
    const created = await merchant.client.createInvoicePayment({ body })
    const read = await merchant.client.payment({ params: { payment_id: String(created.payment_id) } })
    return { invoice, payment: { ...created, ...read } }
  }

  test('has no order and no fixed rate, and a settlement in its own coin, by default', async () => {
    for (const input of [{}, { order_id: null }]) {
      const { invoice, payment } = await paidIn(input)
      const flags = { is_fixed_rate: false, is_fee_paid_by_user: false }
      expect(invoice).toMatchObject({ ...flags, order_id: null, payout_currency: null })
      expect(payment).toMatchObject({ ...flags, order_id: null, outcome_currency: 'usdttrc20', pay_amount: 20 })
      expect(invoice.token_id).toHaveLength(24)
    }
  })

  test('has the order of the invoice and its settlement', async () => {
    const { invoice, payment } = await paidIn({ order_id: 7, order_description: 'Hat', payout_currency: 'TRX' })
    expect(invoice).toMatchObject({ order_id: '7', order_description: 'Hat', payout_currency: 'trx' })
    expect(payment).toMatchObject({ order_id: '7', order_description: 'Hat', outcome_currency: 'trx' })
    const { payment: other } = await paidIn({ payout_currency: 'trx' }, { payout_currency: 'btc' })
    expect(other.outcome_currency).toBe('btc')
  })

  test('has the fixed rate of the invoice, and the fee that its customer pays', async () => {
    const fixed = await paidIn({ is_fixed_rate: true })
    expect(fixed.invoice).toMatchObject({ is_fixed_rate: true, is_fee_paid_by_user: false })
    expect(fixed.payment).toMatchObject({ is_fixed_rate: true, is_fee_paid_by_user: false, pay_amount: 20 })
    const onTop = await paidIn({ is_fee_paid_by_user: true })
    expect(onTop.invoice).toMatchObject({ is_fixed_rate: false, is_fee_paid_by_user: true })
    // An added fee needs a fixed rate: 20 is left of it after half a percent.
    expect(onTop.payment).toMatchObject({ is_fixed_rate: true, is_fee_paid_by_user: true })
    expect(onTop.payment.pay_amount).toBeCloseTo(20 / 0.995, 3)
  })
})

describe('the current payment of an invoice', () => {
  const weekMs = 7 * 24 * 3_600_000

  async function anInvoice() {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const { id } = await invoiceOf(merchant, {})
    const pay = async (pay_currency: string) =>
      (await merchant.client.createInvoicePayment({ body: { iid: id, pay_currency } })).payment_id
    const current = () =>
      house.app.store.read(async (reader) => {
        const row = await rowOf(reader, id)
        return row && (await currentPayment(reader, row))?.id
      })
    return { house, pay, current }
  }

  test('is the last one that waits, until its window ends', async () => {
    const { house, pay, current } = await anInvoice()
    expect(await current()).toBeUndefined()
    await pay('usdttrc20')
    const last = await pay('trx')
    expect(await current()).toBe(Number(last))
    await house.sleep(weekMs - 1)
    expect(await current()).toBe(Number(last))
    // Also before a periodic job expires it, and after.
    await house.sleep(1)
    expect(await current()).toBeUndefined()
    await house.wait(0)
    expect(await current()).toBeUndefined()
  })

  test('is the one that received money, also after a later one, and after it expired', async () => {
    const { house, pay, current } = await anInvoice()
    const first = await pay('usdttrc20')
    await pay('trx')
    await depositTo(house.app, first, { amount: '5' })
    await house.wait(1_200_000)
    expect(await current()).toBe(Number(first))
    await house.wait(weekMs)
    expect(await current()).toBe(Number(first))
  })
})

describe('the list of invoices', () => {
  test('has every invoice once with the payment that its page shows, by order and by time', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const other = await aMerchant(house, { email: 'other@shop.example' })
    await invoiceOf(other, { order_id: 'o-1' })
    const ids: string[] = []
    for (const order_id of ['o-1', 'o-2', 'o-3']) {
      ids.push((await invoiceOf(merchant, { order_id })).id)
      await house.sleep(60_000)
    }
    const [first = '', second = ''] = ids
    const pay = async (iid: string) =>
      (await merchant.client.createInvoicePayment({ body: { iid, pay_currency: 'usdttrc20' } })).payment_id
    const paid = await pay(first)
    const open = await pay(second)
    await depositTo(house.app, paid)
    await house.wait(600_000)
    const list = (query: Parameters<typeof merchant.client.invoices>[0]['query'] = {}) =>
      merchant.client.invoices({ query })
    const all = await list()
    expect(all).toMatchObject({ total: 3, pagesCount: 1, page: 0, limit: 10 })
    expect(all.data.map(({ id, gw_payment_id, gw_payment_status }) => [id, gw_payment_id, gw_payment_status])).toEqual([
      [first, paid, 'finished'],
      [second, open, 'waiting'],
      [ids[2], null, null],
    ])
    expect(all.data[0]).toMatchObject(await merchant.client.invoice({ params: { id: first } }))
    const newest = [await list({ limit: 2, orderBy: 'desc' }), await list({ limit: 2, page: 1, orderBy: 'desc' })]
    expect(newest.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids.toReversed())
    expect((await list({ orderId: 'o-2' })).data.map(({ id }) => id)).toEqual([second])
    const since = all.data[1]?.created_at ?? ''
    expect((await list({ dateFrom: since })).total).toBe(2)
    expect((await list({ dateTo: since })).total).toBe(2)
    expect(await refusal(list({ orderBy: 'up' }))).toBe('INVALID_REQUEST_PARAMS')
    expect(await refusal(list({ dateFrom: 'soon' }))).toBe('INVALID_REQUEST_PARAMS')
  })
})

test('payments are listed by order too', async () => {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  const body = { price_amount: 20, price_currency: 'usd', pay_currency: 'usdttrc20' }
  const { payment_id } = await merchant.client.createPayment({ body: { ...body, order_id: '=o,1' } })
  await merchant.client.createPayment({ body: { ...body, order_id: 'o' } })
  const { data, total } = await merchant.client.payments({ query: { orderId: '=o,1', status: 'waiting' } })
  expect([total, data.map((each) => each.payment_id)]).toEqual([1, [payment_id]])
})
