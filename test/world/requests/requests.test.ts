import { execFile, spawn } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signTenantRequest } from '../../../src/domain/signing.ts'
import { inProcess } from '../../../src/http/client/transport.ts'
import { revokeKey, setAllowlist } from '../../../src/services/casino/admin/index.ts'
import { revokeKey as revokeChatKey } from '../../../src/services/chat/admin.ts'
import { idInKey } from '../../../src/services/chat/auth/tokens.ts'
import { revokeKey as revokeGatewayKey } from '../../../src/services/gateway/admin/platform.ts'
import { credentialsOf, ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { casinoOn } from '../../../src/world/library/connect.ts'
import { type StartOptions, startWorld } from '../../../src/world/library/start.ts'
import { readyDocument } from '../../../src/world/ready-file.ts'
import { commandTemplates } from '../../../src/world/requests/command-templates.ts'
import { openWorld } from '../../../src/world/world.ts'
import { root } from '../../support/program/cli.ts'
import { commands } from '../../support/program/command-line.ts'
import { freePort } from '../../support/program/free-port.ts'

async function aWorld(options: StartOptions = {}) {
  const world = await startWorld({ seed: 7, ...options })
  onTestFinished(() => world.close())
  return world
}

const deposit = { username: 'amy', txnId: 'in-1', amount: '25', currency: 'USD' }

async function aServedWorld() {
  const world = await aWorld({ listen: true })
  const { apiKey, secret } = world.credentials.casino.live as { apiKey: string; secret: string }
  /** Sends a request with the given signature. */
  const send = async (
    change: {
      body?: string
      sign?: string
      url?: string
      secret?: string
      nonce?: string
      skew?: number
      apiKey?: string
    } = {},
  ) => {
    const url = '/api/tenant/v1/wallet/deposit'
    const sent = change.body ?? JSON.stringify(deposit)
    const timestamp = String(Math.floor(Date.now() / 1000) + (change.skew ?? 0))
    const nonce = change.nonce ?? `nonce${Math.random().toString(36).slice(2)}0000000000000000`.slice(0, 24)
    const signature = signTenantRequest(change.secret ?? secret, {
      method: 'POST',
      url: change.url ?? url,
      timestamp,
      nonce,
      body: change.sign ?? sent,
    })
    const response = await fetch(world.baseUrl + url, {
      method: 'POST',
      body: sent,
      headers: {
        'content-type': 'application/json',
        'x-api-key': change.apiKey ?? apiKey,
        'x-timestamp': timestamp,
        'x-nonce': nonce,
        'x-signature': signature,
      },
    })
    return { status: response.status, id: response.headers.get('x-request-id') }
  }
  return { world, send, secret, apiKey }
}

describe('world.requests', () => {
  test('lists sent requests with their outcome, newest first, over both transports', async () => {
    const world = await aWorld({ listen: true })
    for (const way of ['process', 'http'] as const) {
      const { live } = world.over(way).casino
      await live.deposit({ body: { ...deposit, txnId: way } })
      await live.withdraw({ body: { ...deposit, txnId: `${way}-out`, amount: '999999' } }).catch(() => {})
    }
    const found = await world.requests({ service: 'casino', path: '/wallet/' })
    expect(found.map(({ endpoint, status, code }) => [endpoint, status, code])).toEqual([
      ['withdraw', 409, 'INSUFFICIENT_BALANCE'],
      ['deposit', 200, null],
      ['withdraw', 409, 'INSUFFICIENT_BALANCE'],
      ['deposit', 200, null],
    ])
    expect(found[1]).toMatchObject({
      environment: 'live',
      outcome: { kind: 'handled' },
      signature: { verdict: 'accepted', differs: null },
      copies: { command: 'countroom wallet deposit amy 25 USD --txn http' },
    })
    expect(JSON.parse(found[1]?.request.body ?? '')).toEqual({ ...deposit, txnId: 'http' })
    expect(JSON.parse(found[1]?.response?.body ?? '')).toMatchObject({ data: { balance: '10050' } })
    expect(found[0]?.outcome).toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/^INSUFFICIENT_BALANCE: /),
    })
    expect(await world.requests({ status: '4xx', limit: 1 })).toHaveLength(1)
    expect(await world.requests({ status: 200, service: 'gateway' })).toEqual([])
    await expect(world.requests({ status: 'bad' })).rejects.toMatchObject({ code: 'INVALID_USAGE' })
  })

  test('keeps bodies whole: empty ones, those of other scripts, and those that are longer than their place', async () => {
    const { world, send } = await aServedWorld()
    const bodies = ['', '{"username":"アミー €","txnId":', JSON.stringify({ ...deposit, note: 'é'.repeat(1_500) })]
    const kept = async () => {
      const found = await world.requests({ path: '/wallet/deposit' })
      return found.map(({ request, response, signature }) => [
        request.body,
        request.headers['content-type'],
        'ok' in JSON.parse(response?.body ?? ''),
        signature?.differs,
      ])
    }
    for (const body of bodies) await send({ body })
    const expected = bodies.toReversed().map((body) => [body, 'application/json', true, null])
    expect(await kept()).toEqual(expected)
    for (const body of bodies) await send({ body })
    expect(await kept()).toEqual([...expected, ...expected])
  })

  test('masks keys and passwords, in headers, bodies and queries', async () => {
    const world = await aWorld()
    const { production } = world.gateway
    await production.bearer()
    await world.casino.live.balance({ query: { username: 'amy' } })
    const text = JSON.stringify(await world.requests())
    const { casino, gateway, chat } = world.credentials
    const keys = [casino.live, casino.sandbox, gateway.production, chat].flatMap((each) => Object.entries(each ?? {}))
    const secrets = keys.filter(([name]) => /key|secret|password|token/i.test(name)).map(([, value]) => String(value))
    expect(secrets.length).toBeGreaterThan(8)
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).toContain('ek_l_***')
    expect(text).not.toMatch(/eyJ/)
  })

  test('records callbacks with their bytes, and the reason for a missing response', async () => {
    const { world } = await aServedWorld()
    const { production } = world.gateway
    // No process listens there.
    const payment = await production.client.createPayment({
      body: {
        price_amount: 10,
        price_currency: 'usd',
        pay_currency: 'usdttrc20',
        ipn_callback_url: 'http://127.0.0.1:9/ipn',
      },
    })
    await world.clock.advance('8d')
    await expect.poll(async () => (await world.requests({ kind: 'callback' })).length).toBeGreaterThan(0)
    const [callback] = await world.requests({ kind: 'callback' })
    expect(callback).toMatchObject({
      service: 'gateway',
      method: 'POST',
      path: 'http://127.0.0.1:9/ipn',
      status: null,
      outcome: { kind: 'failed' },
    })
    expect(callback?.request.body).toContain(String(payment.payment_id))
    expect(callback?.copies.command).toBe(`countroom console deliveries replay ${callback?.delivery}`)
    expect(callback?.copies.curl).toContain('openssl dgst -sha512')
  })

  test('reports the applied fault and the work of the service', async () => {
    const world = await aWorld({ listen: true, timeout: 2000 })
    await world.faults.set({ kind: 'cut-after', endpoint: 'deposit', times: 1 })
    await world.casino.live.deposit({ body: deposit }).catch(() => {})
    await expect
      .poll(async () => (await world.requests({ path: 'deposit' }))[0]?.outcome.message)
      .toBe('Injected fault cut-after: the request was handled with status 200')
    expect((await world.requests({ path: 'deposit' }))[0]).toMatchObject({ status: null, endpoint: 'deposit' })
  })
})

describe('a refused signature is explained', () => {
  const last = async (world: Awaited<ReturnType<typeof aServedWorld>>['world']) =>
    (await world.requests({ path: 'deposit', limit: 1 }))[0]

  test('with the signed line that has another value', async () => {
    const { world, send } = await aServedWorld()
    expect((await send({ sign: JSON.stringify(deposit, null, 2) })).status).toBe(401)
    expect(await last(world)).toMatchObject({
      code: 'UNAUTHORIZED',
      signature: { verdict: 'differs', differs: 'bodySha256', reason: expect.stringContaining('serialized again') },
    })
    const url = `${world.baseUrl}/api/tenant/v1/wallet/deposit`
    expect((await send({ url })).status).toBe(401)
    expect(await last(world)).toMatchObject({
      signature: {
        ...{ verdict: 'differs', differs: 'path', signedValue: url },
        reason: expect.stringContaining('sign the path with its query'),
      },
    })
  })

  test('with the clock skew, the repeated nonce, the other environment, the key and the address', async () => {
    const { world, send } = await aServedWorld()
    const before = performance.now()
    await send({ skew: -900 })
    const tookSeconds = (performance.now() - before) / 1000
    expect((await last(world))?.signature).toMatchObject({ verdict: 'stale' })
    expect((await last(world))?.signature?.skewSeconds).toBeGreaterThanOrEqual(-902 - tookSeconds)
    expect((await last(world))?.signature?.skewSeconds).toBeLessThanOrEqual(-898)
    const nonce = 'thesamenonce00000001'
    const first = await send({ nonce })
    expect((await send({ nonce })).status).toBe(401)
    expect((await last(world))?.signature).toMatchObject({
      verdict: 'repeated-nonce',
      reason: expect.stringContaining(String(first.id)),
    })
    await send({ secret: String(world.credentials.casino.sandbox?.secret) })
    expect((await last(world))?.signature).toMatchObject({
      verdict: 'other-environment',
      reason: expect.stringContaining('sandbox key ek_s_'),
    })
    await send({ apiKey: 'ek_l_nobody' })
    expect((await last(world))?.signature).toMatchObject({ verdict: 'unknown-key' })
  })
})

/** Runs a program of this machine with more variables, and returns what it printed. */
function printed(command: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  execFile(command, args, { env: { ...process.env, ...env }, cwd: root }, (_, out, err) => resolve(out + err))
  return promise
}

test('the copy as curl is accepted unchanged', async () => {
  const { world, send, secret, apiKey } = await aServedWorld()
  await send({ body: JSON.stringify({ ...deposit, note: "it's $HOME `id`" }) })
  const [{ copies } = { copies: { curl: '' } }] = await world.requests({ path: 'deposit' })
  const out = await printed('sh', ['-c', copies.curl], {
    BASE_URL: world.baseUrl ?? '',
    API_KEY: apiKey,
    SECRET: secret,
  })
  expect(out).toMatch(/200 OK[\s\S]*"duplicate":true/)
  expect((await world.requests({ path: 'deposit' })).map(({ status }) => status)).toEqual([200, 200])
})

test('copies of a payment send its idempotency key, and those of its callback reach a receiver that verifies it', async () => {
  const { world } = await aServedWorld()
  const { apiKey = '', ipnSecret = '' } = world.credentials.gateway.production ?? {}
  const port = await freePort()
  const body = {
    ...{ price_amount: 10, price_currency: 'usd', pay_currency: 'usdttrc20' },
    ipn_callback_url: `http://127.0.0.1:${port}/ipn?shop=1`,
  }
  const headers = { 'idempotency-key': 'order-7' }
  const payment = await world.over('http').gateway.production.client.createPayment({ body }, { headers })
  const [made] = await world.requests({ path: '/payment' })
  const env = { BASE_URL: world.baseUrl ?? '', API_KEY: apiKey }
  expect(await printed('sh', ['-c', made?.copies.curl ?? ''], env)).toMatch(
    new RegExp(`"payment_id":"?${payment.payment_id}\\b`),
  )
  expect(await printed(process.execPath, ['--input-type=module', '-e', made?.copies.code ?? ''], env)).toMatch(
    new RegExp(`payment_id: '?${payment.payment_id}\\b`),
  )

  await world.clock.advance('8d')
  const [callback] = await world.requests({ kind: 'callback' })
  expect(callback).toMatchObject({ status: null, outcome: { kind: 'failed' } })
  const { curl = '', code = '' } = callback?.copies ?? {}
  const receiver = spawn(process.execPath, ['--input-type=module', '-e', code ?? ''], {
    env: { ...process.env, SECRET: ipnSecret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void receiver.kill())
  let seen = ''
  receiver.stdout.on('data', (data) => {
    seen += data
  })
  const reply = (secret: string) =>
    printed('sh', ['-c', curl.replace('curl ', 'curl --retry 20 --retry-connrefused ')], { SECRET: secret })
  expect(await reply(ipnSecret)).toMatch(/200 OK/)
  expect(await reply('wrong')).toMatch(/401 Unauthorized/)
  expect(seen.match(/payment_status: 'expired'/g)).toHaveLength(1)
})

test('every command that a copy may name exists, with its flags', () => {
  for (const { words, args = [], ...form } of Object.values(commandTemplates).flatMap((forms) =>
    Object.values(forms),
  )) {
    const command = commands.find(({ id }) => id === words.replace(/ --.*/, '').replaceAll(' ', ':'))
    expect(command, words).toBeDefined()
    expect(Object.keys(command?.args ?? {}).length, words).toBeGreaterThanOrEqual(args.length)
    const flags = [form.flags, form.switches, form.needs, form.pairs].flatMap((each) => Object.keys(each ?? {}))
    expect(Object.keys(command?.flags ?? {}), words).toEqual(expect.arrayContaining(flags))
  }
})

describe('the desk’s interface', () => {
  const ask = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers })

  test('responds to the holder of the token on this machine only', async () => {
    const world = await openWorld({ db: ':memory:', records: { requests: true, hasDesk: true } })
    onTestFinished(() => world.close())
    const { url } = await world.server.listen({ port: 0 })
    const token = world.deskToken()
    const list = `${url}/desk/api/requests`
    const authorization = `Bearer ${token}`
    await ask(`${url}/api/tenant/v1/tables`)
    expect((await ask(list)).status).toBe(401)
    expect((await ask(list, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await ask(list, { authorization, origin: 'https://evil.example' })).status).toBe(403)
    expect((await ask(list, { authorization, 'x-forwarded-for': '203.0.113.9' })).status).toBe(404)
    const answered = await ask(list, { authorization, origin: url })
    expect(answered.status).toBe(200)
    const { requests } = (await answered.json()) as { requests: { id: string; status: number }[] }
    expect(requests).toMatchObject([{ status: 401, path: '/api/tenant/v1/tables', service: 'casino' }])
    expect((await ask(`${list}/${requests[0]?.id}`, { authorization })).status).toBe(200)
    expect((await ask(`${list}/nothing`, { authorization })).status).toBe(404)
    expect((await ask(`${list}?status=bad`, { authorization })).status).toBe(400)
  })

  test('does not exist in a world that records nothing', async () => {
    const world = await openWorld({ db: ':memory:' })
    onTestFinished(() => world.close())
    const { url } = await world.server.listen({ port: 0 })
    expect((await ask(`${url}/desk/api/requests`, { authorization: 'Bearer undefined' })).status).toBe(404)
    expect(world.deskToken()).toBeUndefined()
  })
})

test('an address that is not on the allowlist is named, and a request is explained by the state of its key at that time', async () => {
  const world = await openWorld({ db: ':memory:', records: { requests: true, hasDesk: false } })
  onTestFinished(() => world.close())
  await ensureDemoWorld(world)
  const keys = await credentialsOf(world.casino, 'DEMO')
  await setAllowlist(world.casino, 'DEMO', ['203.0.113.7'])
  const client = casinoOn(
    inProcess(world.server, { timeoutMs: 5000 }),
    keys?.live as { apiKey: string; secret: string },
  )
  await client.tables({}).catch(() => {})
  const [{ signature } = { signature: null }] = await world.requests.details()
  expect(signature).toMatchObject({
    verdict: 'blocked-address',
    reason: "The address 127.0.0.1 is not on the tenant's allowlist",
  })

  const { gateway, chat } = (await readyDocument(world, 'http://127.0.0.1:1', '')) ?? {}
  const paid = { 'x-api-key': gateway?.production.apiKey ?? '' }
  const bot = { 'x-chat-apikey': chat?.apiKey ?? '' }
  const ask = (path: string, headers: Record<string, string>) =>
    inProcess(world.server, { timeoutMs: 5000 })({ method: 'GET', path, headers })
  await setAllowlist(world.casino, 'DEMO', [])
  const all = async () => {
    await client.tables({}).catch(() => {})
    await ask('/v1/balance', paid)
    await ask('/api/public/v1/tickets', bot)
  }
  const verdicts = async (requests: number) =>
    (await world.requests.details()).slice(0, requests).map((each) => (each.signature ?? each.credentials)?.verdict)
  await all()
  await world.clock.advance((await world.clock.now()) + 1_000)
  await revokeKey(world.casino, keys?.live.apiKey ?? '')
  await revokeGatewayKey(world.gateway, paid['x-api-key'])
  await revokeChatKey(world.chat, 'DEMO', idInKey('api', bot['x-chat-apikey']) ?? '')
  await all()
  expect(await verdicts(6)).toEqual([
    ...['revoked-key', 'revoked-key', 'unknown-key'],
    ...['accepted', 'accepted', 'accepted'],
  ])
})
