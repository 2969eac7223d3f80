import type { ServerResponse } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { verifyWebhook } from '../../src/domain/signing.ts'
import { schedules } from '../../src/domain/webhooks/retry-schedule.ts'
import { silentLog } from '../../src/kit/log.ts'
import { deadlineParts } from '../../src/kit/time/deadline.ts'
import { defaultSendWithinMs, deliverDue, leaseMs } from '../../src/outbox/deliver.ts'
import { listDeliveries, readDelivery } from '../../src/outbox/delivery-log.ts'
import { openCallbackEgress } from '../../src/outbox/egress.ts'
import { enqueue } from '../../src/outbox/enqueue.ts'
import { leaseDue } from '../../src/outbox/queries.ts'
import {
  disableWebhook,
  enableWebhook,
  sendTest,
  setWebhook,
} from '../../src/services/casino/admin/webhook-settings.ts'
import { webhookSigner } from '../../src/services/casino/webhooks/signer.ts'
import { ipnSigner } from '../../src/services/gateway/ipn/signer.ts'
import { replayDeliveries } from '../../src/world/redeliver.ts'
import { startScheduler } from '../../src/world/scheduler.ts'
import { openWorld, type World } from '../../src/world/world.ts'
import { postgres, sqliteFile } from '../support/databases/engines.ts'
import { holdTimersOf } from '../support/held-timers.ts'
import { aReceiver, ok, status } from '../support/http/receiver.ts'
import { aWebhook, aWorld, monday } from '../support/worlds/webhook-world.ts'

const { waitsMs } = schedules['tenant-webhook']

async function fate(world: World, id: string) {
  const { delivery, attempts } = await readDelivery(world.casino, id)
  return { status: delivery.status, attempt: delivery.attempt, error: delivery.last_error, attempts }
}

/** Ends no attempt by its deadline: on a busy machine a test may take longer than 10 seconds. The client has a limit of its own. */
function withoutTimeout(): void {
  holdTimersOf(defaultSendWithinMs / deadlineParts)
}

/** The outbox of a world, for a delivery without its scheduler. */
function outboxOf(world: World, sendWithinMs = defaultSendWithinMs) {
  const egress = openCallbackEgress()
  onTestFinished(() => egress.close())
  const signers = { 'tenant-webhook': webhookSigner(world.casino), 'merchant-ipn': ipnSigner }
  return { ...world.casino, egress, signers, sendWithinMs, allowsLoopback: () => true }
}

/** Queues many messages for a tenant's webhook at once. */
function owe(world: World, url: string, count: number, owner = 'DEMO'): Promise<void> {
  return world.store.write(async (tx) => {
    for (let i = 0; i < count; i++)
      await enqueue(tx, {
        id: world.casino.id(),
        channel: 'tenant-webhook',
        owner,
        event: 'test',
        subject: String(i),
        url,
        body: JSON.stringify({ message: String(i) }),
      })
  })
}

describe('a message', () => {
  test('matches the document: signed with the whole secret over the raw bytes', async () => {
    const receiver = await aReceiver()
    const world = await aWorld()
    const secret = await aWebhook(world, receiver.url)
    expect(secret).toMatch(/^whs_[A-Za-z0-9]{32}$/)
    const id = await sendTest(world.casino, 'DEMO', 'hello')
    await world.settle()
    const [got] = receiver.got
    expect(got).toMatchObject({
      method: 'POST',
      path: '/hook?a=1',
      headers: { 'content-type': 'application/json', 'x-svc-event': 'test', 'x-svc-delivery': id },
      body: {
        id,
        event: 'test',
        companyCode: 'DEMO',
        createdAt: '2026-03-02T12:00:00.000Z',
        data: { message: 'hello' },
      },
    })
    expect(Object.keys(got?.body ?? {})).toEqual(['id', 'event', 'companyCode', 'createdAt', 'data'])
    expect(got?.headers['user-agent']).toMatch(/^countroom-webhooks\/\d/)
    const signature = String(got?.headers['x-svc-signature'])
    expect(verifyWebhook(secret, signature, got?.raw ?? '', monday)).toBe('genuine')
    expect(verifyWebhook(secret.slice(4), signature, got?.raw ?? '', monday)).toBe('forged')
    expect(await fate(world, id)).toMatchObject({
      status: 'delivered',
      error: null,
      attempts: [{ number: 1, status: 204 }],
    })
  })

  test.each([200, 201, 202, 204, 299])('is acknowledged by %i and not sent again', async (code) => {
    const receiver = await aReceiver(status(code))
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    await sendTest(world.casino, 'DEMO', 'x')
    await world.clock.advance(monday + 86_400_000)
    expect(receiver.got.length).toBe(1)
  })

  test('is tried ten times by the schedule after rejections, each attempt signed again under the same ID, and then fails', async () => {
    const receiver = await aReceiver(status(500))
    const world = await aWorld()
    const secret = await aWebhook(world, receiver.url)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    await world.clock.advance(monday + 4 * 86_400_000)
    expect(receiver.got.length).toBe(10)
    const { status: end, error, attempts } = await fate(world, id)
    expect([end, error]).toEqual(['failed', 'responded with 500'])
    expect(attempts.map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    for (const [i, wait] of waitsMs.entries()) {
      const gap = (attempts[i + 1]?.at ?? 0) - (attempts[i]?.at ?? 0)
      expect(gap).toBeGreaterThanOrEqual(wait)
      expect(gap).toBeLessThan(wait * 1.2 + 1)
    }
    for (const [i, got] of receiver.got.entries()) {
      expect(got.body.id).toBe(id)
      expect(Date.parse(got.body.createdAt)).toBe(attempts[i]?.at)
      // The machine's own clock has not been moved, and receivers compare `t` with theirs.
      expect(verifyWebhook(secret, String(got.headers['x-svc-signature']), got.raw, monday)).toBe('genuine')
    }
  })

  test('that failed is sent again by a replay, with its ID and its whole schedule', async () => {
    let answer = status(500)
    const receiver = await aReceiver((got, response) => answer(got, response))
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    await world.clock.advance(monday + 4 * 86_400_000)
    expect((await fate(world, id)).status).toBe('failed')
    await replayDeliveries(world.casino, [id])
    await world.settle()
    expect(await fate(world, id)).toMatchObject({ status: 'pending', attempt: 1 })
    answer = ok
    await world.clock.advance(monday + 4 * 86_400_000 + 10_000)
    expect(await fate(world, id)).toMatchObject({ status: 'delivered', attempt: 2, attempts: { length: 12 } })
    expect(new Set(receiver.got.map((got) => got.body.id))).toEqual(new Set([id]))
    await expect(replayDeliveries(world.casino, ['NOPE'])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('answered by 410 is not retried', async () => {
    const receiver = await aReceiver(status(410))
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    await world.clock.advance(monday + 86_400_000)
    expect(receiver.got.length).toBe(1)
    expect(await fate(world, id)).toMatchObject({ status: 'failed', error: 'responded with 410' })
  })

  test('waits as long as Retry-After requires', async () => {
    let code = 503
    const receiver = await aReceiver((_got, response) => void response.writeHead(code, { 'retry-after': '90' }).end())
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    await world.clock.advance(monday + 89_000)
    expect(receiver.got.length).toBe(1)
    code = 200
    await world.clock.advance(monday + 95_000)
    expect((await fate(world, id)).status).toBe('delivered')
  })

  test('does not follow a redirect', async () => {
    const elsewhere = await aReceiver()
    const receiver = await aReceiver(status(307, { location: elsewhere.url }))
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    await world.settle()
    expect([receiver.got.length, elsewhere.got.length]).toEqual([1, 0])
    expect(await fate(world, id)).toMatchObject({ status: 'pending', error: 'status 307: redirects are not followed' })
  })

  test('is retried when the connection is reset', async () => {
    let isFirst = true
    const receiver = await aReceiver((got, response) => {
      if (!isFirst) return ok(got, response)
      isFirst = false
      response.socket?.resetAndDestroy()
    })
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    await world.settle()
    expect(await fate(world, id)).toMatchObject({ status: 'pending', error: expect.stringMatching(/was lost/) })
    await world.clock.advance(monday + 10_000)
    expect((await fate(world, id)).status).toBe('delivered')
    expect(receiver.got.map((got) => got.body.id)).toEqual([id, id])
  })

  test('is acknowledged by the status alone: an endless or incomplete body changes nothing', async () => {
    const receiver = await aReceiver((got, response) => {
      response.writeHead(200, { 'content-length': '1000000000' })
      if (got.body.data.message === 'breaks') response.write('half', () => response.socket?.destroy())
      else response.write('x'.repeat(100_000))
    })
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    const ids = [await sendTest(world.casino, 'DEMO', 'breaks'), await sendTest(world.casino, 'DEMO', 'endless')]
    await world.settle()
    for (const id of ids) expect((await fate(world, id)).status).toBe('delivered')
  })

  test('without a response in time is retried', async () => {
    const receiver = await aReceiver(() => {})
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    expect(await deliverDue(outboxOf(world, 50), new Set(), 10)).toBe(1)
    expect(await fate(world, id)).toMatchObject({ status: 'pending', attempt: 1, error: 'no response within 0.05 s' })
  })

  test('is not late because this process was stopped while the response arrived', async () => {
    const sendWithinMs = 200
    const receiver = await aReceiver((_got, response) => {
      ok(_got, response)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * sendWithinMs)
    })
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    expect(await deliverDue(outboxOf(world, sendWithinMs), new Set(), 10)).toBe(1)
    expect((await fate(world, id)).status).toBe('delivered')
  })

  test('of a disabled webhook fails when it is due, and is sent when replayed after enabling', async () => {
    const receiver = await aReceiver()
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    await disableWebhook(world.casino, 'DEMO')
    await world.settle()
    expect(receiver.got.length).toBe(0)
    expect(await fate(world, id)).toMatchObject({ status: 'failed', error: 'the webhook is disabled', attempts: [] })
    await expect(replayDeliveries(world.casino, [id])).rejects.toMatchObject({ code: 'CONFLICT' })
    await enableWebhook(world.casino, 'DEMO')
    await replayDeliveries(world.casino, [id])
    await world.settle()
    expect((await fate(world, id)).status).toBe('delivered')
  })

  test("that is pending is sent to its tenant's new URL", async () => {
    const old = await aReceiver(status(500))
    const world = await aWorld()
    await aWebhook(world, old.url)
    await sendTest(world.casino, 'DEMO', 'x')
    await world.settle()
    const next = await aReceiver()
    await setWebhook(world.casino, 'DEMO', { url: next.url })
    await world.clock.advance(monday + 10_000)
    expect([old.got.length, next.got.length]).toEqual([1, 1])
  })

  test('stays in the log for 30 days after its end', async () => {
    const receiver = await aReceiver()
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    await world.settle()
    await world.clock.advance(monday + 30 * 86_400_000)
    expect((await fate(world, id)).status).toBe('delivered')
    await world.clock.advance(monday + 30 * 86_400_000 + 1)
    await expect(readDelivery(world.casino, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('many messages', () => {
  test('all arrive, each once, with any batch size', async () => {
    const receiver = await aReceiver()
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    await owe(world, receiver.url, 250)
    expect(await world.settle()).toBeGreaterThanOrEqual(250)
    expect(new Set(receiver.got.map((got) => got.body.id)).size).toBe(250)
    expect(receiver.got.length).toBe(250)
  })

  test('a receiver that never responds delays no other one, and its deliveries are released when the scheduler stops', async () => {
    withoutTimeout()
    const silent = await aReceiver(() => {})
    const quick = await aReceiver()
    const world = await aWorld()
    await aWebhook(world, silent.url)
    await aWebhook(world, quick.url, { code: 'DEMO-SBX' })
    const held = await sendTest(world.casino, 'DEMO', 'held')
    const scheduler = startScheduler(world.jobs, silentLog, 5)
    await silent.waitFor(1)
    for (let i = 1; i <= 5; i++) {
      await sendTest(world.casino, 'DEMO-SBX', `quick ${i}`)
      await quick.waitFor(i)
    }
    expect(await fate(world, held)).toMatchObject({ status: 'leased', attempt: 0 })
    await scheduler.stop()
    expect(await fate(world, held)).toMatchObject({ status: 'pending', attempt: 0, attempts: [] })
    const { delivery } = await readDelivery(world.casino, held)
    expect([delivery.lease, delivery.scheduled_at]).toEqual([null, monday])
  })

  test('an unreachable receiver gets no further attempts: pending deliveries for it use none', async () => {
    const closedReceiver = await aReceiver()
    await closedReceiver.close()
    const world = await aWorld()
    await aWebhook(world, closedReceiver.url)
    await owe(world, closedReceiver.url, 40)
    await world.settle()
    const rows = await listDeliveries(world.casino, { limit: 100 })
    const tried = rows.filter((row) => row.total_attempts > 0)
    expect(tried.length).toBeGreaterThan(0)
    expect(tried.length).toBeLessThanOrEqual(8)
    for (const row of rows) {
      expect(row.scheduled_at - monday).toBeGreaterThanOrEqual(5_000)
      expect(row.lease).toBeNull()
    }
  })

  test('a sender that died between sending and recording leaves a lease, after which the message is sent again', async () => {
    const receiver = await aReceiver()
    let machineNow = monday
    const world = await aWorld({ machineNow: () => machineNow })
    await aWebhook(world, receiver.url)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    await world.store.write((tx) => leaseDue(tx, receiver.url, { lease: 'the dead', leaseMs, limit: 10 }))
    await world.clock.set(monday - 86_400_000)
    machineNow += leaseMs - 1
    await world.settle()
    expect(receiver.got.length).toBe(0)
    machineNow += 1
    await world.settle()
    expect(receiver.got.map((got) => got.body.id)).toEqual([id])
  })

  test('what one process is sending is not sent by another that moves the clock', async () => {
    withoutTimeout()
    const database = await postgres.database()
    const held: ServerResponse[] = []
    const receiver = await aReceiver((_got, response) => void held.push(response))
    let machineNow = monday
    const first = await aWorld({ db: database.url, machineNow: () => machineNow })
    await aWebhook(first, receiver.url)
    const id = await sendTest(first.casino, 'DEMO', 'x')
    const sending = first.settle()
    await receiver.waitFor(1)
    const startAt = monday + 86_400_000
    const second = await openWorld({ db: database.url, machineNow: () => machineNow, rateLimits: false, startAt })
    onTestFinished(() => second.close())
    await second.settle()
    expect(receiver.got.length).toBe(1)
    await second.clock.advance(monday + 7 * 86_400_000)
    // The lease ends with the machine's time, as if the clock had not been moved.
    machineNow += leaseMs - 1
    await second.settle()
    expect(receiver.got.length).toBe(1)
    for (const response of held) response.writeHead(204).end()
    await sending
    machineNow += 1
    await second.settle()
    expect(receiver.got.length).toBe(1)
    expect(await fate(second, id)).toMatchObject({ status: 'delivered', attempts: [{ number: 1 }] })
  })

  test('a full batch is leased until its end, also if each message is sent twice and answered at the last moment', async () => {
    let now = monday
    const world = await aWorld({ machineNow: () => now })
    const outbox = outboxOf(world)
    const faultFor = async () => ({ kind: 'double' }) as const
    const leasedByAnother: number[] = []
    const receiver = await aReceiver(async (_got, response) => {
      // Eight concurrent requests take ten seconds.
      now += 10_000 / 8
      if (now === monday + 80_000) leasedByAnother.push(await deliverDue(outbox, new Set(), 100))
      response.writeHead(204).end()
    })
    await aWebhook(world, receiver.url)
    await owe(world, receiver.url, 32)
    expect(await deliverDue({ ...outbox, faults: { faultFor, holdsDeliveries: () => false } }, new Set(), 32)).toBe(32)
    expect([receiver.got.length, leasedByAnother]).toEqual([64, [0]])
  })

  test('two processes on one PostgreSQL share the work: no message is sent twice', async () => {
    const database = await postgres.database()
    const receiver = await aReceiver()
    const first = await aWorld({ db: database.url ?? '' })
    await aWebhook(first, receiver.url)
    const second = await openWorld({ db: database.url ?? '', machineNow: () => monday })
    onTestFinished(() => second.close())
    await owe(first, receiver.url, 200)
    await Promise.all([first.settle(), second.settle()])
    expect(receiver.got.length).toBe(200)
    expect(new Set(receiver.got.map((got) => got.body.id)).size).toBe(200)
  })

  test('on PostgreSQL the results of concurrent deliveries do not make each other start again', async () => {
    withoutTimeout()
    const database = await postgres.database()
    const world = await aWorld({ db: database.url })
    const receivers = [await aReceiver(), await aReceiver()] as const
    await aWebhook(world, receivers[0].url)
    for (const { url } of receivers) await owe(world, url, 32)
    const before = world.store.waits.repeats
    expect(await deliverDue(outboxOf(world), new Set(), 64)).toBe(64)
    expect(world.store.waits.repeats).toBe(before)
    expect(receivers.map(({ got }) => got.length)).toEqual([32, 32])
    const ended = await listDeliveries(world.casino, { state: 'delivered', limit: 100 })
    expect(ended.length).toBe(64)
  })
})

describe('allowed targets', () => {
  /** A server that counts its connections. */
  async function aCountingServer() {
    let visits = 0
    const server = createServer((socket) => {
      visits += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    onTestFinished(() => void server.close())
    return { port: (server.address() as AddressInfo).port, visits: () => visits }
  }

  test.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['169.254.169.254'],
    ['10.0.0.1', '192.168.0.1', '127.0.0.1'],
  ])('a name that resolves to %s is rejected after the lookup, without a connection', async (...addresses) => {
    const egress = await aCountingServer()
    let lookups = 0
    const lookup: LookupFunction = (_name, _options, done) => {
      lookups += 1
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }
    const world = await aWorld({ lookup })
    await aWebhook(world, `https://hook.example:${egress.port}/`)
    const id = await sendTest(world.casino, 'DEMO', 'x')
    await world.settle()
    expect(await fate(world, id)).toMatchObject({ status: 'pending', error: expect.stringMatching(/ENOTADMITTED/) })
    expect([egress.visits(), lookups]).toEqual([0, 1])
  })

  test('a world served on loopback sends to this machine; one with public callbacks only does not, and neither do its console and its pending deliveries', async () => {
    const receiver = await aReceiver()
    const open = await aWorld()
    await open.server.listen()
    await aWebhook(open, receiver.url)
    await sendTest(open.casino, 'DEMO', 'x')
    await open.settle()
    expect(receiver.got.length).toBe(1)

    const { url: db = '' } = await sqliteFile.database()
    const before = await aWorld({ db })
    await aWebhook(before, receiver.url)
    const deliveryId = await sendTest(before.casino, 'DEMO', 'x')
    await before.close()
    const closed = await aWorld({ db, loopbackCallbacks: false })
    await closed.server.listen()
    await closed.settle()
    expect(receiver.got.length).toBe(1)
    expect(await fate(closed, deliveryId)).toMatchObject({
      status: 'pending',
      error: expect.stringMatching(/is not a public address/),
    })
    const refused = { code: 'INVALID_PARAMETER' }
    await expect(setWebhook(closed.casino, 'DEMO', { url: receiver.url })).rejects.toMatchObject(refused)
    await closed.close()
    // An option of the served world applies to every process that opens it without that option, as commands do.
    const later = await aWorld({ db })
    await expect(setWebhook(later.casino, 'DEMO', { url: receiver.url })).rejects.toMatchObject(refused)
  })

  test('a world served on another address never sends to this machine', async () => {
    const receiver = await aReceiver()
    const world = await aWorld()
    await aWebhook(world, receiver.url)
    await world.server.listen({ host: '0.0.0.0' })
    await sendTest(world.casino, 'DEMO', 'x')
    await world.settle()
    expect(receiver.got.length).toBe(0)
    await expect(setWebhook(world.casino, 'DEMO', { url: receiver.url })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    })
  })
})
