import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { tenantSigner } from '../../src/http/client/signers.ts'
import { streamOverHttp } from '../../src/http/client/sse-client.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { freePort, type Served, served, workbench } from '../support/program/processes.ts'
import { onPostgres } from '../support/worlds/world.ts'

/** Three served processes on one PostgreSQL database, under load, killed and restarted. */

const api = '/api/tenant/v1'

interface SignedRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

interface Reply {
  readonly status: number
  readonly body: { readonly data?: Record<string, unknown>; readonly error?: { readonly message: string } }
}

async function cluster({ rateLimits = false } = {}) {
  const place = await onPostgres.place()
  const { folder, env, done } = workbench('three')
  onTestFinished(done)
  const ports = [await freePort(), await freePort(), await freePort()] as const
  const limits = rateLimits ? [] : ['--no-rate-limit']
  const start = (i: number) =>
    served(folder, env, ['--db', place.url, ...limits, '--port', String(ports[i]), '--quiet'])
  const processes: Served[] = [await start(0)]
  onTestFinished(async () => void (await Promise.all(processes.map((each) => each.kill()))))
  processes.push(await start(1), await start(2))
  const { casino, chat, gateway } = JSON.parse(readFileSync(processes[0]?.readyFile ?? '', 'utf8'))
  const sign = tenantSigner({ ...casino.live, ...realAmbient() })
  return {
    place,
    gatewayKey: String(gateway.production.apiKey),
    chat: chat as { apiKey: string; tenantKey: string; agentToken: string },
    urlOf: (i: number) => `http://127.0.0.1:${ports[i % 3]}`,
    kill: (i: number) => processes[i]?.kill(),
    stop: (i: number) => processes[i]?.stop(),
    async restart(i: number) {
      processes[i] = await start(i)
    },
    async signed(method: 'GET' | 'POST', path: string, body?: object): Promise<SignedRequest> {
      const text = body && JSON.stringify(body)
      const request = { method, path: api + path, ...(text === undefined ? {} : { body: text }) }
      const headers = await sign({ ...request, headers: {} })
      return {
        ...request,
        headers: { ...headers, ...(text === undefined ? {} : { 'content-type': 'application/json' }) },
      }
    },
  }
}

type Cluster = Awaited<ReturnType<typeof cluster>>

/** Sends a request once; undefined when the connection failed or broke. */
async function sendOnce(url: string, { path, ...request }: SignedRequest): Promise<Reply | undefined> {
  try {
    const response = await fetch(url + path, request)
    return { status: response.status, body: (await response.json()) as Reply['body'] }
  } catch {
    return undefined
  }
}

/**
 * Sends a request, signed again for each attempt, to one process after another until one responds, as a load balancer
 * does.
 */
async function insist(three: Cluster, first: number, method: 'GET' | 'POST', path: string, body?: object) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const request = await three.signed(method, path, body)
    const reply = await sendOnce(three.urlOf(first + attempt), request)
    if (reply) return { request, reply, attempt }
    await wait(50)
  }
  throw new Error(`no process answered ${method} ${path}`)
}

/** Pause of each client between two deposits. Without it the load takes the CPU time that the processes need to start. */
const pauseMs = 25

/** Sends deposits until it is stopped, and repeats every fourth request unchanged to another process. */
function depositing(three: Cluster) {
  const acknowledged = new Map<string, string>()
  const otherReplies: Reply[] = []
  const replays: (string | undefined)[] = []
  let count = 0
  let isOver = false
  const worker = async () => {
    while (!isOver && count < 4_000) {
      const n = count++
      await wait(pauseMs)
      const order = { username: `p${n % 5}`, txnId: `three-${n}`, amount: '1', currency: 'USD' }
      const { request, reply, attempt } = await insist(three, n, 'POST', '/wallet/deposit', order)
      if (reply.status !== 200) otherReplies.push(reply)
      else acknowledged.set(order.txnId, order.username)
      if (n % 4 > 0) continue
      const again = await sendOnce(three.urlOf(n + attempt + 1), request)
      if (again) replays.push(again.body.error?.message ?? `answered with ${again.status}`)
    }
  }
  const workers = Promise.all(Array.from({ length: 6 }, worker))
  return {
    acknowledged,
    otherReplies,
    replays,
    async stop() {
      isOver = true
      await workers
    },
  }
}

test('kills and a rolling restart lose no acknowledged request, repeat no work, and accept no replayed request', async () => {
  const three = await cluster()
  const load = depositing(three)
  const more = async (count: number) => {
    const goal = load.acknowledged.size + count
    await expect.poll(() => load.acknowledged.size, { timeout: 120_000 }).toBeGreaterThan(goal)
  }
  await more(20)
  for (const i of [0, 1]) {
    await three.kill(i)
    await more(10)
    await three.restart(i)
  }
  for (const i of [0, 1, 2]) {
    await three.stop(i)
    await more(10)
    await three.restart(i)
  }
  await more(10)
  await load.stop()

  expect(load.otherReplies).toEqual([])
  expect(load.replays.length).toBeGreaterThan(10)
  expect(new Set(load.replays)).toEqual(new Set(['nonce already used']))
  const balances = new Map<string, number>()
  for (const username of load.acknowledged.values()) balances.set(username, (balances.get(username) ?? 0) + 1)
  for (const [username, count] of balances) {
    const { reply } = await insist(three, 0, 'GET', `/wallet/balance?username=${username}`)
    expect(reply.body.data).toMatchObject({ balance: String(count) })
  }
  for (const [i, txnId] of [...load.acknowledged.keys()].entries()) {
    if (i % 5 > 0) continue
    expect((await insist(three, i, 'GET', `/wallet/transfer?txnId=${txnId}`)).reply.status, txnId).toBe(200)
  }
})

test('presence, typing and push reach every process', async () => {
  const three = await cluster()
  await insist(three, 0, 'POST', '/wallet/deposit', { username: 'amy', txnId: 't-1', amount: '1', currency: 'USD' })
  const launched = await insist(three, 0, 'POST', '/player/launch', { username: 'amy', currency: 'USD' })
  const { pathname, search } = new URL(String(launched.reply.body.data?.['url']))
  expect((await fetch(three.urlOf(1) + pathname + search)).status).toBe(200)
  const player = await insist(three, 2, 'GET', '/player?username=amy')
  expect(player.reply.body.data).toMatchObject({ online: true })

  const call = async (i: number, path: string, headers: Record<string, string>, body: object) => {
    const all = { 'content-type': 'application/json', ...headers }
    const response = await fetch(three.urlOf(i) + path, { method: 'POST', headers: all, body: JSON.stringify(body) })
    expect(response.status, path).toBeLessThan(300)
    const text = await response.text()
    return text === '' ? {} : JSON.parse(text)
  }
  const bot = { 'x-chat-apikey': three.chat.apiKey }
  // A room each: a room that is typing already has no second event.
  const rooms: { roomId: string; roomToken: string }[] = []
  for (const i of [0, 1, 2])
    rooms.push(await call(i, '/api/public/v1/rooms', bot, { customerAccount: `customer-${i}` }))
  const agent = { 'x-chat-agenttoken': three.chat.agentToken }
  const ends = new AbortController()
  onTestFinished(() => ends.abort())
  const received = [0, 1, 2].map((i) => {
    const events: string[] = []
    const request = { path: '/api/agent/v1/events', headers: agent, signal: ends.signal }
    void streamOverHttp(three.urlOf(i), request, ({ event, data }) => {
      const { message, typing, roomId } = JSON.parse(data)
      if (event === 'ready') events.push('ready')
      if (message) events.push(message.text)
      if (event === 'typing' && typing) events.push(`typing ${roomId}`)
    }).catch(() => {})
    return events
  })
  await expect.poll(() => received.map((events) => events.length), { timeout: 60_000 }).toEqual([1, 1, 1])
  for (const [i, { roomId }] of rooms.entries())
    await call(i, `/api/public/v1/rooms/${roomId}/messages/customer-text`, bot, {
      text: `by process ${i}`,
      clientMessageId: `m-${i}`,
    })
  const messages = ['by process 0', 'by process 1', 'by process 2']
  for (const events of received) {
    await expect.poll(() => events.filter((text) => text.startsWith('by')), { timeout: 60_000 }).toEqual(messages)
  }
  // Not stored: a process receives it once it listens, which starts with its first stream.
  for (const [i, { roomId, roomToken }] of rooms.entries()) {
    const customer = { 'x-chat-room-token': roomToken, 'x-chat-tenant-key': three.chat.tenantKey }
    const hasArrived = async () => {
      await call(i, `/api/widget/v1/rooms/${roomId}/typing`, customer, { typing: true })
      return received.every((events) => events.includes(`typing ${roomId}`))
    }
    await expect.poll(hasArrived, { timeout: 60_000, interval: 1_000 }).toBe(true)
  }
})

test('three processes together allow what one allows, also when one is killed', async () => {
  const three = await cluster({ rateLimits: true })
  const engine = await three.place.engine()
  await engine.write(async (q) => {
    await q.updateTable('casino_tenants').set({ rate_per_second: 1, rate_burst: 10 }).execute()
  })
  const statusOf = async (i: number, path: string, headers: Record<string, string>) =>
    (await fetch(three.urlOf(i) + path, { headers })).status
  const kinds = {
    casino: {
      ...{ perSecond: 1, burst: 10 },
      send: async (i: number) => {
        const { path, headers } = await three.signed('GET', '/account')
        return statusOf(i, path, headers)
      },
    },
    chat: {
      ...{ perSecond: 20 / 60, burst: 10 },
      send: (i: number) => statusOf(i, '/api/public/v1/rooms/none', { 'x-chat-apikey': 'wrong' }),
    },
    gateway: {
      ...{ perSecond: 50, burst: 200 },
      send: (i: number) => statusOf(i, '/v1/currencies', { 'x-api-key': three.gatewayKey }),
    },
  }
  const begun = performance.now()
  const counts: Record<string, { accepted: number; limited: number }> = {}
  const volley = async (name: keyof typeof kinds, processes: readonly number[]) => {
    const { send, burst } = kinds[name]
    const statuses = await Promise.all(
      Array.from({ length: burst * 2 }, (_, i) => send(processes[i % processes.length] ?? 0)),
    )
    const { accepted, limited } = counts[name] ?? { accepted: 0, limited: 0 }
    const more = statuses.filter((status) => status === 429).length
    counts[name] = { accepted: accepted + statuses.length - more, limited: limited + more }
  }
  for (const name of ['casino', 'chat', 'gateway'] as const) await volley(name, [0, 1, 2])
  await three.kill(0)
  for (const name of ['casino', 'chat', 'gateway'] as const) await volley(name, [1, 2])
  const seconds = (performance.now() - begun) / 1000

  for (const [name, { perSecond, burst }] of Object.entries(kinds)) {
    const { accepted = 0, limited = 0 } = counts[name] ?? {}
    expect(accepted, name).toBeGreaterThanOrEqual(burst)
    expect(accepted, name).toBeLessThanOrEqual(burst + perSecond * seconds)
    expect(accepted + limited, name).toBe(burst * 4)
  }
})
