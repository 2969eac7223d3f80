import { describe, expect, test } from 'vitest'
import { depositTo, fund, theMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { aMerchant, type House, openHouse, refusal } from './house.ts'

async function rich() {
  const house: House = await openHouse()
  const merchant = await aMerchant(house)
  await house.app.store.write(async (tx) => {
    await fund(house.app, tx, await theMerchant(tx, merchant.id), 'btc', '1')
  })
  return { house, merchant, client: await merchant.loggedIn() }
}

describe('a conversion', () => {
  test('takes one coin and gives another at the rate', async () => {
    const { house, client } = await rich()
    const { result } = await client.createConversion({
      body: { amount: '0.5', from_currency: 'BTC', to_currency: 'eth' },
    })
    expect(result).toMatchObject({ status: 'finished', from_currency: 'btc', from_amount: 0.5, to_amount: 12.5 })
    expect(await client.balance({})).toEqual({
      btc: { amount: 0.5, pendingAmount: 0 },
      eth: { amount: 12.5, pendingAmount: 0 },
    })
    expect(await client.conversion({ params: { id: result.id } })).toEqual({ result })
    expect(await client.conversions({ query: { status: ['FINISHED'] } })).toEqual({ result: [result], count: 1 })
    expect((await client.conversions({ query: { from_currency: 'eth' } })).count).toBe(0)
    await house.proveLedger()
  })

  test('above the balance changes nothing', async () => {
    const { house, client } = await rich()
    const body = { amount: 1.00000001, from_currency: 'btc', to_currency: 'eth' }
    expect(await refusal(client.createConversion({ body }))).toBe('INSUFFICIENT_BALANCE')
    expect(await refusal(client.createConversion({ body: { ...body, to_currency: 'usd' } }))).toBe(
      'CURRENCY_UNAVAILABLE',
    )
    expect(await refusal(client.createConversion({ body: { ...body, to_currency: 'btc' } }))).toBe(
      'INVALID_REQUEST_PARAMS',
    )
    expect(await client.balance({})).toEqual({ btc: { amount: 1, pendingAmount: 0 } })
    expect((await client.conversions({ query: {} })).count).toBe(0)
    await house.proveLedger()
  })

  test('below the smallest unit is AMOUNT_TOO_SMALL and takes nothing; one unit passes', async () => {
    const { house, merchant, client } = await rich()
    await house.app.store.write(async (tx) => {
      await fund(house.app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '1')
    })
    const convert = (amount: string) =>
      client.createConversion({ body: { amount, from_currency: 'usdttrc20', to_currency: 'btc' } })
    // At 100,000 dollars, a hundred-millionth of a bitcoin costs a thousandth of a dollar.
    expect(await refusal(convert('0.000999'))).toBe('AMOUNT_TOO_SMALL')
    expect((await client.balance({}))['usdttrc20']?.amount).toBe(1)
    expect((await convert('0.001')).result).toMatchObject({ status: 'finished', to_amount: 0.00000001 })
    expect((await client.balance({}))['btc']?.amount).toBe(1.00000001)
  })
})

describe('sub-accounts', () => {
  test('have a name that is unique for the merchant', async () => {
    const { client } = await rich()
    const { result } = await client.createSubaccount({ body: { name: 'amy' } })
    expect(result.name).toBe('amy')
    expect(await refusal(client.createSubaccount({ body: { name: 'amy' } }))).toBe('CONFLICT')
    expect(await refusal(client.createSubaccount({ body: { name: 'amy@shop.example' } }))).toBe(
      'INVALID_REQUEST_PARAMS',
    )
    expect(await refusal(client.createSubaccount({ body: { name: 'x'.repeat(31) } }))).toBe('INVALID_REQUEST_PARAMS')
    expect(await client.subaccounts({ query: { id: [result.id] } })).toEqual({ result: [result], count: 1 })
  })

  test('are funded, emptied and moved between, and no amount is lost', async () => {
    const { house, merchant, client } = await rich()
    const amy = (await client.createSubaccount({ body: { name: 'amy' } })).result.id
    const bob = (await client.createSubaccount({ body: { name: 'bob' } })).result.id
    const { result } = await client.depositToSub({
      body: { currency: 'BTC', amount: 0.6, sub_partner_id: Number(amy) },
    })
    expect(result).toMatchObject({ from_sub_id: merchant.id, to_sub_id: amy, amount: '0.6', status: 'finished' })
    await client.createSubTransfer({ body: { currency: 'btc', amount: '0.25', from_id: amy, to_id: Number(bob) } })
    await client.writeOffSub({ body: { currency: 'btc', amount: '0.1', sub_partner_id: bob } })
    const held = async (id: string) => (await client.subBalance({ params: { id } })).result.balances
    expect(await held(amy)).toEqual({ btc: { amount: 0.35, pendingAmount: 0 } })
    expect(await held(bob)).toEqual({ btc: { amount: 0.15, pendingAmount: 0 } })
    expect(await client.balance({})).toEqual({ btc: { amount: 0.5, pendingAmount: 0 } })
    expect((await client.subTransfers({ query: { status: ['finished'] } })).count).toBe(3)
    expect(await client.subTransfer({ params: { id: result.id } })).toEqual({ result })
    const tooMuch = { currency: 'btc', amount: '0.16', sub_partner_id: bob }
    expect(await refusal(client.writeOffSub({ body: tooMuch }))).toBe('INSUFFICIENT_BALANCE')
    await house.proveLedger()
  })

  test('are funded by their own payments', async () => {
    const { house, client } = await rich()
    const amy = (await client.createSubaccount({ body: { name: 'amy' } })).result.id
    const { result } = await client.createSubPayment({
      body: { currency: 'trx', amount: 50, sub_partner_id: amy, fixed_rate: false },
    })
    expect(result).toMatchObject({ pay_amount: 50, pay_currency: 'trx', price_currency: 'trx' })
    await depositTo(house.app, result.payment_id)
    await house.wait(120_000)
    expect((await client.subBalance({ params: { id: amy } })).result.balances).toEqual({
      trx: { amount: 49.75, pendingAmount: 0 },
    })
    expect((await client.subPayments({ query: { sub_partner_id: amy, status: 'finished' } })).count).toBe(1)
    await house.proveLedger()
  })

  test('of another merchant do not exist', async () => {
    const { house, client } = await rich()
    const amy = (await client.createSubaccount({ body: { name: 'amy' } })).result.id
    const stranger = await (await aMerchant(house, { email: 'other@shop.example' })).loggedIn()
    expect(await refusal(stranger.subBalance({ params: { id: amy } }))).toBe('NOT_FOUND')
    const grab = { currency: 'btc', amount: '0.1', sub_partner_id: amy }
    expect(await refusal(stranger.writeOffSub({ body: grab }))).toBe('NOT_FOUND')
  })
})

describe('invoices', () => {
  test('are paid in the coin that their customer selects, and list their payments', async () => {
    const { house, merchant } = await rich()
    const invoice = await merchant.client.createInvoice({
      body: { price_amount: '12.990', price_currency: 'USD', order_id: 7, success_url: 'https://shop.example/ok' },
    })
    expect(invoice).toMatchObject({ price_amount: '12.99', price_currency: 'usd', pay_currency: null, order_id: '7' })
    expect(invoice.id).toMatch(/^[0-9]{10}$/)
    expect(await merchant.client.invoice({ params: { id: invoice.id } })).toEqual(invoice)
    const payment = await merchant.client.createInvoicePayment({
      body: { iid: Number(invoice.id), pay_currency: 'sol' },
    })
    expect(payment).toMatchObject({ price_amount: 12.99, pay_currency: 'sol', order_id: '7' })
    const { data } = await merchant.client.payments({ query: { invoiceId: invoice.id } })
    expect(data).toMatchObject([{ payment_id: payment.payment_id, invoice_id: Number(invoice.id) }])
    const stranger = await aMerchant(house, { email: 'other@shop.example' })
    expect(await refusal(stranger.client.invoice({ params: { id: invoice.id } }))).toBe('NOT_FOUND')
  })

  test('bound to a coin accept no other, and links that run code are refused', async () => {
    const { merchant } = await rich()
    const input = { price_amount: 20, price_currency: 'usd', pay_currency: 'btc' }
    const { id } = await merchant.client.createInvoice({ body: input })
    const pay = (pay_currency: string) => merchant.client.createInvoicePayment({ body: { iid: id, pay_currency } })
    expect(await refusal(pay('eth'))).toBe('CONFLICT')
    expect((await pay('BTC')).pay_amount).toBe(0.0002)
    expect(await refusal(merchant.client.createInvoice({ body: { ...input, price_amount: 0.5 } }))).toBe(
      'AMOUNT_TOO_SMALL',
    )
    const bad = { ...input, success_url: 'javascript:alert(1)' }
    expect(await refusal(merchant.client.createInvoice({ body: bad }))).toBe('INVALID_REQUEST_PARAMS')
  })
})
