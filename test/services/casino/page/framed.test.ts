import type { Browser, FrameLocator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../../src/http/client/client.ts'
import { tenantSigner } from '../../../../src/http/client/signers.ts'
import { overHttp, signed, type Transport } from '../../../../src/http/client/transport.ts'
import { casino } from '../../../../src/services/casino/api/contract.ts'
import { setLive } from '../../../../src/services/casino/live/switches.ts'
import { credentialsOf, demoCode } from '../../../../src/world/demo-data.ts'
import { launchBrowser, pageMs } from '../../../support/browser/chromium.ts'
import { anHttpsServer, aReverseProxy } from '../../../support/http/https-proxy.ts'
import { balanceOf, type LiveWorld, liveWorld } from '../live/support.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser(
    '--host-resolver-rules=MAP *.test 127.0.0.1',
    '--ignore-certificate-errors',
    // Like browsers that block third-party cookies.
    '--test-third-party-cookie-phaseout',
  )
})
afterAll(() => browser.close())

interface Stage {
  readonly world: LiveWorld
  /** Address of the game, without the proxy. */
  readonly url: string
  /** The port of the proxy. */
  readonly port: number
}

/** A served world whose tables are dealt, behind an https proxy that removes a path prefix. */
async function aWorldBehindHttps(below: string, usesPublicUrl: boolean): Promise<Stage> {
  let target = ''
  const port = await aReverseProxy(() => target, { below })
  const publicUrl = usesPublicUrl ? `https://game.test:${port}${below}` : undefined
  const world = await liveWorld({ publicUrl, trustedProxies: ['loopback'] })
  const { url } = await world.server.listen({ port: 0 })
  target = url
  await setLive(world.casino, true)
  await world.settle()
  return { world, url, port }
}

/** The operator's own page, on another site than the game, with the game in a frame. */
async function framed(gameUrl: string): Promise<{ game: FrameLocator; complaints: string[]; again(): Promise<void> }> {
  const port = await anHttpsServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(
      `<!doctype html><title>Operator</title><h1>Operator</h1><iframe title="Game" width="1200" height="700" src="${gameUrl}"></iframe>`,
    )
  })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(pageMs)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedType|cookie/i.test(message.text())) complaints.push(message.text())
  })
  await page.goto(`https://operator.test:${port}/`)
  const game = page.frameLocator('iframe')
  return {
    game,
    complaints,
    async again() {
      const frame = page.frames().find((each) => new URL(each.url()).hostname === 'game.test')
      await frame?.evaluate('location.reload()')
    },
  }
}

describe.each([
  ['--public-url', '', true],
  ['--public-url with a path', '/live', true],
  ['a trusted proxy alone', '', false],
])('in a frame on the operator’s site over https, with %s', (_name, below, usesPublicUrl) => {
  test('the player enters, bets, and is still in after the frame is loaded again', async () => {
    const { world, url, port } = await aWorldBehindHttps(below, usesPublicUrl)
    const keys = await credentialsOf(world.casino, demoCode)
    if (!keys) throw new Error('no demo tenant')
    const http = overHttp(url)
    onTestFinished(() => http.close())
    // The operator's back end also uses the proxy.
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': `game.test:${port}` }
    const byProxy: Transport = (request) => http({ ...request, headers: { ...request.headers, ...forwarded } })
    const { machineNow: now, random } = world.casino
    const operator = createClient(casino, signed(byProxy, tenantSigner({ ...keys.live, now, random })))
    const link = await operator.launch({ body: { username: 'amy', lang: 'ENG', table: 'BAC-01' } })
    expect(link.url).toMatch(new RegExp(`^https://game\\.test:${port}${below}/Launch\\?t=`))
    const { game, complaints, again } = await framed(link.url)
    await game.locator('.table[data-phase="betting"]').waitFor()
    await game.locator('[data-zone="B"]').click()
    await game.locator('[data-action="confirm"]').click()
    await game.locator('[data-zone="B"][data-placed="yes"]').waitFor()
    expect(await balanceOf(world, 'amy')).toBe('9995')
    await again()
    await game.locator('[data-zone="B"][data-placed="yes"]').waitFor()
    expect(complaints).toEqual([])
  })
})
