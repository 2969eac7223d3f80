import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, describe, expect, onTestFinished } from 'vitest'
import { ipnText, isIpnSignature, signIpn } from '../../src/domain/signing.ts'
import { listening, post } from '../support/http/listening.ts'
import { aReceiver, ok, status } from '../support/http/receiver.ts'
import { aHome, type Home, programs, run, runJson } from '../support/program/cli.ts'
import { ended, served } from '../support/program/processes.ts'
import { endLeases } from '../support/worlds/ended-leases.ts'
import { servedBeside } from '../support/worlds/served.ts'

interface Merchant {
  readonly merchantId: string
  readonly apiKey: string
  readonly ipnSecret: string
  readonly whitelisted: Readonly<Record<string, string>>
}

/** A served world, and a home for commands next to it. */
interface Beside {
  readonly home: Home
  readonly merchant: Merchant
  /** Creates a payment over the served API. */
  pay(over?: Record<string, unknown>): Promise<Record<string, unknown> & { payment_id: number }>
}

const test = base.extend<{ beside: Beside }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
  beside: async ({}, use) => {
    const { home, baseUrl, gateway } = await servedBeside()
    assert(gateway, 'the demo merchant has keys')
    await use({ home, merchant: gateway.production, pay: (over) => pay(baseUrl, gateway.production, over) })
  },
})

async function pay(baseUrl: string, { apiKey }: Merchant, over: Record<string, unknown> = {}) {
  const order = { price_amount: 100, price_currency: 'usd', pay_currency: 'usdttrc20', order_id: 'o-1', ...over }
  const answer = await fetch(`${baseUrl}/api/v1/payment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(order),
  })
  expect(answer.status).toBe(201)
  return (await answer.json()) as { payment_id: number }
}

const secret = 'a-secret-of-some-length'

/** A callback as the gateway sends it. */
function aCallback(id: number, paymentStatus = 'finished', key = secret) {
  const body = ipnText({
    payment_id: id,
    payment_status: paymentStatus,
    actually_paid: 1,
    order_id: 'é/1',
    updated_at: '2026-03-02T12:00:00.000Z',
  })
  return { body, headers: { 'Content-Type': 'application/json', 'X-Gw-Sig': signIpn(key, body) } }
}

describe('the console', () => {
  test('sends a test, reports whether it was acknowledged, and fails after the configured number of attempts', async ({
    beside: { home, merchant },
  }) => {
    const attempts = (...args: string[]) => runJson(['console', 'merchants', 'ipn', 'attempts', ...args], { home })
    expect(await attempts('1')).toMatchObject({ code: 0, data: { id: merchant.merchantId, ipnAttempts: 1 } })
    const receiver = await aReceiver()
    const send = (url: string) => runJson(['console', 'merchants', 'ipn', 'test', '--url', url], { home })
    expect(await send(receiver.url)).toMatchObject({ code: 0, data: { state: 'delivered', lastStatus: 204 } })
    const [got] = receiver.got
    expect(isIpnSignature(merchant.ipnSecret, got?.raw ?? '', String(got?.headers['x-gw-sig']))).toBe(true)
    const deaf = await aReceiver(status(500))
    const failed = await send(deaf.url)
    expect(failed).toMatchObject({
      code: 7,
      data: { state: 'dead', lastStatus: 500 },
      error: { code: 'DELIVERY_FAILED' },
    })
    expect(await attempts('usual')).toMatchObject({ data: { ipnAttempts: 10 } })
    const { data } = await runJson(['console', 'deliveries', 'list', merchant.merchantId], { home })
    expect(data['deliveries']).toMatchObject([
      { channel: 'merchant-ipn', event: 'test', state: 'dead', attempts: 1 },
      { channel: 'merchant-ipn', event: 'test', state: 'delivered', attempts: 1 },
    ])
    const show = () => runJson(['console', 'deliveries', 'show', String(failed.data['deliveryId'])], { home })
    const shown = await show()
    expect(shown.data).toMatchObject({ data: { gw_test: true, payment_id: 0 }, attempts: [{ status: 500 }] })
    const again = ['console', 'deliveries', 'replay', '--state', 'failed', '--channel', 'merchant-ipn']
    expect(await runJson(again, { home })).toMatchObject({ code: 0, data: { replayed: 1 } })
    // The serving process may be the one that leases it.
    await expect.poll(async () => (await show()).data['attempts']).toHaveLength(2)
  })

  test('rejects invalid settings', async ({ beside: { home } }) => {
    const code = async (...args: string[]) => (await run(['console', 'merchants', 'ipn', ...args], { home })).code
    expect(await code('test', '--url', 'https://10.0.0.1/')).toBe(2)
    expect(await code('test')).toBe(6)
    expect(await code('attempts', '21')).toBe(2)
    expect(await code('attempts', '1e0')).toBe(2)
    expect(await code('attempts', '2', '--merchant', '404')).toBe(5)
  })
})

test('a serving process killed during a delivery delivers it after the restart', async () => {
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
  const merchant: Merchant = JSON.parse(readFileSync(world.readyFile, 'utf8')).gateway.production
  const payment = await pay(world.baseUrl, merchant, { ipn_callback_url: receiver.url })
  await receiver.waitFor(1)
  await world.kill()
  expect(endLeases(home.folder)).toBe(1)
  const again = await serve()
  onTestFinished(() => again.kill())
  await receiver.waitFor(2)
  const [first, second] = receiver.got
  expect(second?.raw).toEqual(first?.raw)
  expect(second?.headers['x-gw-sig']).toBe(first?.headers['x-gw-sig'])
  expect(JSON.parse(String(first?.raw))).toMatchObject({ payment_id: payment.payment_id, payment_status: 'waiting' })
  const deliveries = async () => {
    const { data } = await runJson(['console', 'deliveries', 'list', merchant.merchantId], { home })
    return data['deliveries']
  }
  // The response is recorded after the receiver has sent it.
  await expect.poll(deliveries).toMatchObject([{ event: 'waiting', state: 'delivered' }])
})

describe('the operator', () => {
  test('receives callbacks with the secret of the world, and forwards them unchanged', async ({
    beside: { home, pay },
  }) => {
    const own = await aReceiver()
    const listener = await listening('ipn', home, ['--forward', own.url])
    const { payment_id: id } = await pay({ ipn_callback_url: `${listener.url}/ipn`, order_description: 'Zwölf' })
    const [, delivery] = await listener.waitForLines(2)
    expect(delivery).toMatchObject({
      type: 'delivery',
      outcome: 'stored',
      kind: 'payment',
      subject: String(id),
      status: 'waiting',
      forwarded: { status: 204 },
    })
    const [got] = own.got
    const again = await post(listener.url, String(got?.raw), { 'x-gw-sig': String(got?.headers['x-gw-sig']) })
    expect(again.status).toBe(200)
    const forged = aCallback(7, 'finished', 'another')
    expect((await post(listener.url, forged.body, forged.headers)).status).toBe(401)
    expect((await post(listener.url, forged.body, {})).status).toBe(401)
    await listener.waitForLines(5)
    expect(await listener.stop()).toMatchObject({ code: 143, data: { stored: 1, again: 1, refused: 2, forwarded: 1 } })
    const { data } = await runJson(['ipn', 'list'], { home })
    expect(data['callbacks']).toMatchObject([
      { subject: String(id), copies: 2, origin: 'received', forwardStatus: 204 },
    ])
    const shown = await run(['ipn', 'show', String(id), '--json'], { home })
    expect(JSON.parse(shown.stdout).data.body).toBe(String(got?.raw))
    const verified = await runJson(['ipn', 'verify', '-'], { home, input: shown.stdout })
    expect(verified).toMatchObject({ code: 0, data: { verdict: 'genuine', kind: 'payment', status: 'waiting' } })
    expect((await run(['ipn', 'show', '404'], { home })).code).toBe(5)
  })

  test('loses no acknowledged callback when it is killed', async ({ beside: { home } }) => {
    const listener = await listening('ipn', home, ['--secret-file', '-'], secret)
    let acknowledged = 0
    const sending = Array.from({ length: 40 }, async (_, i) => {
      const { body, headers } = aCallback(1000 + i)
      const answer = await post(listener.url, body, headers).catch(() => undefined)
      if (answer?.status === 200) acknowledged += 1
      if (answer?.status === 200 && acknowledged === 10) await listener.kill()
    })
    await Promise.all(sending)
    const { data } = await runJson(['ipn', 'list', '--limit', '1000'], { home })
    expect((data['callbacks'] as unknown[]).length).toBeGreaterThanOrEqual(acknowledged)
    expect(acknowledged).toBeGreaterThanOrEqual(10)
  })

  test('replays stored bytes unchanged, by ID, status or time, and retries what is not accepted', async ({
    beside: { home },
  }) => {
    let failures = Number.POSITIVE_INFINITY
    const own = await aReceiver((got, response) => (failures-- > 0 ? status(500)(got, response) : ok(got, response)))
    const listener = await listening('ipn', home, ['--secret-file', '-', '--forward', own.url], secret)
    for (const [id, paymentStatus] of [
      [1, 'waiting'],
      [1, 'finished'],
      [2, 'finished'],
    ] as const) {
      const { body, headers } = aCallback(id, paymentStatus)
      await post(listener.url, body, headers)
    }
    await listener.waitForLines(4)
    expect(await listener.stop()).toMatchObject({ data: { stored: 3, unforwarded: 3 } })
    const replay = (...args: string[]) => runJson(['ipn', 'replay', ...args], { home })
    const dry = await replay('--status', 'FINISHED', '--dry-run')
    expect(dry.data).toMatchObject({ to: own.url, taken: 0, callbacks: [{ subject: '1' }, { subject: '2' }] })
    expect(await replay('1')).toMatchObject({
      code: 7,
      data: { callbacks: [{ answered: 500, attempts: { length: 1 } }, {}] },
    })
    failures = 1
    const before = own.got.length
    const taken = await replay('1', '--status', 'finished', '--retries', '1')
    expect(taken).toMatchObject({
      code: 0,
      data: {
        taken: 1,
        callbacks: [
          {
            status: 'finished',
            answered: 204,
            error: null,
            attempts: [{ answered: 500, error: 'responded with 500' }, { answered: 204 }],
          },
        ],
      },
    })
    expect(own.got.slice(before).map(({ raw }) => raw.toString())).toEqual([aCallback(1).body, aCallback(1).body])
    expect(own.got.at(-1)?.headers['x-gw-sig']).toBe(aCallback(1).headers['X-Gw-Sig'])
    failures = 1
    const shown = await run(['ipn', 'replay', '1', '--status', 'finished', '--retries', '1'], { home })
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('500, 204')])
    failures = 1
    expect(await replay('--unforwarded')).toMatchObject({ code: 8, data: { taken: 1, callbacks: { length: 2 } } })
    expect(await replay('--unforwarded', '--to', own.url)).toMatchObject({ code: 0, data: { taken: 1 } })
    expect(await replay('--unforwarded')).toMatchObject({ code: 0, data: { taken: 0, callbacks: [] } })
    expect(await replay('--since', '2100-01-01')).toMatchObject({ code: 0, data: { callbacks: [] } })
    expect((await run(['ipn', 'replay', '404'], { home })).code).toBe(5)
    expect((await run(['ipn', 'replay', '1', '--to', 'http://10.0.0.1/'], { home })).code).toBe(2)
  })

  test('loses nothing when a replay is killed: the next one continues', async ({ beside: { home } }) => {
    const count = 12
    const listener = await listening('ipn', home, ['--secret-file', '-'], secret)
    for (let id = 1; id <= count; id++) {
      const { body, headers } = aCallback(id)
      expect((await post(listener.url, body, headers)).status).toBe(200)
    }
    await listener.stop()
    // The fifth is received and never acknowledged: the command is killed while it waits for that.
    const own = await aReceiver((got, response) => {
      if (own.got.length !== 5) ok(got, response)
    })
    const words = [programs.countroom, 'ipn', 'replay', '--unforwarded', '--to', own.url]
    const env = { PATH: process.env['PATH'], ...home.env }
    const child = spawn(process.execPath, words, { env, cwd: home.folder, stdio: 'ignore' })
    await own.waitFor(5)
    await ended(child, 'SIGKILL')
    const again = await runJson(['ipn', 'replay', '--unforwarded', '--to', own.url], { home })
    expect(again).toMatchObject({ code: 0, data: { taken: count - 4 } })
    const bodies = own.got.map(({ raw }) => String(raw))
    expect([...new Set(bodies)]).toEqual(Array.from({ length: count }, (_, i) => aCallback(i + 1).body))
    expect(bodies).toHaveLength(count + 1)
    expect(await runJson(['ipn', 'replay', '--unforwarded'], { home })).toMatchObject({ code: 0, data: { taken: 0 } })
  })

  test('needs a target for a replay before anything was forwarded', async () => {
    expect((await run(['ipn', 'replay'])).code).toBe(2)
  })

  test('heals missing callbacks: byte for byte as the gateway sends them, once', async ({
    beside: { home, merchant, pay },
  }) => {
    const [own, theirs] = [await aReceiver(), await aReceiver()]
    const { payment_id: id } = await pay({ ipn_callback_url: theirs.url, order_description: 'Zwölf/2' })
    const { payment_id: silent } = await pay()
    await theirs.waitFor(1)
    const heal = (...args: string[]) => runJson(['ipn', 'heal', '--min-age', '0', ...args], { home })
    const dry = await heal('--dry-run')
    expect(dry.data).toMatchObject({
      checked: 2,
      healed: 0,
      callbacks: [{ paymentId: String(id), because: 'missing', id: null }, { paymentId: String(silent) }],
    })
    const done = await heal('--to', own.url)
    expect(done).toMatchObject({ code: 0, data: { checked: 2, healed: 2, delivered: 2 } })
    expect(own.got[0]?.raw).toEqual(theirs.got[0]?.raw)
    expect(own.got[0]?.headers['x-gw-sig']).toBe(theirs.got[0]?.headers['x-gw-sig'])
    expect(
      own.got.every(({ raw, headers }) => isIpnSignature(merchant.ipnSecret, raw, String(headers['x-gw-sig']))),
    ).toBe(true)
    expect(await heal()).toMatchObject({ code: 0, data: { to: own.url, healed: 0, callbacks: [] } })
    expect(own.got.length).toBe(2)
    const { data } = await runJson(['ipn', 'list', String(silent)], { home })
    expect(data['callbacks']).toMatchObject([{ origin: 'healed', forwardStatus: 204 }])
    expect((await run(['ipn', 'heal', '404', '--to', own.url], { home })).code).toBe(5)
    await pay()
    const before = Date.now()
    const young = await runJson(['ipn', 'heal'], { home })
    expect(young).toMatchObject({ code: 0, data: { checked: 3, recent: 1, complete: true, callbacks: [] } })
    const again = Date.parse(String(young.data['nextRunAt']))
    expect(again).toBeGreaterThan(before)
    expect(again).toBeLessThanOrEqual(Date.now() + 60_000)
    const text = await run(['ipn', 'heal'], { home })
    expect(text.stdout + text.stderr).not.toContain('No IPN is missing')
    expect(text.stderr).toContain('1 was not checked: changed within 60 s')
    expect(text.stderr).toMatch(/Run again after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/)
    expect((await heal('--dry-run')).data).toMatchObject({ recent: 0, nextRunAt: null, callbacks: [{}] })
    const refused = await heal('--to', 'http://127.0.0.1:1/ipn')
    expect([refused.code, refused.error.message]).toEqual([
      7,
      expect.stringMatching(/: countroom ipn replay \S+ --to http:\/\/127\.0\.0\.1:1\/ipn --retries 3$/),
    ])
  })

  test('heals payouts too, in any status, by the IDs of payouts and of batches', async ({
    beside: { home, merchant },
  }) => {
    const [own, theirs] = [await aReceiver(), await aReceiver()]
    const call = async (...args: string[]) => {
      const result = await runJson(args, { home })
      expect([args.join(' '), result.code]).toEqual([args.join(' '), 0])
      return result.data
    }
    const to = merchant.whitelisted['usdttrc20'] ?? ''
    const order = ['payouts', 'create', to, '20', 'usdttrc20', '--callback', theirs.url]
    const { id: batch, withdrawals } = await call(...order)
    const [payout] = withdrawals as { id: string }[]
    await theirs.waitFor(1)
    const heal = (...args: string[]) => call('ipn', 'heal', '--min-age', '0', '--to', own.url, ...args)
    expect(await heal('--kind', 'payment')).toMatchObject({ checked: 0, callbacks: [] })
    expect(await heal('--dry-run')).toMatchObject({
      checked: 1,
      callbacks: [{ kind: 'payout', subject: payout?.id, paymentId: null, status: 'creating', because: 'missing' }],
    })
    expect(await heal()).toMatchObject({ healed: 1, delivered: 1 })
    expect(own.got[0]?.raw).toEqual(theirs.got[0]?.raw)
    expect(own.got[0]?.headers['x-gw-sig']).toBe(theirs.got[0]?.headers['x-gw-sig'])

    await call('payouts', 'verify', String(batch))
    await call('console', 'clock', 'advance', '1h')
    await theirs.waitFor(5)
    expect(await heal(String(batch))).toMatchObject({
      healed: 1,
      callbacks: [{ subject: payout?.id, status: 'finished', because: 'stale' }],
    })
    const last = theirs.got.find(({ raw }) => raw.includes('"status":"finished"'))
    expect(own.got[1]?.raw).toEqual(last?.raw)
    expect(await heal(payout?.id ?? '')).toMatchObject({ checked: 1, callbacks: [] })
    expect(await heal()).toMatchObject({ checked: 1, callbacks: [] })
    expect((await run(['ipn', 'heal', String(batch), '--kind', 'payment'], { home })).code).toBe(5)
    const unknown = async (...flags: string[]) =>
      (await runJson(['ipn', 'heal', '4999999999', ...flags], { home })).error
    expect(await unknown()).toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no payment, payout or batch 4999999999',
    })
    expect((await unknown('--kind', 'payout'))?.message).toBe('There is no payout or batch 4999999999')
  })

  test('verifies a captured callback by its raw bytes: genuine, forged, malformed', async ({ beside: { home } }) => {
    const file = home.write('secret.txt', `${secret}\n`)
    const { body, headers } = aCallback(5)
    const bare = home.write('body.json', body)
    const verify = (path: string, ...flags: string[]) =>
      runJson(['ipn', 'verify', path, '--secret-file', file, ...flags], { home })
    const signature = headers['X-Gw-Sig']
    expect(await verify(bare, '--signature', signature)).toMatchObject({
      code: 0,
      data: { verdict: 'genuine', subject: '5', complaint: null },
    })
    const spaced = home.write('spaced.json', JSON.stringify(JSON.parse(body), null, 2))
    expect(await verify(spaced, '--signature', signature)).toMatchObject({ code: 4, data: { verdict: 'forged' } })
    expect(await verify(bare)).toMatchObject({ code: 4, data: { verdict: 'malformed' } })
    for (const path of [home.folder, join(home.folder, 'missing')])
      expect(await verify(path)).toMatchObject({ code: 2, error: { code: 'UNREADABLE_FILE' } })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const http = home.write('captured.http', `POST / HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
    expect(await verify(http)).toMatchObject({ code: 0, data: { verdict: 'genuine' } })
  })
})
