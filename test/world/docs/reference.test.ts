import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { homeRoutes } from '../../../src/world/home/routes.ts'
import { openWorld, type World } from '../../../src/world/world.ts'
import { violations } from '../../support/browser/axe.ts'
import { pageMs, theBrowser } from '../../support/browser/chromium.ts'

/** The reference in a browser. */

let world: World
let url: string
beforeAll(async () => {
  world = await openWorld({ db: ':memory:', records: { requests: false, hasDesk: false, home: homeRoutes } })
  url = (await world.server.listen()).url
})
afterAll(() => world.close())

async function aPage(options: { width?: number; colorScheme?: 'dark' | 'light'; javaScriptEnabled?: boolean } = {}) {
  const { width = 1440, ...others } = options
  const context = await (await theBrowser()).newContext({ viewport: { width, height: 844 }, ...others })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(pageMs)
  return page
}

test('a reader searches, selects a language once for all samples, and copies one', async () => {
  const page = await aPage()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  await page.goto(`${url}/docs/casino`)
  await page.keyboard.press('/')
  await page.keyboard.type('wallet txnid lookup')
  await expect.poll(() => page.getByText('0 of 17 endpoints').count()).toBe(1)
  expect(await page.locator('main section:visible, nav li:visible, nav h2:visible').count()).toBe(0)
  await page.getByRole('searchbox').fill('look up transfer')
  await expect.poll(() => page.locator('article:visible').count()).toBe(1)
  const article = page.locator('#transfer')
  expect(await article.locator('figure.sample:visible').count()).toBe(1)
  await article.getByRole('button', { name: 'Python' }).click()
  expect(await article.locator('figure.sample:visible').getAttribute('class')).toBe('sample python')
  await article.getByRole('button', { name: 'Copy: Sample in Python' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('import hashlib')
  await page.goto(`${url}/docs/gateway`)
  expect(await page.locator('#createPayment figure.sample:visible').getAttribute('class')).toBe('sample python')
})

test.each([
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const)('the pages fit $width px in the $colorScheme and pass axe', async (options) => {
  const page = await aPage(options)
  for (const path of ['/', '/docs', '/docs/casino', '/docs/chat-widget']) {
    await page.goto(url + path)
    expect([path, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([path, 0])
    expect([path, await violations(page)]).toEqual([path, []])
  }
})

test('without scripts the pages are complete, and a language can be selected', async () => {
  const page = await aPage({ javaScriptEnabled: false })
  await page.goto(`${url}/docs/chat`)
  expect(await page.getByRole('searchbox').count()).toBe(0)
  await page.getByLabel('TypeScript').check()
  expect(await page.locator('#openRoom figure.sample:visible').getAttribute('class')).toBe('sample typescript')
})
