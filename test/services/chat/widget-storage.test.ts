import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aSite } from './browser.ts'

/** Browsers refuse storage in private windows, in sandboxed frames and when it is full. */

const quotaZero = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"
const denied =
  "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError') } })"

test.each([
  ['is full', quotaZero],
  ['is denied', denied],
  ['drops what it is given', 'Storage.prototype.setItem = () => {}'],
  ['is absent', "Object.defineProperty(window, 'localStorage', { value: undefined })"],
  ['belongs to a sandboxed frame', undefined],
])('if storage %s, messages are sent once, retries included, into one room', async (_, script) => {
  const { open, merchant } = await aSite()
  let refusals = 2
  const page: Page = await open(
    {},
    {
      sandboxed: script === undefined,
      meddle: async (tab) => {
        if (script !== undefined) await tab.addInitScript(script)
        await tab.route(/\/messages\?/, (route) =>
          route.request().method() === 'POST' && refusals-- > 0 ? route.abort() : route.continue(),
        )
      },
    },
  )
  await page.evaluate('ChatWidget.open()')
  for (const text of ['one', 'two']) {
    await page.getByRole('textbox').fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
  }
  await expect.poll(() => page.locator('.m small').getByText(/\d/).count()).toBe(2)
  const { items, total } = await merchant.agent.rooms({ query: {} })
  expect(total).toBe(1)
  const params = { roomId: items[0]?.roomId ?? '' }
  const texts = (await merchant.bot.messages({ params, query: {} })).items.map(({ text }) => text)
  expect(texts).toEqual(['one', 'two'])
  await merchant.agent.reply({ params, body: { text: 'heard', clientMessageId: 'a' } })
  await page.getByText('heard').waitFor()
  await expect.poll(() => page.evaluate('ChatWidget.getUnreadCount()')).toBe(0)
})
