import { expect, test } from 'vitest'
import type { InvoiceRow } from '../../../../src/db/schema/gateway.ts'
import { fixedRates } from '../../../../src/domain/payments/rates.ts'
import { depositTo } from '../../../../src/services/gateway/admin/platform.ts'
import { readCurrent } from '../../../../src/services/gateway/payments/current.ts'
import { offerOf, paymentStandings } from '../../../../src/services/gateway/payments/payments.ts'
import { paymentOf } from '../../../../src/services/gateway/queries/payments.ts'
import { setRate } from '../../../../src/services/gateway/rates/rates.ts'
import { aMerchant, aPayment, noon, openHouse } from '../house.ts'

const hour = 3_600_000

async function aShop() {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  return { house, merchant, list: (query: object) => merchant.client.payments({ query }) }
}

test('a list has ten on its first page, and the number of its pages', async () => {
  const { merchant, list } = await aShop()
  const ids: number[] = []
  for (let i = 0; i < 11; i++) ids.push((await aPayment(merchant)).payment_id)
  const first = await list({})
  expect(first).toMatchObject({ limit: 10, page: 0, pagesCount: 2, total: 11 })
  expect(first.data.map(({ payment_id }) => payment_id)).toEqual(ids.slice(0, 10))
  expect((await list({ page: 1 })).data.map(({ payment_id }) => payment_id)).toEqual(ids.slice(10))
  expect(await list({ limit: 11 })).toMatchObject({ pagesCount: 1, total: 11 })
  expect(await list({ limit: 5 })).toMatchObject({ pagesCount: 3 })
  expect(await list({ page: 2 })).toMatchObject({ data: [], pagesCount: 2, total: 11 })
})

test('amounts are sorted as numbers, texts by their characters, and equal ones by their ids', async () => {
  const { merchant, list } = await aShop()
  const make = async (price_amount: number, order_id: string) =>
    (await aPayment(merchant, { price_amount, order_id })).payment_id
  const [ten, hundred, nine, again] = [
    await make(10, 'b'),
    await make(100, 'a'),
    await make(9.5, 'c'),
    await make(10, 'b'),
  ]
  const sorted = async (sortBy: string, orderBy: string) =>
    (await list({ sortBy, orderBy })).data.map(({ payment_id }) => payment_id)
  for (const key of ['price_amount', 'pay_amount', 'outcome_amount']) {
    expect([key, await sorted(key, 'asc')]).toEqual([key, [nine, ten, again, hundred]])
    expect([key, await sorted(key, 'desc')]).toEqual([key, [hundred, again, ten, nine]])
  }
  expect(await sorted('order_id', 'asc')).toEqual([hundred, ten, again, nine])
  expect(await sorted('order_id', 'desc')).toEqual([nine, again, ten, hundred])
  expect(await sorted('payment_id', 'desc')).toEqual([again, nine, hundred, ten])
  expect(await sorted('updated_at', 'desc')).toEqual([again, nine, hundred, ten])
})

test('prices are sorted to the 18th decimal of their coin', async () => {
  const { merchant, list } = await aShop()
  const make = async (price_amount: string) =>
    (await aPayment(merchant, { price_amount, price_currency: 'eth', pay_currency: 'eth' })).payment_id
  const [more, less] = [await make('0.100000000000000001'), await make('0.1')]
  const sorted = async (orderBy: string) =>
    (await list({ sortBy: 'price_amount', orderBy })).data.map(({ payment_id }) => payment_id)
  expect(await sorted('asc')).toEqual([less, more])
  expect(await sorted('desc')).toEqual([more, less])
})

test('a day as an end includes its last millisecond, and a time is exact', async () => {
  const { house, merchant, list } = await aShop()
  await house.sleep(12 * hour - 1)
  await aPayment(merchant)
  await house.sleep(1)
  await aPayment(merchant)
  const total = async (query: object) => (await list(query)).total
  expect(await total({ dateTo: '2026-02-28' })).toBe(0)
  expect(await total({ dateTo: '2026-03-01' })).toBe(1)
  expect(await total({ dateTo: '2026-03-02' })).toBe(2)
  expect(await total({ dateFrom: '2026-03-02' })).toBe(1)
  const last = new Date(noon + 12 * hour - 1).toISOString()
  expect(await total({ dateTo: last })).toBe(1)
  expect(await total({ dateTo: last.slice(0, -1) })).toBe(1)
  expect(await total({ dateTo: '2026-03-01T23:59:59.998Z' })).toBe(0)
  expect(await total({ dateFrom: last, dateTo: '2026-03-01' })).toBe(1)
})

test('the simulator reads existing payments', async () => {
  const { house, merchant } = await aShop()
  const { payment_id } = await aPayment(merchant)
  expect(await paymentStandings(house.app, [payment_id, 1])).toMatchObject([{ payment_id }])
})

test('nulls of a request count as absent', async () => {
  const { merchant } = await aShop()
  const nulls = { pay_amount: null, order_id: null, order_description: null, payout_currency: null, case: null }
  expect(await aPayment(merchant, nulls)).toMatchObject({ pay_amount: 100, order_id: null, order_description: null })
})

test('a case is simulated in the sandbox only, and only if one is named', async () => {
  const { house, merchant } = await aShop()
  const { payment_id } = await aPayment(merchant, { case: 'success' })
  await house.wait(hour)
  const status = async (of: typeof merchant, id: number) =>
    (await of.client.payment({ params: { payment_id: String(id) } })).payment_status
  expect(await status(merchant, payment_id)).toBe('waiting')
  const other = await aMerchant(house, { environment: 'sandbox', email: 'sandbox@shop.example' })
  const plain = await aPayment(other)
  await house.wait(hour)
  expect(await status(other, plain.payment_id)).toBe('waiting')
})

test('an amount set by the merchant stays, at any prices', async () => {
  const { house, merchant } = await aShop()
  const input = { pay_currency: 'btc', price_amount: 1000, pay_amount: 0.02 }
  const { payment_id, expiration_estimate_date } = await aPayment(merchant, input)
  await setRate(house.app, 'btc', '40000')
  await house.wait(hour)
  const read = await merchant.client.payment({ params: { payment_id: String(payment_id) } })
  expect(read).toMatchObject({ pay_amount: 0.02, payment_status: 'waiting' })
  // Nor is it quoted at the end of the window, before the periodic job has expired the payment.
  await house.sleep(Date.parse(expiration_estimate_date) - house.now())
  expect(await depositTo(house.app, payment_id)).toMatchObject({ units: '2000000' })
})

test('an added fee is part of the paid amount', async () => {
  const { house, merchant } = await aShop()
  const { payment_id, pay_amount } = await aPayment(merchant, { is_fee_paid_by_user: true })
  await depositTo(house.app, payment_id)
  await house.wait(180_000)
  expect(await merchant.client.payment({ params: { payment_id: String(payment_id) } })).toMatchObject({
    actually_paid: pay_amount,
    actually_paid_at_fiat: 100.5,
  })
})

test('a payment that finished after it was read as waiting does not expire', async () => {
  const { house, merchant } = await aShop()
  const { payment_id } = await aPayment(merchant)
  await depositTo(house.app, payment_id)
  await house.wait(180_000)
  await house.sleep(8 * 24 * hour)
  const statuses: string[] = []
  await readCurrent(house.app, async (reader) => {
    const row = await paymentOf(reader, payment_id)
    statuses.push(row?.status ?? '')
    return row ? [{ ...row, status: 'waiting' }] : []
  })
  expect(statuses).toEqual(['finished', 'finished'])
})

test('an invoice is offered in a coin at current prices, with the fee added if the customer pays it', () => {
  const invoice = { price_amount: '100', price_currency: 'usd', is_fee_paid_by_user: 0 } as InvoiceRow
  const standing = { table: fixedRates, maxAgeMs: undefined, isFresh: true, set: [] }
  expect(offerOf(standing, invoice, 'usdttrc20')).toMatchObject({ amount: '100', because: null })
  const onTop = { ...invoice, is_fee_paid_by_user: 1 }
  // 100 dollars are left of it after half a percent, to the coin's last decimal.
  expect(offerOf(standing, onTop, 'usdttrc20')).toMatchObject({ amount: '100.502513', because: null })
  const stale = offerOf({ ...standing, isFresh: false }, invoice, 'usdttrc20')
  expect(stale).toMatchObject({ amount: null, because: { code: 'RATE_UNAVAILABLE' } })
  const small = offerOf(standing, { ...invoice, price_amount: '8.39' }, 'usdttrc20')
  expect(small).toMatchObject({ amount: null, because: { code: 'AMOUNT_TOO_SMALL' } })
})
