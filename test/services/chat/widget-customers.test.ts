import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addSocialChannel } from '../../../src/services/chat/admin.ts'
import { violations } from '../../support/browser/axe.ts'
import { aSite, type Site, sendFiles } from './browser.ts'

/** The page names the logged-in customer, and no other visitor of the same browser sees anything of that customer. */

/** Returns `issuedAt.signature` as a merchant's server signs it (chat-shapes 1.7), some seconds ago. */
const sign = ({ helpdesk, merchant }: Site, account: string, secondsAgo = 0) => {
  const issuedAt = Math.floor(helpdesk.clock.now / 1000) - secondsAgo
  const signature = createHmac('sha256', merchant.identitySecret).update(`${account}.${issuedAt}`).digest('hex')
  return `${issuedAt}.${signature}`
}
const attributes = (site: Site, account: string, more = {}) => ({
  'data-account': account,
  'data-identity': sign(site, account),
  ...more,
})
const identify = (page: Page, given: object) => page.evaluate(`ChatWidget.identify(${JSON.stringify(given)})`)
const opened = async (page: Page) => {
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('textbox').waitFor()
}
const write = async (page: Page, text: string) => {
  await page.getByRole('textbox').fill(text)
  await page.keyboard.press('Enter')
}
const delivered = (page: Page) => page.locator('.m small').last().getByText(/\d/).waitFor()
const rooms = async ({ merchant }: Site) => (await merchant.agent.rooms({ query: {} })).items
const roomOf = async (site: Site, account: string) => {
  const room = (await rooms(site)).find(({ customerAccount }) => customerAccount === account)
  if (!room) throw new Error(`${account} has no room`)
  return room
}
const textsOf = async (site: Site, roomId: string) =>
  (await site.merchant.bot.messages({ params: { roomId }, query: {} })).items.map(({ text }) => text)
/** The browser's storage, without the random part of keys and tokens, in which any name may occur by chance. */
const stored = async (page: Page) =>
  String(await page.evaluate('JSON.stringify(localStorage)')).replaceAll(/\b(it|rt|wk)_[\w.-]+/g, '$1_…')
const refusal = 'We could not confirm your sign-in. Reload the page to chat.'

test('a customer of the page’s attributes writes in the room of the account, with name and email address, long after the page was loaded', async () => {
  const site = await aSite()
  const checks: number[] = []
  const page = await site.open(
    attributes(site, 'amy', { 'data-customer-name': 'Amy', 'data-customer-email': 'amy@shop.example' }),
    {
      meddle: async (tab) =>
        void tab.on('response', (each) => each.url().includes('/identity') && checks.push(each.status())),
    },
  )
  await expect.poll(() => checks).toContain(200)
  // Page views create no room.
  expect(await rooms(site)).toEqual([])
  site.helpdesk.clock.now += 3_600_000
  await opened(page)
  expect(await violations(page)).toEqual([])
  expect(await rooms(site)).toEqual([])
  await write(page, 'Hello')
  await delivered(page)
  expect(await rooms(site)).toMatchObject([
    { customerAccount: 'amy', customerDisplayName: 'Amy', customerEmail: 'amy@shop.example', lastSeq: 1 },
  ])
})

test('an account has its room in every browser, in each form of the identity, and unread answers are counted there', async () => {
  const site = await aSite()
  const room = await site.merchant.bot.openRoom({ body: { customerAccount: 'amy', initialMessage: 'from the app' } })
  await site.merchant.agent.reply({
    params: { roomId: room.roomId },
    body: { text: 'an answer', clientMessageId: 'a' },
  })
  const [issuedAt = '', signature = ''] = sign(site, 'amy').split('.')
  const forms = [
    `${issuedAt}.${signature}`,
    { issuedAt: Number(issuedAt), signature },
    JSON.stringify({ customerAccount: 'amy', issuedAt: Number(issuedAt), signature }),
  ]
  for (const identity of forms) {
    const page = await site.open()
    await identify(page, { account: 'amy', identity })
    await expect.poll(() => page.evaluate('ChatWidget.getUnreadCount()')).toBe(1)
    await page.evaluate('ChatWidget.reset()')
    expect(await page.evaluate('ChatWidget.getUnreadCount()')).toBe(0)
    await page.close()
  }
  const page = await site.open(attributes(site, 'amy'))
  await opened(page)
  await page.getByText('from the app').waitFor()
  await expect.poll(() => page.evaluate('ChatWidget.getUnreadCount()')).toBe(0)
})

test('a name and an email address that are set later reach the room', async () => {
  const site = await aSite()
  const page = await site.open()
  await opened(page)
  await write(page, 'Hello')
  await delivered(page)
  await identify(page, { name: 'Ann', email: 'ann@shop.example' })
  await expect
    .poll(() => rooms(site))
    .toMatchObject([{ customerDisplayName: 'Ann', customerEmail: 'ann@shop.example' }])
  await page.close()
  const next = await site.open({ 'data-customer-name': 'Ann Lee', 'data-customer-email': 'no address' })
  await expect
    .poll(() => rooms(site))
    .toMatchObject([{ customerDisplayName: 'Ann Lee', customerEmail: 'ann@shop.example' }])
  await next.close()
})

test('another customer on the same browser sees nothing of the first one, and neither does a visitor after that', async () => {
  const site = await aSite()
  const page = await site.open(attributes(site, 'amy'))
  await opened(page)
  await write(page, 'amy’s secret')
  await delivered(page)
  await page.getByRole('textbox').fill('amy’s draft')
  await page.keyboard.press('Escape')
  const { roomId } = await roomOf(site, 'amy')
  await site.merchant.agent.reply({ params: { roomId }, body: { text: 'for amy', clientMessageId: 'a' } })
  await expect.poll(() => page.evaluate('ChatWidget.getUnreadCount()')).toBe(1)
  const nothing = async (tab: Page) => {
    expect(await tab.evaluate('ChatWidget.getUnreadCount()')).toBe(0)
    await opened(tab)
    expect(await tab.getByRole('textbox').inputValue()).toBe('')
    expect(await tab.locator('li').count()).toBe(0)
  }
  // A page without a customer, as after logging out.
  const visitor = await site.open()
  await nothing(visitor)
  await visitor.close()
  // Another customer, on the same page and on a separate page.
  await identify(page, { account: 'bob', identity: sign(site, 'bob') })
  await nothing(page)
  await write(page, 'bob’s question')
  await delivered(page)
  expect(await page.locator('li:not(.j)').count()).toBe(1)
  expect(await textsOf(site, (await roomOf(site, 'bob')).roomId)).toEqual(['bob’s question'])
  expect(await stored(page)).not.toMatch(/amy|secret/)
  await page.evaluate('ChatWidget.reset()')
  await expect.poll(() => page.locator('li').count()).toBe(0)
  expect(await stored(page)).not.toMatch(/bob|it_|rt_/)
  await page.evaluate('ChatWidget.close()')
  await nothing(page)
  await write(page, 'a visitor')
  await delivered(page)
  expect(await textsOf(site, (await roomOf(site, 'bob')).roomId)).toEqual(['bob’s question'])
  expect(await textsOf(site, roomId)).toEqual(['amy’s secret', 'for amy'])
})

test('data that a customer clears in one tab is cleared in the others', async () => {
  const site = await aSite()
  const tabs = [await site.open(attributes(site, 'amy')), await site.open(attributes(site, 'amy'))] as [Page, Page]
  for (const tab of tabs) await opened(tab)
  await write(tabs[0], 'amy’s secret')
  for (const tab of tabs) await tab.getByText('amy’s secret').waitFor()
  await identify(tabs[1], { account: 'bob', identity: sign(site, 'bob') })
  for (const tab of tabs) await tab.getByText('amy’s secret').waitFor({ state: 'detached' })
  await write(tabs[1], 'bob’s question')
  await delivered(tabs[1])
  expect(await tabs[0].locator('li').count()).toBe(0)
  expect(await stored(tabs[0])).not.toMatch(/amy/)
  // A tab that stored something before it knew of the removal undoes that; what another tab stored since then stays.
  const removal =
    "dispatchEvent(new StorageEvent('storage', { key: Object.keys(localStorage).find((key) => key.endsWith(':bob')), newValue: null }))"
  await tabs[1].evaluate(removal)
  expect(await stored(tabs[1])).not.toMatch(/bob/)
  await identify(tabs[1], { account: 'bob', identity: sign(site, 'bob') })
  await tabs[1].getByText('bob’s question').waitFor()
  // In one evaluation, so that the tab stores nothing of its own in between.
  const other = "localStorage.setItem(Object.keys(localStorage).find((key) => key.endsWith(':bob')), '{}')"
  await tabs[1].evaluate(`${other}; ${removal}`)
  await tabs[1].getByText('bob’s question').waitFor({ state: 'detached' })
  expect(await stored(tabs[1])).toMatch(/bob":"{}"/)
})

test.each([
  ['wrongly signed', (site: Site) => `${sign(site, 'amy').split('.')[0]}.${'0'.repeat(64)}`],
  ['of another account', (site: Site) => sign(site, 'bob')],
  ['older than 300 seconds', (site: Site) => sign(site, 'amy', 301)],
  ['unreadable', () => 'nonsense'],
  ['missing', () => ''],
])('an identity that is %s is refused with a message, and nothing is stored', async (_, identity) => {
  const site = await aSite()
  const page = await site.open({ 'data-account': 'amy', 'data-identity': identity(site) })
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('status').getByText(refusal).waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
  expect(await violations(page)).toEqual([])
  expect(await stored(page)).not.toMatch(/amy/)
  expect(await rooms(site)).toEqual([])
  // A valid one is accepted on the same page.
  await identify(page, { account: 'amy', identity: sign(site, 'amy') })
  await page.getByRole('textbox').waitFor()
  await write(page, 'Hello')
  await delivered(page)
  expect(await rooms(site)).toMatchObject([{ customerAccount: 'amy' }])
  // An invalid one after that ends the conversation.
  await identify(page, { account: 'amy', identity: '1.bad' })
  await page.getByRole('status').getByText(refusal).waitFor()
  // The list is drawn once per frame, so it may empty a moment after the refusal is shown.
  await expect.poll(() => page.locator('li').count()).toBe(0)
  expect(await stored(page)).not.toMatch(/amy|rt_/)
})

test('an identity of 300 seconds ago is accepted, and one verified before by the browser is valid without a request', async () => {
  const site = await aSite()
  const old = { 'data-account': 'amy', 'data-identity': sign(site, 'amy', 300) }
  const page = await site.open(old)
  await opened(page)
  await write(page, 'Hello')
  await delivered(page)
  await page.close()
  // A browser restores its tabs with the pages in its cache.
  site.helpdesk.clock.now += 3_600_000
  const restored = await site.open(old)
  await opened(restored)
  await restored.getByText('Hello').waitFor()
})

test('a message and a file in flight while another customer is named arrive in their own room', async () => {
  const site = await aSite()
  const held = Promise.withResolvers<void>()
  const holding: string[] = []
  const page = await site.open(attributes(site, 'amy'), {
    meddle: (tab) =>
      tab.route(/\/(messages|chunk)\?/, async (route) => {
        if (route.request().method() !== 'GET' && holding.length < 2) {
          holding.push(route.request().url())
          await held.promise
        }
        await route.continue()
      }),
  })
  await opened(page)
  await write(page, 'amy’s message')
  await sendFiles(page, { name: 'amy.txt', mimeType: 'text/plain', buffer: Buffer.from('amy’s file') })
  await expect.poll(() => holding.length).toBe(2)
  await identify(page, { account: 'bob', identity: sign(site, 'bob') })
  await write(page, 'bob’s message')
  await delivered(page)
  held.resolve()
  const amy = await roomOf(site, 'amy')
  await expect.poll(async () => (await textsOf(site, amy.roomId)).length).toBe(2)
  expect(await textsOf(site, (await roomOf(site, 'bob')).roomId)).toEqual(['bob’s message'])
  expect(await page.locator('li:not(.j)').allTextContents()).toEqual([expect.stringContaining('bob’s message')])
})

test('a page may name the customer before the widget is loaded, and takes no focus from it while open', async () => {
  const site = await aSite()
  const given = JSON.stringify({ account: 'amy', identity: sign(site, 'amy') })
  const page = await site.open({}, { early: `ChatWidget.identify(${given}); ChatWidget.open()` })
  await page.getByRole('textbox').waitFor()
  await write(page, 'Hello')
  await delivered(page)
  expect(await rooms(site)).toMatchObject([{ customerAccount: 'amy' }])
  await page.evaluate('document.querySelector("h1").tabIndex = 0; document.querySelector("h1").focus()')
  await identify(page, { account: 'bob', identity: sign(site, 'bob') })
  await page.getByRole('textbox').waitFor()
  await expect.poll(() => page.locator('li').count()).toBe(0)
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
  // No argument of a page throws an error.
  await page.evaluate('ChatWidget.identify(); ChatWidget.identify(null); ChatWidget.identify({ account: 7 })')
})

test('social channels are links, and their icons need no request', async () => {
  const site = await aSite()
  const channels = [
    { kind: 'line', label: 'LINE', url: 'https://line.me/R/ti/p/shop' },
    { kind: 'telegram', label: 'Telegram', url: 'https://t.me/shop' },
    { kind: 'email', label: 'Email', url: 'mailto:help@shop.example' },
    { kind: 'phone', label: 'Call us', url: 'tel:+886212345678' },
  ] as const
  for (const channel of channels) await addSocialChannel(site.helpdesk.app, site.merchant.code, channel)
  const page = await site.open()
  await opened(page)
  for (const { label, url } of channels)
    expect(await page.getByRole('link', { name: label, exact: true }).getAttribute('href')).toBe(url)
  expect(await violations(page)).toEqual([])
})
