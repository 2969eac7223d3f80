import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { tenantSigner } from '../../src/http/client/signers.ts'
import { streamOverHttp } from '../../src/http/client/sse-client.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { freePort } from '../support/program/free-port.ts'
import { type Served, served, workbench } from '../support/program/processes.ts'
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
  const database = await onPostgres.database()
  const { folder, env, done } = workbench('three')
  onTestFinished(done)
  const ports = [await freePort(), await freePort(), await freePort()] as const
  const limits = rateLimits ? [] : ['--no-rate-limit']
  const start = (i: number) =>
    served(folder, env, ['--db', database.url, ...limits, '--port', String(ports[i]), '--quiet'])
  const processes: Served[] = [await start(0)]
  onTestFinished(async () => void (await Promise.all(processes.map((each) => each.kill()))))
  processes.push(await start(1), await start(2))
  const { casino, chat, gateway } = JSON.parse(readFileSync(processes[0]?.readyFile ?? '', 'utf8'))
  const sign = tenantSigner({ ...casino.live, ...realAmbient() })
  return {
    database,
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

/** Follows all rooms as an agent, from one process after another, each time from the last event that was received. */
function following(three: Cluster, first: number) {
  const ends = new AbortController()
  onTestFinished(() => ends.abort())
  const messages: string[] = []
  const typing = new Set<string>()
  const resyncs: string[] = []
  let lastId: string | undefined
  let process = first
  const follow = async () => {
    while (!ends.signal.aborted) {
      const resume = lastId === undefined ? {} : { 'last-event-id': lastId }
      const headers = { 'x-chat-agenttoken': three.chat.agentToken, ...resume }
      const request = { path: '/api/agent/v1/events', headers, signal: ends.signal }
      await streamOverHttp(three.urlOf(process++), request, ({ id, event, data }) => {
        lastId = id ?? lastId
        const { message, typing: isTyping, roomId } = JSON.parse(data)
        if (event === 'resync') resyncs.push(data)
        if (message) messages.push(message.text)
        if (event === 'typing' && isTyping) typing.add(roomId)
      }).catch(() => {})
      await wait(pauseMs)
    }
  }
  void follow()
  return { messages, typing, resyncs, isReady: () => lastId !== undefined }
}

/** Three customers, who write until they are stopped, and three agents, who follow them from different processes. */
async function conversing(three: Cluster) {
  const call = async (i: number, path: string, headers: Record<string, string>, body: object) => {
    for (let attempt = 0; attempt < 600; attempt++) {
      try {
        const all = { 'content-type': 'application/json', ...headers }
        const response = await fetch(three.urlOf(i + attempt) + path, {
          method: 'POST',
          headers: all,
          body: JSON.stringify(body),
        })
        const text = await response.text()
        expect(response.status, `${path}: ${text}`).toBeLessThan(300)
        return text === '' ? {} : JSON.parse(text)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        await wait(50)
      }
    }
    throw new Error(`no process answered ${path}`)
  }
  const bot = { 'x-chat-apikey': three.chat.apiKey }
  const rooms: { roomId: string; roomToken: string }[] = []
  for (const i of [0, 1, 2])
    rooms.push(await call(i, '/api/public/v1/rooms', bot, { customerAccount: `customer-${i}` }))
  const agents = [0, 1, 2].map((i) => following(three, i))
  await expect.poll(() => agents.every((agent) => agent.isReady())).toBe(true)
  const acknowledged: string[] = []
  let isOver = false
  const write = async ({ roomId }: { roomId: string }, i: number) => {
    for (let n = 0; !isOver && n < 2_000; n++) {
      const text = `message ${n} of customer ${i}`
      const path = `/api/public/v1/rooms/${roomId}/messages/customer-text`
      await call(i + n, path, bot, { text, clientMessageId: `m-${i}-${n}` })
      acknowledged.push(text)
      await wait(4 * pauseMs)
    }
  }
  const customers = Promise.all(rooms.map(write))
  return {
    acknowledged,
    agents,
    /** Typing is not stored: a process passes it on while it listens, so the customer types until every agent sees it. */
    async typingIsSeen() {
      for (const { typing } of agents) typing.clear()
      for (const [i, { roomId, roomToken }] of rooms.entries()) {
        const customer = { 'x-chat-room-token': roomToken, 'x-chat-tenant-key': three.chat.tenantKey }
        const isSeen = async () => {
          // A room that is typing already has no second event.
          for (const typing of [false, true])
            await call(i, `/api/widget/v1/rooms/${roomId}/typing`, customer, { typing })
          return agents.every(({ typing }) => typing.has(roomId))
        }
        await expect.poll(isSeen, { interval: 1_000 }).toBe(true)
      }
    },
    async stop() {
      isOver = true
      await customers
    },
  }
}

/** A player who opens the game at one process. */
async function playing(three: Cluster, username: string) {
  await insist(three, 0, 'POST', '/wallet/deposit', { username, txnId: 't-1', amount: '1', currency: 'USD' })
  const launched = await insist(three, 0, 'POST', '/player/launch', { username, currency: 'USD' })
  const { pathname, search } = new URL(String(launched.reply.body.data?.['url']))
  expect((await fetch(three.urlOf(1) + pathname + search)).status).toBe(200)
  return {
    /** Asks one process, or the next that is running, whether the player is online. */
    async isOnline(i: number) {
      const { reply } = await insist(three, i, 'GET', `/player?username=${username}`)
      return reply.body.data?.['online']
    },
  }
}

test('kills and a rolling restart lose no acknowledged request or event, repeat no work, and accept no replayed request', async () => {
  const three = await cluster()
  const player = await playing(three, 'amy')
  const chat = await conversing(three)
  const load = depositing(three)
  const more = async (count: number) => {
    const goal = { deposits: load.acknowledged.size + count, messages: chat.acknowledged.length + count }
    const isReached = () => load.acknowledged.size > goal.deposits && chat.acknowledged.length > goal.messages
    await expect.poll(isReached, { timeout: 120_000 }).toBe(true)
  }
  const reachesAll = async () => {
    await chat.typingIsSeen()
    for (const i of [0, 1, 2]) expect(await player.isOnline(i)).toBe(true)
  }
  await more(20)
  await reachesAll()
  for (const i of [0, 1]) {
    await three.kill(i)
    await more(10)
    await reachesAll()
    await three.restart(i)
  }
  for (const i of [0, 1, 2]) {
    await three.stop(i)
    await more(10)
    await three.restart(i)
  }
  await more(10)
  await reachesAll()
  await load.stop()
  await chat.stop()

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
  // Every agent has every message once, in the order of its customer, whichever processes it heard them from.
  for (const { messages, resyncs } of chat.agents) {
    await expect.poll(() => messages.length).toBeGreaterThanOrEqual(chat.acknowledged.length)
    for (const i of [0, 1, 2]) {
      const own = (texts: readonly string[]) => texts.filter((text) => text.endsWith(`customer ${i}`))
      expect(own(messages)).toEqual(own(chat.acknowledged))
    }
    expect(resyncs).toEqual([])
  }
})

test('three processes together allow what one allows, also when one is killed', async () => {
  const three = await cluster({ rateLimits: true })
  const engine = await three.database.engine()
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
