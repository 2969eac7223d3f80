import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { setMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { type ActionName, runAction } from '../../../src/world/desk/actions/index.ts'
import { deskAssets } from '../../../src/world/desk/page/assets.ts'
import { deskRoutes } from '../../../src/world/desk/routes.ts'
import { homeRoutes } from '../../../src/world/home/routes.ts'
import { saveRunningLoad } from '../../../src/world/snapshots/interrupted.ts'
import { openWorld, type World } from '../../../src/world/world.ts'
import { violations } from '../../support/browser/axe.ts'
import { pageMs, theBrowser } from '../../support/browser/chromium.ts'
import { runJson } from '../../support/program/cli.ts'
import { servedBeside } from '../../support/worlds/served.ts'

/** The page of the desk in a real browser. */

const records = { requests: true, hasDesk: true, desk: deskRoutes, home: homeRoutes } as const
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const

async function aDesk() {
  const served = await servedBeside({ records })
  return { ...served, ...(await openPage(served.desk?.url ?? '')) }
}

async function openPage(url: string) {
  const context = await (await theBrowser()).newContext({ viewport: sizes[0] })
  const complaints: string[] = []
  const requested = new Set<string>()
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  context.setDefaultTimeout(pageMs)
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  page.on('request', (request) => requested.add(new URL(request.url()).origin))
  await page.goto(url)
  return { page, context, requested }
}

async function show(page: Page, path: string, title: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${path}`)}`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await expect.poll(() => page.locator('.loading').count()).toBe(0)
}

const pages = [
  ['', 'Overview'],
  ['snapshots', 'Snapshots'],
  ['casino/players', 'Players'],
  ['casino/players/amy', 'amy'],
  ['casino/tables', 'Tables'],
  ['casino/rounds', 'Rounds'],
  ['casino/bets', 'Bets by day'],
  ['casino/billing', 'Billing'],
  ['gateway/payments', 'Payments'],
  ['gateway/payouts', 'Payouts'],
  ['gateway/balances', 'Balances'],
  ['gateway/rates', 'Rates'],
  ['chat/rooms', 'Rooms'],
  ['chat/tickets', 'Tickets'],
  ['chat/widget', 'Widget'],
  ['requests', 'Requests'],
  ['clinic', 'Signature clinic'],
  ['deliveries', 'Deliveries'],
  ['receiver', 'Receiver'],
  ['faults', 'Faults'],
  ['mails', 'Mails'],
] as const

/** Pages of one thing, each behind the first link in the table of a list. */
const details = ['casino/rounds', 'gateway/payments', 'chat/rooms', 'chat/tickets', 'requests', 'deliveries']

/** The other pages for people. Those of the reference are checked with it. */
const otherPages = ['/', '/try/chat', '/try/chat?lang=ar&position=left-bottom', '/desk?token=wrong']

test('every page is clean for axe in light and dark on a phone and a desktop, fits, and asks only its world', async () => {
  const { page, baseUrl, requested, world, desk } = await aDesk()
  // Empty first.
  for (const [path, title] of pages) {
    await show(page, path, title)
    await checkLooks(page, `${path}, empty`, sizes.slice(1))
  }
  await fillWorld(world, `${baseUrl}/desk/receiver`)
  for (const [path, title] of pages) {
    await show(page, path, title)
    await checkLooks(page, path)
  }
  for (const path of details) {
    await show(page, path, pages.find(([list]) => list === path)?.[1] ?? '')
    await page.locator('tbody a').first().click()
    await page.locator('.card').first().waitFor()
    await checkLooks(page, `${path}/…`)
  }
  for (const path of otherPages) {
    await page.goto(`${baseUrl}${path}`)
    await checkLooks(page, path)
  }
  await page.goto(desk?.url ?? '')
  expect([...requested]).toEqual([baseUrl])
})

/** Fills a world, so that its pages have content. */
async function fillWorld(world: World, receiver: string): Promise<void> {
  const act = async (name: ActionName, input: object) =>
    (await runAction({ world }, name, { ...input })) as Record<string, unknown>
  const merchant = '5000000001'
  await act('merchant.ipn-url', { merchant, url: receiver })
  await act('round.play', { tenant: 'DEMO', rounds: 8, players: 4, days: 0 })
  const order = { merchant, price: '100', priceCurrency: 'usd', payCurrency: 'usdttrc20' }
  const { payment } = await act('payment.create', order)
  await act('payment.pay', { payment, sanctioned: true, confirm: true })
  const { room } = await act('room.open', { tenant: 'DEMO', account: 'amy' })
  await act('room.reply', { tenant: 'DEMO', room, text: 'Hello' })
  await act('ticket.create', { tenant: 'DEMO', title: 'Deposit is missing', account: 'amy' })
  await act('fault.add', { kind: 'slow', service: 'casino', endpoint: 'tables' })
  await act('snapshot.save', { name: 'filled' })
}

/** Checks a page with both sizes and both color schemes. Of the rules only that of the contrast depends on the colors. */
async function checkLooks(
  page: Page,
  path: string,
  viewports: readonly (typeof sizes)[number][] = sizes,
): Promise<void> {
  for (const viewport of viewports) {
    await page.setViewportSize(viewport)
    expect(await violations(page), `${path} at ${viewport.width} px`).toEqual([])
    const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(excess, `${path} at ${viewport.width} px`).toBeLessThanOrEqual(0)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, 'color-contrast'), `${path} at ${viewport.width} px, dark`).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.setViewportSize({ width: 360, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBeLessThanOrEqual(0)
}

test('the link opens the desk, a reload keeps it open, and its address keeps no token', async () => {
  const { page, context, desk } = await aDesk()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await page.evaluate('location.href')).not.toContain('token')
  await page.setViewportSize(sizes[1])
  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.press('Enter')
  expect(await menu.getAttribute('aria-expanded')).toBe('true')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false')
  await context.clearCookies()
  await page.goto(`${desk?.baseUrl}/desk?token=wrong`)
  expect(await page.getByRole('alert').textContent()).toContain('not the one of this world')
  await page.getByLabel('Token').fill(desk?.token ?? '')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

test('a key pressed before the browser has painted the menu or a dialog reaches it', async () => {
  const { page } = await aDesk()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.setViewportSize(sizes[1])
  // One task of the page, in which nothing is painted.
  const expanded = await page.evaluate(`(async () => {
    const menu = document.querySelector('button.menu')
    const drawn = () => new Promise(queueMicrotask)
    const states = []
    for (const act of [() => menu.click(), () => dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))]) {
      act()
      await drawn()
      states.push(menu.getAttribute('aria-expanded'))
    }
    return states
  })()`)
  expect(expanded).toEqual(['true', 'false'])
  const isModal = await page.evaluate(`(async () => {
    document.querySelector('.clock button').click()
    await new Promise(queueMicrotask)
    return document.querySelector('dialog').matches(':modal')
  })()`)
  expect(isModal).toBe(true)
})

/**
 * Waits for a message of the page, from before the click that causes it: it is shown for six seconds. It is in front
 * of the page, where its own element has no size.
 */
const toast = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })

test('a player is adjusted with the keyboard, the page shows the equal command, and the list updates live', async () => {
  const { page } = await aDesk()
  await show(page, 'casino/players', 'Players')
  const row = page.getByRole('row', { name: /^amy/ })
  await row.getByRole('button', { name: 'Adjust' }).press('Enter')
  await page.getByLabel('Change').fill('-25')
  const txn = await page.getByLabel('Transfer ID').inputValue()
  expect(await page.locator('[data-command="player.adjust"]').textContent()).toBe(
    `countroom console adjust --txn ${txn} -- DEMO amy -25`,
  )
  const said = toast(page, 'done')
  await page.getByLabel('Change').press('Enter')
  await row.getByText('9,975 USD').waitFor()
  await said
})

test('a snapshot is saved, compared and loaded, and an open page shows the old world without a reload', async () => {
  const { page, world } = await aDesk()
  await show(page, 'snapshots', 'Snapshots')
  const save = page.locator('form[data-action="snapshot.save"]')
  await save.getByLabel('Name').fill('before')
  expect(await save.locator('code').textContent()).toBe('countroom sim snapshot save before')
  await save.getByLabel('Name').press('Enter')
  const row = page.getByRole('row', { name: /^before/ })
  await row.waitFor()
  await show(page, 'casino/players', 'Players')
  const amy = page.getByRole('row', { name: /^amy/ })
  await amy.getByText('10,000 USD').waitFor()
  await runAction({ world }, 'player.adjust', { tenant: 'DEMO', user: 'amy', amount: '-25', txn: 'desk-s' })
  await amy.getByText('9,975 USD').waitFor()

  await show(page, 'snapshots', 'Snapshots')
  // A command that was killed while it loaded a snapshot leaves this.
  const killed = { source: 'before', at: Date.parse('2026-03-01T12:00:00Z'), line: 'unknown' }
  await world.store.write((tx) => saveRunningLoad(tx, killed))
  await row.getByRole('button', { name: 'Compare' }).click()
  const compare = page.locator('dialog form')
  expect(await compare.locator('code').textContent()).toBe('countroom sim snapshot diff before')
  await compare.getByRole('button', { name: 'Compare' }).click()
  const warning = await page.getByRole('alert').textContent()
  expect(warning).toContain('began 2026-03-01 12:00 UTC was interrupted. The world is as it was before it')
  expect(warning).toContain('countroom sim snapshot load before')
  const changed = page.getByRole('region', { name: 'Balances' }).getByRole('row', { name: /^amy/ })
  expect(await changed.textContent()).toContain('-25')
  expect(await violations(page)).toEqual([])
  await row.getByRole('button', { name: 'Load' }).click()
  const loaded = toast(page, 'Load: done')
  await page.locator('dialog form').getByRole('button', { name: 'Load' }).click()
  await loaded
  await page.locator('dialog').waitFor({ state: 'detached' })
  await show(page, 'casino/players', 'Players')
  await amy.getByText('10,000 USD').waitFor()
  await row.waitFor({ state: 'detached' })
  await show(page, 'snapshots', 'Snapshots')
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.locator('dialog form').getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  // The button that opened the dialog is gone with its row.
  await expect.poll(() => focused(page)).toBe('MAIN')
})

const focused = (page: Page) => page.evaluate('document.activeElement.tagName')

test('a payment is paid and confirmed on its page, and its IPN arrives at the receiver of the desk', async () => {
  const { page, baseUrl, desk } = await aDesk()
  await show(page, 'receiver', 'Receiver')
  const set = toast(page, 'Set the IPN URL: done')
  await page.locator('form[data-action="merchant.ipn-url"] button[type="submit"]').click()
  await set
  await show(page, 'gateway/payments', 'Payments')
  await page.getByRole('button', { name: 'Create a payment' }).click()
  await page.locator('dialog button[type="submit"]').click()
  await page.getByRole('link', { name: /^\d{10}$/ }).click()
  const pay = page.locator('form[data-action="payment.pay"]')
  await pay.getByLabel('Confirm at once').check()
  await pay.getByRole('button', { name: 'Pay' }).click()
  await page.locator('.facts').getByText('finished').waitFor()
  expect(await focused(page)).toBe('BUTTON')
  await show(page, 'receiver', 'Receiver')
  await page.getByText('"payment_status": "finished"').first().waitFor()
  const headers = { authorization: `Bearer ${desk?.token}` }
  const response = await fetch(`${baseUrl}/desk/api/views/receiver`, { headers })
  const { received } = (await response.json()) as { received: { headers: Record<string, string> }[] }
  expect(received[0]?.headers).toHaveProperty('x-gw-sig')
})

test('a payout is created, rejected, approved and dropped on its page, and its IPN is sent again', async () => {
  const { page, world, baseUrl, home } = await aDesk()
  const merchant = '5000000001'
  await runAction({ world }, 'merchant.ipn-url', { merchant, url: `${baseUrl}/desk/receiver` })
  await setMerchant(world.gateway, merchant, { approvalUsd: '5' })
  await show(page, 'gateway/payouts', 'Payouts')
  await page.getByText('No payouts yet.').waitFor()
  const form = page.locator('form[data-action="payout.create"]')
  const address = await form.getByLabel('To a whitelisted address').inputValue()
  const row = page.getByRole('row', { name: /usdttrc20/i }).first()
  const status = (code: string) => row.locator('.status').getByText(code)
  const decide = async (name: string) => {
    await row.getByRole('button', { name }).click()
    await page.locator('dialog form').getByRole('button', { name }).click()
  }
  for (const decision of ['Reject', 'Approve'] as const) {
    await form.getByLabel('Amount').fill('12')
    expect(await form.locator('code').textContent()).toBe(`countroom payouts create ${address} 12 usdttrc20`)
    await form.getByRole('button', { name: 'Create a payout' }).click()
    await status('creating').waitFor()
    const { batch } = await world.store.read(({ q }) =>
      q.selectFrom('gateway_payouts').select('batch').orderBy('id', 'desc').executeTakeFirstOrThrow(),
    )
    expect((await runJson(['payouts', 'verify', batch, '--yes'], { home })).error).toBeNull()
    await decide(decision)
    await status(decision === 'Reject' ? 'rejected' : 'sending').waitFor()
  }
  await decide('Drop')
  await status('failed').waitFor()
  expect(await violations(page)).toEqual([])

  await show(page, 'deliveries', 'Deliveries')
  const delivery = page.locator('tbody tr').first()
  await delivery.getByText('delivered').waitFor()
  await delivery.getByRole('button', { name: 'Send again' }).click()
  const again = page.locator('dialog form')
  expect(await again.locator('code').textContent()).toMatch(/^countroom console deliveries replay [0-9A-Z]{26}$/)
  const sent = toast(page, 'Send again: done')
  await again.getByRole('button', { name: 'Send again' }).click()
  await sent
})

test('the clinic names the mistake of a pasted request', async () => {
  const { page } = await aDesk()
  await show(page, 'clinic', 'Signature clinic')
  await page
    .getByLabel('Request', { exact: true })
    .fill(
      `curl -X GET 'http://127.0.0.1:1/api/tenant/v1/tables' -H 'X-Timestamp: 1772323200000' -H 'X-Nonce: 4f9d0c2b7a615e38' -H 'X-Signature: ${'0'.repeat(64)}'`,
    )
  await page.getByRole('button', { name: 'Check the signature' }).click()
  await page.getByText('The signature differs.').waitFor()
  expect(await page.getByText('/api/tenant/v1/tables').count()).toBeGreaterThan(0)
  expect(await page.getByText(/milliseconds/).count()).toBeGreaterThan(0)
})

describe('the desk', () => {
  const ask = (url: string, options: RequestInit = {}) => fetch(url, { redirect: 'manual', ...options })

  test('rejects a missing token, another origin, and a request through a proxy', async () => {
    const { desk } = await servedBeside({ records })
    const base = desk?.baseUrl ?? ''
    const authorization = `Bearer ${desk?.token}`
    expect((await ask(`${base}/desk`)).status).toBe(401)
    expect((await ask(desk?.url ?? '')).status).toBe(200)
    expect((await ask(desk?.url ?? '', { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(404)
    const action = `${base}/desk/api/actions/clock.advance`
    const order = { method: 'POST', body: '{"by":"1h"}' }
    expect((await ask(action, order)).status).toBe(401)
    const foreign = { authorization, origin: 'http://127.0.0.1:1' }
    expect((await ask(action, { ...order, headers: foreign })).status).toBe(403)
    expect((await ask(`${base}/desk/api/views/overview`, { headers: foreign })).status).toBe(403)
    expect((await ask(`${base}/desk/api/views?views=[]`, { headers: { authorization } })).status).toBe(400)
    const page = await ask(desk?.url ?? '')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('set-cookie')).toMatch(/Path=\/desk; HttpOnly; SameSite=Strict$/)
  })

  test('does not exist on a world that is served to other machines', async () => {
    const world = await openWorld({ db: ':memory:', records: { requests: true, hasDesk: true } })
    onTestFinished(() => world.close())
    const { url } = await world.server.listen()
    const authorization = `Bearer ${world.deskToken()}`
    for (const path of ['/desk', '/desk/api/views/overview'])
      expect((await ask(`${url}${path}`, { headers: { authorization } })).status, path).toBe(404)
    expect((await ask(`${url}/desk/receiver`, { method: 'POST', body: '{}' })).status).toBe(404)
    expect((await ask(`${url}/desk/api/requests`, { headers: { authorization } })).status).toBe(200)
  })

  test('is at most 120 kB, compressed', async () => {
    const { script, style } = await deskAssets()
    const bytes = [script, style].reduce((sum, { text }) => sum + gzipSync(text).length, 0)
    expect(bytes).toBeLessThanOrEqual(120_000)
    expect(bytes).toBeGreaterThan(5_000)
  })
})
