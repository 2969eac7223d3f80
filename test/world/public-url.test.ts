import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { overHttp, type Transport } from '../../src/http/client/transport.ts'
import { ensureDemoWorld } from '../../src/world/demo-data.ts'
import { homeRoutes } from '../../src/world/home/routes.ts'
import { agentOn, casinoOn, chatOn, gatewayOn, widgetOn } from '../../src/world/library/connect.ts'
import { readyDocument } from '../../src/world/ready-file.ts'
import { openWorld, type WorldOptions } from '../../src/world/world.ts'
import { listen } from '../services/chat/listening.ts'
import { inFile, onPostgres } from '../support/worlds/world.ts'

const records = { requests: false, hasDesk: false, home: homeRoutes } as const

/** A served demo world, requested over a socket with these headers. */
async function aServedWorld({ host = '127.0.0.1', ...options }: Partial<WorldOptions> & { host?: string } = {}) {
  const world = await openWorld({ db: ':memory:', seed: 'urls', rateLimits: false, records, ...options })
  onTestFinished(() => world.close())
  await ensureDemoWorld(world)
  const { url, port } = await world.server.listen({ host, port: 0 })
  const ready = await readyDocument(world, url, ':memory:')
  const { casino, gateway, chat } = ready
  if (!casino || !gateway || !chat) throw new Error('no demo world')
  const clientsWith = (headers: Record<string, string>, at = url) => {
    const open = (base: string): Transport => {
      const http = overHttp(base)
      onTestFinished(() => http.close())
      return (request) => http({ ...request, headers: { ...request.headers, ...headers } })
    }
    const [bare, sandbox] = [open(at), open(`${at}/sandbox`)]
    const merchant = {
      live: gatewayOn(bare, gateway.production.apiKey),
      test: gatewayOn(sandbox, gateway.sandbox.apiKey),
    }
    return {
      bare,
      casino: casinoOn(bare, casino.live),
      merchant,
      bot: chatOn(bare, chat.apiKey),
      agent: agentOn(bare, chat.agentToken),
      widget: widgetOn(bare, chat.tenantKey),
    }
  }
  return { world, url, port, ready, gateway, chat, clientsWith }
}

type RequestClients = ReturnType<Awaited<ReturnType<typeof aServedWorld>>['clientsWith']>

/** The part of a URL before the path of its service. */
const baseOf = (url: unknown) => String(url).replace(/\/(Launch|pay|invoice|api)\b.*$/, '')

const order = { price_amount: 20, price_currency: 'usd' }

/** The base of every URL in a response. */
async function handedOut({ casino, merchant, bare }: RequestClients) {
  const { url } = await casino.launch({ body: { username: 'amy' } })
  const payment = await merchant.live.createPayment({ body: { ...order, pay_currency: 'usdttrc20' } })
  const testPayment = await merchant.test.createPayment({ body: { ...order, pay_currency: 'usdttrc20' } })
  const invoice = await merchant.live.createInvoice({ body: order })
  const again = await merchant.live.invoice({ params: { id: invoice.id } })
  const reference = await bare({ method: 'GET', path: '/docs/casino.json', headers: {} })
  return {
    launch: baseOf(url),
    payment: baseOf(payment.gw_payment_url),
    sandbox: baseOf(testPayment.gw_payment_url),
    invoice: baseOf(invoice.invoice_url),
    invoiceAgain: baseOf(again.invoice_url),
    reference: JSON.parse(reference.body).servers[0].url,
  }
}

/** Expects the same base for all of them. */
const allAt = (base: string) => ({
  launch: base,
  payment: base,
  sandbox: `${base}/sandbox`,
  invoice: base,
  invoiceAgain: base,
  reference: base,
})

describe('without a public URL', () => {
  test('links begin with the served address, with any Host of a request', async () => {
    const { url, clientsWith } = await aServedWorld()
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    expect(await handedOut(clientsWith(forged))).toEqual(allAt(url))
  })

  test('of a world on all addresses, links begin with the address that the request used', async () => {
    const { url, port, clientsWith } = await aServedWorld({ host: '0.0.0.0' })
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(await handedOut(clientsWith({ host: 'evil.example' }))).toEqual(allAt(url))
    expect(await handedOut(clientsWith({}, `http://127.0.0.2:${port}`))).toEqual(allAt(`http://127.0.0.2:${port}`))
  })

  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

  test.skipIf(!hasIpv6)('an IPv6 address is in brackets (needs ::1 on this machine)', async () => {
    const { url, port, clientsWith } = await aServedWorld({ host: '::' })
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(await handedOut(clientsWith({}))).toEqual(allAt(url))
    expect(await handedOut(clientsWith({}, `http://[::1]:${port}`))).toEqual(allAt(`http://[::1]:${port}`))
  })

  test('a command next to a world on all addresses returns links that this machine can open', async () => {
    const { world, url, ready } = await aServedWorld({ host: '0.0.0.0' })
    expect(world.casino.config.publicUrl()).toBe(url)
    expect([ready.baseUrl, ready.publicUrl]).toEqual([url, url])
    expect(await world.servedAt()).toBe(url)
  })

  test('a world on all addresses counts as reachable by others, although its links begin with 127.0.0.1', async () => {
    const { world, url } = await aServedWorld({ host: '0.0.0.0' })
    expect(url).toContain('127.0.0.1')
    expect(world.gateway.config.loopbackCallbacks()).toBe(false)
    expect(world.faults.areAllowed()).toBe(false)
  })
})

describe('behind a trusted proxy', () => {
  const cases: [headers: Record<string, string>, base: string][] = [
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'play.example' }, 'https://play.example'],
    [{ 'x-forwarded-proto': 'https', host: 'play.example:8443' }, 'https://play.example:8443'],
    [{ 'x-forwarded-proto': 'HTTPS', 'x-forwarded-host': 'play.example:443' }, 'https://play.example'],
    [{ 'x-forwarded-host': 'play.example' }, 'http://play.example'],
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': '[2001:db8::1]:8443' }, 'https://[2001:db8::1]:8443'],
    // The last value is that of the trusted proxy; anyone can write the values before it.
    [{ 'x-forwarded-proto': 'http, https', 'x-forwarded-host': 'evil.example, play.example' }, 'https://play.example'],
  ]

  test.each(cases)('%j is %s', async (headers, base) => {
    const { clientsWith } = await aServedWorld({ trustedProxies: ['loopback'] })
    expect(await handedOut(clientsWith(headers))).toEqual(allAt(base))
  })

  test.each([
    { 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'play.example' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'play.example/evil' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'user:pw@play.example' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a b' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'play.example:99999' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': '0.0.0.0' },
  ])('%j is no address, so the served one counts', async (headers) => {
    const { url, clientsWith } = await aServedWorld({ trustedProxies: ['127.0.0.0/8'] })
    expect(await handedOut(clientsWith(headers))).toEqual(allAt(url))
  })

  test('headers from an address that is no trusted proxy are ignored', async () => {
    const { url, clientsWith } = await aServedWorld({ trustedProxies: ['10.0.0.0/8', 'uniquelocal'] })
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'play.example' }
    expect(await handedOut(clientsWith(headers))).toEqual(allAt(url))
  })
})

describe('with a public URL', () => {
  test.each(['https://play.example', 'https://play.example/live', 'http://[2001:db8::1]:8080'])(
    'everything begins with %s, with any headers of a request',
    async (publicUrl) => {
      const { url, ready, clientsWith } = await aServedWorld({
        host: '0.0.0.0',
        trustedProxies: ['loopback'],
        publicUrl,
      })
      expect([ready.baseUrl, ready.publicUrl]).toEqual([url, publicUrl])
      const forwarded = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'other.example' }
      expect(await handedOut(clientsWith(forwarded))).toEqual(allAt(publicUrl))
    },
  )

  test('below a path, pages are found with the path and without it, and link only below it', async () => {
    const { url, clientsWith } = await aServedWorld({ publicUrl: 'https://play.example/live' })
    const { casino, merchant } = clientsWith({})
    const pages: string[] = []
    for (const [prefix, link] of [
      ['', (await casino.launch({ body: { username: 'amy' } })).url],
      ['/live', (await casino.launch({ body: { username: 'bob' } })).url],
      ['', (await merchant.live.createPayment({ body: { ...order, pay_currency: 'btc' } })).gw_payment_url],
      ['/live', (await merchant.test.createInvoice({ body: order })).invoice_url],
      ['/live', 'https://play.example/live/docs'],
    ] as const) {
      const response = await fetch(url + link.replace('https://play.example/live', prefix))
      expect([link, response.status]).toEqual([link, 200])
      const cookie = response.headers.get('set-cookie')
      if (cookie !== null) expect(cookie).toContain('; Path=/live/play;')
      const page = await response.text()
      for (const [, path] of page.matchAll(/(?:href|src|action|data-state)="(\/[^"]*)"/g)) pages.push(path ?? '')
      for (const [, path = ''] of page.matchAll(/(?:href|src)="(\/[^"]*)"/g))
        expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
    }
    expect(pages.length).toBeGreaterThan(10)
    expect(pages.filter((path) => !path.startsWith('/live/'))).toEqual([])
  })

  test('a subscription mails its link with it, at once and with the next bill', async () => {
    const { world, gateway, clientsWith } = await aServedWorld({ publicUrl: 'https://pay.example' })
    const { live } = clientsWith({}).merchant
    const { token } = await live.auth({
      body: { email: gateway.production.email, password: gateway.production.password },
    })
    const { live: user } = clientsWith({ authorization: `Bearer ${token}` }).merchant
    const { result: plan } = await user.createPlan({
      body: { title: 'Gold', interval_day: 30, amount: 10, currency: 'usd' },
    })
    await user.createSubscription({ body: { subscription_plan_id: plan.id, email: 'ann@example.com' } })
    const mails = () => world.store.read(({ q }) => q.selectFrom('gateway_mails').select('body').execute())
    expect((await mails()).map(({ body }) => /https?:\/\/[^/\s]+/.exec(body)?.[0])).toEqual(['https://pay.example'])
  })

  test('commands next to the served world return the same URLs, until it is no longer served', async () => {
    const database = await inFile.database()
    const db = String(database.url)
    const { world } = await aServedWorld({ db, publicUrl: 'https://play.example' })
    await world.close()
    const second = await openWorld({ db })
    onTestFinished(() => second.close())
    expect([second.casino.config.publicUrl(), await second.servedAt()]).toEqual(['https://play.example', null])
    const { url } = await second.server.listen()
    expect([second.casino.config.publicUrl(), await second.servedAt()]).toEqual([url, url])
  })

  test('when one of two processes on one database exits, the other keeps its address', async () => {
    const database = await onPostgres.database()
    const [first, second] = [
      await openWorld({ db: String(database.url) }),
      await openWorld({ db: String(database.url) }),
    ]
    onTestFinished(() => second.close())
    await first.server.listen()
    const { url } = await second.server.listen()
    await first.close()
    expect(await second.servedAt()).toBe(url)
  })
})

test('each subscriber of a room gets file links with the address of its own request', async () => {
  const { url, chat, clientsWith } = await aServedWorld({ trustedProxies: ['loopback'] })
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'chat.example' }
  const { bot } = clientsWith({})
  const { roomId, roomToken } = await bot.openRoom({ body: { customerAccount: 'ann' } })
  if (!roomToken) throw new Error('no room token')
  const token = { 'x-chat-room-token': roomToken, 'x-chat-tenant-key': chat.tenantKey }
  const events = `${url}/api/widget/v1/rooms/${roomId}/events`
  const [direct, behind] = [await listen(events, token), await listen(events, { ...token, ...proxied })]
  const { data } = await behind.next('ready')
  await direct.next('ready')
  const bytes = Buffer.from('a note for the desk')
  const upload = await clientsWith(token).widget.initializeUpload({
    params: { roomId },
    query: {},
    body: { fileName: 'note.txt', contentType: 'text/plain', sizeBytes: bytes.length, clientUploadId: 'u-1' },
  })
  await fetch(`${url}/api/widget/v1/rooms/${roomId}/media/${upload.uploadId}/chunk`, {
    method: 'PUT',
    headers: { ...token, 'content-type': 'application/octet-stream', 'upload-offset': '0' },
    body: bytes,
  })
  const text = 'see "downloadUrl":"/x" in it'
  await clientsWith({ ...proxied, ...token }).widget.completeUpload({
    params: { roomId, uploadId: upload.uploadId },
    query: {},
    body: { clientMessageId: 'm-1', text },
  })
  const fileOf = (message: { attachments: { downloadUrl: string }[] }) => message.attachments[0]?.downloadUrl ?? ''
  const [toDirect, toBehind] = [await direct.next('message.created'), await behind.next('message.created')]
  expect([toDirect.data.message.text, toBehind.data.message.text]).toEqual([text, text])
  expect(baseOf(fileOf(toDirect.data.message))).toBe(url)
  expect(baseOf(fileOf(toBehind.data.message))).toBe('https://chat.example')
  expect((await fetch(fileOf(toDirect.data.message))).status).toBe(200)
  const polled = async (headers: Record<string, string>) => {
    const query = `tenantKey=${chat.tenantKey}&after=${encodeURIComponent(data.eventCursor)}&waitMs=0`
    const answer = await fetch(`${events}/poll?${query}`, { headers: { ...token, ...headers } })
    const body = (await answer.json()) as {
      events: { event: string; data: { message: Parameters<typeof fileOf>[0] } }[]
    }
    return baseOf(
      fileOf(body.events.find(({ event }) => event === 'message.created')?.data.message ?? { attachments: [] }),
    )
  }
  expect([await polled({}), await polled(proxied)]).toEqual([url, 'https://chat.example'])
  const read = async (headers: Record<string, string>) => {
    const { items } = await clientsWith(headers).agent.messages({ params: { roomId }, query: {} })
    return baseOf(fileOf(items.at(-1) ?? { attachments: [] }))
  }
  expect([await read({}), await read(proxied)]).toEqual([url, 'https://chat.example'])
})
