import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { overHttp } from '../../src/http/client/transport.ts'
import type { Contract } from '../../src/http/contract/contract.ts'
import { codesOf } from '../../src/http/docs/openapi.ts'
import { type FaultToSet, isProblem, type StartOptions, startWorld } from '../../src/index.ts'
import { readDelivery } from '../../src/outbox/delivery-log.ts'
import { sendTest } from '../../src/services/casino/admin/webhook-settings.ts'
import { casino } from '../../src/services/casino/api/contract.ts'
import { agent, chat, widget } from '../../src/services/chat/api/contract.ts'
import { gateway } from '../../src/services/gateway/api/contract.ts'
import { casinoOn } from '../../src/world/library/connect.ts'
import { openWorld } from '../../src/world/world.ts'
import { aReceiver } from '../support/http/receiver.ts'
import { aTenant, refuses } from '../support/worlds/people.ts'
import { aWebhook, aWorld, monday } from '../support/worlds/webhook-world.ts'
import { inFile, testWorld, worldEngines } from '../support/worlds/world.ts'

const start = '2026-03-01T00:00:00Z'

/** With the seed, the passwords of the demo world are derived once for all tests. */
const usual = { clock: start, rateLimits: false, seed: 1 }

async function started(options: StartOptions = {}) {
  const world = await startWorld({ ...usual, ...options })
  onTestFinished(() => world.close())
  return world
}

type Started = Awaited<ReturnType<typeof started>>
type CasinoClients = Pick<Started, 'casino'>

/** The same world, by a client with a long timeout. */
function withLongTimeout({ baseUrl, credentials }: Started): CasinoClients {
  const http = overHttp(baseUrl ?? '')
  onTestFinished(() => http.close())
  const { live, sandbox } = credentials.casino
  return { casino: { live: casinoOn(http, live), sandbox: casinoOn(http, sandbox) } }
}

const order = { username: 'amy', txnId: 't-1', amount: '12.5', currency: 'USD' }
let count = 0
const balanceOf = async (world: CasinoClients) =>
  Number((await world.casino.live.balance({ query: { username: 'amy' } })).balance)
const depositOf = (world: CasinoClients, txnId: string) => world.casino.live.deposit({ body: { ...order, txnId } })
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )
const isDone = async (world: CasinoClients, txnId: string) =>
  (await codeOf(world.casino.live.transfer({ query: { txnId, username: 'amy' } }))) === 'done'

describe.each([['process'], ['http']] as const)('reached by %s,', (way) => {
  let world: Started
  /** A short timeout, only for responses that never arrive: a healthy response may take its time. */
  let hasty: Started
  beforeAll(async () => {
    world = await startWorld({ ...usual, listen: way === 'http' })
    hasty = await startWorld({ ...usual, listen: true, timeout: '400ms' })
  })
  afterAll(() => Promise.all([world.close(), hasty.close()]))
  afterEach(() => Promise.all([world.faults.clear(), hasty.faults.clear()]))

  test.each<[kind: FaultToSet['kind'], more: Partial<FaultToSet>, code: string, done: boolean]>([
    ['late', { for: '1h' }, 'REMOTE_TIMEOUT', true],
    ['slow', { for: '1h' }, 'REMOTE_TIMEOUT', true],
    ['hang', {}, 'REMOTE_TIMEOUT', false],
    ['cut-before', {}, 'REMOTE_LOST', false],
    ['cut-after', {}, 'REMOTE_LOST', true],
    ['half', {}, 'REMOTE_LOST', true],
    ['garbage', {}, 'REMOTE_UNINTELLIGIBLE', true],
    ['html', {}, 'REMOTE_UNAVAILABLE', true],
    ['status', {}, 'REMOTE_UNAVAILABLE', false],
    ['status', { status: 502 }, 'REMOTE_UNAVAILABLE', false],
    ['status', { status: 500 }, 'INTERNAL_ERROR', false],
    ['status', { status: 429, retryAfter: 3 }, 'RATE_LIMITED', false],
  ])('%s %j applies to one deposit, whose outcome is %s', async (kind, more, code, done) => {
    const id = `t-${++count}`
    const met = code === 'REMOTE_TIMEOUT' ? hasty : world
    const sure = met === hasty ? withLongTimeout(hasty) : world
    const before = await balanceOf(sure)
    await met.faults.set({ kind, service: 'casino', endpoint: 'deposit', times: 1, ...more })
    expect(await codeOf(depositOf(met.over(way), id))).toBe(code)
    // A client that timed out does not know whether the service has begun, nor whether it is at the end of its work.
    await expect.poll(async () => (await met.faults.list())[0]?.hits).toBe(1)
    await expect.poll(() => isDone(sure, id)).toBe(done)
    expect(await depositOf(sure, id)).toMatchObject({ duplicate: done })
    expect(await balanceOf(sure)).toBe(before + 12.5)
    expect(await met.faults.list()).toMatchObject([{ kind, met: 1, hits: 1, isOver: true }])
  })

  test('a late response and a slow one are complete responses', async () => {
    for (const kind of ['late', 'slow'] as const) {
      await world.faults.set({ kind, for: '40ms', times: 1 })
      const before = performance.now()
      expect(await world.casino.live.account({})).toMatchObject({ plan: 'paid' })
      expect(performance.now() - before).toBeGreaterThanOrEqual(30)
    }
  })

  test('a 429 has its Retry-After', async () => {
    await world.faults.set({ kind: 'status', status: 429, retryAfter: 7, times: 1 })
    const refusal = await world.casino.live.account({}).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'RATE_LIMITED', detail: { status: 429, retryAfterMs: 7_000 } })
  })

  test('the gateway in both environments and all APIs of the chat are affected like the casino', async () => {
    const calls = {
      gateway: [
        () => world.gateway.production.client.status({}),
        () => world.gateway.sandbox.client.currencies({ query: {} }),
      ],
      chat: [
        () => world.chat.bot.openRoom({ body: { customerAccount: 'amy' } }),
        () => world.chat.agent.me({ query: {} }),
        () => world.chat.widget.config({ query: {} }),
      ],
    }
    for (const service of ['gateway', 'chat'] as const) {
      const fault = await world.faults.set({ kind: 'cut-before', service })
      for (const call of calls[service]) expect(await codeOf(call())).toBe('REMOTE_LOST')
      expect(await codeOf(world.casino.live.account({}))).toBe('done')
      expect(await world.faults.clear(fault.id)).toBe(1)
      for (const call of calls[service]) expect(await codeOf(call())).toBe('done')
    }
  })
})

describe('a refusal', () => {
  const contracts = { casino, gateway, chat, widget, agent }
  function endpointOf({ endpoints }: Contract, name: string) {
    const endpoint = endpoints[name]
    if (endpoint === undefined) throw new Error(`no endpoint ${name}`)
    return endpoint
  }
  /** Sends requests without keys: a fault of the edge precedes authentication. */
  async function fetchEndpoint(baseUrl: string, contract: Contract, name: string) {
    const { method, path } = endpointOf(contract, name)
    const url = `${baseUrl}${contract.prefixes[0]}${path.replace(/:[A-Za-z_]+/g, '1')}`
    const response = await fetch(url, { method })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const endpointsWith = (contract: Contract, code: string) =>
    Object.entries(contract.endpoints)
      .filter(([, endpoint]) => codesOf(contract, endpoint).includes(code))
      .map(([name]) => name)
  const codes = Object.entries(contracts).flatMap(([name, contract]) => {
    const answered = Object.values(contract.endpoints).flatMap((endpoint) => codesOf(contract, endpoint))
    return [...new Set(answered)].map((code) => ({ name, contract, code }))
  })
  let world: Started
  beforeAll(async () => {
    world = await startWorld({ ...usual, listen: true })
  })
  afterEach(() => world.faults.clear())
  afterAll(() => world.close())

  test('every error code of the gateway can be returned by one of its endpoints', () => {
    const able = codes.filter(({ name }) => name === 'gateway').map(({ code }) => code)
    expect(Object.keys(gateway.problems).filter((code) => !able.includes(code))).toEqual([])
  })

  test.each(codes)('$code of the $name is returned as the service returns it', async ({ contract, code }) => {
    const [endpoint] = endpointsWith(contract, code)
    if (endpoint === undefined) throw new Error(`no endpoint answers ${code}`)
    const { method, path } = endpointOf(contract, endpoint)
    await world.faults.set({ kind: 'refuse', code, endpoint: `${method} ${contract.prefixes[0]}${path}`, times: 1 })
    const { status, body } = await fetchEndpoint(world.baseUrl ?? '', contract, endpoint)
    const problems: Readonly<Record<string, number>> = contract.problems
    expect(status).toBe(problems[code])
    expect(contract.envelope.read(status, body)).toMatchObject({ code, message: expect.stringMatching(/\S/) })
  })

  test.each([
    ['POOL_EXHAUSTED', 503, ['createPayment', 'createInvoicePayment', 'createSubPayment']],
    ['UPSTREAM_ERROR', 502, ['estimate', 'minAmount', 'createPayment', 'createPayouts', 'createConversion']],
    ['AMOUNT_OUT_OF_RANGE', 400, ['estimate', 'createPayment', 'createInvoice', 'createPayouts', 'createConversion']],
  ])('%s is returned by every endpoint of the gateway that can return it', async (code, status, endpoints) => {
    expect(endpointsWith(gateway, code)).toEqual(expect.arrayContaining(endpoints))
    await world.faults.set({ kind: 'refuse', code, service: 'gateway', retryAfter: 5 })
    for (const endpoint of endpoints) {
      const answer = await fetchEndpoint(world.baseUrl ?? '', gateway, endpoint)
      expect(answer.body).toEqual({ status: false, statusCode: status, code, message: expect.stringMatching(/\S/) })
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, '5'])
    }
    expect((await fetchEndpoint(world.baseUrl ?? '', gateway, 'status')).status).toBe(200)
  })

  test('creates nothing: the refused payment does not exist, and the next one does', async () => {
    const { client } = world.gateway.production
    const order = { price_amount: 20, price_currency: 'usd', pay_currency: 'btc', order_id: 'refused-1' }
    const made = async () =>
      (await client.payments({ query: {} })).data.filter(({ order_id: id }) => id === order.order_id).length
    await world.faults.set({ kind: 'refuse', code: 'POOL_EXHAUSTED', endpoint: 'createPayment', times: 1 })
    const refusal = await client.createPayment({ body: order }).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'POOL_EXHAUSTED', detail: { status: 503 } })
    expect(await made()).toBe(0)
    await client.createPayment({ body: order })
    expect(await made()).toBe(1)
  })

  test.each([
    [{ kind: 'refuse' }, /requires a code, for example POOL_EXHAUSTED/],
    [{ kind: 'hang', code: 'FROZEN' }, /requires "refuse", not "hang"/],
    [{ kind: 'refuse', code: 'POOL_EXHAUSTD' }, /No endpoint returns POOL_EXHAUSTD: did you mean POOL_EXHAUSTED\?/],
    [{ kind: 'refuse', code: '' }, /requires a code, for example POOL_EXHAUSTED/],
    [
      { kind: 'refuse', code: 'NONSENSE', service: 'chat' },
      /No endpoint of chat returns NONSENSE. Codes: .*STALE_ROOM/,
    ],
    [
      { kind: 'refuse', code: 'INSUFFICIENT_BALANS', endpoint: 'withdraw' },
      /No endpoint returns INSUFFICIENT_BALANS: did you mean INSUFFICIENT_BALANCE\?/,
    ],
    [
      { kind: 'refuse', code: 'POOL_EXHAUSTED', service: 'casino' },
      /No endpoint of casino returns POOL_EXHAUSTED. Services that do: gateway/,
    ],
    [{ kind: 'hang', endpoint: '' }, /The endpoint is empty; omit it to match every request/],
    [
      { kind: 'refuse', code: 'POOL_EXHAUSTED', endpoint: 'balance' },
      /balance never returns POOL_EXHAUSTED. Endpoints that do: createPayment/,
    ],
  ] as const)('%j is an invalid fault', async (order, message) => {
    await expect(world.faults.set(order)).rejects.toMatchObject({
      code: 'INVALID_USAGE',
      message: expect.stringMatching(message),
    })
    expect(await world.faults.list()).toEqual([])
  })
})

test('a fault applies to the endpoints it names: by name, by method and path, by a path with wildcards', async () => {
  const world = await started()
  const { live } = world.casino
  const reads = () => Promise.all([codeOf(live.balance({ query: { username: 'amy' } })), codeOf(live.account({}))])
  for (const endpoint of ['balance', 'GET /wallet/balance', 'get /wallet/*', 'GET /api/tenant/v1/wallet/balance']) {
    await world.faults.set({ kind: 'cut-before', service: 'casino', endpoint })
    expect(await reads(), endpoint).toEqual(['REMOTE_LOST', 'done'])
    expect(await world.faults.clear()).toBe(1)
  }
  await world.faults.set({ kind: 'cut-before', endpoint: '*' })
  expect(await reads()).toEqual(['REMOTE_LOST', 'REMOTE_LOST'])
  await world.faults.clear()
  await world.faults.set({ kind: 'cut-before', endpoint: 'GET /rounds/R-1' })
  expect(await codeOf(live.round({ params: { roundId: 'R-1' } }))).toBe('REMOTE_LOST')
  expect(await codeOf(live.round({ params: { roundId: 'R-2' } }))).toBe('NOT_FOUND')
})

test('an impossible fault is rejected, and none is set', async () => {
  const world = await started()
  const wrong: FaultToSet[] = [
    { kind: 'hang', service: 'casino', endpoint: 'depositt' },
    { kind: 'hang', service: 'chat', endpoint: 'deposit' },
    { kind: 'hang', endpoint: 'POST /nowhere/*' },
    { kind: 'hang', service: 'callbacks' },
    { kind: 'lose', service: 'casino' },
    { kind: 'lose', endpoint: 'bet.setled' },
    { kind: 'hang', status: 500 },
    { kind: 'hang', for: '1s' },
    { kind: 'late', for: 'soon' },
    { kind: 'html', retryAfter: 1 },
    { kind: 'hang', times: 0 },
    { kind: 'hang', every: 1.5 },
    { kind: 'hang', chance: 0 },
    { kind: 'hang', chance: 1.1 },
    { kind: 'hang', until: '2020-01-01T00:00:00Z' },
  ]
  for (const fault of wrong) await refuses('INVALID_USAGE', world.faults.set(fault))
  expect(await world.faults.list()).toEqual([])
  await refuses('NOT_FOUND', world.faults.clear(1))
  expect(await world.faults.clear()).toBe(0)
})

test.each([-1, 1.5])(
  'a Retry-After of %d is rejected with the range that is allowed, which includes 0',
  async (retryAfter) => {
    const world = await started()
    await expect(world.faults.set({ kind: 'status', status: 429, retryAfter })).rejects.toThrow(
      'Retry-After must be a whole number of seconds, 0 or more',
    )
    await world.faults.set({ kind: 'status', status: 429, retryAfter: 0 })
  },
)

test('--every 3 applies to every third request, and --times limits the number', async () => {
  const world = await started()
  await world.faults.set({ kind: 'cut-before', every: 3, times: 2 })
  const met = []
  for (let i = 0; i < 10; i++) met.push((await codeOf(world.casino.live.account({}))) === 'REMOTE_LOST')
  expect(met.flatMap((isMet, i) => (isMet ? [i + 1] : []))).toEqual([3, 6])
})

test('ends by the clock of the world', async () => {
  const world = await started()
  await world.faults.set({ kind: 'cut-before', until: '2h' })
  expect(await codeOf(world.casino.live.account({}))).toBe('REMOTE_LOST')
  await world.clock.advance('3h')
  expect(await codeOf(world.casino.live.account({}))).toBe('done')
  expect(await world.faults.list()).toMatchObject([{ isOver: true, hits: 1 }])
})

test('--chance repeats with the seed, has about its rate, and changes no ID or deal', async () => {
  const run = async (seed: number, isFaulty: boolean) => {
    const world = await started({ seed })
    const fault = await world.faults.set({ kind: 'cut-before', endpoint: 'account', chance: 0.3 })
    if (!isFaulty) await world.faults.clear(fault.id)
    const met = []
    for (let i = 0; i < 40; i++) met.push(await codeOf(world.casino.live.account({})))
    const { url } = await world.casino.live.launch({ body: { username: 'amy' } })
    return { met, url }
  }
  const [one, same, other, none] = [await run(7, true), await run(7, true), await run(8, true), await run(7, false)]
  expect(same).toEqual(one)
  expect(other.met).not.toEqual(one.met)
  expect(none.url).toBe(one.url)
  const hits = one.met.filter((code) => code === 'REMOTE_LOST').length
  expect(hits).toBeGreaterThan(4)
  expect(hits).toBeLessThan(22)
})

test('watchers are notified when faults are set, and when they expire', async () => {
  let at = monday
  const world = await aWorld({ machineNow: () => at })
  await world.server.listen()
  const counts: number[] = []
  world.faults.watch((faults) => void counts.push(faults.filter(({ isOver }) => !isOver).length))
  await world.faults.set({ kind: 'hang', until: monday + 1_000 })
  await world.faults.set({ kind: 'late' })
  expect(counts).toEqual([1, 2])
  await world.faults.job.run(1)
  at += 2_000
  await world.faults.job.run(1)
  expect(counts).toEqual([1, 2, 1])
})

test('the first of two matching faults applies; when it is over, the second does', async () => {
  const world = await started()
  await world.faults.set({ kind: 'status', status: 500, times: 1 })
  await world.faults.set({ kind: 'cut-before', times: 1 })
  expect(await codeOf(world.casino.live.account({}))).toBe('INTERNAL_ERROR')
  expect(await codeOf(world.casino.live.account({}))).toBe('REMOTE_LOST')
  expect(await codeOf(world.casino.live.account({}))).toBe('done')
})

test('ten concurrent requests meet a fault for three exactly three times', async () => {
  const world = await started({ listen: true })
  await world.faults.set({ kind: 'cut-before', times: 3 })
  const ends = await Promise.all(Array.from({ length: 10 }, () => codeOf(world.casino.live.account({}))))
  expect(ends.filter((code) => code === 'REMOTE_LOST').length).toBe(3)
  expect(ends.filter((code) => code === 'done').length).toBe(7)
})

test('a world that closes releases delayed requests', async () => {
  const world = await startWorld({ listen: true })
  await world.faults.set({ kind: 'hang', times: 1 })
  await world.faults.set({ kind: 'late', for: '1h', times: 1 })
  const ends = [codeOf(world.casino.live.account({})), codeOf(world.over('process').casino.live.account({}))]
  while ((await world.faults.list()).some(({ hits }) => hits === 0)) await setImmediate()
  // If it waited for either of them, this test would not end.
  await world.close()
  // Delayed requests get their response at once; requests without a response are disconnected.
  expect((await Promise.all(ends)).sort()).toEqual(['REMOTE_LOST', 'done'])
})

test('pages, references and the player page have no faults', async () => {
  const world = await started({ listen: true })
  await world.faults.set({ kind: 'cut-before' })
  expect((await fetch(`${world.baseUrl}/docs`)).status).toBe(200)
  expect((await fetch(`${world.baseUrl}/play/v1/me`)).status).toBe(401)
  await expect(fetch(`${world.baseUrl}/api/tenant/v1/account`)).rejects.toThrow()
})

test('faults are stored with the world, and are inactive on a reachable address unless allowed', async () => {
  const { url: db } = await inFile.database()
  if (db === undefined) throw new Error('a file has a name')
  const first = await started({ db })
  await first.faults.set({ kind: 'cut-before', endpoint: 'account' })
  await first.close()
  const open = await started({ db, listen: { host: '0.0.0.0' } })
  expect(await codeOf(open.over('process').casino.live.account({}))).toBe('done')
  await refuses('CONFLICT', open.faults.set({ kind: 'hang' }))
  await open.close()
  const withFaults = await started({ db, listen: { host: '0.0.0.0' }, allowFaults: true })
  expect(await codeOf(withFaults.over('process').casino.live.account({}))).toBe('REMOTE_LOST')
  await withFaults.faults.set({ kind: 'hang' })
  await withFaults.close()
  const again = await started({ db, listen: true })
  expect(await codeOf(again.casino.live.account({}))).toBe('REMOTE_LOST')
  expect(await again.faults.clear()).toBe(2)
})

describe('a callback', () => {
  async function telling() {
    let at = monday
    const receiver = await aReceiver()
    const world = await aWorld({ machineNow: () => at })
    await aWebhook(world, receiver.url)
    const tell = async () => {
      at += 1_000
      return await sendTest(world.casino, 'DEMO', 'are you there?')
    }
    return {
      receiver,
      world,
      tell,
      deliveredIds: () => receiver.got.map(({ body }) => body.id),
      wait: (ms: number) => (at += ms),
    }
  }

  test('that is lost is never sent, and counts as delivered', async () => {
    const { world, tell, deliveredIds } = await telling()
    await world.faults.set({ kind: 'lose', endpoint: 'test', times: 1 })
    const [lost, next] = [await tell(), await tell()]
    await world.settle()
    expect(deliveredIds()).toEqual([next])
    const { delivery, attempts } = await readDelivery(world, lost)
    expect(delivery).toMatchObject({ status: 'delivered', total_attempts: 1 })
    expect(attempts).toMatchObject([{ status: 200 }])
  })

  test('that is doubled is sent two times with one ID', async () => {
    const { world, tell, deliveredIds } = await telling()
    await world.faults.set({ kind: 'double', endpoint: 'tenant-webhook', times: 1 })
    const [id, next] = [await tell(), await tell()]
    await world.settle()
    expect(deliveredIds().sort()).toEqual([id, id, next].sort())
  })

  test('that is delayed arrives later, once, and uses no attempt', async () => {
    const { world, tell, deliveredIds, wait } = await telling()
    await world.faults.set({ kind: 'delay', forMs: 60_000 })
    const id = await tell()
    await world.settle()
    wait(59_000)
    await world.settle()
    expect(deliveredIds()).toEqual([])
    expect((await readDelivery(world, id)).delivery).toMatchObject({ attempt: 0, status: 'held', held_by: 'delay' })
    wait(2_000)
    await world.settle()
    expect(deliveredIds()).toEqual([id])
    expect((await readDelivery(world, id)).delivery).toMatchObject({
      status: 'delivered',
      attempt: 1,
      last_error: null,
    })
  })

  test('that is reordered is sent after the next one, whether that is due already or later', async () => {
    const { world, tell, deliveredIds } = await telling()
    await world.faults.set({ kind: 'reorder', times: 1 })
    const [a, b] = [await tell(), await tell()]
    await world.settle()
    expect(deliveredIds()).toEqual([b, a])
    await world.faults.clear()
    await world.faults.set({ kind: 'reorder', times: 1 })
    const c = await tell()
    await world.settle()
    expect(deliveredIds()).toEqual([b, a])
    const d = await tell()
    await world.settle()
    expect(deliveredIds()).toEqual([b, a, d, c])
  })

  test('that is reordered is sent in the end even if none follows', async () => {
    const { world, tell, deliveredIds, wait } = await telling()
    await world.faults.set({ kind: 'reorder', forMs: 30_000 })
    const id = await tell()
    await world.settle()
    expect(deliveredIds()).toEqual([])
    wait(31_000)
    await world.settle()
    expect(deliveredIds()).toEqual([id])
  })

  test('of another event is not affected', async () => {
    const { world, tell, deliveredIds } = await telling()
    await world.faults.set({ kind: 'lose', endpoint: 'account.*' })
    const id = await tell()
    await world.settle()
    expect(deliveredIds()).toEqual([id])
  })
})

describe.each(worldEngines.map((engine) => [engine.name, engine] as const))('on %s,', (_name, on) => {
  test('a fault for two of three requests is stored, counted by concurrent requests, and restored after a restart', async () => {
    const world = await testWorld({ on })
    const tenant = await aTenant(world)
    await world.faults.set({ kind: 'cut-after', endpoint: 'account', times: 2 })
    const ends = await Promise.all(Array.from({ length: 6 }, () => codeOf(tenant.client.account({}))))
    expect(ends.filter((code) => code === 'REMOTE_LOST')).toHaveLength(2)
    expect(await world.faults.list()).toMatchObject([{ hits: 2, isOver: true }])
    if (!on.keeps) return
    const again = await world.reopened()
    expect(await again.faults.list()).toMatchObject([{ hits: 2, isOver: true }])
    expect(await again.faults.clear([1])).toBe(1)
  })
})

test('a fault of a dry run is validated and not set', async () => {
  const { url: db } = await inFile.database()
  if (db === undefined) throw new Error('a file has a name')
  const world = await openWorld({ db, isDryRun: true })
  try {
    await world.faults.set({ kind: 'hang' })
    expect(await world.faults.list()).toEqual([])
    await refuses('INVALID_USAGE', world.faults.set({ kind: 'hang', endpoint: 'nothing' }))
  } finally {
    await world.close()
  }
})
