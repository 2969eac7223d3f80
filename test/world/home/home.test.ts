import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { homeRoutes } from '../../../src/world/home/routes.ts'
import { openWorld, type World } from '../../../src/world/world.ts'
import { pageMs, theBrowser } from '../../support/browser/chromium.ts'

/** The page `/` of a served world, and its actions for people on this machine. */

const nothing = { requests: false, hasDesk: false } as const

async function serve(options: { publicUrl?: string; isEmpty?: boolean } = {}): Promise<{ world: World; url: string }> {
  const { publicUrl, isEmpty = false } = options
  const world = await openWorld({
    db: ':memory:',
    rateLimits: false,
    publicUrl,
    records: { ...nothing, home: homeRoutes },
  })
  onTestFinished(() => world.close())
  if (!isEmpty) await ensureDemoWorld(world)
  const { url } = await world.server.listen()
  return { world, url }
}

const form = (fields: Record<string, string>, headers: Record<string, string>) => ({
  method: 'POST',
  redirect: 'manual' as const,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
})

describe('on the machine that serves the world', () => {
  let url: string
  let world: World
  beforeEach(async () => {
    const served = await serve()
    url = served.url
    world = served.world
  })

  test('a person launches a player, and writes to the chat as a customer', async () => {
    const browser = await theBrowser()
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(pageMs)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await page.goto(url)
    for (const link of ['/docs', '/try/chat', '/docs/casino', '/docs/gateway', '/docs/chat'])
      expect((await fetch(url + link)).status).toBe(200)
    await page.getByLabel('Table').selectOption('BAC-01')
    const opened = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Play as amy' }).click()
    const game = await opened
    await game.waitForURL(/\/play\/t\/BAC-01/, { timeout: pageMs })
    await expect.poll(() => game.getByText('amy').count(), { timeout: pageMs }).toBeGreaterThan(0)

    await page.getByRole('link', { name: 'Chat widget', exact: true }).click()
    await page.getByRole('link', { name: 'Log in as Amy' }).click()
    // No waitForFunction: its second poll evaluates a string, which the policy of the page forbids.
    await expect.poll(() => page.evaluate("'ChatWidget' in window"), { timeout: pageMs }).toBe(true)
    await page.evaluate('window.ChatWidget.open()')
    await page.getByRole('textbox').fill('Where is my withdrawal?')
    await page.keyboard.press('Enter')
    const rooms = () => world.store.read(({ q }) => q.selectFrom('chat_rooms').select('customer_account').execute())
    await expect.poll(rooms, { timeout: pageMs }).toEqual([{ customer_account: 'amy' }])
    expect(errors).toEqual([])
  })

  test('a launch requires the page itself: another site, a proxy and another name of the machine are refused', async () => {
    const amy = { username: 'amy' }
    const own = { origin: url }
    const launch = (fields: Record<string, string>, headers: Record<string, string>) =>
      fetch(`${url}/try/launch`, form(fields, headers))
    expect((await launch(amy, {})).status).toBe(403)
    expect((await launch(amy, { origin: 'null' })).status).toBe(403)
    expect((await launch(amy, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await launch(amy, { ...own, 'x-forwarded-for': '203.0.113.5' })).status).toBe(404)
    expect((await launch({ username: 'zoe' }, own)).status).toBe(404)
    expect((await launch({ ...amy, table: 'NO-1' }, own)).status).toBe(409)
    const good = await launch({ ...amy, environment: 'sandbox', table: 'DT-01', lang: 'THAI', device: 'mobile' }, own)
    expect([good.status, good.headers.get('location')]).toEqual([303, expect.stringMatching(/\/Launch\?t=\w+$/)])
    expect((await fetch(good.headers.get('location') ?? '')).status).toBe(200)
  })

  test('visitors through a proxy see the services, and no launch', async () => {
    const response = await fetch(url, { headers: { 'x-forwarded-for': '203.0.113.5' } })
    const text = await response.text()
    expect(text).toContain('/docs/casino')
    expect(text).not.toContain('<form')
    expect((await fetch(`${url}/try/chat`, { headers: { 'x-forwarded-for': '203.0.113.5' } })).status).toBe(404)
  })
})

test('a world with a public name offers no launch, even if its proxy adds no headers', async () => {
  const { url } = await serve({ publicUrl: 'https://play.example.com/casino' })
  const text = await (await fetch(url)).text()
  expect(text).not.toContain('<form')
  expect(text).toContain('href="/casino/docs/gateway"')
  expect((await fetch(`${url}/try/launch`, form({ username: 'amy' }, { origin: url }))).status).toBe(404)
})

test('a world without demo data shows the command that creates a tenant', async () => {
  const { url } = await serve({ isEmpty: true })
  expect(await (await fetch(url)).text()).toContain('countroom console tenants create')
  expect((await fetch(`${url}/try/chat`)).status).toBe(404)
  expect((await fetch(`${url}/try/launch`, form({ username: 'amy' }, { origin: url }))).status).toBe(404)
})
