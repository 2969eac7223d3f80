import { describe, expect, onTestFinished, test } from 'vitest'
import { inProcess } from '../../src/http/client/transport.ts'
import { type StartedWorld, startWorld } from '../../src/world/library/start.ts'
import { listen } from '../services/chat/listening.ts'
import { exchange, sendBytes } from '../support/http/http.ts'
import { testWorld } from '../support/worlds/world.ts'

/** The header of section 7 of the interfaces: every response of a served world has the world's time. */
const header = 'x-countroom-time'
const future = Date.parse('2031-05-06T07:08:09.000Z')
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

async function aServedWorld(): Promise<StartedWorld & { baseUrl: string }> {
  const world = await startWorld({ seed: 'response-time', listen: true, clock: future })
  onTestFinished(() => world.close())
  if (world.baseUrl === null) throw new Error('the world does not listen')
  return { ...world, baseUrl: world.baseUrl }
}

/** Distance of a time from the moved clock, which advances at the machine's pace. */
const isNear = (text: string | null | undefined, at: number) =>
  iso.test(text ?? '') && Date.parse(text ?? '') >= at && Date.parse(text ?? '') < at + 600_000

const requests: readonly [name: string, method: string, path: string, status: number][] = [
  ['the casino, refused', 'GET', '/api/tenant/v1/account', 401],
  ['an unknown path of the casino', 'GET', '/api/tenant/v1/nothing', 401],
  ['the gateway', 'GET', '/api/v1/status', 200],
  ['the gateway, refused', 'GET', '/api/v1/payment/1', 401],
  ['the sandbox of the gateway', 'GET', '/sandbox/api/v1/status', 200],
  ['the chat, refused', 'GET', '/api/public/v1/tickets', 401],
  ['the agents, refused', 'GET', '/api/agent/v1/rooms', 401],
  ['a stream, refused', 'GET', '/api/agent/v1/events', 401],
  ['the documents', 'GET', '/docs', 200],
  ['an OpenAPI document', 'GET', '/docs/casino.json', 200],
  ['the widget', 'GET', '/widget.js', 200],
  ['a launch link that expired', 'GET', '/Launch?t=nothing', 410],
  ['the page without a session', 'GET', '/play/', 401],
  ['a path of nobody', 'GET', '/nothing-here', 404],
  ['a path that is none', 'GET', '/%ff', 404],
  ['HEAD', 'HEAD', '/nothing-here', 404],
]

describe('every response has the world’s time', () => {
  test('over HTTP: services, pages, errors and unknown paths', async () => {
    const { baseUrl } = await aServedWorld()
    for (const [name, method, path, status] of requests) {
      const reply = await exchange(baseUrl, { method, path })
      expect([name, reply.status], name).toEqual([name, status])
      expect(isNear(reply.headers[header], future), `${name}: ${reply.headers[header]}`).toBe(true)
      // A separate header, because signatures use the machine's clock.
      expect(Math.abs(Date.parse(reply.headers['date'] ?? '') - Date.now()), name).toBeLessThan(600_000)
    }
  })

  test('also for a request that is invalid HTTP', async () => {
    const { baseUrl } = await aServedWorld()
    for (const text of [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      `GET / HTTP/1.1\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`,
    ]) {
      const answer = await sendBytes(baseUrl, text)
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/)
      expect(isNear(/x-countroom-time: (.*)\r\n/i.exec(answer)?.[1], future), answer).toBe(true)
    }
  })

  test('streams have it, and browsers on other sites may read it', async () => {
    const { baseUrl, credentials } = await aServedWorld()
    const agentStream = await listen(`${baseUrl}/api/agent/v1/events`, {
      'x-chat-agenttoken': credentials.chat.agentToken,
    })
    expect([agentStream.status, isNear(agentStream.headers.get(header), future)]).toEqual([200, true])
    agentStream.cut()
    const { tenantKey } = credentials.chat
    const config = await fetch(`${baseUrl}/api/widget/v1/config?tenantKey=${tenantKey}`, {
      headers: { origin: 'https://shop.example' },
    })
    expect(isNear(config.headers.get(header), future)).toBe(true)
    expect(config.headers.get('access-control-expose-headers')).toMatch(/X-Countroom-Time/)
  })

  test('in process, for endpoints and for pages', async () => {
    const world = await testWorld()
    await world.clock.set(future)
    const bare = inProcess(world.server)
    for (const [name, method, path, status] of requests) {
      const reply = await bare({ method, path, headers: {} })
      expect([name, reply.status, reply.headers[header]]).toEqual([name, status, new Date(future).toISOString()])
    }
  })

  test('with a clock that was moved', async () => {
    const world = await aServedWorld()
    const later = future + 40 * 86_400_000
    await world.clock.set(later)
    for (const [, method, path] of requests) {
      const reply = await exchange(world.baseUrl, { method, path })
      expect(isNear(reply.headers[header], later), `${path}: ${reply.headers[header]}`).toBe(true)
    }
  })

  test('responses changed by a fault have it if they have headers', async () => {
    const world = await aServedWorld()
    await world.faults.set({ kind: 'html', service: 'gateway', status: 502, times: 1 })
    const damaged = await exchange(world.baseUrl, { method: 'GET', path: '/api/v1/status' })
    expect([damaged.status, isNear(damaged.headers[header], future)]).toEqual([502, true])
    await world.faults.set({ kind: 'slow', service: 'gateway', for: '1ms', times: 1 })
    const slow = await exchange(world.baseUrl, { method: 'GET', path: '/api/v1/status' })
    expect([slow.status, isNear(slow.headers[header], future)]).toEqual([200, true])
  })
})
