import { describe, expect, test } from 'vitest'
import { freezePlatform, verifyMerchant } from '../../../src/services/gateway/admin/merchant.ts'
import { createMerchant, depositTo, setMerchant, theMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { ageRates, readRates, resetRates, setRate } from '../../../src/services/gateway/rates/rates.ts'
import { aMerchant, aPayment, noon, openHouse, refusal } from './house.ts'

/**
 * Decisions of the gateway's staff: prices set by hand, a frozen platform, accounts that wait for their verification.
 */

const minute = 60_000
const least = { currency_from: 'usdttrc20' }
const estimateQuery = { amount: '100', currency_from: 'usd', currency_to: 'btc' }

describe('prices set by hand', () => {
  test('apply at once, alike for estimate, min-amount and the payment', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const before = await merchant.client.minAmount({ query: { currency_from: 'btc' } })
    await setRate(house.app, 'BTC', '50000')
    const { estimated_amount } = await merchant.client.estimate({ query: estimateQuery })
    expect(estimated_amount).toBe(0.002)
    expect((await aPayment(merchant, { pay_currency: 'btc' })).pay_amount).toBe(estimated_amount)
    const { min_amount } = await merchant.client.minAmount({ query: { currency_from: 'btc' } })
    expect(min_amount).toBeGreaterThanOrEqual(before.min_amount)
    const body = { price_currency: 'btc', pay_currency: 'btc' }
    expect((await aPayment(merchant, { ...body, price_amount: min_amount })).pay_amount).toBe(min_amount)
    expect(await refusal(aPayment(merchant, { ...body, price_amount: min_amount * 0.99 }))).toBe('AMOUNT_TOO_SMALL')
    await resetRates(house.app)
    expect((await merchant.client.estimate({ query: estimateQuery })).estimated_amount).toBe(0.001)
  })

  test('a price that is removed refuses its coin alone', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    await setRate(house.app, 'btc', null)
    expect((await readRates(house.app)).set).toEqual(['btc'])
    expect(await refusal(merchant.client.estimate({ query: estimateQuery }))).toBe('RATE_UNAVAILABLE')
    expect(await refusal(aPayment(merchant, { pay_currency: 'btc' }))).toBe('RATE_UNAVAILABLE')
    expect((await aPayment(merchant)).pay_amount).toBe(100)
    expect(await merchant.client.minAmount({ query: { currency_from: 'usd', currency_to: 'usd' } })).toMatchObject({
      currency_from: 'usd',
    })
  })

  test('prices expire, and are not used afterwards; received money is credited', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const { payment_id: id } = await aPayment(merchant)
    await ageRates(house.app, 0)
    await house.wait(10 * minute)
    expect(await refusal(merchant.client.estimate({ query: estimateQuery }))).toBe('not refused')
    await house.wait(1)
    const refused = [
      () => merchant.client.estimate({ query: estimateQuery }),
      () => merchant.client.minAmount({ query: least }),
      () => aPayment(merchant),
      () => merchant.client.createInvoice({ body: { price_amount: 50, price_currency: 'usd', pay_currency: 'btc' } }),
      () => merchant.client.payoutFee({ query: { currency: 'btc', amount: '1' } }),
    ]
    for (const call of refused) expect(await refusal(call())).toBe('RATE_UNAVAILABLE')
    await depositTo(house.app, id)
    await house.wait(5 * minute)
    const { payment_status } = await merchant.client.payment({ params: { payment_id: String(id) } })
    expect(payment_status).toBe('finished')
    await house.proveLedger()
    expect(await readRates(house.app)).toMatchObject({ isFresh: false, table: { asOf: noon } })
    await resetRates(house.app)
    expect(await refusal(aPayment(merchant))).toBe('not refused')
  })

  test('have the age at which they were set', async () => {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    expect(await ageRates(house.app, 4 * minute)).toMatchObject({ table: { asOf: noon - 4 * minute }, isFresh: true })
    await house.wait(6 * minute)
    expect(await refusal(merchant.client.estimate({ query: estimateQuery }))).toBe('not refused')
    await house.wait(1)
    expect(await refusal(merchant.client.estimate({ query: estimateQuery }))).toBe('RATE_UNAVAILABLE')
  })

  test.each([
    ['doge', '1', 'CURRENCY_UNAVAILABLE'],
    ['usd', '2', 'INVALID_REQUEST_PARAMS'],
    ['btc', '0.00', 'INVALID_AMOUNT'],
    ['btc', '-1', 'INVALID_AMOUNT'],
    ['btc', '1e5', 'INVALID_AMOUNT'],
  ])('%s at %s is refused with %s', async (asset, usd, code) => {
    const { app } = await openHouse()
    expect(await refusal(setRate(app, asset, usd))).toBe(code)
  })
})

test("a frozen platform accepts and moves nothing itself, and credits customers' payments", async () => {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  const inSandbox = await aMerchant(house, { environment: 'sandbox' })
  const { payment_id: id } = await aPayment(merchant)
  await freezePlatform(house.app, 'production', true)
  expect(await refusal(aPayment(merchant))).toBe('FROZEN')
  const invoice = { price_amount: 50, price_currency: 'usd' }
  expect(await refusal(merchant.client.createInvoice({ body: invoice }))).toBe('FROZEN')
  expect(await refusal(aPayment(inSandbox))).toBe('not refused')
  await depositTo(house.app, id)
  await house.wait(5 * minute)
  const { payment_status } = await merchant.client.payment({ params: { payment_id: String(id) } })
  expect(payment_status).toBe('finished')
  await freezePlatform(house.app, 'production', false)
  expect(await refusal(aPayment(merchant))).toBe('not refused')
})

test('a frozen account creates nothing, and another account does', async () => {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  const other = await aMerchant(house, { email: 'other@shop.example' })
  await setMerchant(house.app, merchant.id, { frozen: true })
  expect(await refusal(aPayment(merchant))).toBe('FROZEN')
  expect(await refusal(aPayment(other))).toBe('not refused')
  await setMerchant(house.app, merchant.id, { frozen: false })
  expect(await refusal(aPayment(merchant))).toBe('not refused')
})

test('an account that waits for its verification reads and creates nothing; the sandbox approves automatically', async () => {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  await verifyMerchant(house.app, merchant.id, false)
  expect(await refusal(aPayment(merchant))).toBe('FORBIDDEN')
  expect(await refusal(merchant.client.estimate({ query: estimateQuery }))).toBe('not refused')
  expect((await merchant.client.payments({ query: {} })).total).toBe(0)
  await verifyMerchant(house.app, merchant.id, true)
  expect(await refusal(aPayment(merchant))).toBe('not refused')
  const input = { name: 'New', email: 'new@shop.example', password: 'correct horse battery', isUnverified: true }
  const verified = async (environment: 'production' | 'sandbox') => {
    const { id } = await createMerchant(house.app, { ...input, environment })
    return { id, verified: (await house.app.store.read((reader) => theMerchant(reader, id))).verified }
  }
  expect((await verified('production')).verified).toBe(0)
  const box = await verified('sandbox')
  expect(box.verified).toBe(1)
  expect(await refusal(verifyMerchant(house.app, box.id, false))).toBe('CONFLICT')
})
