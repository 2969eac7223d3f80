import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Browser, firefox } from 'playwright-core'

const relay = fileURLToPath(new URL('bidi-relay.mjs', import.meta.url))

/**
 * Launches an installed Firefox over WebDriver BiDi. Pages come without their Content-Security-Policy, because Playwright
 * evaluates strings in the page there: only Chromium tests the policies. A proxy removes it, because Playwright's own
 * interception holds event streams back until they end.
 */
export async function launchFirefox(): Promise<Browser> {
  const proxy = createServer(withoutPolicy).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  proxy.unref()
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: relay,
    headless: true,
    firefoxUserPrefs: {
      // Scroll bars take no room, as on a phone, and no page asks for an icon. Firefox cannot emulate reduced motion, which
      // most tests ask for.
      'ui.useOverlayScrollbars': 1,
      'browser.chrome.site_icons': false,
      'network.proxy.type': 1,
      'network.proxy.http': '127.0.0.1',
      'network.proxy.http_port': (proxy.address() as AddressInfo).port,
      'network.proxy.no_proxies_on': '',
      'network.proxy.allow_hijacking_localhost': true,
    },
  })
  browser.on('disconnected', () => proxy.close())
  return browser
}

/** Forwards a request, and streams its response without the policy. */
function withoutPolicy(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming
  const onward = request(incoming.url ?? '', { method, headers }, (response) => {
    const { 'content-security-policy': _, ...rest } = response.headers
    outgoing.writeHead(response.statusCode ?? 502, rest)
    outgoing.flushHeaders()
    response.on('error', () => outgoing.destroy())
    response.pipe(outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => onward.destroy())
  incoming.pipe(onward)
}
