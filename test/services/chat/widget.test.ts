import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { widgetScript } from '../../../scripts/widget.mjs'
import { setLook } from '../../../src/services/chat/admin/look.ts'
import { rebuildTenantKey } from '../../../src/services/chat/admin.ts'
import { withStrings } from '../../../src/services/chat/widget/server.ts'
import { conversationStrings, languageFor } from '../../../src/services/chat/widget/strings.ts'
import { violations } from '../../support/browser/axe.ts'
import { isFirefox } from '../../support/browser/chromium.ts'
import { served, workbench } from '../../support/program/processes.ts'
import { aShop, aSite, expectNoRace, holdRace, sendFiles } from './browser.ts'
import { listen } from './listening.ts'

const pictures = process.env['WIDGET_PICTURES']
if (pictures) mkdirSync(pictures, { recursive: true })
const shot = async (page: { screenshot(options: { path: string }): Promise<unknown> }, name: string) => {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` })
}

/** Value of an expression over the widget's own tree, `root`. */
const inWidget = (page: Page, expression: string) =>
  page.evaluate(`(root => ${expression})(document.querySelector('html > div').shadowRoot)`)

/** All written messages have reached the server and returned with their time. */
const delivered = async (page: Page) => {
  await page.locator('.m small').last().getByText(/\d/).waitFor()
}

/** One of the two scripts as the build makes it. */
const built = (name: 'loader' | 'app') =>
  widgetScript(new URL(`../../../src/services/chat/widget/browser/${name}.ts`, import.meta.url).pathname)

test('the script that every page loads is at most 4.5 kB when sent, with the conversation at most 14.6 kB', async () => {
  const [loader, app] = [await built('loader'), await built('app')]
  const sizeOf = (script: string) => gzipSync(script, { level: 9 }).length
  expect(sizeOf(loader)).toBeLessThanOrEqual(4_500)
  const languages = Object.keys(conversationStrings) as (keyof typeof conversationStrings)[]
  for (const each of languages)
    expect(sizeOf(loader) + sizeOf(withStrings(app, each)), each).toBeLessThanOrEqual(14_600)
})

test('each of the 20 languages has every text, with the same placeholders, and each script its own texts', () => {
  const { en, ...others } = conversationStrings
  expect(Object.keys(others)).toHaveLength(19)
  const placeholders = (text: string) => text.match(/%/g) ?? []
  for (const [language, strings] of Object.entries(others)) {
    expect(Object.keys(strings), language).toEqual(Object.keys(en))
    expect(Intl.DateTimeFormat.supportedLocalesOf(strings.lang), language).toEqual([strings.lang])
    for (const [name, text] of Object.entries(en)) {
      const translated = strings[name as keyof typeof strings]
      expect(translated.trim(), `${language} ${name}`).not.toBe('')
      expect(placeholders(translated), `${language} ${name}`).toEqual(placeholders(text))
    }
  }
  // A language whose text for the message box is English was left untranslated.
  expect(new Set(Object.values(conversationStrings).map(({ hint }) => hint)).size).toBe(20)
  expect(['pt-BR', 'zh_TW', 'zh-HK', 'zh', 'tl', 'in', 'xx', '-', ''].map((tag) => languageFor(tag))).toEqual([
    'pt',
    'zh-hant',
    'zh-hant',
    'zh-hans',
    'fil',
    'id',
    'en',
    'en',
    'en',
  ])
})

test('a customer writes, an agent answers, and no content security policy is violated', async () => {
  const { open, merchant } = await aSite()
  const page = await open({ 'data-customer-name': 'Ann' })
  expect(await violations(page)).toEqual([])
  await shot(page, 'closed')
  await page.getByRole('button', { name: 'Chat' }).click()
  const box = page.getByRole('textbox')
  await box.waitFor()
  expect(await violations(page)).toEqual([])
  // Opening the panel creates no room, so page views do not fill the helpdesk.
  expect((await merchant.agent.rooms({ query: {} })).total).toBe(0)
  await box.fill('Hello, where is my deposit?')
  await box.press('Enter')
  await delivered(page)
  const { items } = await merchant.agent.rooms({ query: {} })
  expect(items).toMatchObject([{ customerDisplayName: 'Ann', lastSeq: 1, customerLanguage: 'en' }])
  const roomId = items[0]?.roomId ?? ''
  await merchant.agent.reply({ params: { roomId }, body: { text: 'We are looking into it.', clientMessageId: 'r1' } })
  await page.getByText('We are looking into it.').waitFor()
  await expect.poll(async () => (await merchant.agent.room({ params: { roomId } })).customerReadSeq).toBe(2)
  await shot(page, 'open')
  expect(await violations(page)).toEqual([])
  // Both messages, after the name of their day, and the customer's has been read by the agent who replied.
  expect(await page.getByRole('listitem').count()).toBe(3)
  await page.locator('.m small').getByText('Read').waitFor()
})

test('unread answers are counted on the launcher and by the page, and cleared by opening or by markRead', async () => {
  const { open, merchant } = await aSite()
  const page = await open()
  const unread = () => page.evaluate('ChatWidget.getUnreadCount()')
  expect(await unread()).toBe(0)
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('textbox').fill('first words')
  await page.keyboard.press('Enter')
  await delivered(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const roomId = (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? ''
  const answer = (text: string) => merchant.agent.reply({ params: { roomId }, body: { text, clientMessageId: text } })
  await answer('one')
  await answer('two')
  await expect.poll(unread).toBe(2)
  await page.getByRole('button', { name: 'Chat 2 unread' }).waitFor()
  expect(await violations(page)).toEqual([])
  await shot(page, 'unread')
  await page.evaluate('ChatWidget.markRead()')
  await expect.poll(unread).toBe(0)
  await answer('three')
  await expect.poll(unread).toBe(1)
  await page.evaluate('ChatWidget.toggle()')
  await page.getByText('three').waitFor()
  await expect.poll(unread).toBe(0)
  await page.evaluate('ChatWidget.close()')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test.skipIf(isFirefox)('messages written offline are kept across pages and sent once, in order', async () => {
  const { open, merchant } = await aSite()
  const page = await open()
  await page.evaluate('ChatWidget.open()')
  const box = page.getByRole('textbox')
  await box.fill('zero')
  await box.press('Enter')
  await delivered(page)
  await page.context().setOffline(true)
  for (const text of ['one', 'two', 'three']) {
    await box.fill(text)
    await box.press('Enter')
  }
  await page.getByRole('status').getByText('You are offline').waitFor()
  expect(await violations(page)).toEqual([])
  await shot(page, 'offline')
  await page.context().setOffline(false)
  await page.close()
  const again = await open()
  await again.evaluate('ChatWidget.open()')
  await again.getByText('three').waitFor()
  const roomId = (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? ''
  const texts = async () =>
    (await merchant.bot.messages({ params: { roomId }, query: {} })).items.map((message) => message.text)
  await expect.poll(texts).toEqual(['zero', 'one', 'two', 'three'])
  expect((await merchant.agent.rooms({ query: {} })).total).toBe(1)
})

test('hostile text is shown as text', async () => {
  const { open, merchant } = await aSite()
  const page = await open({
    'data-launcher-label': '<img src=x onerror=alert(1)>',
    'data-primary-color': 'red;background:url(//evil)',
  })
  await page.evaluate('ChatWidget.open()')
  const evil = '<img src=x onerror="window.hit=1"><script>window.hit=1</script> javascript:alert(1) \u202egnp.exe'
  await page.getByRole('textbox').fill(evil)
  await page.keyboard.press('Enter')
  await delivered(page)
  const roomId = (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? ''
  await merchant.agent.reply({ params: { roomId }, body: { text: `${evil} back`, clientMessageId: 'x' } })
  await page.getByText('back').waitFor()
  expect(await page.evaluate('window.hit')).toBeUndefined()
  expect(await page.locator('li img, li script, button img').count()).toBe(0)
  expect(
    await page.evaluate(
      "document.querySelector('html > div').shadowRoot.querySelector('.w').style.getPropertyValue('--p')",
    ),
  ).not.toContain('url')
})

test('links in a message lead to the address they show, and other text is no link', async () => {
  const { open, merchant } = await aSite()
  const page = await open()
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('textbox').fill('mine: https://shop.example/a_(b)?x=1&y=2#z')
  await page.keyboard.press('Enter')
  await delivered(page)
  const roomId = (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? ''
  const text = [
    'See (https://shop.example/help), http://a.example. 請看https://b.example/路',
    'javascript:alert(1) https://sh\u00f6p.example https:// ftp://c.example https://d.example/\u202egnp.exe',
    'HTTPS://E.example/"onclick="x"',
  ].join('\n')
  await merchant.agent.reply({ params: { roomId }, body: { text, clientMessageId: 'links' } })
  await page.getByText('請看').waitFor()
  const links = page.locator('li a')
  expect(await links.evaluateAll((all) => all.map((each) => [each.textContent, each.getAttribute('href')]))).toEqual(
    [
      'https://shop.example/a_(b)?x=1&y=2#z',
      'https://shop.example/help',
      'http://a.example',
      'https://b.example/',
      'https://d.example/',
      'HTTPS://E.example/"onclick="x',
    ].map((each) => [each, each]),
  )
  expect(await page.locator('li div').last().textContent()).toBe(text)
  expect(await links.first().getAttribute('rel')).toBe('noopener')
  expect(await violations(page)).toEqual([])
  await shot(page, 'links')
})

test('a message that arrives while earlier ones are read is unread until it is scrolled into view', async () => {
  const { open, merchant } = await aSite()
  const page = await open()
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('textbox').fill('tall\n'.repeat(60))
  await page.keyboard.press('Enter')
  await delivered(page)
  const roomId = (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? ''
  const params = { roomId }
  const scroll = (to: number) => inWidget(page, `root.querySelector('.g').scrollTo(0, ${to})`)
  await scroll(0)
  await merchant.agent.reply({ params, body: { text: 'below', clientMessageId: 'b' } })
  await page.getByRole('button', { name: 'Chat 1 unread' }).waitFor()
  expect(await inWidget(page, "root.querySelector('.g').scrollTop")).toBe(0)
  // Keyboard users see all four edges of the scrolled part.
  await inWidget(page, "root.querySelector('.g').focus()")
  expect(await inWidget(page, "getComputedStyle(root.querySelector('.g')).outlineOffset")).toBe('-3px')
  await scroll(1e6)
  await page.getByRole('button', { name: 'Chat', exact: true }).waitFor()
  expect((await merchant.agent.room({ params })).customerUnreadCount).toBe(0)
})

test('a draft is restored on the next page, and cleared after sending', async () => {
  const { open } = await aSite()
  const text = async (page: Page) => {
    await page.evaluate('ChatWidget.open()')
    return page.getByRole('textbox').inputValue()
  }
  const first = await open()
  await first.evaluate('ChatWidget.open()')
  await first.getByRole('textbox').pressSequentially('half')
  await first.close()
  const second = await open()
  expect(await text(second)).toBe('half')
  // Phones zoom in on a page, and stay there, if the letters of an input are smaller.
  expect(await inWidget(second, "getComputedStyle(root.querySelector('.f textarea')).fontSize")).toBe('16px')
  await second.getByRole('textbox').press('Enter')
  await delivered(second)
  await second.close()
  expect(await text(await open())).toBe('')
})

test('a picture is sent with progress and shown to both sides', async () => {
  const { open, merchant, helpdesk, chatUrl } = await aSite()
  Object.assign(helpdesk.app.config, { publicUrl: () => chatUrl })
  const page = await open()
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('textbox').waitFor()
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const bytes = Buffer.concat([png, randomBytes(600_000)])
  await sendFiles(page, { name: 'proof.png', mimeType: 'image/png', buffer: bytes })
  await page.getByRole('link', { name: 'proof.png' }).waitFor()
  const roomId = (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? ''
  const { items } = await merchant.agent.messages({ params: { roomId }, query: {} })
  expect(items).toMatchObject([
    { messageType: 'media', attachments: [{ fileName: 'proof.png', sizeBytes: bytes.length, width: 1 }] },
  ])
  await expect
    .poll(() => page.evaluate("document.querySelector('html > div').shadowRoot.querySelector('li img')?.naturalWidth"))
    .toBe(1)
  expect(await violations(page)).toEqual([])
})

test('one of two tabs holds the stream, both receive events, and the other takes over', async () => {
  const { open, merchant, helpdesk } = await aSite()
  const first = await open()
  await first.evaluate('ChatWidget.open()')
  await first.getByRole('textbox').fill('first words')
  await first.keyboard.press('Enter')
  await delivered(first)
  await expect.poll(() => helpdesk.app.broadcaster.size).toBe(1)
  const second = await open()
  await second.evaluate('ChatWidget.open()')
  await second.getByText('first words').waitFor()
  const roomId = (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? ''
  await merchant.agent.reply({ params: { roomId }, body: { text: 'to both', clientMessageId: 'a' } })
  await first.getByText('to both').waitFor()
  await second.getByText('to both').waitFor()
  expect(helpdesk.app.broadcaster.size).toBe(1)
  await first.close()
  await expect.poll(() => helpdesk.app.broadcaster.size).toBe(1)
  await merchant.agent.reply({ params: { roomId }, body: { text: 'to the other', clientMessageId: 'b' } })
  await second.getByText('to the other').waitFor()
})

test.each([
  ['right-bottom', { right: 20, bottom: 20 }],
  ['left-top', { left: 20, top: 20 }],
  ['right-top', { right: 20, top: 20 }],
  ['left-bottom', { left: 20, bottom: 20 }],
  ['100,120', { left: 100, top: 120 }],
  ['100,-130', { left: 100, bottom: 130 }],
  ['-0,-0', { right: 0, bottom: 0 }],
  ['99999,5', { right: 0, top: 5 }],
  ['somewhere', { right: 20, bottom: 20 }],
])('the launcher is placed at %s', async (position, expected) => {
  const { open } = await aSite()
  const page = await open({ 'data-launcher-position': position })
  const box = await page.getByRole('button', { name: 'Chat' }).boundingBox()
  if (!box) throw new Error('the launcher is not there')
  // Without a label it is round, with its picture in the middle.
  expect([box.width, box.height]).toEqual([56, 56])
  const at = { left: box.x, top: box.y, right: 900 - box.x - box.width, bottom: 700 - box.y - box.height }
  for (const [side, distance] of Object.entries(expected))
    expect([side, Math.round(at[side as keyof typeof at])]).toEqual([side, distance])
})

test('colors, theme, label and icon follow the attributes; the first alias wins', async () => {
  const { open } = await aSite()
  const page = await open({
    'data-color': '#00ff00',
    'data-accent-color': 'rgb(10, 20, 200)',
    'data-widget-theme': 'dark',
    'data-launcher-label': 'Ask us',
    'data-launcher-icon': 'none',
  })
  const launcher = page.getByRole('button', { name: 'Ask us' })
  expect(await inWidget(page, "getComputedStyle(root.querySelector('.l')).backgroundColor")).toBe('rgb(10, 20, 200)')
  expect(await launcher.locator('svg, img').first().isVisible()).toBe(false)
  await launcher.click()
  await page.getByRole('dialog').waitFor()
  expect(await violations(page)).toEqual([])
  await shot(page, 'dark')
})

test.each([
  ['zh-TW', '聊天', '輸入訊息', 'ltr', 'zh-TW'],
  ['zh-CN', '聊天', '输入消息', 'ltr', 'zh-CN'],
  ['ja', 'チャット', 'メッセージを入力', 'ltr', 'ja'],
  ['ar', 'الدردشة', 'اكتب رسالة', 'rtl', 'ar'],
  // Screen readers must not read English with the rules of another language.
  ['xx', 'Chat', 'Write a message', 'ltr', 'en'],
])('on a page in %s the widget uses that language', async (html, launcher, hint, direction, lang) => {
  const { open } = await aSite()
  const page = await open({}, { html, width: html === 'ar' ? 420 : 900 })
  await page.getByRole('button', { name: launcher }).click()
  const box = page.getByRole('textbox', { name: hint })
  await box.waitFor()
  expect(await inWidget(page, "getComputedStyle(root.querySelector('.p')).direction")).toBe(direction)
  expect(await inWidget(page, "root.querySelector('.p').lang")).toBe(lang)
  await shot(page, `language-${html}`)
})

test('a rebuilt key hides the widget, which logs one line', async () => {
  const { open, helpdesk, merchant } = await aSite()
  await rebuildTenantKey(helpdesk.app, merchant.code)
  const page = await open()
  await expect.poll(() => page.locator('button').count()).toBe(0)
  await page.evaluate('ChatWidget.open(); ChatWidget.toggle(); ChatWidget.markRead(); ChatWidget.close()')
  expect(await page.evaluate('ChatWidget.getUnreadCount()')).toBe(0)
})

test('Enter during text composition does not send', async () => {
  const { open, merchant } = await aSite()
  const page = await open()
  await page.evaluate('ChatWidget.open()')
  const box = page.getByRole('textbox')
  await box.fill('nihao')
  const enter = (more: string) =>
    inWidget(
      page,
      `root.querySelector('.f textarea').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ${more} }))`,
    )
  await enter('isComposing: true')
  expect(await box.inputValue()).toBe('nihao')
  expect((await merchant.agent.rooms({ query: {} })).total).toBe(0)
  await enter('')
  await delivered(page)
  expect((await merchant.agent.rooms({ query: {} })).total).toBe(1)
})

test('a rejected message is marked, can be sent again, and is announced to screen readers', async () => {
  const { open } = await aSite()
  const page = await open()
  await page.evaluate('ChatWidget.open()')
  const box = page.getByRole('textbox')
  await box.fill('zero')
  await box.press('Enter')
  await delivered(page)
  const refused = { error: { code: 'INVALID_PARAMETER', message: 'No', details: [], requestId: 'r' } }
  await page.route(/\/messages(\?|$)/, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 400,
          contentType: 'application/json',
          headers: { 'access-control-allow-origin': '*' },
          body: JSON.stringify(refused),
        })
      : route.continue(),
  )
  await box.fill('one')
  await box.press('Enter')
  const again = page.getByRole('log').getByRole('button')
  await again.waitFor()
  expect(await violations(page)).toEqual([])
  await shot(page, 'refused')
  await page.unroute(/\/messages(\?|$)/)
  await again.click()
  await again.waitFor({ state: 'detached' })
  expect(await violations(page)).toEqual([])
})

test('the built program serves the built widget, which uses one stream', async () => {
  const bench = workbench('widget')
  onTestFinished(bench.done)
  const world = await served(bench.folder, bench.env)
  onTestFinished(world.stop)
  const textAt = async (path: string) => (await fetch(`${world.baseUrl}${path}`)).text()
  expect(await textAt('/widget.js')).toBe(await built('loader'))
  const app = await built('app')
  expect(await textAt('/widget-app.js')).toBe(withStrings(app, 'en'))
  expect(await textAt('/widget-app.js?lang=xx')).toBe(withStrings(app, 'en'))
  expect(await textAt('/widget-app.js?lang=ja')).toBe(withStrings(app, 'ja'))
  const { chat } = JSON.parse(readFileSync(world.readyFile, 'utf8'))
  const { open } = await aShop(world.baseUrl, chat.tenantKey)
  const requests: string[] = []
  const page = await open(
    { 'data-launcher-label': 'Ask us' },
    {
      meddle: async (tab) => {
        await holdRace(tab)
        tab.on('request', (request) => requests.push(new URL(request.url()).pathname))
      },
    },
  )
  await page.getByRole('button', { name: 'Ask us' }).click()
  await page.getByRole('textbox').fill('Hello')
  await page.keyboard.press('Enter')
  await delivered(page)
  const agent = async (path: string, body?: object) => {
    const headers = { 'x-chat-agenttoken': chat.agentToken, 'content-type': 'application/json' }
    const more = body && { method: 'POST', body: JSON.stringify(body) }
    return (await fetch(`${world.baseUrl}/api/agent/v1${path}`, { headers, ...more })).text()
  }
  const { roomId } = JSON.parse(await agent('/rooms')).items[0]
  // A message is delivered before the stream is open, and a typing event reaches open streams only.
  await expect
    .poll(async () => {
      await agent(`/rooms/${roomId}/typing`, { typing: true })
      return page.getByText('is writing…').count()
    })
    .toBe(1)
  await agent(`/rooms/${roomId}/messages`, { text: 'Good day', clientMessageId: 'r1' })
  await page.getByText('Good day').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate('ChatWidget.getUnreadCount()')).toBe(0)
  await expectNoRace(page)
  expect(requests.filter((path) => path.includes('/events')).map((path) => path.split('/').at(-1))).toEqual(['events'])
})

test.each([
  ['en', /^.Desk 1. is writing…$/],
  ['zh-TW', /^.Desk 1.正在輸入…$/],
  ['ar', /^.Desk 1. يكتب…$/],
])('on a page in %s each side sees that the other is writing, until it stops or sends', async (html, words) => {
  const { open, merchant, chatUrl } = await aSite()
  const agentSide = await listen(`${chatUrl}/api/agent/v1/events`, { 'x-chat-agenttoken': merchant.agentToken })
  const page = await open({ 'data-customer-name': 'Ann' }, { html, width: html === 'ar' ? 420 : 900 })
  await page.evaluate('ChatWidget.open()')
  const box = page.getByRole('textbox')
  await box.pressSequentially('Hi')
  // Typing alone creates nothing.
  expect((await merchant.agent.rooms({ query: {} })).total).toBe(0)
  await box.press('Enter')
  await agentSide.next('message.created')
  await expect.poll(() => page.locator('.m small').count()).toBe(1)
  // Letter by letter without delays: for typing within some seconds one event is sent, on a machine of any speed.
  await inWidget(
    page,
    "['a', 'an', 'and'].forEach((text) => { const box = root.querySelector('.f textarea'); box.value = text; box.dispatchEvent(new Event('input', { bubbles: true })) })",
  )
  expect((await agentSide.next('typing')).data).toMatchObject({
    senderType: 'customer',
    displayName: 'Ann',
    typing: true,
  })
  await box.fill('')
  expect((await agentSide.next('typing')).data).toMatchObject({ typing: false })
  expect(agentSide.events.filter(({ event }) => event === 'typing')).toHaveLength(2)
  const roomId = (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? ''
  const params = { roomId }
  const line = page.getByRole('status').filter({ hasText: words })
  // Sent again until the page shows it, because the line disappears by itself.
  const typingShown = () =>
    expect
      .poll(async () => {
        await merchant.agent.typing({ params, body: { typing: true } })
        return line.count()
      })
      .toBe(1)
  await typingShown()
  await shot(page, `writing-${html}`)
  expect(await violations(page)).toEqual([])
  await merchant.agent.typing({ params, body: { typing: false } })
  await line.waitFor({ state: 'detached' })
  await typingShown()
  await merchant.agent.reply({ params, body: { text: 'There you are', clientMessageId: 'r1' } })
  await page.getByText('There you are').waitFor()
  expect(await line.count()).toBe(0)
})

test('the menu of the page’s inbox category sends a message or opens a page; other categories have their own', async () => {
  const { open, merchant, helpdesk } = await aSite()
  const vip = [
    { label: 'My deposit', message: 'Where is my deposit?' },
    { label: 'Rules', url: 'https://shop.example/rules' },
  ]
  await setLook(helpdesk.app, merchant.code, { greeting: 'How can we help?', menus: { vip } })
  const plain = await open()
  await plain.getByRole('button', { name: 'Chat' }).click()
  await plain.getByText('How can we help?').waitFor()
  expect(await plain.getByRole('button', { name: 'My deposit' }).count()).toBe(0)
  await plain.close()
  const page = await open({ 'data-inbox-category-code': 'vip' })
  await page.getByRole('button', { name: 'Chat' }).click()
  expect(await page.getByRole('link', { name: 'Rules' }).getAttribute('href')).toBe('https://shop.example/rules')
  await page.getByText('How can we help?').waitFor()
  expect(await violations(page)).toEqual([])
  await shot(page, 'menu')
  await page.getByRole('button', { name: 'My deposit' }).click()
  await expect
    .poll(async () => (await merchant.agent.rooms({ query: {} })).items)
    .toMatchObject([{ inboxCategoryCode: 'vip', lastMessagePreview: 'Where is my deposit?' }])
})

test('a customer who returns within a month stays in the conversation, for any number of months', async () => {
  const { open, merchant, helpdesk } = await aSite()
  let token: unknown
  const come = async () => {
    const page = await open()
    await page.evaluate('ChatWidget.open()')
    await page.getByRole('textbox').waitFor()
    return page
  }
  const tokenOf = (page: Page) => page.evaluate(`JSON.parse(localStorage.getItem('cw:${merchant.tenantKey}'))?.token`)
  const first = await come()
  await first.getByRole('textbox').fill('one')
  await first.keyboard.press('Enter')
  await delivered(first)
  token = await tokenOf(first)
  await first.close()
  for (const _month of [1, 2]) {
    helpdesk.clock.now += 25 * 86_400_000
    const page = await come()
    await page.getByText('one').waitFor()
    await expect.poll(() => tokenOf(page)).not.toBe(token)
    token = await tokenOf(page)
    await page.close()
  }
  expect((await merchant.agent.rooms({ query: {} })).total).toBe(1)
})

test.skipIf(isFirefox)(
  'queued messages are sent as soon as the network is back, and the offline notice disappears',
  async () => {
    const { open, merchant } = await aSite()
    const page = await open({}, { meddle: (tab) => tab.clock.install() })
    let tried = false
    page.on('requestfailed', (request) => {
      tried ||= request.method() === 'POST' && request.url().includes('/rooms')
    })
    await page.evaluate('ChatWidget.open()')
    await page.getByRole('textbox').waitFor()
    await page.context().setOffline(true)
    const away = page.getByRole('status').getByText('You are offline')
    await away.waitFor()
    await page.context().setOffline(false)
    await away.waitFor({ state: 'detached' })
    await page.context().setOffline(true)
    // From here on no delay between two attempts ends by itself: the network wakes the waiting ones.
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await page.getByRole('textbox').fill('first words')
    await page.keyboard.press('Enter')
    await expect.poll(() => tried).toBe(true)
    await page.context().setOffline(false)
    await expect.poll(async () => (await merchant.agent.rooms({ query: {} })).total).toBe(1)
  },
)

test('an interrupted upload continues when the file is chosen again after a reload', async () => {
  const { open, merchant } = await aSite()
  const folder = mkdtempSync(join(tmpdir(), 'countroom-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'notes.txt')
  writeFileSync(file, 'x'.repeat(600_000))
  const page = await open()
  await page.evaluate('ChatWidget.open()')
  let chunks = 0
  await page.route(/\/chunk/, (route) => (++chunks > 1 ? route.abort() : route.continue()))
  await sendFiles(page, file)
  await expect.poll(() => chunks).toBeGreaterThan(1)
  await page.close()
  const again = await open()
  await again.evaluate('ChatWidget.open()')
  await again.getByRole('textbox').waitFor()
  const offsets: string[] = []
  again.on('request', (request) => {
    if (request.url().includes('/chunk') && request.method() === 'PUT')
      offsets.push(request.headers()['upload-offset'] ?? '')
  })
  await sendFiles(again, file)
  await again.getByRole('link', { name: 'notes.txt' }).waitFor()
  expect(offsets).toEqual(['262144', '524288'])
  const roomId = (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? ''
  expect((await merchant.agent.messages({ params: { roomId }, query: {} })).total).toBe(1)
})

test('opens for a page that calls open from its head, before there is a body', async () => {
  const { open } = await aSite()
  const page = await open({}, { early: 'ChatWidget.open()' })
  await page.getByRole('dialog').waitFor()
})

test('each message and label has the direction of its own text, in any language of the page', async () => {
  const { open, helpdesk, merchant } = await aSite()
  await setLook(helpdesk.app, merchant.code, { menus: { default: [{ label: 'Deposit?' }, { label: 'أين إيداعي؟' }] } })
  const page = await open({}, { html: 'ar', width: 420 })
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('button', { name: 'Deposit?' }).waitFor()
  expect(
    await inWidget(page, "[...root.querySelectorAll('.c')].map((each) => getComputedStyle(each).direction)"),
  ).toEqual(['ltr', 'rtl'])
  const box = page.getByRole('textbox')
  for (const text of ['plain words', 'أين إيداعي؟']) {
    await box.fill(text)
    await box.press('Enter')
    await page.getByRole('listitem').getByText(text).waitFor()
  }
  expect(
    await inWidget(page, "[...root.querySelectorAll('li div')].map((each) => getComputedStyle(each).direction)"),
  ).toEqual(['ltr', 'rtl'])
})
