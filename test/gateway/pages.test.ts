import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { depositTo, sanction, setCoin } from '../../src/gateway/console.ts'
import { closeBrowser, theBrowser, violations } from '../chat/browser.ts'
import { aMerchant, aPayment, openHouse } from './house.ts'

/** The hosted pages in a real browser, while the pretended chains pay. */

const pictures = process.env['PAGE_PICTURES']
if (pictures) mkdirSync(pictures, { recursive: true })
const shot = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
}

afterAll(closeBrowser)

const desktop = { width: 1100, height: 800 }
const phone = { width: 375, height: 740 }

async function aShop(options: { environment?: 'production' | 'sandbox' } = {}) {
  const house = await openHouse()
  const merchant = await aMerchant(house, options)
  const { url } = await house.server.listen()
  const complaints: string[] = []
  return {
    house,
    merchant,
    /** Opens a link of the API as a customer does; the page must not complain of anything. */
    async open(link: string, how: { viewport?: typeof phone; dark?: boolean; js?: boolean } = {}): Promise<Page> {
      const context = await (await theBrowser()).newContext({
        viewport: how.viewport ?? desktop,
        colorScheme: how.dark ? 'dark' : 'light',
        javaScriptEnabled: how.js ?? true,
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      onTestFinished(async () => {
        await context.close()
        expect(complaints).toEqual([])
      })
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
      })
      await page.goto(url + new URL(link).pathname)
      return page
    },
  }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

describe('the page of a payment', () => {
  test('says what to send where, warns of the network, and goes with the payment to its end', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant, { order_description: 'Two tickets & a <b>drink</b>' })
    const page = await open(payment.gw_payment_url)
    await heading(page, 'Waiting for your payment')
    expect(await violations(page)).toEqual([])
    await shot(page, 'waiting')
    expect(await page.getByText(payment.pay_address).isVisible()).toBe(true)
    expect(await page.getByText('Send only USDT on TRON.').isVisible()).toBe(true)
    expect(await page.getByText('Two tickets & a <b>drink</b>').isVisible()).toBe(true)
    expect(await page.getByRole('img', { name: 'QR code' }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Copy the address' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(payment.pay_address)

    const { id: _id } = await depositTo(house.app, payment.payment_id, { amount: '40' })
    await house.settle()
    await heading(page, 'Payment seen')
    expect(await page.getByText(payment.pay_address).isVisible()).toBe(false)
    expect(await violations(page)).toEqual([])
    await shot(page, 'seen')

    await house.wait(120_000)
    await heading(page, 'Part of it has arrived')
    expect(await page.getByText('Please send the rest: 60 USDT').isVisible()).toBe(true)
    expect(await page.getByLabel('Send exactly').textContent()).toBe('60 USDT')
    expect(await violations(page)).toEqual([])
    await shot(page, 'partly')

    await depositTo(house.app, payment.payment_id, { amount: '60' })
    await house.wait(120_000)
    await heading(page, 'Paid')
    expect(await page.title()).toBe('Paid: 100 USD')
    expect(await violations(page)).toEqual([])
    await shot(page, 'paid')
    expect(house.failures).toEqual([])
  }, 60_000)

  test('fits a phone, in the dark as well, and names the testnet in the sandbox', async () => {
    const { merchant, open } = await aShop({ environment: 'sandbox' })
    const payment = await aPayment(merchant, { pay_currency: 'btc' })
    const page = await open(payment.gw_payment_url, { viewport: phone, dark: true })
    await heading(page, 'Waiting for your payment')
    expect(await page.getByText('Sandbox: testnet coins only.').isVisible()).toBe(true)
    expect(await page.getByText('Bitcoin (Testnet4)').first().isVisible()).toBe(true)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await violations(page)).toEqual([])
    await shot(page, 'phone-dark')
  }, 30_000)

  test('ends with its time, and shows no address any more', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant, { is_fixed_rate: true })
    await house.wait(21 * 60_000)
    const page = await open(payment.gw_payment_url, { viewport: phone })
    await heading(page, 'Time is up')
    expect(await page.content()).not.toContain(payment.pay_address)
    expect(await violations(page)).toEqual([])
    await shot(page, 'expired')
  }, 30_000)

  test('is held when the sender is on a sanctions list', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant)
    const row = await depositTo(house.app, payment.payment_id)
    await sanction(house.app, row.sender)
    await house.wait(120_000)
    await heading(await open(payment.gw_payment_url), 'Payment held')
  }, 30_000)

  test('quotes anew by itself once the quote has run out', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant)
    await house.wait(30 * 60_000)
    const page = await open(payment.gw_payment_url)
    await heading(page, 'Waiting for your payment')
    expect(await page.getByRole('timer').textContent()).toMatch(/^(20:00|19:\d\d)$/)
  }, 30_000)

  test('says all there is to say without its script', async () => {
    const { merchant, open } = await aShop()
    const payment = await aPayment(merchant)
    const page = await open(payment.gw_payment_url, { js: false })
    expect(await page.getByText(payment.pay_address).isVisible()).toBe(true)
    expect(await page.getByRole('button').count()).toBe(0)
  }, 30_000)
})

describe('the page of an invoice', () => {
  const invoiceOf = (merchant: Awaited<ReturnType<typeof aMerchant>>, over: Record<string, unknown> = {}) =>
    merchant.client.createInvoice({
      body: {
        price_amount: 25,
        price_currency: 'usd',
        order_id: 'i-1',
        order_description: 'A year of the gold table',
        success_url: 'https://shop.example/thanks',
        cancel_url: 'https://shop.example/cart',
        ...over,
      },
    })

  test('lets the customer choose a coin, another one, and leads back to the shop when it is paid', async () => {
    const { house, merchant, open } = await aShop()
    await setCoin(house.app, merchant.id, 'trx', 'off')
    const invoice = await invoiceOf(merchant)
    const page = await open(invoice.invoice_url)
    await heading(page, 'How would you like to pay?')
    expect(await violations(page)).toEqual([])
    await shot(page, 'choice')
    expect(await page.getByRole('button', { name: /^Tron/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Bitcoin' }).click()
    await heading(page, 'Waiting for your payment')
    await page.getByRole('link', { name: 'Pay with another coin' }).click()
    await page.getByRole('button', { name: 'Tether USD TRON' }).click()
    await heading(page, 'Waiting for your payment')
    expect(await page.getByRole('link', { name: 'Cancel and go back' }).getAttribute('href')).toBe(
      'https://shop.example/cart',
    )
    expect(await violations(page)).toEqual([])
    await shot(page, 'invoice-payment')
    const { data } = await merchant.client.payments({ query: { invoiceId: invoice.id } })
    const chosen = data.find(({ pay_currency }) => pay_currency === 'usdttrc20')
    await depositTo(house.app, chosen?.payment_id ?? 0)
    await house.wait(120_000)
    await heading(page, 'Paid')
    expect(await page.getByRole('link', { name: 'Back to the shop' }).getAttribute('href')).toBe(
      'https://shop.example/thanks',
    )
    expect(await page.getByRole('link', { name: 'Cancel and go back' }).isVisible()).toBe(false)
    await shot(page, 'invoice-paid')
    // The invoice's own link shows the same from now on, and takes no further choice.
    const again = await open(`${invoice.invoice_url}?choose`)
    await heading(again, 'Paid')
  }, 60_000)

  test('makes one payment for a coin however often it is chosen, and none for one that cannot be', async () => {
    const { house, merchant } = await aShop()
    const invoice = await invoiceOf(merchant)
    const { pathname } = new URL(invoice.invoice_url)
    const pick = (coin: string) =>
      house.server.inject({
        method: 'POST',
        path: pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `coin=${coin}`,
      })
    const first = await pick('btc')
    expect(first.status).toBe(303)
    await pick('eth')
    expect((await pick('btc')).headers['location']).toBe(first.headers['location'])
    for (const coin of ['doge', '', '%3Cscript%3E']) expect((await pick(coin)).status).toBe(409)
    expect((await merchant.client.payments({ query: { invoiceId: invoice.id } })).total).toBe(2)
  })

  test('offers only the coin of the invoice, and says why one cannot be had', async () => {
    const { house, merchant } = await aShop()
    const read = async (link: string) =>
      (await house.server.inject({ method: 'GET', path: new URL(link).pathname, headers: {} })).body
    const one = await read((await invoiceOf(merchant, { pay_currency: 'eth' })).invoice_url)
    expect([...one.matchAll(/name="coin"/g)]).toHaveLength(1)
    const little = await read((await invoiceOf(merchant, { price_amount: 2 })).invoice_url)
    expect(little).toContain('The smallest payment is')
    expect(little).toMatch(/value="btc" disabled/)
  })
})

test('a link that leads nowhere is a page that says so, in either environment and of the other one', async () => {
  const { house, merchant } = await aShop()
  const payment = await aPayment(merchant)
  const { pathname } = new URL(payment.gw_payment_url)
  for (const path of ['/pay/nothing', '/invoice/nothing', `/sandbox${pathname}`, '/sandbox/invoice/x']) {
    const reply = await house.server.inject({ method: 'GET', path, headers: {} })
    expect([path, reply.status]).toEqual([path, 404])
    expect(reply.body).toContain('There is nothing here')
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  }
  const state = await house.server.inject({ method: 'GET', path: `${pathname}/state`, headers: {} })
  expect(JSON.parse(state.body)).toMatchObject({ phase: 'waiting', amount: '100', coin: 'USDT' })
  expect((await house.server.inject({ method: 'GET', path: '/pay/x/state', headers: {} })).status).toBe(404)
})
