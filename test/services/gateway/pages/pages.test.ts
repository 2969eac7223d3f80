import { mkdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  depositTo,
  refundPayment,
  removeDeposit,
  sanction,
  setCoin,
} from '../../../../src/services/gateway/admin/platform.ts'
import { pageTags } from '../../../../src/services/gateway/hosted-pages/language.ts'
import { setRate } from '../../../../src/services/gateway/rates/rates.ts'
import { violations } from '../../../support/browser/axe.ts'
import { pageMs, theBrowser } from '../../../support/browser/chromium.ts'
import { aMerchant, aPayment, openHouse } from '../house.ts'

/** The hosted pages in a real browser, while the simulated chains pay. */

const pictures = process.env['PAGE_PICTURES']
if (pictures) mkdirSync(pictures, { recursive: true })
const shot = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
}

/** Reports the names that the buttons get which copy a field: the new one disappears after 2 s, and a stopped process would miss it. */
const reportCopies = `new MutationObserver(() => {
  for (const button of document.querySelectorAll('[data-copy]'))
    if (!button.ariaLabel) console.debug('copy: ' + button.textContent)
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })`
const copies = new WeakMap<Page, string[]>()

/** Waits until a button that copies a field had this name. */
const hasCopied = (page: Page, name: string) => expect.poll(() => copies.get(page)).toContain(name)

const desktop = { width: 1100, height: 800 }
const phone = { width: 375, height: 740 }

async function aShop(options: { environment?: 'production' | 'sandbox' } = {}) {
  const house = await openHouse()
  const merchant = await aMerchant(house, options)
  const { url } = await house.server.listen()
  const complaints: string[] = []
  const goTo = async (page: Page, link: string) => {
    const { pathname, search } = new URL(link)
    await page.goto(url + pathname + search)
  }
  return {
    house,
    merchant,
    /** Opens a link in an open page. */
    goTo,
    /** Opens a link of the API as a customer does; the page must log no error. */
    async open(
      link: string,
      how: { viewport?: typeof phone; dark?: boolean; js?: boolean; locale?: string } = {},
    ): Promise<Page> {
      const context = await (await theBrowser()).newContext({
        viewport: how.viewport ?? desktop,
        colorScheme: how.dark ? 'dark' : 'light',
        javaScriptEnabled: how.js ?? true,
        locale: how.locale ?? 'en-GB',
        timezoneId: 'UTC',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      onTestFinished(async () => {
        await context.close()
        expect(complaints).toEqual([])
      })
      context.setDefaultTimeout(pageMs)
      const page = await context.newPage()
      await page.addInitScript(reportCopies)
      const copied: string[] = []
      copies.set(page, copied)
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        const [, name] = /^copy: (.*)$/.exec(message.text()) ?? []
        if (name !== undefined) copied.push(name)
        if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
      })
      await goTo(page, link)
      return page
    },
  }
}

const comesToSay = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

/** The same without its three seconds: a page that becomes visible again sends a request at once. */
async function heading(page: Page, name: string) {
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await comesToSay(page, name)
}

describe('the page of a payment', () => {
  test('shows amount, address and network warning, and follows the payment to its end', async () => {
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
    await hasCopied(page, 'Copied')
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(payment.pay_address)

    const { id: _id } = await depositTo(house.app, payment.payment_id, { amount: '40' })
    await house.settle()
    await comesToSay(page, 'Part of the amount detected')
    expect(await page.getByText('Detected so far: 40 USDT of 100 USDT.').isVisible()).toBe(true)
    expect(await page.getByText(payment.pay_address).isVisible()).toBe(false)
    expect(await violations(page)).toEqual([])
    await shot(page, 'seen')

    await house.wait(120_000)
    await heading(page, 'Part of the amount has arrived')
    expect(await page.getByText('Please send the rest: 60 USDT').isVisible()).toBe(true)
    expect(await page.getByLabel('Send exactly').textContent()).toBe('60 USDT')
    expect(await violations(page)).toEqual([])
    await shot(page, 'partly')

    await depositTo(house.app, payment.payment_id, { amount: '60' })
    await house.wait(120_000)
    await heading(page, 'Paid')
    expect(await page.title()).toBe('Paid: $100.00')
    expect(await violations(page)).toEqual([])
    await shot(page, 'paid')
    const receipt = page.getByRole('region', { name: 'Receipt' })
    expect(await receipt.getByRole('listitem').count()).toBe(2)
    expect(await receipt.getByRole('listitem').first().textContent()).toMatch(
      /^Received40 USDTDateMar 1, 2026, 12:00 PM UTCTransaction[0-9a-f]{64}$/,
    )
    expect(await receipt.getByRole('link').first().getAttribute('href')).toMatch(
      /^https:\/\/tronscan[.]org\/#\/transaction\/[0-9a-f]{64}$/,
    )
    // The server and the script show the same receipt, and paper has neither buttons nor languages.
    const shown = await receipt.innerHTML()
    await page.reload()
    await receipt.getByRole('button', { name: 'Print' }).waitFor()
    expect((await receipt.innerHTML()).replaceAll(/ datetime="[^"]*"/g, '')).toBe(shown)
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('contentinfo').isVisible()).toBe(false)
    // Round corners would cut the first letter off.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius")).toBe('0px')
    expect(await receipt.getByRole('link').first().isVisible()).toBe(true)
    expect(house.failures).toEqual([])
  })

  test('fits a phone, also in dark mode, and names the testnet in the sandbox', async () => {
    const { merchant, open } = await aShop({ environment: 'sandbox' })
    const payment = await aPayment(merchant, { pay_currency: 'btc' })
    const page = await open(payment.gw_payment_url, { viewport: phone, dark: true })
    await heading(page, 'Waiting for your payment')
    expect(await page.getByText('Sandbox: testnet coins only.').isVisible()).toBe(true)
    expect(await page.getByText('Bitcoin (Testnet4)').first().isVisible()).toBe(true)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await violations(page)).toEqual([])
    await shot(page, 'phone-dark')
  })

  test('requests the rest of a partial payment at the new price, with its end time', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant, { pay_currency: 'btc', price_amount: 1000 })
    const page = await open(payment.gw_payment_url)
    await depositTo(house.app, payment.payment_id, { amount: '0.005' })
    await house.wait(40 * 60_000)
    await heading(page, 'Part of the amount has arrived')
    expect(await page.getByLabel('Send exactly').textContent()).toBe('0.005 BTC')
    // The quote has expired and bitcoin is at half its price: the other 500 dollars are 0.01 BTC for the next 20
    // minutes.
    await setRate(house.app, 'btc', '50000')
    await house.wait(21 * 60_000)
    await heading(page, 'Part of the amount has arrived')
    await page.getByText('Please send the rest: 0.01 BTC').waitFor()
    expect(await page.getByLabel('Send exactly').textContent()).toBe('0.01 BTC')
    expect(await page.getByText('The amount is valid for').textContent()).toMatch(/(20:00|19:\d\d)$/)
    expect(await page.getByText('1 BTC ≈ $50,000.00').isVisible()).toBe(true)
    // In the time zone of the customer's browser.
    expect(await page.getByText('You can send the rest until').textContent()).toMatch(
      /until Mar 8, 2026, \d\d:\d\d [AP]M UTC \(6 days left\)[.]$/,
    )
    expect(await violations(page)).toEqual([])
    await shot(page, 'partly-new-price')
    await depositTo(house.app, payment.payment_id, { amount: '0.01' })
    await house.wait(60 * 60_000)
    await heading(page, 'Paid')
  })

  test('requests nothing during a refund, and shows when it is sent', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant)
    const page = await open(payment.gw_payment_url)
    await depositTo(house.app, payment.payment_id, { amount: '40' })
    await house.wait(120_000)
    await heading(page, 'Part of the amount has arrived')
    await refundPayment(house.app, payment.payment_id)
    await heading(page, 'Refund in progress')
    expect(await page.getByLabel('Send exactly').isVisible()).toBe(false)
    expect(await page.getByText(payment.pay_address).isVisible()).toBe(false)
    expect(await page.getByRole('img', { name: 'QR code' }).isVisible()).toBe(false)
    expect(await page.getByText('Please do not send anything else.').isVisible()).toBe(true)
    expect(await violations(page)).toEqual([])
    await shot(page, 'returning')
    const still = await open(payment.gw_payment_url, { js: false })
    expect(await still.content()).not.toContain(payment.pay_address)
    await house.wait(120_000)
    await heading(page, 'Refunded')
  })

  test('expires with the payment, and no longer shows an address', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant, { is_fixed_rate: true })
    await house.wait(21 * 60_000)
    const page = await open(payment.gw_payment_url, { viewport: phone })
    await heading(page, 'Payment expired')
    expect(await page.content()).not.toContain(payment.pay_address)
    expect(await page.getByText(`Contact Shop and give payment number ${payment.payment_id}.`).isVisible()).toBe(true)
    expect(await violations(page)).toEqual([])
    await shot(page, 'expired')
  })

  test('is on hold when the sender is on a sanctions list', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant)
    const row = await depositTo(house.app, payment.payment_id)
    await sanction(house.app, row.sender)
    await house.wait(120_000)
    const page = await open(payment.gw_payment_url)
    await heading(page, 'Payment on hold')
    expect(await page.getByText(`Contact Shop and give payment number ${payment.payment_id}.`).isVisible()).toBe(true)
  })

  test('updates the quote automatically when it expired', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant)
    await house.wait(30 * 60_000)
    const page = await open(payment.gw_payment_url)
    await heading(page, 'Waiting for your payment')
    expect(await page.getByRole('timer').textContent()).toMatch(/^(20:00|19:\d\d)$/)
  })

  test('shows everything without its script, and how to refresh', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant)
    const page = await open(payment.gw_payment_url, { js: false })
    expect(await page.getByText(payment.pay_address).isVisible()).toBe(true)
    expect(await page.getByRole('button').count()).toBe(0)
    await depositTo(house.app, payment.payment_id)
    await house.wait(120_000)
    await page.getByRole('link', { name: 'Refresh' }).click()
    await heading(page, 'Paid')
    expect(await page.getByRole('link', { name: 'Refresh' }).count()).toBe(0)
  })

  test('returns to waiting when a reorganization removes the deposit', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant)
    const page = await open(payment.gw_payment_url)
    const { id } = await depositTo(house.app, payment.payment_id)
    await house.settle()
    await heading(page, 'Payment detected')
    await removeDeposit(house.app, id)
    await house.settle()
    await heading(page, 'Waiting for your payment')
    expect(await page.getByText(payment.pay_address).isVisible()).toBe(true)
  })

  test('opens a wallet on the same device if there is a scheme for it, with the remaining amount', async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant, { pay_currency: 'btc' })
    const page = await open(payment.gw_payment_url, { viewport: phone })
    const wallet = page.getByRole('link', { name: 'Open in a wallet app' })
    expect(await wallet.getAttribute('href')).toBe(`bitcoin:${payment.pay_address}?amount=${payment.pay_amount}`)
    await depositTo(house.app, payment.payment_id, { amount: '0.0004' })
    await house.wait(3 * 3_600_000)
    await heading(page, 'Part of the amount has arrived')
    expect(await wallet.getAttribute('href')).toBe(`bitcoin:${payment.pay_address}?amount=0.0006`)
    const tron = await open((await aPayment(merchant)).gw_payment_url)
    expect(await tron.getByRole('link', { name: 'Open in a wallet app' }).count()).toBe(0)
    const token = await aPayment(merchant, { pay_currency: 'usdcbase' })
    const base = await open(token.gw_payment_url)
    expect(await base.getByRole('link', { name: 'Open in a wallet app' }).getAttribute('href')).toBe(
      `ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=${token.pay_address}&uint256=100000000`,
    )
  })
})

describe('in every state', () => {
  /** A payment in each of them, by its status. */
  async function everyState() {
    const shop = await aShop({ environment: 'sandbox' })
    const { house, merchant } = shop
    const links = new Map<string, string>()
    const added = async (state: string, over: Record<string, unknown> = {}) => {
      const payment = await aPayment(merchant, over)
      links.set(state, payment.gw_payment_url)
      return payment.payment_id
    }
    await setCoin(house.app, merchant.id, 'eth', { wallet: '0x52908400098527886E0F7030069857D2E4169EE7' })
    await added('expired', { is_fixed_rate: true })
    await depositTo(house.app, await added('expired, partly paid', { is_fixed_rate: true }), { amount: '40.5' })
    const back = await added('refunded')
    await depositTo(house.app, back)
    const bad = await depositTo(house.app, await added('failed'))
    await sanction(house.app, bad.sender)
    await depositTo(house.app, await added('finished'))
    await house.wait(40 * 60_000)
    await refundPayment(house.app, back)
    await depositTo(house.app, await added('partially_paid'), { amount: '40.5' })
    const held = await added('sending', { pay_currency: 'eth' })
    await house.wait(120_000)
    await depositTo(house.app, held)
    for (let blocks = 0; blocks < 60 && (await statusOf(held)) !== 'sending'; blocks++) await house.wait(12_000)
    await added('waiting')
    await added('waiting for a fixed amount', { is_fixed_rate: true, pay_currency: 'btc' })
    const seen = await added('confirming', { pay_currency: 'btc' })
    await depositTo(house.app, seen)
    await house.settle()
    async function statusOf(id: number) {
      return (await merchant.client.payment({ params: { payment_id: String(id) } })).payment_status
    }
    for (const [state, id] of [
      ['sending', held],
      ['confirming', seen],
      ['refunded', back],
    ] as const)
      expect([state, await statusOf(id)]).toEqual([state, state])
    return { ...shop, links }
  }

  const titles = {
    expired: 'Payment expired',
    'expired, partly paid': 'Payment expired',
    refunded: 'Refunded',
    failed: 'Payment on hold',
    finished: 'Paid',
    partially_paid: 'Part of the amount has arrived',
    sending: 'Paid',
    waiting: 'Waiting for your payment',
    'waiting for a fixed amount': 'Waiting for your payment',
    confirming: 'Payment detected',
  }

  test('the page is accessible and fits, on a phone and on a desktop, in English and in Chinese', async () => {
    const { links, open, goTo } = await everyState()
    expect([...links.keys()].sort()).toEqual(Object.keys(titles).sort())
    for (const [name, viewport, language] of [
      ['phone', phone, 'zh-Hant'],
      ['desktop', desktop, 'en'],
    ] as const) {
      let page: Page | undefined
      for (const [state, title] of Object.entries(titles)) {
        const link = `${links.get(state) ?? ''}?lang=${language}`
        if (page) await goTo(page, link)
        else page = await open(link, { viewport, dark: name === 'phone' })
        if (language === 'en') await heading(page, title)
        const isPartly = state === 'partially_paid' || state === 'expired, partly paid'
        expect([state, await page.getByText('40.5 USDT').first().isVisible()]).toEqual([state, isPartly])
        expect(await page.evaluate('document.documentElement.lang')).toBe(language)
        expect([state, name, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([
          state,
          name,
          true,
        ])
        expect([state, name, await violations(page)]).toEqual([state, name, []])
        await shot(page, `${state.replaceAll(/\W+/g, '-')}-${name}`)
      }
    }
  })
})

describe('the language of the customer', () => {
  test("the page uses the browser's, unless its link names another, and it can be changed", async () => {
    const { house, merchant, open } = await aShop()
    const payment = await aPayment(merchant)
    const page = await open(payment.gw_payment_url, { locale: 'zh-TW' })
    await heading(page, '等待您付款')
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh-Hant')
    expect(await page.title()).toBe('等待您付款：US$100.00')
    expect(await page.getByLabel('請準確支付').textContent()).toBe('100 USDT')
    await page.getByRole('button', { name: '複製金額' }).click()
    await hasCopied(page, '已複製')
    await page.getByRole('link', { name: '简体中文' }).click()
    await page.locator('html[lang="zh-Hans"]').waitFor()
    await heading(page, '等待您付款')

    // Later texts are in the language of the page and not in the browser's.
    await depositTo(house.app, payment.payment_id)
    await house.settle()
    await heading(page, '已检测到付款')
    await house.wait(120_000)
    await heading(page, '已付款')
    expect(await page.title()).toBe('已付款：US$100.00')
    const thaiPage = await open(`${payment.gw_payment_url}?lang=THAI`, { locale: 'zh-TW' })
    expect(await thaiPage.evaluate('document.documentElement.lang')).toBe('th')
  })

  test('an invoice keeps the language of its link, from the choice to the payment and back', async () => {
    const { house, merchant, open } = await aShop()
    const invoice = await merchant.client.createInvoice({ body: { price_amount: 2, price_currency: 'usd' } })
    const page = await open(`${invoice.invoice_url}?lang=zh-CN`)
    await heading(page, '您想用什么支付？')
    expect(await page.getByRole('button', { name: 'Bitcoin' }).textContent()).toMatch(/最低支付金额为 [\d.]+ BTC$/)
    await shot(page, 'choice-zh-Hans')
    await page.getByRole('button', { name: 'Solana 0' }).click()
    await heading(page, '等待您付款')
    expect(new URL(page.url()).search).toBe('?lang=zh-Hans')
    await page.getByRole('link', { name: '改用其他币种支付' }).click()
    await heading(page, '您想用什么支付？')
    await page.getByRole('link', { name: 'English' }).click()
    await heading(page, 'How would you like to pay?')
    const refused = await house.server.inject({
      method: 'POST',
      path: `${new URL(invoice.invoice_url).pathname}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'ja,en;q=0.5' },
      body: 'coin=btc',
    })
    expect(refused).toMatchObject({ status: 409, headers: { 'content-language': 'ja' } })
    expect(refused.body).toMatch(/<html lang="ja">.*このコインは使えません.*最低支払額は [\d.]+ BTC です/s)
  })

  test('every language fits a phone', async () => {
    const { merchant, open } = await aShop({ environment: 'sandbox' })
    const payment = await aPayment(merchant, { pay_currency: 'btc', order_description: 'x'.repeat(60) })
    const page = await open(payment.gw_payment_url, { viewport: { width: 320, height: 640 } })
    const linesOfNumber = `(() => {
      const range = document.createRange()
      range.selectNodeContents([...document.querySelectorAll('.facts dd')].find(dd => dd.textContent === '${payment.payment_id}'))
      return range.getClientRects().length
    })()`
    for (const tag of pageTags) {
      await page.goto(`${page.url().split('?')[0]}?lang=${tag}`)
      expect([tag, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([tag, 320])
      // Long labels wrap, and not the number.
      expect([tag, await page.evaluate(linesOfNumber)]).toEqual([tag, 1])
      await shot(page, `language-${tag}`)
    }
  })
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

  test('lets the customer select a coin, and another one, and links back to the shop after the payment', async () => {
    const { house, merchant, open } = await aShop()
    await setCoin(house.app, merchant.id, 'trx', 'off')
    const invoice = await invoiceOf(merchant)
    const page = await open(invoice.invoice_url)
    await heading(page, 'How would you like to pay?')
    expect(await violations(page)).toEqual([])
    await shot(page, 'choice')
    expect(await page.getByRole('button', { name: /^Tron/ }).count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Search for a coin or network' }).fill('tron')
    expect(await page.getByText('Bitcoin').first().isVisible()).toBe(false)
    expect(await page.getByText('Tether USD').isVisible()).toBe(true)
    await page.getByRole('searchbox').fill('doge')
    await page.getByText('No coin matches your search.').waitFor()
    await page.getByRole('searchbox').fill('')
    const bitcoin = page.getByRole('button', { name: 'Bitcoin' })
    expect(await bitcoin.textContent()).toContain('0.00025 BTCNetwork fee about $2.00 · Confirmed in about 20 minutes')
    await bitcoin.click()
    await heading(page, 'Waiting for your payment')
    await page.getByRole('link', { name: 'Pay with another coin' }).click()
    await page.getByText('Tether USD').click()
    expect(await violations(page)).toEqual([])
    await shot(page, 'choice-networks')
    await page.getByRole('button', { name: 'TRON' }).click()
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
    // The invoice's own link shows the same from now on, and accepts no further selection.
    const again = await open(`${invoice.invoice_url}?choose`)
    await heading(again, 'Paid')
  })

  test('creates one payment per coin, with any number of selections, and none for an unavailable one', async () => {
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

  test('offers only the coin of the invoice, and explains why one is unavailable', async () => {
    const { house, merchant } = await aShop()
    const read = async (link: string) =>
      (await house.server.inject({ method: 'GET', path: new URL(link).pathname, headers: {} })).body
    const one = await read((await invoiceOf(merchant, { pay_currency: 'eth' })).invoice_url)
    expect([...one.matchAll(/name="coin"/g)]).toHaveLength(1)
    const little = await read((await invoiceOf(merchant, { price_amount: 2 })).invoice_url)
    expect(little).toContain('The minimum payment is')
    expect(little).toMatch(/value="btc" disabled/)
  })
})

test('an invalid link has an error page, in either environment and for the other one', async () => {
  const { house, merchant } = await aShop()
  const payment = await aPayment(merchant)
  const { pathname } = new URL(payment.gw_payment_url)
  for (const path of ['/pay/nothing', '/invoice/nothing', `/sandbox${pathname}`, '/sandbox/invoice/x']) {
    const reply = await house.server.inject({ method: 'GET', path, headers: {} })
    expect([path, reply.status]).toEqual([path, 404])
    expect(reply.body).toContain('Page not found')
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  }
  const state = await house.server.inject({ method: 'GET', path: `${pathname}/state`, headers: {} })
  expect(JSON.parse(state.body)).toMatchObject({ phase: 'waiting', amount: '100', coin: 'USDT' })
  expect((await house.server.inject({ method: 'GET', path: '/pay/x/state', headers: {} })).status).toBe(404)
})

test('every page with its script is below 30 kB compressed, in every language', async () => {
  const { house, merchant } = await aShop()
  const payment = await aPayment(merchant, { pay_currency: 'usdcbase', order_description: 'x'.repeat(400) })
  const invoice = await merchant.client.createInvoice({ body: { price_amount: 2500, price_currency: 'usd' } })
  const sizeOf = async (path: string) => {
    const reply = await house.server.inject({ method: 'GET', path, headers: {} })
    expect([path, reply.status]).toEqual([path, 200])
    return gzipSync(reply.body).length
  }
  const script = await sizeOf('/hosted-payment.js')
  for (const link of [payment.gw_payment_url, invoice.invoice_url])
    for (const tag of pageTags)
      expect([link, tag, (await sizeOf(`${new URL(link).pathname}?lang=${tag}`)) + script < 30_000]).toEqual([
        link,
        tag,
        true,
      ])
})
