import { describe, expect, test } from 'vitest'
import { fixedRates } from '../../../src/domain/payments/rates.ts'
import { deliveriesAbout } from '../../../src/outbox/queries.ts'
import {
  depositTo,
  refundPayment,
  removeDeposit,
  sanction,
  setCoin,
  setMerchant,
} from '../../../src/services/gateway/admin/platform.ts'
import type { PaymentView } from '../../../src/services/gateway/hosted-pages/view-model.ts'
import { setRate } from '../../../src/services/gateway/rates/rates.ts'
import { confirmTx } from '../../../src/services/gateway/simulator/chain-control.ts'
import { aMerchant, aPayment, type House, type Merchant, openHouse, refusal } from './house.ts'

/** Money that arrives in several deposits (docs/gateway.md, "The money of a payment"). */

const minute = 60_000
const day = 24 * 60 * minute
const btcAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

async function opened() {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  let served: Promise<{ url: string }> | undefined
  const payment = (id: number) => merchant.client.payment({ params: { payment_id: String(id) } })
  return {
    house,
    merchant,
    payment,
    async state(link: string) {
      served ??= house.server.listen()
      const reply = await fetch(`${(await served).url}${new URL(link).pathname}/state`)
      return (await reply.json()) as PaymentView
    },
    children: async (id: number) =>
      (await merchant.client.payments({ query: { sortBy: 'payment_id', limit: 100 } })).data.filter(
        ({ parent_payment_id }) => parent_payment_id === id,
      ),
    requote: (id: number) => merchant.client.updateEstimate({ params: { payment_id: String(id) } }),
  }
}

const btcPayment = (merchant: Merchant, over: Record<string, unknown> = {}) =>
  aPayment(merchant, { pay_currency: 'btc', price_amount: 1000, ...over })

async function callbacks(house: House, merchant: Merchant, id: number) {
  const rows = await house.app.store.read((reader) => deliveriesAbout(reader, merchant.id, String(id)))
  return rows.map(({ body }) => JSON.parse(String(body)))
}

/** Pays and confirms the deposit at once, without advancing the clock. */
async function payNow(house: House, id: number, amount: string, sender?: string) {
  const { id: txId } = await depositTo(house.app, id, sender === undefined ? { amount } : { amount, sender })
  await house.settle()
  await confirmTx(house.app, txId)
  await house.settle()
}

describe('a part-paid payment', () => {
  test('keeps the paid amount at its own rate, requests the rest at the new one, and is finished when it is paid', async () => {
    const { house, merchant, payment, state, requote } = await opened()
    const made = await btcPayment(merchant)
    await payNow(house, made.payment_id, '0.005')
    await house.wait(21 * minute)
    await setRate(house.app, 'btc', '50000')
    // Half of the price is paid. The other 500 dollars are 0.01 BTC now.
    const shown = await state(made.gw_payment_url)
    expect(shown).toMatchObject({ amount: '0.01', total: '0.015', paid: '0.005', until: house.now() + 20 * minute })
    expect(await payment(made.payment_id)).toMatchObject({ pay_amount: 0.015, actually_paid: 0.005 })
    expect((await merchant.client.payments({ query: {} })).data).toMatchObject([{ pay_amount: 0.015 }])
    expect(await requote(made.payment_id)).toMatchObject({
      pay_amount: 0.015,
      expiration_estimate_date: new Date(house.now() + 20 * minute).toISOString(),
    })
    // The price changes, and the stated amount stays valid.
    await setRate(house.app, 'btc', '25000')
    await house.wait(20 * minute - 1)
    expect((await state(made.gw_payment_url)).amount).toBe('0.01')
    await payNow(house, made.payment_id, '0.01')
    expect(await payment(made.payment_id)).toMatchObject({
      payment_status: 'finished',
      pay_amount: 0.015,
      actually_paid: 0.015,
      actually_paid_at_fiat: 1000,
      outcome_amount: 0.014925,
    })
    await house.proveLedger()
  })

  test('is requoted by the lookup, by the list and by update-merchant-estimate alike, and not before its quote expires', async () => {
    for (const by of ['look-up', 'list', 'estimate'] as const) {
      const { house, merchant, payment, requote } = await opened()
      const { payment_id: id } = await btcPayment(merchant)
      await payNow(house, id, '0.005')
      await setRate(house.app, 'btc', '50000')
      const ask = async () => {
        if (by === 'look-up') return (await payment(id)).pay_amount
        if (by === 'estimate') return (await requote(id)).pay_amount
        return (await merchant.client.payments({ query: {} })).data[0]?.pay_amount
      }
      await house.sleep(20 * minute - 1)
      expect([by, await ask()]).toEqual([by, 0.01])
      await house.sleep(1)
      expect([by, await ask()]).toEqual([by, 0.015])
      expect((await requote(id)).pay_amount).toBe(0.015)
      await payNow(house, id, '0.01')
      expect((await payment(id)).payment_status).toBe('finished')
    }
  })

  test('has a valid amount in its callback, and the outcome received so far', async () => {
    const { house, merchant, payment } = await opened()
    const { payment_id: id } = await btcPayment(merchant)
    await depositTo(house.app, id, { amount: '0.004' })
    await house.settle()
    await setRate(house.app, 'btc', '50000')
    await house.wait(60 * minute)
    const partly = (await callbacks(house, merchant, id)).find(
      ({ payment_status }) => payment_status === 'partially_paid',
    )
    expect(partly).toMatchObject({ actually_paid: 0.004, outcome_amount: 0.00398, actually_paid_at_fiat: 400 })
    const now = await payment(id)
    expect(now).toMatchObject({ pay_amount: 0.016, outcome_amount: 0.00398 })
    await payNow(house, id, '0.012')
    for (const ipn of await callbacks(house, merchant, id))
      if (ipn.payment_status === 'partially_paid') expect(ipn.outcome_amount).toBeLessThan(ipn.actually_paid)
    expect(await payment(id)).toMatchObject({ payment_status: 'finished', actually_paid_at_fiat: 1000 })
  })

  test('applies the tolerance of the price, below and above the boundary, also after the rate changed', async () => {
    for (const [rest, status] of [
      ['0.0098999', 'partially_paid'],
      ['0.0099', 'finished'],
      ['0.00990001', 'finished'],
    ] as const) {
      const { house, merchant, payment } = await opened()
      const { payment_id: id } = await btcPayment(merchant)
      await payNow(house, id, '0.005')
      await setRate(house.app, 'btc', '50000')
      await house.wait(21 * minute)
      expect((await payment(id)).pay_amount).toBe(0.015)
      await payNow(house, id, rest)
      expect([rest, (await payment(id)).payment_status]).toEqual([rest, status])
    }
  })

  test('sends a callback for more money also if its deposit was detected only after confirmation', async () => {
    const { house, merchant, payment } = await opened()
    const { payment_id: id } = await btcPayment(merchant)
    await payNow(house, id, '0.004')
    // No client watches the chain for an hour.
    await depositTo(house.app, id, { amount: '0.003' })
    await house.sleep(60 * minute)
    await house.settle()
    expect(await payment(id)).toMatchObject({ payment_status: 'partially_paid', actually_paid: 0.007 })
    expect(await house.callbackStatuses(merchant.id, id)).toEqual([
      'waiting',
      ...['confirming', 'partially_paid'],
      ...['confirming', 'partially_paid'],
    ])
    expect((await callbacks(house, merchant, id)).at(-1)).toMatchObject({
      actually_paid: 0.007,
      outcome_amount: 0.006965,
    })
  })

  test('keeps its quote no longer than its window', async () => {
    const { house, merchant, state } = await opened()
    const made = await btcPayment(merchant)
    await payNow(house, made.payment_id, '0.005')
    await house.wait(7 * day - 5 * minute)
    const { until, open } = await state(made.gw_payment_url)
    expect([until, open]).toEqual([house.now() + 5 * minute, house.now() + 5 * minute])
  })

  test('shows on its page the rest, the total, and their end times', async () => {
    const { house, merchant } = await opened()
    const made = await btcPayment(merchant)
    await payNow(house, made.payment_id, '0.005')
    await setRate(house.app, 'btc', '50000')
    await house.sleep(30 * minute)
    const { url } = await house.server.listen()
    const page = await (await fetch(url + new URL(made.gw_payment_url).pathname)).text()
    expect(page).toContain('<span data-field="amount">0.01</span>')
    expect(page).toContain('<span data-field="total">0.015</span>')
    expect(page).toMatch(/<p class="clock" data-show="waiting partly">The amount is valid for <time[^>]*>20:00</)
    expect(page).toMatch(/<p class="clock" data-show="partly">You can send the rest until .*<time[^>]*>6 days</)
  })
})

describe('a fully paid payment', () => {
  test('within the quote is finished with its own deposits, and later money does not change that', async () => {
    const { house, merchant, payment, children } = await opened()
    const { payment_id: id } = await btcPayment(merchant)
    await depositTo(house.app, id, { amount: '0.01' })
    await house.settle()
    await house.sleep(21 * minute - (house.now() % minute))
    await setRate(house.app, 'btc', '50000')
    await depositTo(house.app, id, { amount: '0.000001' })
    await house.wait(60 * minute)
    expect(await payment(id)).toMatchObject({
      payment_status: 'finished',
      pay_amount: 0.01,
      actually_paid: 0.01,
      actually_paid_at_fiat: 1000,
    })
    expect(await house.callbackStatuses(merchant.id, id)).toEqual(['waiting', 'confirming', 'confirmed', 'finished'])
    const [child] = await children(id)
    expect(child).toMatchObject({ payment_status: 'finished', actually_paid: 0.000001, order_id: null })
    expect(await house.callbackStatuses(merchant.id, child?.payment_id ?? 0)).toEqual([
      'confirming',
      'confirmed',
      'finished',
    ])
    await setRate(house.app, 'btc', '400000')
    expect(await payment(id)).toMatchObject({ actually_paid_at_fiat: 1000 })
    await house.proveLedger()
  })

  test('gets a separate payment for a second full deposit in progress, with callbacks and settlement', async () => {
    const { house, merchant, payment, children } = await opened()
    await setCoin(house.app, merchant.id, 'usdttrc20', { wallet })
    const { payment_id: id } = await aPayment(merchant)
    await depositTo(house.app, id)
    await house.wait(20_000)
    await depositTo(house.app, id, { amount: '100' })
    await house.wait(10 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'finished', actually_paid: 100, outcome_amount: 97.4 })
    const [child, ...others] = await children(id)
    expect(others).toEqual([])
    expect(child).toMatchObject({ payment_status: 'finished', actually_paid: 100, outcome_amount: 97.4 })
    expect(await house.callbackStatuses(merchant.id, child?.payment_id ?? 0)).toEqual([
      'confirming',
      'confirmed',
      'sending',
      'finished',
    ])
    expect(await merchant.client.balance({})).toEqual({})
    await house.proveLedger()
  })

  test('gets a separate payment in the payout currency for more money while it is being sent', async () => {
    const { house, merchant, payment, children } = await opened()
    await setCoin(house.app, merchant.id, 'btc', { wallet: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' })
    const { payment_id: id } = await aPayment(merchant, { payout_currency: 'btc' })
    await payNow(house, id, '100')
    expect((await payment(id)).payment_status).toBe('sending')
    await payNow(house, id, '50')
    await house.wait(120 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'finished', outcome_currency: 'btc' })
    expect(await children(id)).toMatchObject([
      { payment_status: 'finished', outcome_currency: 'btc', outcome_amount: 0.0004775 },
    ])
    await house.proveLedger()
  })

  test('is also paid by a deposit that replaces one removed in a reorganization', async () => {
    const { house, merchant, payment, children } = await opened()
    const { payment_id: id } = await btcPayment(merchant)
    const { id: first } = await depositTo(house.app, id)
    await house.settle()
    await depositTo(house.app, id, { amount: '0.01' })
    await house.settle()
    await removeDeposit(house.app, first)
    await house.wait(60 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'finished', actually_paid: 0.01 })
    expect(await children(id)).toEqual([])
    await house.proveLedger()
  })

  test('a further payment whose deposit the chain removes expires without a credit', async () => {
    const { house, merchant, children } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    await payNow(house, id, '100')
    const { id: second } = await depositTo(house.app, id, { amount: '20' })
    await house.settle()
    await removeDeposit(house.app, second)
    await house.wait(minute)
    const [child] = await children(id)
    expect(child).toMatchObject({ payment_status: 'expired', actually_paid: 0, outcome_amount: 0 })
    expect(await house.callbackStatuses(merchant.id, child?.payment_id ?? 0)).toEqual(['confirming', 'expired'])
    expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 99.5, pendingAmount: 0 } })
    await house.proveLedger()
  })
})

describe('money from a sanctioned sender', () => {
  test('freezes only itself: clean money that follows is a separate payment with callbacks', async () => {
    const { house, merchant, payment, children } = await opened()
    await sanction(house.app, 'bad')
    const { payment_id: id } = await aPayment(merchant)
    await depositTo(house.app, id, { sender: 'bad' })
    await house.wait(20_000)
    await depositTo(house.app, id, { amount: '100' })
    await house.wait(5 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'failed', actually_paid: 100, outcome_amount: 0 })
    const [child] = await children(id)
    expect(child).toMatchObject({ payment_status: 'finished', actually_paid: 100 })
    expect(await house.callbackStatuses(merchant.id, child?.payment_id ?? 0)).toEqual([
      'confirming',
      'confirmed',
      'finished',
    ])
    expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 99.5, pendingAmount: 0 } })
    await house.proveLedger()
  })

  test('that arrives second leaves the first payment with its clean money', async () => {
    const { house, merchant, payment, children } = await opened()
    await sanction(house.app, 'bad')
    const { payment_id: id } = await aPayment(merchant)
    await payNow(house, id, '60')
    await payNow(house, id, '30', 'bad')
    expect(await payment(id)).toMatchObject({
      payment_status: 'partially_paid',
      actually_paid: 60,
      outcome_amount: 59.7,
    })
    expect(await children(id)).toMatchObject([{ payment_status: 'failed', actually_paid: 30, outcome_amount: 0 }])
    await payNow(house, id, '40')
    expect(await payment(id)).toMatchObject({ payment_status: 'finished', actually_paid: 100 })
    await house.proveLedger()
  })
})

describe('a fixed amount', () => {
  test('is never requoted, is valid as long as the payment, and is shown as such', async () => {
    const { house, merchant, payment, state, requote } = await opened()
    const made = await btcPayment(merchant, { pay_amount: 0.02 })
    expect(made).toMatchObject({ pay_amount: 0.02, expiration_estimate_date: made.valid_until })
    await setRate(house.app, 'btc', '10000')
    await house.wait(3 * day)
    expect(await payment(made.payment_id)).toMatchObject({ pay_amount: 0.02 })
    expect(await requote(made.payment_id)).toMatchObject({
      pay_amount: 0.02,
      expiration_estimate_date: made.valid_until,
    })
    await payNow(house, made.payment_id, '0.015')
    await house.wait(day)
    expect(await state(made.gw_payment_url)).toMatchObject({ amount: '0.005', total: '0.02' })
    await payNow(house, made.payment_id, '0.005')
    expect(await payment(made.payment_id)).toMatchObject({ payment_status: 'finished', actually_paid_at_fiat: 1000 })
  })
})

test('with too many decimals is rounded up once, at creation', async () => {
  const { house, merchant, payment, state } = await opened()
  const made = await aPayment(merchant, { pay_currency: 'eth', pay_amount: '0.2500000001' })
  expect(made.pay_amount).toBe(0.25000001)
  await payNow(house, made.payment_id, '0.1')
  expect(await payment(made.payment_id)).toMatchObject({ payment_status: 'partially_paid', pay_amount: 0.25000001 })
  expect(await state(made.gw_payment_url)).toMatchObject({ amount: '0.15000001', total: '0.25000001' })
  await payNow(house, made.payment_id, '0.15000001')
  expect(await payment(made.payment_id)).toMatchObject({ payment_status: 'finished', pay_amount: 0.25000001 })
})

describe('an expired payment', () => {
  test('sends a partial amount to the registered wallet, and its callback has the amount', async () => {
    const { house, merchant, payment } = await opened()
    await setCoin(house.app, merchant.id, 'usdttrc20', { wallet })
    const { payment_id: id } = await aPayment(merchant)
    await payNow(house, id, '50')
    await house.wait(7 * day + 10 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'expired', actually_paid: 50, outcome_amount: 47.65 })
    expect((await callbacks(house, merchant, id)).at(-1)).toMatchObject({
      payment_status: 'expired',
      outcome_amount: 47.65,
      outcome_currency: 'usdttrc20',
    })
    expect(await house.callbackStatuses(merchant.id, id)).toEqual([
      'waiting',
      'confirming',
      'partially_paid',
      'expired',
    ])
    expect(await merchant.client.balance({})).toEqual({})
    await house.proveLedger()
  })

  test('pays out in the payout currency', async () => {
    const { house, merchant, payment } = await opened()
    const { payment_id: id } = await aPayment(merchant, { payout_currency: 'btc' })
    await payNow(house, id, '50')
    await house.wait(7 * day + 10 * minute)
    expect(await payment(id)).toMatchObject({
      payment_status: 'expired',
      outcome_amount: 0.0004975,
      outcome_currency: 'btc',
    })
    expect(await merchant.client.balance({})).toEqual({ btc: { amount: 0.0004975, pendingAmount: 0 } })
    await house.proveLedger()
  })

  test('at a fixed rate counts no money after its end, even while its deposit waits for confirmations', async () => {
    const { house, merchant, payment, children } = await opened()
    const { payment_id: id } = await btcPayment(merchant, { is_fixed_rate: true })
    await house.wait(19 * minute)
    await depositTo(house.app, id, { amount: '0.006' })
    await house.wait(minute - 1)
    await depositTo(house.app, id, { amount: '0.002' })
    await house.settle()
    await house.wait(1)
    await depositTo(house.app, id, { amount: '0.002' })
    await house.settle()
    await house.wait(60 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'expired', actually_paid: 0.008 })
    expect(await children(id)).toMatchObject([{ payment_status: 'finished', actually_paid: 0.002 }])
    // No callback in between requests a rest that can no longer be paid.
    expect(await house.callbackStatuses(merchant.id, id)).toEqual(['waiting', 'confirming', 'expired'])
    await house.proveLedger()
  })
})

describe('at the end time itself', () => {
  test('a quote is expired for the deposit as for every view', async () => {
    const { house, merchant, payment, requote, state } = await opened()
    const made = await btcPayment(merchant)
    await setRate(house.app, 'btc', '50000')
    const end = Date.parse(made.expiration_estimate_date)
    await house.sleep(end - house.now())
    await depositTo(house.app, made.payment_id, { amount: '0.01' })
    await house.settle()
    await house.wait(60 * minute)
    expect(await payment(made.payment_id)).toMatchObject({ payment_status: 'partially_paid', pay_amount: 0.02 })
    expect(await requote(made.payment_id)).toMatchObject({ pay_amount: 0.02 })
    expect(await state(made.gw_payment_url)).toMatchObject({ amount: '0.01', total: '0.02' })
  })

  test.each(['look-up', 'list', 'page'] as const)(
    'a window is closed for the %s, even before the periodic jobs run',
    async (by) => {
      const { house, merchant, payment, requote, state } = await opened()
      const made = await btcPayment(merchant, { is_fixed_rate: true })
      const { payment_id: id } = made
      await house.sleep(20 * minute - 1)
      expect((await state(made.gw_payment_url)).phase).toBe('waiting')
      await house.sleep(1)
      expect(await refusal(requote(id))).toBe('CONFLICT')
      if (by === 'page')
        expect(await state(made.gw_payment_url)).toMatchObject({ phase: 'expired', address: '', qr: null })
      if (by === 'look-up') expect(await payment(id)).toMatchObject({ payment_status: 'expired' })
      if (by === 'list') {
        expect((await merchant.client.payments({ query: { status: 'waiting' } })).total).toBe(0)
        expect((await merchant.client.payments({ query: {} })).data).toMatchObject([{ payment_status: 'expired' }])
      }
      expect(await house.callbackStatuses(merchant.id, id)).toEqual(['waiting', 'expired'])
      await house.settle()
      expect(await house.callbackStatuses(merchant.id, id)).toEqual(['waiting', 'expired'])
    },
  )

  test('a window is closed for a deposit: it becomes a separate payment', async () => {
    const { house, merchant, payment, children } = await opened()
    const { payment_id: id } = await btcPayment(merchant, { is_fixed_rate: true })
    await house.sleep(20 * minute)
    await depositTo(house.app, id, { amount: '0.01' })
    await house.wait(60 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'expired', actually_paid: 0 })
    expect(await children(id)).toMatchObject([{ payment_status: 'finished', actually_paid: 0.01 }])
    await house.proveLedger()
  })

  test('an invoice offers its coins again, and choosing a coin again creates a new payment', async () => {
    const { house, merchant } = await opened()
    const body = { price_amount: 100, price_currency: 'usd', is_fixed_rate: true }
    const { invoice_url, id } = await merchant.client.createInvoice({ body })
    const path = new URL(invoice_url).pathname
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const choose = () => house.server.inject({ method: 'POST', path, headers: form, body: 'coin=usdttrc20' })
    const first = await choose()
    await house.sleep(20 * minute)
    expect((await house.server.inject({ method: 'GET', path, headers: {} })).body).toContain('name="coin"')
    expect((await choose()).headers['location']).not.toBe(first.headers['location'])
    expect((await merchant.client.payments({ query: { invoiceId: id } })).total).toBe(2)
  })
})

describe('during a refund', () => {
  test('nothing is due: no view requests a rest, no quote is renewed, and new money is a separate payment', async () => {
    const { house, merchant, payment, requote, state, children } = await opened()
    const made = await btcPayment(merchant)
    const { payment_id: id } = made
    await payNow(house, id, '0.005')
    await refundPayment(house.app, id, btcAddress)
    await setRate(house.app, 'btc', '50000')
    await house.sleep(21 * minute)
    for (let look = 0; look < 2; look++) {
      expect(await payment(id)).toMatchObject({
        payment_status: 'partially_paid',
        pay_amount: 0.005,
        actually_paid: 0.005,
      })
      expect((await merchant.client.payments({ query: {} })).data).toMatchObject([{ pay_amount: 0.005 }])
      expect(await refusal(requote(id))).toBe('CONFLICT')
      const shown = await state(made.gw_payment_url)
      expect(shown).toMatchObject({ phase: 'returning', amount: '0', address: '', qr: null, uri: null })
    }
    await payNow(house, id, '0.01')
    expect(await children(id)).toMatchObject([{ payment_status: 'finished', actually_paid: 0.01 }])
    await house.wait(60 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'refunded', actually_paid: 0.005, outcome_amount: 0 })
    expect(await state(made.gw_payment_url)).toMatchObject({ phase: 'refunded' })
    expect(await house.callbackStatuses(merchant.id, id)).toEqual([
      'waiting',
      'confirming',
      'partially_paid',
      'refunded',
    ])
    await house.proveLedger()
  })
})

test('no new amount can be requested once nothing is due', async () => {
  const { house, merchant, requote } = await opened()
  const { payment_id: id } = await aPayment(merchant)
  await depositTo(house.app, id)
  await house.settle()
  expect(await refusal(requote(id))).toBe('CONFLICT')
  await house.wait(5 * minute)
  expect(await refusal(requote(id))).toBe('CONFLICT')
})

test("without prices the last amount stays, and the merchant's tolerance applies", async () => {
  let table = { asOf: Date.UTC(2026, 2, 1, 12), usd: fixedRates.usd }
  const house = await openHouse({ rates: { table: () => table, maxAgeMs: 30 * minute } })
  const merchant = await aMerchant(house)
  await setMerchant(house.app, merchant.id, { toleranceBps: 0 })
  const { payment_id: id } = await btcPayment(merchant)
  await payNow(house, id, '0.005')
  await house.wait(60 * minute)
  table = { ...table, usd: { ...table.usd, btc: '50000' } }
  const params = { payment_id: String(id) }
  expect(await merchant.client.payment({ params })).toMatchObject({ pay_amount: 0.01 })
  await payNow(house, id, '0.00499999')
  expect(await merchant.client.payment({ params })).toMatchObject({ payment_status: 'partially_paid' })
  await payNow(house, id, '0.00000001')
  expect(await merchant.client.payment({ params })).toMatchObject({ payment_status: 'finished' })
})
