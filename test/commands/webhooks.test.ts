import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, describe, expect, onTestFinished } from 'vitest'
import { signTenantRequest, signWebhook } from '../../src/domain/signing.ts'
import { openBook } from '../../src/operator/book/book.ts'
import { keepCallback } from '../../src/operator/callbacks/inbox.ts'
import { listening, post } from '../support/http/listening.ts'
import { aReceiver, ok, status } from '../support/http/receiver.ts'
import { aHome, type Home, run, runJson } from '../support/program/cli.ts'
import { served } from '../support/program/processes.ts'
import { endLeases } from '../support/worlds/ended-leases.ts'
import { servedBeside } from '../support/worlds/served.ts'

/** A served world, and a home for commands next to it. */
const test = base.extend<{ beside: Awaited<ReturnType<typeof servedBeside>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
  beside: async ({}, use) => {
    await use(await servedBeside())
  },
})

interface Ready {
  readonly baseUrl: string
  readonly casino: { readonly live: { readonly apiKey: string; readonly secret: string } }
}

/** Logs a player out over the served API. */
async function logout({ baseUrl, casino }: Ready, username: string): Promise<void> {
  const url = '/api/tenant/v1/player/logout'
  const body = JSON.stringify({ username })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = crypto.randomUUID().replaceAll('-', '')
  const { apiKey, secret } = casino.live
  const signature = signTenantRequest(secret, { method: 'POST', url, timestamp, nonce, body })
  const headers = { 'x-api-key': apiKey, 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature }
  const answer = await fetch(baseUrl + url, { method: 'POST', body, headers })
  expect(answer.status).toBe(200)
}

const round = JSON.stringify({
  tableId: 'BAC-01',
  variant: 'nocomm',
  cardInfo: 'QD3D4C3SAH--',
  slips: [{ username: 'amy', bets: { B: '100' } }],
})

/** Sets a webhook as a person does, and returns the secret. */
async function aWebhook(home: Home, url: string, code = 'DEMO'): Promise<string> {
  const set = await runJson(['console', 'webhooks', 'set', code, '--url', url, '--events', 'all'], { home })
  expect(set).toMatchObject({ code: 0, data: { url, enabled: false, secret: null } })
  const enabled = await runJson(['console', 'webhooks', 'enable', code], { home })
  expect(enabled).toMatchObject({ code: 0, data: { enabled: true, secret: 'whs_***' } })
  const { data } = await runJson(['console', 'webhooks', 'show', code, '--reveal'], { home })
  return String(data['secret'])
}

/** A webhook as the platform sends it. */
function aMessage(secret: string, id: string, at = Date.now()) {
  const body = `{"id":"${id}", "event":"test","companyCode":"DEMO","createdAt":"2026-03-02T12:00:00.000Z","data":{"message":"é"}}`
  const headers = { 'X-Svc-Event': 'test', 'X-Svc-Delivery': id, 'X-Svc-Signature': signWebhook(secret, body, at) }
  return { body, headers: { 'Content-Type': 'application/json', ...headers } }
}

describe('the console', () => {
  test('shows the secret only with --reveal, and never in a note', async ({ beside: { home } }) => {
    const secret = await aWebhook(home, 'https://ops.example.com/hook')
    expect(secret).toMatch(/^whs_[A-Za-z0-9]{32}$/)
    for (const args of [
      ['show', 'DEMO'],
      ['enable', 'DEMO'],
      ['disable', 'DEMO'],
    ]) {
      const { stdout, stderr } = await run(['console', 'webhooks', ...args, '--verbose'], { home })
      expect(stdout + stderr).not.toContain(secret)
    }
  })

  test('a URL on this machine is accepted on a loopback world; other private ones and unknown events are not', async ({
    beside: { home },
  }) => {
    const set = (...flags: string[]) => run(['console', 'webhooks', 'set', 'DEMO', ...flags], { home })
    expect((await set('--url', 'http://127.0.0.1:9/hook')).code).toBe(0)
    expect((await set('--url', 'http://10.0.0.1/hook')).code).toBe(2)
    expect((await set('--url', 'https://192.168.0.1/hook')).code).toBe(2)
    expect((await set('--events', 'bet.placed')).code).toBe(2)
    expect((await set()).code).toBe(2)
    expect((await run(['console', 'webhooks', 'enable', 'NOBODY'], { home })).code).toBe(5)
    expect((await run(['console', 'webhooks', 'enable', 'DEMO-SBX'], { home })).code).toBe(6)
  })

  test('a test reports whether it was acknowledged', async ({ beside: { home } }) => {
    const receiver = await aReceiver()
    await aWebhook(home, receiver.url)
    const sent = await runJson(['console', 'webhooks', 'test', 'DEMO', '--message', 'hello'], { home })
    expect(sent).toMatchObject({ code: 0, data: { state: 'delivered', lastStatus: 204 } })
    expect(receiver.got[0]?.body).toMatchObject({ id: sent.data['deliveryId'], data: { message: 'hello' } })
    const deaf = await aReceiver(status(500))
    await run(['console', 'webhooks', 'set', 'DEMO', '--url', deaf.url], { home })
    expect(await runJson(['console', 'webhooks', 'test', 'DEMO'], { home })).toMatchObject({
      code: 7,
      data: { state: 'owed', lastStatus: 500 },
      error: { code: 'DELIVERY_FAILED', category: 'temporary', remoteCode: null },
    })
  })

  test('failed webhooks are listed, shown with their attempts, and replayed', async ({ beside: { home } }) => {
    let answer = status(410)
    const receiver = await aReceiver((got, response) => answer(got, response))
    await aWebhook(home, receiver.url)
    await run(['sim', 'deal', '-'], { home, input: round })
    await receiver.waitFor(1)
    const list = (...flags: string[]) => runJson(['console', 'deliveries', 'list', ...flags], { home })
    const dead = async () => (await list('DEMO', '--state', 'dead')).data['deliveries'] as { deliveryId: string }[]
    // The served world records a response a moment after it arrived.
    while ((await dead()).length === 0);
    const [{ deliveryId } = { deliveryId: '' }] = await dead()
    const shown = await runJson(['console', 'deliveries', 'show', deliveryId], { home })
    expect(shown.data).toMatchObject({
      delivery: { event: 'bet.settled', status: 'failed', state: 'dead', attempts: 1, lastError: 'responded with 410' },
      attempts: [{ number: 1, status: 410 }],
      data: { bets: [{ username: 'amy', stake: '100' }] },
    })
    answer = ok
    const again = await runJson(['console', 'deliveries', 'replay', '--state', 'dead', '--owner', 'DEMO'], { home })
    expect(again).toMatchObject({ code: 0, data: { replayed: 1 } })
    await receiver.waitFor(2)
    expect(receiver.got.map((got) => got.body.id)).toEqual([deliveryId, deliveryId])
    expect((await run(['console', 'deliveries', 'replay'], { home })).code).toBe(2)
    expect((await run(['console', 'deliveries', 'replay', 'NOPE'], { home })).code).toBe(5)
    expect((await run(['console', 'deliveries', 'show', 'NOPE'], { home })).code).toBe(5)
  })

  test('a kick notifies the tenant', async ({ beside: { home } }) => {
    const receiver = await aReceiver()
    await aWebhook(home, receiver.url)
    await run(['console', 'players', 'kick', 'DEMO', 'amy'], { home })
    await receiver.waitFor(1)
    expect(receiver.got[0]?.body.data).toMatchObject({ username: 'amy', reason: 'kicked' })
  })
})

test('a serving process killed between sending and recording sends again, under the same ID', async () => {
  let isFirst = true
  // The first time it receives the message and never responds.
  const receiver = await aReceiver((got, response) => {
    if (!isFirst) ok(got, response)
    isFirst = false
  })
  const home = aHome()
  const env = { ...process.env, ...home.env }
  const serve = () => served(home.folder, env, ['--db', join(home.folder, 'world.db'), '--quiet'])
  const world = await serve()
  onTestFinished(() => world.kill())
  await aWebhook(home, receiver.url)
  // Sent over HTTP, so that only the served world can deliver.
  await logout(JSON.parse(readFileSync(world.readyFile, 'utf8')), 'amy')
  await receiver.waitFor(1)
  await world.kill()
  expect(endLeases(home.folder)).toBe(1)
  const again = await serve()
  onTestFinished(() => again.kill())
  await receiver.waitFor(2)
  const [first, second] = receiver.got
  expect(second?.body).toMatchObject({ id: first?.body.id, event: 'player.kicked', data: first?.body.data })
  expect(second?.body.createdAt).not.toBe(first?.body.createdAt)
  const shown = async () => (await runJson(['console', 'deliveries', 'show', first?.body.id ?? ''], { home })).data
  // The response is recorded after the receiver has sent it.
  await expect.poll(shown).toMatchObject({ delivery: { state: 'delivered', attempts: 1 }, attempts: { length: 1 } })
})

describe('the operator', () => {
  test('listens with the secret of the world, stores each webhook with its bytes, forwards it, and counts duplicates', async ({
    beside: { home },
  }) => {
    const own = await aReceiver()
    // The secret must exist before listening; the URL is known only afterwards.
    const secret = await aWebhook(home, 'https://ops.example.com/')
    const listener = await listening('webhooks', home, ['--forward', own.url])
    await run(['console', 'webhooks', 'set', 'DEMO', '--url', `${listener.url}/casino`], { home })
    await run(['sim', 'deal', '-'], { home, input: round })
    await listener.waitForLines(2)
    const message = aMessage(secret, 'twice')
    const first = await post(listener.url, message.body, message.headers)
    expect([first.status, (await post(listener.url, message.body, message.headers)).status]).toEqual([200, 200])
    const lines = await listener.waitForLines(4)
    expect(lines.slice(1)).toMatchObject([
      { type: 'delivery', outcome: 'stored', event: 'bet.settled', companyCode: 'DEMO', forwarded: { status: 204 } },
      { type: 'delivery', outcome: 'stored', deliveryId: 'twice', forwarded: { status: 204, error: null } },
      { type: 'delivery', outcome: 'again', deliveryId: 'twice', forwarded: null },
    ])
    expect(own.got.map((got) => got.body.event)).toEqual(['bet.settled', 'test'])
    expect(own.got[1]?.raw.toString()).toBe(message.body)
    expect(own.got[1]?.headers).toMatchObject({
      'x-svc-delivery': 'twice',
      'x-svc-signature': message.headers['X-Svc-Signature'],
    })

    const { code, data, complaint } = await listener.stop()
    expect({ code, complaint: complaint.includes('rror') }).toEqual({ code: 143, complaint: false })
    expect(data).toMatchObject({ stored: 2, again: 1, refused: 0, forwarded: 2, unforwarded: 0 })

    const { data: listed } = await runJson(['webhooks', 'list'], { home })
    expect(listed['webhooks']).toMatchObject([
      { deliveryId: 'twice', copies: 2, forwardStatus: 204 },
      { event: 'bet.settled', copies: 1 },
    ])
    const { data: shown } = await runJson(['webhooks', 'show', 'twice'], { home })
    expect(shown).toMatchObject({ body: message.body, bodyForm: 'text' })
    expect(shown['headers']).toContainEqual(['X-Svc-Delivery', 'twice'])
    expect((await run(['webhooks', 'show', 'nope'], { home })).code).toBe(5)
  })

  test('rejects forged, stale, unsigned and malformed webhooks, and stores none of them', async ({
    beside: { home },
  }) => {
    const secret = `whs_${'a'.repeat(32)}`
    const listener = await listening('webhooks', home, ['--secret-file', '-'], secret)
    const good = aMessage(secret, 'good')
    const forged = aMessage(`whs_${'b'.repeat(32)}`, 'forged')
    const stale = aMessage(secret, 'stale', Date.now() - 301_000)
    const swapped = { ...good, headers: { ...good.headers, 'X-Svc-Delivery': 'other' } }
    const { 'X-Svc-Signature': _none, ...unsigned } = good.headers
    const noJson = { body: 'nothing', headers: { 'X-Svc-Signature': signWebhook(secret, 'nothing', Date.now()) } }
    const answers = []
    for (const { body, headers } of [forged, stale, { ...good, headers: unsigned }, swapped, noJson, good])
      answers.push((await post(listener.url, body, headers)).status)
    expect(answers).toEqual([401, 401, 401, 400, 400, 200])
    expect((await fetch(listener.url)).status).toBe(404)
    const lines = await listener.waitForLines(7)
    expect(lines.slice(1).map((line) => line['outcome'])).toEqual([...Array(5).fill('refused'), 'stored'])
    expect(await listener.stop()).toMatchObject({ data: { stored: 1, refused: 5 } })
    const { data } = await runJson(['webhooks', 'list'], { home })
    expect(data['webhooks']).toMatchObject([{ deliveryId: 'good' }])
  })

  test('loses no acknowledged webhook when it is killed', async ({ beside: { home } }) => {
    const secret = `whs_${'a'.repeat(32)}`
    const listener = await listening('webhooks', home, ['--secret-file', '-'], secret)
    let acknowledged = 0
    const sending = Array.from({ length: 40 }, async (_, i) => {
      const { body, headers } = aMessage(secret, `m${i}`)
      const answer = await post(listener.url, body, headers).catch(() => undefined)
      if (answer?.status === 200) acknowledged += 1
      if (answer?.status === 200 && acknowledged === 10) await listener.kill()
    })
    await Promise.all(sending)
    const { data } = await runJson(['webhooks', 'list', '--limit', '1000'], { home })
    expect((data['webhooks'] as unknown[]).length).toBeGreaterThanOrEqual(acknowledged)
    expect(acknowledged).toBeGreaterThanOrEqual(10)
  })

  test('replays webhooks that its program did not accept, and renews expired signatures', async ({
    beside: { home },
  }) => {
    let answer = status(500)
    const own = await aReceiver((got, response) => answer(got, response))
    const secret = `whs_${'a'.repeat(32)}`
    const secretFile = home.write('secret.txt', `${secret}\n`)
    const bookFile = join(home.folder, 'own.book')
    const listener = await listening('webhooks', home, [
      '--secret-file',
      secretFile,
      '--forward',
      own.url,
      '--book',
      bookFile,
    ])
    const fresh = aMessage(secret, 'fresh')
    await post(listener.url, fresh.body, fresh.headers)
    const [, delivery] = await listener.waitForLines(2)
    expect(delivery).toMatchObject({ outcome: 'stored', forwarded: { status: 500, error: 'responded with 500' } })
    expect(await listener.stop()).toMatchObject({ data: { stored: 1, forwarded: 0, unforwarded: 1 } })
    // An old webhook: its signature has expired.
    const signedAt = Date.now() - 86_400_000
    const soon = aMessage(secret, 'run-out', signedAt)
    const book = await openBook(bookFile)
    await keepCallback(book, {
      id: 'run-out',
      channel: 'tenant-webhook',
      owner: 'DEMO',
      kind: 'webhook',
      subject: null,
      event: 'test',
      eventAt: null,
      body: Buffer.from(soon.body),
      headers: Object.entries(soon.headers),
      signedAt,
    })
    await book.close()

    const replay = [
      'webhooks',
      'replay',
      '--to',
      own.url,
      '--unforwarded',
      '--book',
      bookFile,
      '--secret-file',
      secretFile,
    ]
    const dry = await runJson([...replay, '--dry-run'], { home })
    expect(dry.data).toMatchObject({ taken: 0, resigned: 1, webhooks: [{ resigned: false }, { resigned: true }] })
    expect(own.got.length).toBe(1)
    expect(await runJson(replay, { home })).toMatchObject({ code: 7, error: { code: 'REMOTE_UNAVAILABLE' } })
    answer = ok
    const done = await runJson(replay, { home })
    expect(done).toMatchObject({ code: 0, data: { taken: 2, resigned: 1 } })
    const [recent, old] = own.got.slice(-2)
    expect(old?.raw.toString()).toBe(soon.body)
    expect(old?.headers['x-svc-signature']).not.toBe(soon.headers['X-Svc-Signature'])
    expect(recent?.headers['x-svc-signature']).toBe(fresh.headers['X-Svc-Signature'])
    expect(await runJson(replay, { home })).toMatchObject({ code: 0, data: { taken: 0, webhooks: [] } })
    const named = ['webhooks', 'replay', 'fresh', 'nope', '--to', own.url, '--book', bookFile]
    expect((await run(named, { home })).code).toBe(5)
    expect((await run(['webhooks', 'replay', '--to', 'http://10.0.0.1/'], { home })).code).toBe(2)
  })

  test('verifies a captured message: genuine, stale, forged, malformed', async ({ beside: { home } }) => {
    const secret = `whs_${'a'.repeat(32)}`
    const secretFile = home.write('secret.txt', secret)
    const verify = (file: string, ...flags: string[]) =>
      runJson(['webhooks', 'verify', file, '--secret-file', secretFile, ...flags], { home })
    const { body, headers } = aMessage(secret, 'captured')
    const bare = home.write('body.json', body)
    const signature = headers['X-Svc-Signature']
    expect(await verify(bare, '--signature', signature)).toMatchObject({
      code: 0,
      data: { verdict: 'genuine', deliveryId: 'captured', event: 'test', companyCode: 'DEMO', complaint: null },
    })
    const http = join(home.folder, 'captured.http')
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    writeFileSync(http, `POST /casino HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
    expect(await verify(http)).toMatchObject({ code: 0, data: { verdict: 'genuine' } })
    const later = new Date(Date.now() + 400_000).toISOString()
    expect(await verify(http, '--at', later)).toMatchObject({
      code: 9,
      data: { verdict: 'stale' },
      error: { code: 'STALE' },
    })
    writeFileSync(http, readFileSync(http, 'utf8').replace('"test"', '"tost"'))
    expect(await verify(http)).toMatchObject({ code: 4, data: { verdict: 'forged' } })
    expect(await verify(bare)).toMatchObject({ code: 4, data: { verdict: 'malformed' } })
    const wrong = home.write('wrong.txt', 'not a secret')
    expect((await run(['webhooks', 'verify', bare, '--secret-file', wrong], { home })).code).toBe(2)
    expect((await run(['webhooks', 'verify', bare], { home })).code).toBe(78)
    expect((await run(['webhooks', 'verify', '-', '--secret-file', '-'], { home, input: '' })).code).toBe(2)
  })

  test("the output of show can be verified, with a remote profile's own secret", async ({
    beside: { home, casino },
  }) => {
    const secret = await aWebhook(home, 'https://ops.example.com/')
    const keys = { ...casino, live: { ...casino?.live, webhookSecret: secret } }
    const document = JSON.stringify({ baseUrl: 'http://127.0.0.1:9', casino: keys })
    await run(['profiles', 'add', 'house', '--environment', 'live', '--from', '-'], { home, input: document })
    const profile = ['--profile', 'house']
    const listener = await listening('webhooks', home, profile)
    const { body, headers } = aMessage(secret, 'remote')
    expect((await post(listener.url, body, headers)).status).toBe(200)
    await listener.stop()
    const shown = await run(['webhooks', 'show', 'remote', '--json', ...profile], { home })
    const verified = await run(['webhooks', 'verify', '-', '--json', ...profile], { home, input: shown.stdout })
    expect(JSON.parse(verified.stdout)).toMatchObject({ status: 'ok', data: { verdict: 'genuine' } })
    const masked = await run(['profiles', 'show', 'house', '--json'], { home })
    expect(masked.stdout).not.toContain(secret)
  })
})
