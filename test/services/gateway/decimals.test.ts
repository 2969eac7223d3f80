import { expect, test } from 'vitest'
import { depositTo } from '../../../src/services/gateway/admin/platform.ts'
import { aMerchant, aPayment, openHouse, refusal } from './house.ts'

/** ISO 4217, minor units. */
const decimals = { usd: 2, eur: 2, gbp: 2, jpy: 0, twd: 2, thb: 2, krw: 0, vnd: 0, php: 2, myr: 2 } as const

const digitsOf = (amount: number | string | undefined) => String(amount).split('.')[1]?.length ?? 0

test.each(Object.entries(decimals))(
  'amounts in %s have at most %i decimals, in every response',
  async (fiat, places) => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const { client } = merchant
    const out = await client.estimate({ query: { amount: '0.01234567', currency_from: 'btc', currency_to: fiat } })
    const into = await client.estimate({ query: { amount: '1234567.8951', currency_from: fiat, currency_to: 'btc' } })
    const least = await client.minAmount({ query: { currency_from: fiat, currency_to: 'btc' } })
    const equal = await client.minAmount({ query: { currency_from: 'btc', fiat_equivalent: fiat } })
    expect(into.amount_from).toBe(places === 0 ? 1234568 : 1234567.9)
    const price = { price_amount: least.min_amount, price_currency: fiat, pay_currency: 'btc' }
    const payment = await aPayment(merchant, price)
    expect(await refusal(aPayment(merchant, { ...price, price_amount: least.min_amount / 2 }))).toBe('AMOUNT_TOO_SMALL')
    const larger = await aPayment(merchant, {
      price_amount: '1234567.8951',
      price_currency: fiat,
      pay_currency: 'btc',
    }).catch(() => undefined)
    await depositTo(house.app, payment.payment_id, {})
    await house.wait(7_200_000)
    const paid = await client.payment({ params: { payment_id: String(payment.payment_id) } })
    const invoice = await client.createInvoice({ body: { price_amount: '200000.499', price_currency: fiat } })
    expect(invoice.price_amount).toBe(places === 0 ? '200000' : '200000.5')
    const amounts = [
      out.estimated_amount,
      least.min_amount,
      equal.fiat_equivalent,
      larger?.price_amount,
      paid.actually_paid_at_fiat,
      invoice.price_amount,
    ]
    for (const amount of amounts) expect(digitsOf(amount), `${amount} ${fiat}`).toBeLessThanOrEqual(places)
  },
)

test('a price that rounds to nothing is INVALID_AMOUNT', async () => {
  const merchant = await aMerchant(await openHouse())
  for (const [price_amount, price_currency] of [
    ['0.49', 'jpy'],
    ['0.004', 'usd'],
  ])
    expect(await refusal(aPayment(merchant, { price_amount, price_currency }))).toBe('INVALID_AMOUNT')
})

test("a sub-account's pendingAmount is the amount that its payments received and did not credit yet", async () => {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  const client = await merchant.loggedIn()
  const { result: sub } = await client.createSubaccount({ body: { name: 'amy' } })
  const { result: other } = await client.createSubaccount({ body: { name: 'bob' } })
  const balances = async (id: string) => (await merchant.client.subBalance({ params: { id } })).result.balances
  const pay = (amount: number) =>
    client.createSubPayment({ body: { currency: 'usdttrc20', amount, sub_partner_id: sub.id } })
  const [one, two] = [(await pay(100)).result, (await pay(50)).result]
  expect(await balances(sub.id)).toEqual({})
  await depositTo(house.app, one.payment_id, { amount: '40' })
  await depositTo(house.app, two.payment_id, { amount: '20' })
  await house.wait(600_000)
  expect(await balances(sub.id)).toEqual({ usdttrc20: { amount: 0, pendingAmount: 60 } })
  expect(await balances(other.id)).toEqual({})
  await depositTo(house.app, one.payment_id, { amount: '60' })
  await house.wait(600_000)
  expect(await balances(sub.id)).toEqual({ usdttrc20: { amount: 99.5, pendingAmount: 20 } })
  await house.proveLedger()
})
