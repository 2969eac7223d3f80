import type { LookupFunction } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { world as worldMigrations } from '../../../../src/db/migrations/world/index.ts'
import { isIpnSignature } from '../../../../src/domain/signing.ts'
import { schedules } from '../../../../src/domain/webhooks/retry-schedule.ts'
import { attemptsOf, deliveriesAbout, deliveriesBy, deliveryOf } from '../../../../src/outbox/queries.ts'
import {
  depositTo,
  enrollTotp,
  fund,
  setMerchant,
  setWhitelisted,
  theMerchant,
} from '../../../../src/services/gateway/admin/platform.ts'
import { sendTestIpn } from '../../../../src/services/gateway/admin/test-ipn.ts'
import { startScheduler } from '../../../../src/world/scheduler.ts'
import { openWorld, type World, type WorldOptions } from '../../../../src/world/world.ts'
import { keepingEngines, postgres } from '../../../support/databases/engines.ts'
import { lookUpLocalhost } from '../../../support/http/known-names.ts'
import { aReceiver, type Got, type ok, status } from '../../../support/http/receiver.ts'
import { monday } from '../../../support/worlds/webhook-world.ts'
import { aMerchant, aPayment, refusal } from '../house.ts'

const minute = 60_000
const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

async function aShop(options: Partial<WorldOptions> = {}) {
  const world = await openWorld({
    ...{ db: ':memory:', seed: 'ipns', machineNow: () => monday, rateLimits: false, lookup: lookUpLocalhost },
    ...options,
  })
  onTestFinished(() => world.close())
  const { gateway: app, server } = world
  const merchant = await aMerchant(
    { app, server },
    { scopes: { scopes: ['read', 'payments', 'custody', 'payouts'], addresses: ['127.0.0.1'] } },
  )
  await world.store.write(async (tx) => {
    await fund(app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '1000')
  })
  const deliveries = () => world.store.read((reader) => deliveriesBy(reader, { owner: merchant.id, limit: 100 }))
  return { world, app, merchant, deliveries }
}

const bodyOf = (got: Got) => JSON.parse(got.raw.toString())

/** Advances the world's clock and runs the jobs that are due. */
async function wait(world: World, ms: number): Promise<void> {
  await world.clock.advance((await world.clock.now()) + ms)
}

describe('a merchant gets callbacks', () => {
  test('for every status of a payment, once each, over the raw bytes of the lookup', async () => {
    const receiver = await aReceiver()
    const { world, app, merchant } = await aShop()
    const { payment_id: id } = await aPayment(merchant, {
      ipn_callback_url: receiver.url,
      order_description: 'Äpfel/1',
    })
    await depositTo(app, id)
    await wait(world, 30 * minute)
    expect(receiver.got.map((got) => bodyOf(got).payment_status).sort()).toEqual([
      'confirmed',
      'confirming',
      'finished',
      'waiting',
    ])
    const looked = await merchant.client.payment({ params: { payment_id: String(id) } })
    const last = receiver.got.find((got) => bodyOf(got).payment_status === 'finished')
    const keys = Object.keys(looked).sort()
    expect(last?.raw.toString()).toBe(JSON.stringify(looked, keys))
    for (const { raw, headers } of receiver.got) {
      expect(isIpnSignature(merchant.ipnSecret, raw, String(headers['x-gw-sig']))).toBe(true)
      expect(headers['content-type']).toBe('application/json')
      expect(headers['x-compat-sig']).toBeUndefined()
    }
    await wait(world, 24 * 60 * minute)
    expect(receiver.got.length).toBe(4)
  })

  test('for payouts, conversions, transfers between its accounts and subscriptions, at the URL of its console', async () => {
    const receiver = await aReceiver()
    const { world, app, merchant } = await aShop()
    await setMerchant(app, merchant.id, { ipnUrl: receiver.url })
    await setWhitelisted(app, merchant.id, 'usdttrc20', wallet)
    await enrollTotp(app, merchant.id)
    const client = await merchant.loggedIn()
    await client.createPayouts({ body: { withdrawals: [{ address: wallet, currency: 'usdttrc20', amount: 10 }] } })
    const conversion = { amount: 5, from_currency: 'usdttrc20', to_currency: 'btc' }
    const converted = await client.createConversion({ body: conversion })
    const sub = (await client.createSubaccount({ body: { name: 'amy' } })).result.id
    const moved = await client.depositToSub({ body: { currency: 'usdttrc20', amount: 50, sub_partner_id: sub } })
    const terms = { title: 'Monthly', interval_day: 30, amount: 20, currency: 'usdttrc20' }
    const plan = (await client.createPlan({ body: terms })).result
    await client.createSubscription({ body: { subscription_plan_id: Number(plan.id), sub_partner_id: sub } })
    await world.settle()
    await wait(world, 61 * minute)
    const bodies = receiver.got.map(bodyOf)
    expect(bodies.filter((body) => body.batch_withdrawal_id).map((body) => body.status)).toEqual([
      'creating',
      'rejected',
    ])
    expect(bodies.filter((body) => body.from_currency)).toEqual([converted.result])
    expect(bodies.filter((body) => body.from_sub_id)).toEqual([moved.result])
    expect(bodies.filter((body) => body.amount === '20')).toMatchObject([
      { status: 'active', is_active: true, currency: 'usdttrc20', sub_partner_id: sub, subscription_plan_id: plan.id },
    ])
    expect(bodies.length).toBe(5)
    for (const { raw, headers } of receiver.got) {
      expect(isIpnSignature(merchant.ipnSecret, raw, String(headers['x-gw-sig']))).toBe(true)
      expect(
        Object.values(JSON.parse(raw.toString())).some((value) => value !== null && typeof value === 'object'),
      ).toBe(false)
    }
  })

  test('for the payments of an invoice at the URL of the invoice', async () => {
    const receiver = await aReceiver()
    const { world, merchant } = await aShop()
    const invoice = await merchant.client.createInvoice({
      body: { price_amount: 20, price_currency: 'usd', order_id: 'i-1', ipn_callback_url: receiver.url },
    })
    await merchant.client.createInvoicePayment({ body: { iid: invoice.id, pay_currency: 'usdttrc20' } })
    await world.settle()
    expect(receiver.got.map(bodyOf)).toMatchObject([{ invoice_id: Number(invoice.id), payment_status: 'waiting' }])
  })

  test('for no event that did not happen, and none without a URL', async () => {
    const { app, merchant, deliveries } = await aShop()
    await aPayment(merchant, { ipn_callback_url: undefined })
    expect(await deliveries()).toEqual([])
    await setMerchant(app, merchant.id, { ipnUrl: 'https://shop.example/ipn' })
    const client = await merchant.loggedIn()
    const tooMuch = { amount: 5000, from_currency: 'usdttrc20', to_currency: 'btc' }
    expect(await refusal(client.createConversion({ body: tooMuch }))).toBe('INSUFFICIENT_BALANCE')
    expect(await deliveries()).toEqual([])
  })

  test('under one Idempotency-Key once', async () => {
    const { merchant, deliveries } = await aShop()
    const keyed = merchant.clientWith({ 'x-api-key': merchant.apiKey, 'idempotency-key': 'k-1' })
    for (let i = 0; i < 2; i++) await aPayment({ ...merchant, client: keyed })
    expect((await deliveries()).length).toBe(1)
  })
})

test("the compatibility option adds the same signature under the merchant's header, from the next attempt on", async () => {
  const receiver = await aReceiver()
  const { world, app, merchant } = await aShop()
  await setMerchant(app, merchant.id, { compat: true })
  await aPayment(merchant, { ipn_callback_url: receiver.url })
  await world.settle()
  await setMerchant(app, merchant.id, { compatHeader: 'x-nowpayments-sig' })
  await aPayment(merchant, { ipn_callback_url: receiver.url })
  await world.settle()
  const [first, second] = receiver.got.map((got) => got.headers)
  expect(first?.['x-compat-sig']).toBe(first?.['x-gw-sig'])
  expect(second?.['x-nowpayments-sig']).toBe(second?.['x-gw-sig'])
  expect(second?.['x-compat-sig']).toBeUndefined()
})

describe('a callback that is not acknowledged', () => {
  const { waitsMs } = schedules['merchant-ipn']

  test.each([
    ['answers 500', status(500), 'responded with 500'],
    ['answers 410', status(410), 'responded with 410'],
    [
      'redirects',
      (_got: Got, response: Parameters<typeof ok>[1]) =>
        void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      'status 302: redirects are not followed',
    ],
    ['hangs up', (_got: Got, response: Parameters<typeof ok>[1]) => void response.destroy(), /was lost/],
  ])('is tried ten times with growing delays if the receiver %s', async (_what, answer, error) => {
    const receiver = await aReceiver(answer)
    const { world, merchant, deliveries } = await aShop()
    await aPayment(merchant, { ipn_callback_url: receiver.url })
    await world.settle()
    const bodies = () => new Set(receiver.got.map((got) => got.raw.toString()))
    expect(receiver.got.length).toBe(1)
    await wait(world, 48 * 60 * minute)
    const about = (await deliveries()).find((row) => row.event === 'waiting')
    expect(about).toMatchObject({ status: 'failed', total_attempts: 10, last_error: expect.stringMatching(error) })
    const attempts = await world.store.read((reader) => attemptsOf(reader, about?.id ?? ''))
    const waits = attempts.slice(1).map((attempt, i) => attempt.at - (attempts[i]?.at ?? 0))
    waits.forEach((ms, i) => {
      expect(ms).toBeGreaterThanOrEqual(waitsMs[i] ?? 0)
      expect(ms).toBeLessThanOrEqual((waitsMs[i] ?? 0) * 1.2 + 1)
    })
    expect([receiver.got.length, bodies().size]).toEqual([10, 1])
  })

  test('fails after the number of attempts that the merchant had set when it was enqueued', async () => {
    const receiver = await aReceiver(status(503))
    const { world, app, merchant } = await aShop()
    await setMerchant(app, merchant.id, { ipnUrl: receiver.url, ipnAttempts: 2 })
    const id = await sendTestIpn(app, merchant.id)
    await world.settle()
    await wait(world, 60 * minute)
    expect(await world.store.read((reader) => deliveryOf(reader, id))).toMatchObject({
      total_attempts: 1 + 1,
      status: 'failed',
    })
    await setMerchant(app, merchant.id, { ipnAttempts: 12 })
    const more = await sendTestIpn(app, merchant.id)
    await wait(world, 20 * 24 * 60 * minute)
    expect(receiver.got.length).toBe(2 + 12)
    expect(await world.store.read((reader) => deliveryOf(reader, more))).toMatchObject({ total_attempts: 12 })
    for (const ipnAttempts of [0, 21, 1.5])
      expect(await refusal(setMerchant(app, merchant.id, { ipnAttempts }))).toBe('INVALID_REQUEST_PARAMS')
  })

  test('any 2xx acknowledges it', async () => {
    let next = 500
    const receiver = await aReceiver((_got, response) => void response.writeHead(next).end())
    const { world, merchant, deliveries } = await aShop()
    await aPayment(merchant, { ipn_callback_url: receiver.url })
    await world.settle()
    next = 202
    await wait(world, 15_000)
    expect((await deliveries()).map(({ status, attempt }) => ({ status, attempt }))).toEqual([
      { status: 'delivered', attempt: 2 },
    ])
    await wait(world, 10 * minute)
    expect(receiver.got.length).toBe(2)
  })
})

describe('a test notification', () => {
  test('has the fields of a payment that does not exist, and needs a URL', async () => {
    const receiver = await aReceiver()
    const { world, app, merchant } = await aShop()
    expect(await refusal(sendTestIpn(app, merchant.id))).toBe('CONFLICT')
    expect(await refusal(sendTestIpn(app, '404'))).toBe('NOT_FOUND')
    expect(await refusal(sendTestIpn(app, merchant.id, 'https://10.0.0.1/'))).toBe('INVALID_REQUEST_PARAMS')
    await sendTestIpn(app, merchant.id, receiver.url)
    await world.settle()
    const [got] = receiver.got
    const { payment_id } = await aPayment(merchant)
    const looked = await merchant.client.payment({ params: { payment_id: String(payment_id) } })
    const { gw_test, ...fields } = got ? bodyOf(got) : {}
    expect(gw_test).toBe(true)
    expect(Object.keys(fields)).toEqual(Object.keys(looked).sort())
    expect(fields).toMatchObject({ payment_id: 0, price_amount: 0, actually_paid: 0 })
    expect(isIpnSignature(merchant.ipnSecret, got?.raw ?? '', String(got?.headers['x-gw-sig']))).toBe(true)
  })
})

describe('allowed URLs', () => {
  const leadingTo = (...addresses: readonly string[]) => {
    const lookup: LookupFunction = (_name, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    return lookup
  }

  test.each(['10.0.0.1', '127.0.0.1', '169.254.169.254', 'fd00::1', '::ffff:10.0.0.1'])(
    'a name that resolves to %s is rejected at creation, and nothing is created',
    async (address) => {
      const { app, merchant, deliveries } = await aShop({ lookup: leadingTo(address) })
      const url = 'https://hook.example/ipn'
      expect(await refusal(aPayment(merchant, { ipn_callback_url: url }))).toBe('INVALID_REQUEST_PARAMS')
      const invoice = { price_amount: 20, price_currency: 'usd', ipn_callback_url: url }
      expect(await refusal(merchant.client.createInvoice({ body: invoice }))).toBe('INVALID_REQUEST_PARAMS')
      const client = await merchant.loggedIn()
      const item = { address: wallet, currency: 'usdttrc20', amount: 10, ipn_callback_url: url }
      expect(await refusal(client.createPayouts({ body: { withdrawals: [item] } }))).toBe('INVALID_REQUEST_PARAMS')
      expect(await refusal(setMerchant(app, merchant.id, { ipnUrl: url }))).toBe('INVALID_REQUEST_PARAMS')
      expect((await merchant.client.payments({ query: {} })).total).toBe(0)
      expect(await deliveries()).toEqual([])
    },
  )

  test('an unknown name is accepted, and checked at the connection', async () => {
    let address: string | undefined
    const lookup: LookupFunction = (name, options, done) =>
      address === undefined
        ? done(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), '', 0)
        : leadingTo(address)(name, options, done)
    const { world, merchant, deliveries } = await aShop({ lookup })
    await aPayment(merchant, { ipn_callback_url: 'https://hook.example/ipn' })
    await world.settle()
    expect((await deliveries())[0]?.last_error).toMatch(/ENOTFOUND/)
    address = '192.168.1.1'
    await wait(world, 15_000)
    expect((await deliveries())[0]).toMatchObject({
      status: 'pending',
      last_error: expect.stringMatching(/ENOTADMITTED/),
    })
  })

  test('this machine is allowed for a world on loopback only', async () => {
    const receiver = await aReceiver()
    const { merchant } = await aShop({ loopbackCallbacks: false })
    expect(await refusal(aPayment(merchant, { ipn_callback_url: receiver.url }))).toBe('INVALID_REQUEST_PARAMS')
  })
})

test('two processes on one database send each callback, and none twice without a crash', async () => {
  const receiver = await aReceiver()
  const { url: db = '' } = await postgres.database()
  const { world, app, merchant } = await aShop({ db, machineNow: Date.now })
  const second = await openWorld({ db, machineNow: Date.now })
  onTestFinished(() => second.close())
  await setMerchant(app, merchant.id, { ipnUrl: receiver.url })
  const pumps = [world, second].map((each) => startScheduler(each.jobs, app.log, 10))
  onTestFinished(async () => void (await Promise.all(pumps.map((scheduler) => scheduler.stop()))))
  await Promise.all(
    Array.from({ length: 30 }, (_, i) => aPayment(merchant, { order_id: `o-${i}`, ipn_callback_url: undefined })),
  )
  await receiver.waitFor(30)
  expect(new Set(receiver.got.map((got) => bodyOf(got).order_id)).size).toBe(30)
  expect(receiver.got.length).toBe(30)
})

describe.each(keepingEngines)('a database without an outbox, on $name', (engine) => {
  test('keeps pending callbacks of merchants as deliveries', async () => {
    const database = await engine.database()
    const { steps } = worldMigrations
    const before = {
      of: 'world',
      steps: steps.slice(
        0,
        steps.findIndex(({ name }) => name === '0030-outbox'),
      ),
    } as const
    const open = (migrations: typeof worldMigrations) => database.open({ migrations, now: () => monday })
    const old = await open(before)
    await old.write(async ({ q }) => {
      const row = {
        id: 'i1',
        merchant: '7',
        subject: '42',
        event: 'waiting',
        url: 'https://a.example/',
        body: '{}',
        created_at: 5,
      }
      // The types no longer have the table.
      await (q as never as { insertInto(t: string): { values(v: object): { execute(): Promise<void> } } })
        .insertInto('gateway_ipns')
        .values(row)
        .execute()
    })
    await old.close()
    const now = await open(worldMigrations)
    onTestFinished(() => now.close())
    expect(await now.read((reader) => deliveriesAbout(reader, '7', '42'))).toMatchObject([
      {
        id: 'i1',
        channel: 'merchant-ipn',
        event: 'waiting',
        status: 'pending',
        scheduled_at: 5,
        lease: null,
        max_attempts: null,
      },
    ])
  })
})
