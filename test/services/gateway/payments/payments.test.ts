import { describe, expect, onTestFinished, test } from 'vitest'
import { isAddress } from '../../../../src/domain/chains/addresses.ts'
import { coins } from '../../../../src/domain/chains/coins.ts'
import { deliveriesAbout } from '../../../../src/outbox/queries.ts'
import {
  depositTo,
  refundPayment,
  removeDeposit,
  sanction,
  setCoin,
  setMerchant,
} from '../../../../src/services/gateway/admin/platform.ts'
import { aMerchant, aPayment, type House, noon, openHouse, refusal } from '../house.ts'

const minute = 60_000
const day = 24 * 60 * minute
const payer = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

const statusOf = async (merchant: Awaited<ReturnType<typeof aMerchant>>, id: number) =>
  (await merchant.client.payment({ params: { payment_id: String(id) } })).payment_status

async function opened() {
  const house: House = await openHouse()
  const merchant = await aMerchant(house)
  return { house, merchant }
}

describe('a payment', () => {
  test('is quoted, gets an address on its network, and waits', async () => {
    const { house, merchant } = await opened()
    const payment = await aPayment(merchant, { pay_currency: 'BTC', price_currency: 'USD' })
    expect(payment).toMatchObject({
      payment_status: 'waiting',
      price_amount: 100,
      price_currency: 'usd',
      pay_amount: 0.001,
      pay_currency: 'btc',
      network: 'btc',
      network_precision: 8,
      smart_contract: null,
      order_id: 'o-1',
      expiration_estimate_date: new Date(noon + 20 * minute).toISOString(),
    })
    expect(isAddress('production', 'btc', payment.pay_address)).toBe(true)
    expect(payment.gw_payment_url).toMatch(/^https:\/\/pay\.example\/pay\/[A-Za-z0-9]{24}$/)
    expect(await house.callbackStatuses(merchant.id, payment.payment_id)).toEqual(['waiting'])
  })

  test('can be created in every currency, each with its own address', async () => {
    const { merchant } = await opened()
    const made = []
    for (const { code } of coins) made.push(await aPayment(merchant, { pay_currency: code }))
    expect(new Set(made.map(({ pay_address }) => pay_address)).size).toBe(coins.length)
  })

  test('goes from deposit to custody, with one callback per step', async () => {
    const { house, merchant } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    await depositTo(house.app, id)
    await house.settle()
    expect(await statusOf(merchant, id)).toBe('confirming')
    await house.wait(30_000)
    expect(await statusOf(merchant, id)).toBe('confirming')
    await house.wait(40_000)
    const finished = await merchant.client.payment({ params: { payment_id: String(id) } })
    expect(finished).toEqual({
      actually_paid: 100,
      actually_paid_at_fiat: 100,
      invoice_id: null,
      order_description: null,
      order_id: 'o-1',
      outcome_amount: 99.5,
      outcome_currency: 'usdttrc20',
      parent_payment_id: null,
      pay_address: finished.pay_address,
      pay_amount: 100,
      pay_currency: 'usdttrc20',
      payment_id: id,
      payment_status: 'finished',
      price_amount: 100,
      price_currency: 'usd',
      purchase_id: null,
      updated_at: finished.updated_at,
    })
    expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 99.5, pendingAmount: 0 } })
    expect(await house.callbackStatuses(merchant.id, id)).toEqual(['waiting', 'confirming', 'confirmed', 'finished'])
    await house.proveLedger()
  })

  test('is settled to the settlement wallet by its own transfer', async () => {
    const { house, merchant } = await opened()
    await setCoin(house.app, merchant.id, 'usdttrc20', { wallet: payer })
    const { payment_id: id } = await aPayment(merchant)
    await depositTo(house.app, id)
    await house.wait(58_000)
    expect(await statusOf(merchant, id)).toBe('sending')
    await house.wait(2 * minute)
    // 7 TRX of network fee are 2.1 dollars.
    expect(await merchant.client.payment({ params: { payment_id: String(id) } })).toMatchObject({
      payment_status: 'finished',
      outcome_amount: 97.4,
    })
    expect(await merchant.client.balance({})).toEqual({})
    expect(await house.callbackStatuses(merchant.id, id)).toEqual([
      'waiting',
      'confirming',
      'confirmed',
      'sending',
      'finished',
    ])
    await house.proveLedger()
  })

  test('may name a registered settlement wallet of any coin, and no other', async () => {
    const { house, merchant } = await opened()
    const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
    await setCoin(house.app, merchant.id, 'eth', { wallet })
    const settled = (payout_address: string) =>
      aPayment(merchant, { payout_address, payout_currency: 'ETH', price_amount: 500 })
    const payment = await settled(wallet.toLowerCase())
    expect(await refusal(settled('0x8617E340B3D01FA5F11F306F4090FD50E238070D'))).toBe('ADDRESS_NOT_WHITELISTED')
    await depositTo(house.app, payment.payment_id)
    await house.wait(20 * minute)
    expect(await merchant.client.payment({ params: { payment_id: String(payment.payment_id) } })).toMatchObject({
      payment_status: 'finished',
      outcome_currency: 'eth',
    })
    expect(await merchant.client.balance({})).toEqual({})
    await house.proveLedger()
  })

  test('is settled in another coin on request', async () => {
    const { house, merchant } = await opened()
    const { payment_id: id } = await aPayment(merchant, { payout_currency: 'btc' })
    await depositTo(house.app, id)
    await house.wait(2 * minute)
    expect(await merchant.client.balance({})).toEqual({ btc: { amount: 0.000995, pendingAmount: 0 } })
    await house.proveLedger()
  })

  test('below the amount due is partially paid, and a top-up completes it', async () => {
    const { house, merchant } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    await depositTo(house.app, id, { amount: '60' })
    await house.wait(2 * minute)
    expect(await statusOf(merchant, id)).toBe('partially_paid')
    expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 0, pendingAmount: 60 } })
    await depositTo(house.app, id, { amount: '40' })
    await house.wait(2 * minute)
    expect(await statusOf(merchant, id)).toBe('finished')
    expect(await house.callbackStatuses(merchant.id, id)).toEqual([
      'waiting',
      'confirming',
      'partially_paid',
      'confirming',
      'confirmed',
      'finished',
    ])
    await house.proveLedger()
  })

  test('short within the tolerance is complete; an overpayment is credited in full', async () => {
    const { house, merchant } = await opened()
    const { payment_id: short } = await aPayment(merchant)
    await depositTo(house.app, short, { amount: '99.5' })
    const { payment_id: shorter } = await aPayment(merchant)
    await depositTo(house.app, shorter, { amount: '99.499999' })
    const { payment_id: over } = await aPayment(merchant)
    await depositTo(house.app, over, { amount: '150' })
    await house.wait(2 * minute)
    expect(await statusOf(merchant, short)).toBe('finished')
    expect(await statusOf(merchant, shorter)).toBe('partially_paid')
    expect(await merchant.client.payment({ params: { payment_id: String(over) } })).toMatchObject({
      payment_status: 'finished',
      actually_paid: 150,
      outcome_amount: 149.25,
    })
    await house.proveLedger()
  })

  test('expires after seven days, or with a fixed rate after twenty minutes; a partial amount is credited', async () => {
    const { house, merchant } = await opened()
    const { payment_id: fixed } = await aPayment(merchant, { is_fixed_rate: true })
    const { payment_id: loose } = await aPayment(merchant)
    await depositTo(house.app, loose, { amount: '10' })
    await house.wait(21 * minute)
    expect(await statusOf(merchant, fixed)).toBe('expired')
    expect(await statusOf(merchant, loose)).toBe('partially_paid')
    await house.wait(7 * day)
    expect(await statusOf(merchant, loose)).toBe('expired')
    expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 9.95, pendingAmount: 0 } })
    await house.proveLedger()
  })

  test('are sorted by every field in pages as in one list, in both directions, ties by ID', async () => {
    const { house, merchant } = await opened()
    const prices = [100, 20, 100, 3000, 9.5, 20, 100]
    for (const [at, price_amount] of prices.entries()) {
      await aPayment(merchant, { price_amount, order_id: at % 3 === 0 ? null : `o-${9 - at}` })
      await house.sleep(at % 2)
    }
    const list = async (query: object) => (await merchant.client.payments({ query })).data
    for (const sortBy of ['created_at', 'updated_at', 'payment_id', 'purchase_id', 'order_id', 'pay_amount'])
      for (const orderBy of ['asc', 'desc']) {
        const whole = await list({ sortBy, orderBy, limit: 500 })
        const pages = [0, 1, 2, 3].map((page) => list({ sortBy, orderBy, limit: 2, page }))
        expect((await Promise.all(pages)).flat()).toEqual(whole)
      }
    const cheapest = await list({ sortBy: 'pay_amount', limit: 500 })
    expect(cheapest.map(({ pay_amount }) => pay_amount)).toEqual([9.5, 20, 20, 100, 100, 100, 3000])
    const same = cheapest.filter(({ pay_amount }) => pay_amount === 100).map(({ payment_id }) => payment_id)
    expect(same).toEqual([...same].sort((one, other) => one - other))
    expect(await merchant.client.payments({ query: { limit: 2, page: 9 } })).toMatchObject({ data: [], total: 7 })
  })

  test('a second deposit, and one after expiry, become payments with the first as parent', async () => {
    const { house, merchant } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    await depositTo(house.app, id)
    await house.wait(2 * minute)
    await depositTo(house.app, id, { amount: '25' })
    await house.wait(2 * minute)
    const { data, total } = await merchant.client.payments({ query: { sortBy: 'payment_id', orderBy: 'desc' } })
    expect(total).toBe(2)
    expect(data[0]).toMatchObject({ parent_payment_id: id, order_id: null, pay_amount: 25, payment_status: 'finished' })
    const { payment_id: late } = await aPayment(merchant, { is_fixed_rate: 'True' })
    await house.wait(30 * minute)
    await depositTo(house.app, late)
    await house.wait(2 * minute)
    expect(await statusOf(merchant, late)).toBe('expired')
    expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 223.875, pendingAmount: 0 } })
    await house.proveLedger()
  })

  test('a reorganization removes a deposit with few confirmations, and not one with enough', async () => {
    const { house, merchant } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    const deposit = await depositTo(house.app, id)
    await house.settle()
    await removeDeposit(house.app, deposit.id)
    await house.settle()
    expect(await statusOf(merchant, id)).toBe('waiting')
    await house.wait(10 * minute)
    expect(await statusOf(merchant, id)).toBe('waiting')
    expect(await merchant.client.balance({})).toEqual({})
    const again = await depositTo(house.app, id)
    await house.wait(2 * minute)
    expect(await refusal(removeDeposit(house.app, again.id))).toBe('CONFLICT')
    expect(await statusOf(merchant, id)).toBe('finished')
  })

  test('a token of another contract is never credited, and neither is the network’s native coin', async () => {
    const { house, merchant } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    await depositTo(house.app, id, { contract: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH' })
    await depositTo(house.app, id, { contract: null })
    await house.wait(5 * minute)
    expect(await merchant.client.payment({ params: { payment_id: String(id) } })).toMatchObject({
      payment_status: 'waiting',
      actually_paid: 0,
    })
    expect(await merchant.client.balance({})).toEqual({})
  })

  test('from a sanctioned sender fails, and the funds are frozen', async () => {
    const { house, merchant } = await opened()
    await sanction(house.app, 'bad-address')
    const { payment_id: id } = await aPayment(merchant)
    await depositTo(house.app, id, { sender: 'bad-address' })
    await house.wait(2 * minute)
    expect(await statusOf(merchant, id)).toBe('failed')
    expect(await merchant.client.balance({})).toEqual({})
    expect(await refusal(refundPayment(house.app, id, payer))).toBe('CONFLICT')
    await house.proveLedger()
  })

  test('is refunded to its payer after confirmation, and only once', async () => {
    const { house, merchant } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    await depositTo(house.app, id, { amount: '60', sender: payer })
    await house.wait(2 * minute)
    expect(await refundPayment(house.app, id)).toMatchObject({ refunded: '57.9' })
    expect(await refusal(refundPayment(house.app, id))).toBe('CONFLICT')
    await house.wait(2 * minute)
    expect(await statusOf(merchant, id)).toBe('refunded')
    expect(await merchant.client.balance({})).toEqual({})
    await house.proveLedger()
  })
})

test('a deposit during a refund is a separate payment', async () => {
  const { house, merchant } = await opened()
  const { payment_id: id } = await aPayment(merchant)
  await depositTo(house.app, id, { amount: '60', sender: payer })
  await house.wait(2 * minute)
  await refundPayment(house.app, id)
  await depositTo(house.app, id, { amount: '40' })
  await house.wait(2 * minute)
  expect(await statusOf(merchant, id)).toBe('refunded')
  const { data } = await merchant.client.payments({ query: { sortBy: 'payment_id', orderBy: 'desc', limit: 1 } })
  expect(data).toMatchObject([{ parent_payment_id: id, payment_status: 'finished', actually_paid: 40 }])
  expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 39.8, pendingAmount: 0 } })
  await house.proveLedger()
})

test('a payment with a refund in progress at its end expires without a credit and is refunded', async () => {
  const { house, merchant } = await opened()
  const { payment_id: id } = await aPayment(merchant)
  await depositTo(house.app, id, { amount: '60', sender: payer })
  await house.wait(7 * day - 1_000)
  await refundPayment(house.app, id)
  await house.wait(minute * 2)
  expect(await house.callbackStatuses(merchant.id, id)).toEqual([
    'waiting',
    'confirming',
    'partially_paid',
    'expired',
    'refunded',
  ])
  expect(await merchant.client.balance({})).toEqual({})
  await house.proveLedger()
})

describe('invalid requests', () => {
  test.each([
    [{ price_amount: 0.5 }, 'AMOUNT_TOO_SMALL'],
    [{ price_amount: 2_000_000 }, 'AMOUNT_TOO_LARGE'],
    [{ price_amount: -1 }, 'INVALID_AMOUNT'],
    [{ price_amount: 'ten' }, 'INVALID_AMOUNT'],
    [{ price_amount: null }, 'INVALID_AMOUNT'],
    [{ price_amount: 0.004 }, 'INVALID_AMOUNT'],
    [{ payout_address: payer, payout_currency: 'doge' }, 'CURRENCY_UNAVAILABLE'],
    [{ pay_currency: 'doge' }, 'CURRENCY_UNAVAILABLE'],
    [{ price_currency: 'xyz' }, 'CURRENCY_UNAVAILABLE'],
    [{ is_fixed_rate: 'maybe' }, 'INVALID_REQUEST_PARAMS'],
    [{ ipn_callback_url: 'https://10.0.0.1/ipn' }, 'INVALID_REQUEST_PARAMS'],
    [{ ipn_callback_url: 'http://shop.example/ipn' }, 'INVALID_REQUEST_PARAMS'],
    [{ ipn_callback_url: 'https://[::1]/ipn' }, 'INVALID_REQUEST_PARAMS'],
    [{ payout_address: payer }, 'ADDRESS_NOT_WHITELISTED'],
  ])('%j is refused with %s', async (over, code) => {
    const { merchant } = await opened()
    expect(await refusal(aPayment(merchant, over))).toBe(code)
    expect((await merchant.client.payments({ query: {} })).total).toBe(0)
  })

  test.each(['2026-02-31', '2026-02-29T10:00:00Z', '2026-13-01', '20260101', 'today', '2026-01-01 at ten'])(
    'a list from %s: invalid day',
    async (dateFrom) => {
      const { merchant } = await opened()
      const { payments } = merchant.client
      await expect(payments({ query: { dateFrom } })).rejects.toMatchObject({
        code: 'INVALID_REQUEST_PARAMS',
        message: 'dateFrom must be a date',
      })
      expect(await payments({ query: { dateFrom: '2026-02-28', dateTo: '2028-02-29T10:00:00Z' } })).toMatchObject({
        total: 0,
      })
    },
  )

  test("a time without a zone is UTC, in any time zone of the world's process", async () => {
    const { merchant } = await opened()
    const { created_at } = await aPayment(merchant)
    const zone = process.env['TZ']
    process.env['TZ'] = 'Asia/Tokyo'
    onTestFinished(() => {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    })
    const bare = created_at.replace('T', ' ').replace('Z', '')
    expect((await merchant.client.payments({ query: { dateFrom: bare, dateTo: bare } })).total).toBe(1)
  })

  test('a coin the merchant does not accept, a frozen account, and expired prices', async () => {
    const { house, merchant } = await opened()
    await setCoin(house.app, merchant.id, 'btc', 'off')
    expect(await refusal(aPayment(merchant, { pay_currency: 'btc' }))).toBe('CURRENCY_UNAVAILABLE')
    expect((await merchant.client.merchantCoins({ query: {} })).currencies).not.toContain('btc')
    await setMerchant(house.app, merchant.id, { frozen: true })
    expect(await refusal(aPayment(merchant))).toBe('FROZEN')
    const stale = await openHouse({
      rates: { table: () => ({ asOf: noon - 10_000, usd: { usd: '1' } }), maxAgeMs: 9_999 },
    })
    const other = await aMerchant(stale)
    expect(await refusal(aPayment(other))).toBe('RATE_UNAVAILABLE')
    expect(
      await refusal(other.client.estimate({ query: { amount: '1', currency_from: 'usd', currency_to: 'btc' } })),
    ).toBe('RATE_UNAVAILABLE')
  })

  test('an ID that is not a number is malformed, and one of another merchant is not found', async () => {
    const { house, merchant } = await opened()
    const other = await aMerchant(house, { email: 'other@shop.example' })
    const { payment_id: id } = await aPayment(other)
    expect(await refusal(merchant.client.payment({ params: { payment_id: 'abc' } }))).toBe('INVALID_REQUEST_PARAMS')
    expect(await refusal(merchant.client.payment({ params: { payment_id: String(id) } }))).toBe('NOT_FOUND')
    expect((await merchant.client.payments({ query: {} })).total).toBe(0)
  })
})

describe('prices', () => {
  test('a price with more decimals than its currency is rounded, as shops with floats send it', async () => {
    const { merchant } = await opened()
    const query = { currency_from: 'usd', currency_to: 'btc' }
    for (const [sent, price, due] of [
      [30.000000000000004, 30, 0.0003],
      ['59.995', 60, 0.0006],
      ['10.00499', 10, 0.0001],
    ] as const) {
      const payment = await aPayment(merchant, { price_amount: sent, pay_currency: 'btc' })
      expect(payment).toMatchObject({ price_amount: price, pay_amount: due })
      const estimated = await merchant.client.estimate({ query: { ...query, amount: String(sent) } })
      expect(estimated).toMatchObject({ amount_from: price, estimated_amount: due })
      const invoice = await merchant.client.createInvoice({ body: { price_amount: sent, price_currency: 'usd' } })
      expect(invoice.price_amount).toBe(String(price))
    }
  })

  test('the estimate equals the amount of the payment, and the minimum is the limit of rejection', async () => {
    const { merchant } = await opened()
    for (const code of ['btc', 'eth', 'usdcsol', 'trx', 'usdtbsc']) {
      const { estimated_amount } = await merchant.client.estimate({
        query: { amount: '123.45', currency_from: 'eur', currency_to: code },
      })
      const payment = await aPayment(merchant, { price_amount: 123.45, price_currency: 'eur', pay_currency: code })
      expect(payment.pay_amount, code).toBe(estimated_amount)
      const { min_amount } = await merchant.client.minAmount({ query: { currency_from: code } })
      const least = { price_amount: min_amount, price_currency: code, pay_currency: code }
      expect((await aPayment(merchant, least)).pay_amount).toBe(min_amount)
      expect(await refusal(aPayment(merchant, { ...least, price_amount: min_amount * 0.99 }))).toMatch(/AMOUNT/)
      const fiat = await merchant.client.minAmount({ query: { currency_from: 'eur', currency_to: code } })
      const inFiat = { price_amount: fiat.min_amount, price_currency: 'eur', pay_currency: code }
      expect((await aPayment(merchant, inFiat)).payment_status).toBe('waiting')
    }
  })

  test('a fee paid by the customer is added, and the price remains', async () => {
    const { house, merchant } = await opened()
    const payment = await aPayment(merchant, { is_fee_paid_by_user: true })
    expect(payment).toMatchObject({ is_fixed_rate: true, pay_amount: 100.502513 })
    await depositTo(house.app, payment.payment_id)
    await house.wait(2 * minute)
    expect((await merchant.client.balance({}))['usdttrc20']?.amount).toBeGreaterThanOrEqual(100)
  })

  test('a quote is renewed only after it expired', async () => {
    const { house, merchant } = await opened()
    const payment = await aPayment(merchant)
    const params = { payment_id: String(payment.payment_id) }
    const early = await merchant.client.updateEstimate({ params })
    expect(early.expiration_estimate_date).toBe(payment.expiration_estimate_date)
    await house.wait(21 * minute)
    const late = await merchant.client.updateEstimate({ params })
    expect(late).toMatchObject({ id: params.payment_id, pay_amount: 100 })
    expect(Date.parse(late.expiration_estimate_date)).toBe(house.now() + 20 * minute)
  })
})

test('a late deposit is valued at a new price, or at the old one without a new one', async () => {
  let table = { asOf: noon, usd: { usd: '1', trx: '0.3', usdt: '1', btc: '100000' } }
  const house = await openHouse({ rates: { table: () => table, maxAgeMs: 60 * minute } })
  const merchant = await aMerchant(house)
  const moved = await aPayment(merchant, { pay_currency: 'btc' })
  const kept = await aPayment(merchant, { pay_currency: 'btc' })
  const unpaid = await aPayment(merchant, { pay_currency: 'btc' })
  const read = async (id: number) => merchant.client.payment({ params: { payment_id: String(id) } })
  expect(await read(unpaid.payment_id)).toMatchObject({ outcome_amount: 0.000995, actually_paid_at_fiat: 0 })
  await house.wait(30 * minute)
  table = { asOf: house.now(), usd: { ...table.usd, btc: '50000' } }
  expect(await read(unpaid.payment_id)).toMatchObject({ pay_amount: 0.002, outcome_amount: 0.00199 })
  await depositTo(house.app, moved.payment_id, { amount: '0.001' })
  await house.wait(90 * minute)
  expect(await merchant.client.payment({ params: { payment_id: String(moved.payment_id) } })).toMatchObject({
    payment_status: 'partially_paid',
    pay_amount: 0.002,
  })
  await depositTo(house.app, kept.payment_id, { amount: '0.001' })
  await house.wait(30 * minute)
  expect(await merchant.client.payment({ params: { payment_id: String(kept.payment_id) } })).toMatchObject({
    payment_status: 'finished',
    pay_amount: 0.001,
  })
})

test('without a price for its outcome a paid amount stays in custody and delays nothing else', async () => {
  const usd = { usd: '1', trx: '0.3', usdt: '1', btc: '100000' }
  let table: { asOf: number; usd: Record<string, string> } = { asOf: noon, usd }
  const house = await openHouse({ rates: { table: () => table } })
  const merchant = await aMerchant(house)
  const { payment_id: exchanged } = await aPayment(merchant, { payout_currency: 'btc' })
  const { payment_id: plain } = await aPayment(merchant)
  table = { asOf: noon, usd: { usd: '1' } }
  await house.wait(30 * minute)
  await depositTo(house.app, exchanged)
  await depositTo(house.app, plain)
  await house.wait(2 * minute)
  await depositTo(house.app, exchanged, { amount: '20' })
  await house.wait(2 * minute)
  expect([await statusOf(merchant, exchanged), await statusOf(merchant, plain)]).toEqual(['finished', 'finished'])
  expect(await merchant.client.payment({ params: { payment_id: String(exchanged) } })).toMatchObject({
    outcome_currency: 'usdttrc20',
    outcome_amount: 99.5,
  })
  expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 218.9, pendingAmount: 0 } })
  await house.proveLedger()
})

test('a callback equals the payment at that moment, canonical and flat', async () => {
  const { house, merchant } = await opened()
  const { payment_id: id } = await aPayment(merchant, { order_description: 'Zwölf Äpfel' })
  const lookup = await merchant.client.payment({ params: { payment_id: String(id) } })
  const [ipn] = await house.app.store.read((reader) => deliveriesAbout(reader, merchant.id, String(id)))
  expect(ipn?.url).toBe('https://shop.example/ipn')
  expect(ipn?.body).toBe(
    JSON.stringify(Object.fromEntries(Object.entries(lookup).sort(([a], [b]) => (a < b ? -1 : 1)))),
  )
})

test('a sandbox case simulates the customer, and does nothing in production', async () => {
  const house = await openHouse()
  const merchant = await aMerchant(house, { environment: 'sandbox' })
  const played: Record<string, string> = {}
  for (const scenario of ['success', 'partially_paid', 'failed', 'common'] as const) {
    const {
      payment_id: id,
      pay_address,
      pay_amount: due,
    } = await aPayment(merchant, { case: scenario, pay_currency: 'btc' })
    expect(isAddress('sandbox', 'btc', pay_address)).toBe(true)
    await house.wait(60 * minute)
    const end = await merchant.client.payment({ params: { payment_id: String(id) } })
    played[scenario] = end.payment_status
    if (scenario === 'partially_paid') expect(end.actually_paid).toBeCloseTo(due / 2, 7)
  }
  expect(played).toEqual({ success: 'finished', partially_paid: 'partially_paid', failed: 'failed', common: 'waiting' })
  expect(await refusal(aPayment(merchant, { case: 'magic' }))).toBe('INVALID_REQUEST_PARAMS')
})
