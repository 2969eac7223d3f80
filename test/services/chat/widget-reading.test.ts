import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from '../../support/browser/axe.ts'
import { aSite, type Site, sendFiles } from './browser.ts'

/** Visible messages are read, and new ones scroll into view unless the customer reads something else. */

/** A picture of one color. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const head = Buffer.alloc(4)
    head.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([head, body, sum])
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  size.set([8, 0], 8)
  const rows = Buffer.alloc((width + 1) * height, 0)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const write = async (page: Page, text: string) => {
  await page.getByRole('textbox').fill(text)
  await page.keyboard.press('Enter')
  await page.locator('.m').getByText(text.trim()).waitFor()
}
const roomOf = async ({ merchant }: Site) => (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? ''
let answers = 0
const answer = async (site: Site, text: string) =>
  site.merchant.agent.reply({
    params: { roomId: await roomOf(site) },
    body: { text, clientMessageId: `answer-${++answers}` },
  })
const unread = async (site: Site) =>
  (await site.merchant.agent.room({ params: { roomId: await roomOf(site) } })).customerUnreadCount
/** Returns whether all of a message is within the visible part of the conversation. */
const isInView = (page: Page, text: string) =>
  page
    .locator('li')
    .filter({ hasText: text })
    .evaluate((li) => {
      const [a, b] = [li.getBoundingClientRect(), li.closest('[role=log]')?.getBoundingClientRect()]
      return a.top >= (b?.top ?? 0) - 1 && a.bottom <= (b?.bottom ?? 0) + 1
    })
/** Waits until a message has its time: it is then stored, and the conversation no longer scrolls to it. */
const isSent = (page: Page) =>
  page
    .locator('.m small')
    .getByText(/\d|[٠-٩]/)
    .waitFor()
const scroll = (page: Page, to: number) =>
  page.locator('.g').evaluate((log, top) => {
    log.scrollTop = top
  }, to)

test.each([
  ['of known size', true],
  ['of unknown size', false],
])('after a picture %s that loads late, the next answer is in view and read', async (_, isKnown) => {
  const site = await aSite()
  Object.assign(site.helpdesk.app.config, { publicUrl: () => site.chatUrl })
  const arrival = Promise.withResolvers<void>()
  const page = await site.open(
    {},
    {
      meddle: async (tab) => {
        await tab.route(/\/media\/med_/, async (route) => {
          await arrival.promise
          await route.continue()
        })
        if (!isKnown)
          await tab.route(/\/(complete|messages)(\?|$)/, async (route) => {
            const response = await route.fetch()
            const text = (await response.text()).replaceAll(/"(width|height)":\d+/g, '"$1":null')
            await route.fulfill({ response, body: text })
          })
      },
    },
  )
  await page.evaluate('ChatWidget.open()')
  await write(page, 'tall\n'.repeat(12))
  await sendFiles(page, { name: 'proof.png', mimeType: 'image/png', buffer: png(400, 600) })
  await page.getByRole('link', { name: 'proof.png' }).waitFor()
  const heightOf = () => page.locator('li img').evaluate((picture) => picture.getBoundingClientRect().height)
  if (isKnown) expect(Math.round(await heightOf())).toBe(220)
  arrival.resolve()
  await expect.poll(heightOf).toBeGreaterThan(200)
  await answer(site, 'thank you')
  await page.getByText('thank you').waitFor()
  await expect.poll(() => isInView(page, 'thank you')).toBe(true)
  await expect.poll(() => unread(site)).toBe(0)
  expect(await page.getByRole('button', { name: 'New message' }).count()).toBe(0)
})

test('a picture that is wider than the conversation keeps its shape', async () => {
  const site = await aSite()
  Object.assign(site.helpdesk.app.config, { publicUrl: () => site.chatUrl })
  const page = await site.open()
  await page.evaluate('ChatWidget.open()')
  await write(page, 'one')
  await sendFiles(page, { name: 'wide.png', mimeType: 'image/png', buffer: png(3000, 300) })
  await page.getByRole('link', { name: 'wide.png' }).waitFor()
  // Narrower than the conversation, and in the proportions of the picture.
  const box = await page.locator('li img').boundingBox()
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(10, 0)
})

test.each([
  ['en', 'New message ↓'],
  ['zh-TW', '新訊息 ↓'],
  ['zh-CN', '新消息 ↓'],
  ['ja', '新着メッセージ ↓'],
  ['ko', '새 메시지 ↓'],
  ['th', 'ข้อความใหม่ ↓'],
  ['vi', 'Tin nhắn mới ↓'],
  ['ar', 'رسالة جديدة ↓'],
])('on a page in %s, a message that arrives below is announced by a button that leads to it', async (html, name) => {
  const site = await aSite()
  const page = await site.open({}, { html })
  await page.evaluate('ChatWidget.open()')
  await write(page, 'tall\n'.repeat(60))
  await isSent(page)
  await scroll(page, 0)
  await answer(site, 'below')
  const button = page.getByRole('button', { name, exact: true })
  await button.waitFor()
  expect(await unread(site)).toBe(1)
  expect(await violations(page)).toEqual([])
  // By keyboard: the button follows the conversation, and the focus stays there when the button disappears.
  await page.locator('.g').focus()
  await page.keyboard.press('Tab')
  expect(await button.evaluate((each) => each.matches(':focus'))).toBe(true)
  await page.keyboard.press('Enter')
  await button.waitFor({ state: 'hidden' })
  expect(await isInView(page, 'below')).toBe(true)
  await expect.poll(() => unread(site)).toBe(0)
  expect(await page.locator('.g').evaluate((log) => log.matches(':focus'))).toBe(true)
})

test('of messages that arrive below, those that come into view are read and the others are not', async () => {
  const site = await aSite()
  const page = await site.open()
  await page.evaluate('ChatWidget.open()')
  await write(page, 'tall\n'.repeat(60))
  await isSent(page)
  await scroll(page, 0)
  const below = 'below\n'.repeat(30)
  for (const each of ['first', 'second', 'third']) await answer(site, `${each} ${below}`)
  await expect.poll(() => unread(site)).toBe(3)
  // All of them are on the page: one that arrives at its end scrolls into view.
  await page.locator('li').filter({ hasText: 'third' }).waitFor()
  // To the end of the first of them.
  await page
    .locator('li')
    .filter({ hasText: 'first' })
    .evaluate((li) => li.scrollIntoView({ block: 'end' }))
  await expect.poll(() => unread(site)).toBe(2)
  await page.getByRole('button', { name: 'Chat 2 unread' }).waitFor()
  await scroll(page, 1e6)
  await expect.poll(() => unread(site)).toBe(0)
})
