import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from '../../support/browser/axe.ts'
import { isFirefox } from '../../support/browser/chromium.ts'
import { aSite, expectNoRace, holdRace, openConfigured, type Site, sendFiles } from './browser.ts'

/** Effects of merchants' pages, networks and other tabs on the widget. */

const write = async (page: Page, text: string) => {
  await page.getByRole('textbox').fill(text)
  await page.keyboard.press('Enter')
}
const opened = async (page: Page) => {
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('textbox').waitFor()
}
const seen = (page: Page, text: string) => page.getByRole('listitem').getByText(text).waitFor()
/** All written messages are there with their time. */
const delivered = (page: Page) => page.locator('.m small').last().getByText(/\d/).waitFor()
const statusOf = (page: Page) => page.locator('.s').textContent()
const theRoom = async ({ merchant }: Site) => {
  const { items } = await merchant.agent.rooms({ query: {} })
  expect(items).toHaveLength(1)
  return items[0]?.roomId ?? ''
}
const answer = async (site: Site, text: string) =>
  site.merchant.agent.reply({
    params: { roomId: await theRoom(site) },
    body: { text, clientMessageId: text.replaceAll(' ', '-') },
  })
const refused = (status: number, code: string, headers = {}) => ({
  status,
  contentType: 'application/json',
  headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After', ...headers },
  body: JSON.stringify({ error: { code, message: code, details: [], requestId: 'r' } }),
})
/** Handles the first matching requests, up to this number, in another way. */
const first = (times: number, how: (route: Route) => Promise<void>) => {
  let left = times
  return (route: Route) => (left-- > 0 ? how(route) : route.continue())
}

test.each([
  ['en_US', 'en-US', 'Write a message'],
  ['zh_TW', 'zh-TW', '輸入訊息'],
  ['zh', 'zh', '输入消息'],
  ['en-US-x-verylongsubtag12', 'en', 'Write a message'],
  ['C', 'en', 'Write a message'],
])(
  'on a page in "%s", with a name that is too long and an unknown category, chat works',
  async (html, language, hint) => {
    const site = await aSite()
    const attributes = { 'data-customer-name': 'N'.repeat(101), 'data-inbox-category-code': 'VIP players' }
    const page = await openConfigured(site, attributes, { html })
    await opened(page)
    expect(await page.getByRole('textbox').getAttribute('placeholder')).toBe(hint)
    await write(page, 'Hello')
    await delivered(page)
    expect((await site.merchant.agent.rooms({ query: {} })).items).toMatchObject([
      { customerLanguage: language, customerDisplayName: 'N'.repeat(100), inboxCategoryCode: 'default', lastSeq: 1 },
    ])
  },
)

test.skipIf(isFirefox)('two tabs with concurrent first messages share one room, and receive the same', async () => {
  const site = await aSite()
  const tabs = [await site.open(), await site.open()]
  for (const tab of tabs) await opened(tab)
  await tabs[0]?.context().setOffline(true)
  await Promise.all(tabs.map((tab, i) => write(tab, `from tab ${i}`)))
  await tabs[0]?.context().setOffline(false)
  for (const tab of tabs) for (const i of [0, 1]) await seen(tab, `from tab ${i}`)
  await answer(site, 'to both')
  for (const tab of tabs) await seen(tab, 'to both')
})

test('messages between the histories of two tabs are in both', async () => {
  const site = await aSite()
  const gates = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() }
  const held = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() }
  const isHistory = /\/messages\?/
  const streaming = await site.open(
    {},
    {
      // Reads its history late.
      meddle: (tab) =>
        tab.route(
          isHistory,
          first(1, async (route) => {
            held.first.resolve()
            await gates.first.promise
            await route.continue()
          }),
        ),
    },
  )
  const other = await site.open(
    {},
    {
      // Reads its history early, and gets it late.
      meddle: (tab) =>
        tab.route(
          isHistory,
          first(1, async (route) => {
            const response = await route.fetch()
            held.second.resolve()
            await gates.second.promise
            await route.fulfill({ response })
          }),
        ),
    },
  )
  for (const tab of [streaming, other]) await opened(tab)
  await write(streaming, 'one')
  await Promise.all([held.first.promise, held.second.promise])
  await answer(site, 'between')
  const isStreaming = streaming.waitForResponse(/\/events\?/)
  gates.first.resolve()
  await isStreaming
  gates.second.resolve()
  for (const tab of [streaming, other]) await seen(tab, 'between')
})

test('a room closed in one tab is closed in all: they continue in the next one', async () => {
  const site = await aSite()
  const tabs = [await site.open(), await site.open()]
  for (const tab of tabs) await opened(tab)
  await write(tabs[0] as Page, 'in the first room')
  for (const tab of tabs) await seen(tab, 'in the first room')
  const before = await theRoom(site)
  await site.helpdesk.app.store.write((tx) =>
    tx.q.updateTable('chat_rooms').set({ token_epoch: 7 }).where('id', '=', before).execute(),
  )
  await write(tabs[1] as Page, 'in the next room')
  for (const tab of tabs) {
    await seen(tab, 'in the next room')
    await tab.getByText('in the first room').waitFor({ state: 'detached' })
  }
})

test('a history that failed to load appears as soon as it loads', async () => {
  const site = await aSite()
  const page = await site.open()
  await opened(page)
  await write(page, 'one')
  await delivered(page)
  await page.close()
  const again = await site.open(
    {},
    {
      meddle: (tab) =>
        tab.route(
          /\/messages\?/,
          first(2, (route) => route.fulfill(refused(503, 'INTERNAL_ERROR'))),
        ),
    },
  )
  await opened(again)
  await seen(again, 'one')
})

test('streaming resumes after any number of server outages', async () => {
  const site = await aSite()
  const requests: string[] = []
  const page = await site.open(
    {},
    {
      meddle: async (tab) => {
        await holdRace(tab)
        tab.on('request', (request) => requests.push(new URL(request.url()).pathname))
        await tab.route(
          /\/events(\?|$)/,
          first(5, (route) => route.abort()),
        )
      },
    },
  )
  await opened(page)
  await write(page, 'one')
  const { broadcaster } = site.helpdesk.app
  // The requests are in the message of a failure.
  await expect.poll(() => (broadcaster.size === 1 ? [] : [...requests])).toEqual([])
  await answer(site, 'heard')
  await seen(page, 'heard')
  expect(await statusOf(page)).toBe('')
  await expectNoRace(page)
  expect(requests.filter((path) => path.endsWith('/poll'))).toEqual([])
})

test('if a proxy ends streams before they start, it polls and tries no second one', async () => {
  const site = await aSite()
  let streams = 0
  const page = await site.open(
    {},
    {
      meddle: (tab) =>
        tab.route(/\/events(\?|$)/, (route) => {
          streams++
          return route.fulfill({
            contentType: 'text/event-stream',
            headers: { 'access-control-allow-origin': '*' },
            body: ': held back\n\n',
          })
        }),
    },
  )
  await opened(page)
  await write(page, 'one')
  await expect.poll(() => streams).toBe(1)
  await delivered(page)
  await answer(site, 'heard')
  await seen(page, 'heard')
  expect(streams).toBe(1)
})

test('no style of the page hides or moves it', async () => {
  const { open } = await aSite()
  const hiding = 'display:none!important;opacity:0!important;visibility:hidden!important;filter:blur(9px)!important'
  const moving = 'position:relative!important;transform:translate(-999px)!important;contain:strict;margin:-500px'
  const page = await open(
    {},
    { css: `div,div:empty,main~*,html>*{${hiding};${moving}}body{transform:scale(1);height:3000px}` },
  )
  const launcher = page.getByRole('button', { name: 'Chat' })
  expect(await launcher.boundingBox()).toMatchObject({ y: 700 - 20 - 56 })
  await launcher.click()
  await page.getByRole('textbox').fill('seen')
})

test.skipIf(isFirefox)('opened offline it shows that, and opens when the network is back', async () => {
  const { open } = await aSite()
  const page = await open()
  await page.getByRole('button', { name: 'Chat' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Chat' }).click()
  await expect.poll(() => page.locator('.l').ariaSnapshot()).toBe('- button "Chat Offline"')
  expect(await violations(page)).toEqual([])
  await page.context().setOffline(false)
  await page.getByRole('textbox').waitFor()
  await page.getByRole('button', { name: 'Chat', exact: true }).waitFor()
})

test('a customer who returns after the room token expired sees no connection error, and starts again', async () => {
  const site = await aSite()
  const page = await site.open()
  await opened(page)
  await write(page, 'one')
  await delivered(page)
  const before = await theRoom(site)
  await site.helpdesk.app.store.write((tx) =>
    tx.q.updateTable('chat_rooms').set({ token_epoch: 7 }).where('id', '=', before).execute(),
  )
  await page.close()
  const again = await site.open()
  await opened(again)
  await expect
    .poll(() => again.evaluate(`JSON.parse(localStorage.getItem('cw:${site.merchant.tenantKey}')).token`))
    .toBe(undefined)
  expect(await statusOf(again)).toBe('')
  await write(again, 'two')
  await delivered(again)
  expect((await site.merchant.agent.rooms({ query: {} })).total).toBe(2)
})

test('a rejected message is still there after a reload, and can be sent then', async () => {
  const site = await aSite()
  const page = await site.open(
    {},
    { meddle: (tab) => tab.route(/\/messages(\?|$)/, (route) => route.fulfill(refused(400, 'INVALID_PARAMETER'))) },
  )
  await opened(page)
  await write(page, 'refused')
  await page.getByRole('button', { name: 'Not sent. Try again' }).waitFor()
  await page.close()
  const again = await site.open()
  await opened(again)
  await seen(again, 'refused')
  await again.getByRole('button', { name: 'Not sent. Try again' }).click()
  await delivered(again)
  expect((await site.merchant.bot.messages({ params: { roomId: await theRoom(site) }, query: {} })).total).toBe(1)
})

test('a reader of earlier messages keeps the scroll position', async () => {
  const site = await aSite()
  const page = await site.open()
  await opened(page)
  await write(page, 'the first')
  await delivered(page)
  for (let i = 0; i < 60; i++) await answer(site, `answer ${i}`)
  await page.close()
  const again = await site.open()
  await opened(again)
  await seen(again, 'answer 59')
  await again.locator('.g').evaluate((log) => {
    log.scrollTop = 0
  })
  const reading = again.getByText('answer 11', { exact: true })
  const before = await reading.boundingBox()
  await again.getByRole('button', { name: 'Earlier messages' }).click()
  await seen(again, 'the first')
  await expect.poll(async () => Math.abs(((await reading.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(60)
})

test('a rejected read position is sent again a moment later, once', async () => {
  const site = await aSite()
  let reads = 0
  const answered = Promise.withResolvers<void>()
  const page = await site.open(
    {},
    {
      meddle: (tab) =>
        tab.route(/\/read(\?|$)/, async (route) => {
          reads++
          // Refused when all messages have arrived.
          await answered.promise
          return reads === 1 ? route.fulfill(refused(429, 'RATE_LIMITED', { 'retry-after': '1' })) : route.continue()
        }),
    },
  )
  await opened(page)
  await write(page, 'one')
  await delivered(page)
  for (let i = 0; i < 10; i++) await answer(site, `answer ${i}`)
  await seen(page, 'answer 9')
  answered.resolve()
  await expect.poll(async () => (await site.merchant.agent.rooms({ query: {} })).items[0]?.customerUnreadCount).toBe(0)
  expect(reads).toBe(2)
})

test('the reason why the first file was rejected is shown until something else is sent', async () => {
  const site = await aSite()
  const page = await site.open()
  await opened(page)
  await sendFiles(page, { name: 'evil.txt', mimeType: 'text/plain', buffer: Buffer.from('<script>') })
  const notice = page.getByRole('status').getByText('The file could not be sent: evil.txt')
  await notice.waitFor()
  // The room created for it has a subscriber by now, which has no effect.
  await expect.poll(() => site.helpdesk.app.broadcaster.size).toBe(1)
  await page.waitForTimeout(300)
  expect(await notice.count()).toBe(1)
  await write(page, 'Hello')
  await notice.waitFor({ state: 'detached' })
})

test.skipIf(isFirefox)(
  'a file that is too large is rejected with the limit, and one chosen offline is sent later',
  async () => {
    const site = await aSite()
    const page = await openConfigured(
      site,
      {},
      {
        meddle: (tab) =>
          tab.route(/\/config\?/, async (route) => {
            const reply = await route.fetch()
            const config = await reply.json()
            config.upload.maxFileBytes = 1024 * 1024
            await route.fulfill({ response: reply, json: config })
          }),
      },
    )
    await opened(page)
    await page.context().setOffline(true)
    // The part that sends files is not loaded yet: the chosen file waits for it.
    const choose = (name: string, size: number) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'a') })
    await choose('large.txt', 1024 * 1024 + 1)
    await page.getByRole('status').getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await page.locator('.u .bad').getByText('Larger than 1 MB').waitFor()
    await page.context().setOffline(true)
    await choose('small.txt', 100)
    await page.locator('.f .b').click()
    await page.getByRole('status').getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'small.txt' }).waitFor()
    await theRoom(site)
  },
)
