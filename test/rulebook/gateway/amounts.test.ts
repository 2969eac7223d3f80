import { describe, expect, test } from 'vitest'
import {
  depositTo,
  fund,
  setMerchant,
  setWhitelisted,
  theMerchant,
} from '../../../src/services/gateway/admin/platform.ts'
import { shared } from '../shared.ts'
import * as book from './amounts.ts'
import { aFundedShop, ask, order, wallet } from './gateway.ts'

const shop = shared((world) => aFundedShop(world))
const coins = Object.keys(book.coinDecimals)
const read = async (path: string) => (await ask(shop(), `GET ${path}`)).body
const pay = (change: object, at = shop()) => ask(at, 'POST /payment', { ...order, ...change })
const decimalsOf = (amount: number) => {
  const [digits = '', exponent = '0'] = String(amount).split('e-')
  return (digits.split('.')[1]?.length ?? 0) + Number(exponent)
}
/** An amount one step of its last decimal away from another, as text. */
const near = (amount: number, decimals: number, step: -1 | 1) => (amount + step * 10 ** -decimals).toFixed(decimals)

describe('currencies', () => {
  test('have the decimals of the table', async () => {
    const { currencies } = await read('/full-currencies')
    const decimals = currencies.map((each: { code: string; network_precision: number }) => [
      each.code,
      each.network_precision,
    ])
    expect(Object.fromEntries(decimals)).toEqual(book.coinDecimals)
  })

  test.each(coins)('%s: estimate, minimum and payment agree', async (code) => {
    const { min_amount: least, currency_from } = await read(`/min-amount?currency_from=${code}`)
    expect(currency_from).toBe(code)
    const most = book.coinDecimals[code as keyof typeof book.coinDecimals]
    expect(decimalsOf(least)).toBeLessThanOrEqual(most)
    const digits = Math.max(decimalsOf(least), 6)
    const at = (price_amount: string) => pay({ price_amount, price_currency: code, pay_currency: code })
    expect((await at(least.toFixed(digits))).body).toMatchObject({ pay_amount: least, pay_currency: code })
    const below = await at(near(least, digits, -1))
    expect(below.body.code).toBe('AMOUNT_TOO_SMALL')
    // Shops show the message unchanged: it names the minimum and the currency.
    expect(below.body.message).toContain(code)
    expect(below.body.message).toMatch(/\d/)
    const { estimated_amount } = await read(`/estimate?amount=100&currency_from=usd&currency_to=${code}`)
    const { body } = await pay({ pay_currency: code })
    expect(decimalsOf(body.pay_amount)).toBeLessThanOrEqual(most)
    expect(Math.abs(body.pay_amount - estimated_amount)).toBeLessThanOrEqual(2 * 10 ** -Math.min(8, most))
  })

  test.each(Object.entries(book.fiatDecimals))('%s has %i decimals', async (code, decimals) => {
    const { estimated_amount } = await read(`/estimate?amount=0.01234567&currency_from=btc&currency_to=${code}`)
    expect(decimalsOf(estimated_amount)).toBeLessThanOrEqual(decimals)
    const least = (await read(`/min-amount?currency_from=${code}&currency_to=trx`)).min_amount
    expect(decimalsOf(least)).toBeLessThanOrEqual(decimals)
    const at = (price_amount: string) => pay({ price_amount, price_currency: code, pay_currency: 'trx' })
    expect((await at(least.toFixed(decimals))).body.price_amount).toBe(least)
    expect((await at(near(least, decimals, -1))).body.code).toBe('AMOUNT_TOO_SMALL')
  })

  test('price_amount has the largest as well as the smallest', async () => {
    const refused = (await pay({ price_amount: 1e9 })).body
    expect(refused.code).toBe('AMOUNT_TOO_LARGE')
    const [, most = ''] = /([\d.]+) usdttrc20/.exec(refused.message) ?? []
    const at = (price_amount: string) => pay({ price_amount, price_currency: 'usdttrc20' })
    expect((await at(most)).status).toBe(201)
    expect((await at(near(Number(most), 6, 1))).body.code).toBe('AMOUNT_TOO_LARGE')
    expect((await at(near(Number(most), 6, -1))).status).toBe(201)
  })

  test.each(book.fiatPayouts)('a payout in %s is not supported', async (currency) => {
    const { status, body } = await ask(shop(), 'POST /payout', {
      withdrawals: [{ address: wallet, currency, amount: 10 }],
    })
    expect([status, body.code]).toEqual([501, 'NOT_SUPPORTED'])
  })

  test('the smallest payout is that of its look-up, and its fee is added', async () => {
    const { success, result: least } = await read('/payout-withdrawal/min-amount/usdttrc20')
    expect(success).toBe(true)
    const { fee } = await read(`/payout/fee?currency=usdttrc20&amount=${least}`)
    const before = (await read('/balance')).usdttrc20.amount
    const send = (amount: string) =>
      ask(shop(), 'POST /payout', { withdrawals: [{ address: wallet, currency: 'usdttrc20', amount }] })
    expect((await send(near(least, 6, -1))).body.code).toBe('AMOUNT_TOO_SMALL')
    expect((await send(least.toFixed(6))).status).toBe(200)
    const left = (await read('/balance')).usdttrc20.amount
    expect(left).toBeCloseTo(before - least - fee, 6)
    expect((await send((left - fee).toFixed(6))).status).toBe(200)
    expect((await send(least.toFixed(6))).body.code).toBe('INSUFFICIENT_BALANCE')
  })

  test('the largest withdrawal is the balance less the fee, to the last decimal', async () => {
    const { world, id } = shop()
    await world.store.write(async (tx) => fund(world.gateway, tx, await theMerchant(tx, id), 'trx', '1000'))
    await setWhitelisted(world.gateway, id, 'trx', wallet)
    const { fee } = await read('/payout/fee?currency=trx&amount=100')
    const send = async (amount: string) =>
      (await ask(shop(), 'POST /payout', { withdrawals: [{ address: wallet, currency: 'trx', amount }] })).body
    expect((await send(near(1000 - fee, 6, 1))).code).toBe('INSUFFICIENT_BALANCE')
    expect((await send((1000 - fee).toFixed(6))).withdrawals).toHaveLength(1)
    expect((await read('/balance')).trx?.amount ?? 0).toBe(0)
  })
})

describe('money that arrives', () => {
  // Its clock is moved: the token of the other shop would expire.
  const paidShop = shared((world) => aFundedShop(world))
  const paid = async (change: object, amount?: string) => {
    const { world } = paidShop()
    const { body } = await pay(change, paidShop())
    await depositTo(world.gateway, body.payment_id, amount === undefined ? {} : { amount })
    await world.clock.advance((await world.clock.now()) + 180_000)
    return { made: body, now: (await ask(paidShop(), `GET /payment/${body.payment_id}`)).body }
  }

  test('the service keeps half a percent of it, or adds it', async () => {
    const share = book.serviceFeePercent / 100
    const { now } = await paid({})
    expect(now).toMatchObject({ payment_status: 'finished', actually_paid: 100, outcome_amount: 100 * (1 - share) })
    const onTop = await paid({ is_fee_paid_by_user: true })
    expect(onTop.made.pay_amount).toBeCloseTo(100 / (1 - share), 5)
    expect(onTop.now.outcome_amount).toBeCloseTo(100, 5)
    expect(onTop.now.outcome_amount).toBeGreaterThanOrEqual(100)
  })

  test.each(book.tolerances)(
    '$amount of 100 at a tolerance of $percent: $completes',
    async ({ percent, amount, completes }) => {
      const { world, id } = paidShop()
      const set = (bps: number) => setMerchant(world.gateway, id, { toleranceBps: bps })
      if (percent !== null) await set(percent * 100)
      const { now } = await paid({}, amount)
      expect(now.payment_status).toBe(completes ? 'finished' : 'partially_paid')
      await set(book.tolerancePercent.default * 100)
    },
  )

  test('the tolerance is between 0 and 10 percent', async () => {
    const { world, id } = shop()
    const { least, most } = book.tolerancePercent
    const set = (bps: number) => setMerchant(world.gateway, id, { toleranceBps: bps })
    for (const bps of [least * 100 - 1, most * 100 + 1]) await expect(set(bps)).rejects.toThrow()
  })
})
