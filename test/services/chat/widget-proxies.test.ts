import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { aShop, expectNoRace, holdRace } from './browser.ts'
import { aHelpdesk, aMerchant } from './helpdesk.ts'

type Forward = (reply: IncomingMessage, outgoing: ServerResponse) => void

/** Forwards a response when it is complete, as proxies with buffering and small streams do. */
const buffered: Forward = (reply, outgoing) => {
  const parts: Buffer[] = []
  reply.on('data', (part) => parts.push(part))
  reply.on('end', () => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
    outgoing.end(Buffer.concat(parts))
  })
}

/** A reverse proxy. */
async function aProxy(target: string, forward: Forward) {
  const requests: string[] = []
  const proxy = createServer((incoming, outgoing) => {
    // A browser sends OPTIONS before each, because the page is on another origin.
    if (incoming.method !== 'OPTIONS') requests.push(incoming.url ?? '')
    const onward = request(
      `${target}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers },
      (reply) => {
        reply.on('error', () => outgoing.destroy())
        forward(reply, outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests }
}

test('behind a proxy that buffers streams, answers arrive by polling after one and a half seconds, and at once on the next page', async () => {
  const helpdesk = await aHelpdesk()
  const { tenantKey, agent } = await aMerchant(helpdesk)
  const { url } = await helpdesk.server.listen()
  const proxy = await aProxy(url, buffered)
  const { open } = await aShop(proxy.url, tenantKey)
  const page = await open({}, { meddle: (tab) => tab.clock.install() })
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('textbox').fill('Hello')
  await page.keyboard.press('Enter')
  const streams = () => proxy.requests.filter((path) => /\/events\?/.test(path)).length
  const polls = () => proxy.requests.filter((path) => /\/events\/poll/.test(path)).length
  await expect.poll(streams).toBe(1)
  const params = { roomId: (await agent.rooms({ query: {} })).items[0]?.roomId ?? '' }
  await agent.reply({ params, body: { text: 'first answer', clientMessageId: 'a' } })
  // By the page's own clock, which is independent of a busy machine.
  await page.clock.fastForward(1_500)
  await expect.poll(polls).toBeGreaterThan(0)
  await page.getByText('first answer').waitFor()
  expect(streams()).toBe(1)
  await page.clock.fastForward(10_000)
  await agent.reply({ params, body: { text: 'second answer', clientMessageId: 'b' } })
  await page.getByText('second answer').waitFor()
  await page.close()
  const [streamed, polled] = [streams(), polls()]
  const next = await open()
  await next.evaluate('ChatWidget.open()')
  await expect.poll(polls).toBeGreaterThan(polled)
  await agent.reply({ params, body: { text: 'third answer', clientMessageId: 'c' } })
  await next.getByText('third answer').waitFor()
  expect(streams()).toBe(streamed)
})

test('where streams work, the widget does not poll', async () => {
  const helpdesk = await aHelpdesk()
  const { tenantKey, agent } = await aMerchant(helpdesk)
  const { url } = await helpdesk.server.listen()
  const { open } = await aShop(url, tenantKey)
  const requests: string[] = []
  const page = await open(
    {},
    {
      meddle: async (tab) => {
        await holdRace(tab)
        tab.on('request', (each) => requests.push(each.url()))
      },
    },
  )
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('textbox').fill('Hello')
  await page.keyboard.press('Enter')
  await expect.poll(() => helpdesk.app.broadcaster.size).toBe(1)
  const params = { roomId: (await agent.rooms({ query: {} })).items[0]?.roomId ?? '' }
  for (let i = 0; i < 3; i++) {
    await agent.reply({ params, body: { text: `answer ${i}`, clientMessageId: `a${i}` } })
    await page.getByText(`answer ${i}`).waitFor()
  }
  await expectNoRace(page)
  expect(requests.filter((each) => each.includes('/events/poll'))).toEqual([])
})

test('a connection lost between the headers and the start of a stream is no sign of buffering', async () => {
  const helpdesk = await aHelpdesk()
  const { tenantKey, agent } = await aMerchant(helpdesk)
  const { url } = await helpdesk.server.listen()
  let lost = 0
  const proxy = await aProxy(url, (reply, outgoing) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
    if (lost === 3 || !reply.headers['content-type']?.startsWith('text/event-stream')) {
      reply.pipe(outgoing)
      return
    }
    lost++
    outgoing.flushHeaders()
    // The browser has the headers before the connection ends.
    setTimeout(() => outgoing.destroy(), 50)
  })
  const { open } = await aShop(proxy.url, tenantKey)
  const page = await open({}, { meddle: holdRace })
  await page.evaluate('ChatWidget.open()')
  await page.getByRole('textbox').fill('Hello')
  await page.keyboard.press('Enter')
  await expect.poll(() => lost).toBe(3)
  await expect.poll(() => helpdesk.app.broadcaster.size).toBe(1)
  const params = { roomId: (await agent.rooms({ query: {} })).items[0]?.roomId ?? '' }
  await agent.reply({ params, body: { text: 'an answer', clientMessageId: 'a' } })
  await page.getByText('an answer').waitFor()
  expect(proxy.requests.filter((path) => path.includes('/events/poll'))).toEqual([])
})
