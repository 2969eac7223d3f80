import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { pageMs, theBrowser } from '../../support/browser/chromium.ts'
import { aHelpdesk, aMerchant, type Helpdesk, type Merchant } from './helpdesk.ts'

export interface Site extends Shop {
  readonly helpdesk: Helpdesk
  readonly merchant: Merchant
  /** Address of the chat; the page is on another origin. */
  readonly chatUrl: string
}

/** Pages of a merchant. */
export interface Shop {
  /** Errors in the browser: violated policies, uncaught errors. */
  readonly complaints: string[]
  open(attributes?: Record<string, string>, options?: PageOptions): Promise<Page>
}

export interface PageOptions {
  readonly html?: string
  readonly dark?: boolean
  readonly width?: number
  readonly height?: number
  /** Inserts the script before the page has a body, and calls this as soon as the widget's object exists. */
  readonly early?: string
  /** Texts that replace the served ones, by path. */
  readonly scripts?: Readonly<Record<string, string>>
  /** A style of the page's own, which its policy then allows. */
  readonly css?: string
  /** Serves the page as a sandboxed frame: only scripts are allowed. */
  readonly sandboxed?: boolean
  /** Handling of the page's requests before it is opened. */
  readonly meddle?: (tab: Page) => Promise<unknown>
}

/** A separate helpdesk, and a merchant's page that uses it. */
export async function aSite(): Promise<Site> {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const { url: chatUrl } = await helpdesk.server.listen()
  return { helpdesk, merchant, chatUrl, ...(await aShop(chatUrl, merchant.tenantKey)) }
}

/** A merchant's page on an origin of its own, under a policy that allows the widget's host and nothing else. */
export async function aShop(chatUrl: string, tenantKey: string): Promise<Shop> {
  const complaints: string[] = []
  let markup = ''
  let styles = ''
  const page = createServer((request, response) => {
    if (request.url !== '/') return response.writeHead(204).end()
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src ${chatUrl}; connect-src ${chatUrl}; img-src ${chatUrl} http://127.0.0.1:8787 data:; base-uri 'none';${styles} require-trusted-types-for 'script'; trusted-types 'none'`,
    })
    response.end(markup)
  })
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(page.address() as AddressInfo).port}/`
  const contexts: { close(): Promise<void> }[] = []
  onTestFinished(async () => {
    for (const context of contexts) await context.close()
    page.closeAllConnections()
    page.close()
    expect(complaints).toEqual([])
  })
  let shared: Awaited<ReturnType<Browser['newContext']>> | undefined
  return {
    complaints,
    async open(attributes = {}, options = {}) {
      const { html = 'en', dark = false, width = 900, height = 700, early, scripts = {}, css, meddle } = options
      const all = { 'data-tenant-key': tenantKey, ...attributes }
      styles = `${css === undefined ? '' : " style-src 'unsafe-inline';"}${options.sandboxed ? ' sandbox allow-scripts;' : ''}`
      const written = Object.entries(all)
        .map(([name, value]) => `${name}="${value.replaceAll('"', '&quot;')}"`)
        .join(' ')
      const script = `<script src="${chatUrl}/widget.js" ${written}></script>`
      markup = `<!doctype html><html lang="${html}"><head><title>Shop</title>${css === undefined ? '' : `<style>${css}</style>`}${early ? script : ''}</head><body><main><h1>Shop</h1><p>Buy things.</p></main>${early ? '' : script}</body></html>`
      if (!shared) {
        shared = await (await theBrowser()).newContext({
          viewport: { width, height },
          colorScheme: dark ? 'dark' : 'light',
        })
        shared.setDefaultTimeout(pageMs)
        contexts.push(shared)
      }
      const tab = await shared.newPage()
      await meddle?.(tab)
      for (const [path, body] of Object.entries(scripts))
        await tab.route(`${chatUrl}${path}`, (route) =>
          route.fulfill({ body, contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' } }),
        )
      if (early !== undefined)
        await tab.addInitScript(
          `new MutationObserver((_, seen) => { if ('ChatWidget' in window) { seen.disconnect(); ${early} } }).observe(document, { childList: true, subtree: true })`,
        )
      tab.on('pageerror', (error) => {
        // Firefox reports a connection that was cut as an error of the page.
        if (!String(error).includes('Cross-Origin Request Blocked')) complaints.push(String(error))
      })
      tab.on('console', (message) => {
        // Refused or unreachable requests are expected in several tests; a violated policy in none.
        if (/Content Security Policy|TrustedType/i.test(message.text())) complaints.push(message.text())
      })
      await tab.goto(origin)
      // No waitForFunction: its second poll evaluates a string, which the policy of the page forbids.
      await expect.poll(() => tab.evaluate("'ChatWidget' in window"), { timeout: pageMs }).toBe(true)
      return tab
    },
  }
}

/**
 * Holds the timers after which the widget takes a stream for one that a proxy buffers: on a busy machine a stream may open later.
 * `expectNoRace` runs those that the widget has not cleared since then.
 */
export const holdRace = (tab: Page): Promise<unknown> =>
  tab.addInitScript(`(() => {
    const [set, clear, held] = [setTimeout, clearTimeout, new Map()]
    window.setTimeout = (run, ms, ...more) => {
      const isHeld = ms === 1_500 || ms === 10_000
      const timer = set(run, isHeld ? 2 ** 31 - 1 : ms, ...more)
      if (isHeld) held.set(timer, run)
      return timer
    }
    window.clearTimeout = (timer) => {
      held.delete(timer)
      clear(timer)
    }
    window.runHeld = () => {
      for (const run of held.values()) run()
      return held.size
    }
  })()`)

/** Expects that the widget, whose stream is open, has cleared the timers that `holdRace` holds. */
export async function expectNoRace(page: Page): Promise<void> {
  expect(await page.evaluate('runHeld()')).toBe(0)
}

/** Opens a page, and waits until the widget has the back office's settings. Its launcher is there before. */
export async function openConfigured(
  site: Site,
  ...[attributes, options = {}]: Parameters<Site['open']>
): Promise<Page> {
  let isConfigured = Promise.resolve<unknown>(undefined)
  const page = await site.open(attributes, {
    ...options,
    meddle: async (tab) => {
      isConfigured = tab
        .waitForEvent('response', (response) => response.url().includes('/config?'))
        // The widget does not read the body of a refusal.
        .then((response) => (response.ok() ? response.finished() : null))
      await options.meddle?.(tab)
    },
  })
  await isConfigured
  return page
}

/** Chooses files in the widget, and sends them once they are shown. */
export async function sendFiles(page: Page, ...files: Parameters<Locator['setInputFiles']>[0][]): Promise<void> {
  for (const file of files) await page.locator('input[type=file]').setInputFiles(file)
  await page
    .locator('.u figure')
    .nth(files.length - 1)
    .waitFor()
  await page.locator('.f .b').click()
}
