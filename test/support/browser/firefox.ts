import { fileURLToPath } from 'node:url'
import { type Browser, firefox, type Route } from 'playwright-core'

const relay = fileURLToPath(new URL('bidi-relay.mjs', import.meta.url))

/**
 * Launches an installed Firefox over WebDriver BiDi. Pages come without their Content-Security-Policy, because Playwright
 * evaluates strings in the page there: only Chromium tests the policies.
 */
export async function launchFirefox(): Promise<Browser> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: relay,
    headless: true,
    // Scroll bars take no room, as on a phone, and no page asks for an icon.
    firefoxUserPrefs: { 'ui.useOverlayScrollbars': 1, 'browser.chrome.site_icons': false },
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    await context.route('**', withoutPolicy)
    return context
  }
  return browser
}

async function withoutPolicy(route: Route): Promise<void> {
  if (route.request().resourceType() !== 'document') return route.fallback()
  try {
    const response = await route.fetch({ maxRedirects: 0 })
    const { 'content-security-policy': _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  } catch {
    // The page was left, or its server is gone.
    await route.abort().catch(() => {})
  }
}
