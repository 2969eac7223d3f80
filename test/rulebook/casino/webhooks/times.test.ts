import { describe, expect, test } from 'vitest'
import { setLimits, topUp } from '../../../../src/services/casino/admin/index.ts'
import { kickPlayer } from '../../../../src/services/casino/admin/kick.ts'
import {
  enableWebhook,
  eventsFrom,
  sendTest,
  setWebhook,
} from '../../../../src/services/casino/admin/webhook-settings.ts'
import { dealExactly } from '../../../../src/services/casino/simulator/index.ts'
import { aReceiver, type Got, type Receiver, status } from '../../../support/http/receiver.ts'
import { aPlayer, aTenant, type TestTenant } from '../../../support/worlds/people.ts'
import { aClock, type TestWorld, testWorld } from '../../../support/worlds/world.ts'
import * as limits from '../limits.ts'
import * as book from './webhooks.ts'

const second = 1000
const day = 86_400 * second

/** A tenant in a separate world whose webhook goes to the receiver. */
async function aWebhookTenant(answer?: Parameters<typeof aReceiver>[0], world?: TestWorld) {
  const of = world ?? (await testWorld({ time: aClock('2026-03-01T00:00:00.000Z') }))
  const at: Promise<number>[] = []
  const receiver = await aReceiver((got, response) => {
    at.push(of.clock.now())
    ;(answer ?? status(200))(got, response)
  })
  const tenant = await aTenant(of, { tables: ['BAC-01'] })
  await topUp(of.casino, tenant.code, '80', 'first')
  await hook(tenant, receiver)
  const wait = async (ms: number) => of.clock.advance((await of.clock.now()) + ms)
  return { world: of, tenant, receiver, wait, at: () => Promise.all(at) }
}

async function hook({ world, code }: TestTenant, { url }: Receiver, events = 'all') {
  await setWebhook(world.casino, code, { url, events: eventsFrom(events) })
  await enableWebhook(world.casino, code)
}

const of = (receiver: Receiver, event: string) => receiver.got.filter(({ body }) => body.event === event)

describe('a webhook that is not acknowledged', () => {
  test.each([
    { answer: 'a 500', respond: status(500) },
    { answer: 'a redirect', respond: status(302, { location: 'http://127.0.0.1:9/' }) },
    {
      answer: 'a cut line',
      respond: (_got: Got, response: Parameters<ReturnType<typeof status>>[1]) => void response.destroy(),
    },
  ])('is tried ten times after the delays of the table: $answer', async ({ respond }) => {
    const { world, tenant, receiver, wait, at } = await aWebhookTenant(respond)
    await sendTest(world.casino, tenant.code, 'hello')
    await world.settle()
    await wait(4 * day)
    const moments = await at()
    const { attempts, waitsSeconds, jitter } = book.retries
    expect(moments).toHaveLength(attempts)
    for (const [i, seconds] of waitsSeconds.entries()) {
      const waited = (moments[i + 1] ?? 0) - (moments[i] ?? 0)
      expect(waited, `wait ${i + 1}`).toBeGreaterThanOrEqual(seconds * second)
      expect(waited, `wait ${i + 1}`).toBeLessThanOrEqual(seconds * (1 + jitter) * second)
    }
    // The delivery stays the same one; its body is of the time of each attempt.
    expect(new Set(receiver.got.map(({ body }) => body.id)).size).toBe(1)
    for (const [i, { body, headers }] of receiver.got.entries()) {
      expect(Date.parse(body.createdAt)).toBe(moments[i])
      expect(headers['x-svc-delivery']).toBe(body.id)
    }
  })

  test('or is, or ends, by the status of the response', async () => {
    const world = await testWorld()
    const hooks = []
    for (const { status: code } of book.answers) {
      const one = await aWebhookTenant(status(code), world)
      await sendTest(world.casino, one.tenant.code, 'hello')
      hooks.push(one)
    }
    await world.settle()
    await world.clock.advance((await world.clock.now()) + 10 * second)
    for (const [i, { status: code, is }] of book.answers.entries())
      expect(hooks[i]?.receiver.got.length, String(code)).toBe(is === 'tried again' ? 2 : 1)
  })
})

describe('events of the account', () => {
  test('report the changes into grace, down and up again, with cents and in order', async () => {
    const { world, tenant, receiver, wait } = await aWebhookTenant()
    const account = () => tenant.client.account({})
    for (let days = 0; days < 40 && (await account()).state === 'PAID'; days++) await wait(day)
    const [grace] = of(receiver, 'account.grace')
    const since = Date.parse(String(grace?.body.createdAt))
    expect(grace?.body.data.graceUntil).toBe(new Date(since + book.graceDays * day).toISOString())
    expect((await account()).graceUntil).toBe(grace?.body.data.graceUntil)
    await world.clock.advance(since + book.graceDays * day - second)
    expect((await account()).state).toBe('GRACE')
    await wait(second)
    expect(await account()).toMatchObject({ state: 'DOWNGRADED', plan: 'free', tablesQuota: limits.demo.tables })
    await topUp(world.casino, tenant.code, '5000.005', 'back')
    await world.settle()
    expect(await account()).toMatchObject({ state: 'PAID', plan: 'paid', tablesQuota: null, graceUntil: null })
    for (const { event, from, to, hasGraceUntil } of book.accountStory) {
      const { data = [] } = book.events.find((each) => each.event === event) ?? {}
      const [message, ...more] = of(receiver, event)
      expect(more, event).toEqual([])
      expect(Object.keys(message?.body.data).toSorted(), event).toEqual([...data].toSorted())
      expect(message?.body.data).toMatchObject({ from, to, actor: 'system' })
      expect(message?.body.data.balanceUsd).toMatch(book.cents)
      expect(message?.body.data.graceUntil === null, event).toBe(!hasGraceUntil)
    }
    expect(of(receiver, 'account.topup').at(-1)?.body.data).toMatchObject({ amountUsd: '5000.01', ref: 'back' })
  })

  test('report a low balance once a day, to a billing contact only, while the days left are below the threshold', async () => {
    const { world, tenant, receiver, wait } = await aWebhookTenant()
    const low = () => of(receiver, 'account.low_balance')
    for (let days = 0; days < 12; days++) await wait(day)
    expect(low()).toEqual([])
    await setWebhook(world.casino, tenant.code, { billingContact: 'billing@example.com', alertDays: 10 })
    const expected = []
    for (let days = 0; days < 13; days++) {
      await wait(day)
      await world.settle()
      const { daysLeft, state } = await tenant.client.account({})
      if (state !== 'DOWNGRADED' && daysLeft !== null && daysLeft < 10) expected.push(daysLeft)
    }
    expect(expected.length).toBeGreaterThan(3)
    expect(low().map(({ body }) => body.data.daysLeft)).toEqual(expected)
    for (const { body } of low()) expect(body.data.balanceUsd).toMatch(book.cents)
    const { data } = book.events.find(({ event }) => event === 'account.low_balance') ?? { data: [] }
    expect(Object.keys(low()[0]?.body.data).toSorted()).toEqual([...data].toSorted())
  })
})

describe('receivers', () => {
  const round = { tableId: 'BAC-01', cardInfo: '5H4S3C5D----', slips: [{ username: 'amy', bets: { B: '10' } }] }

  test('round and player events need the paid plan; a sandbox has those of rounds at its own URL', async () => {
    const world = await testWorld()
    const [live, sandbox, free] = [await aReceiver(), await aReceiver(), await aReceiver()]
    const tenant = await aTenant(world, { tables: ['BAC-01'] })
    await tenant.sandbox.client.enableTable({ body: { tableId: 'BAC-01' } })
    await hook(tenant, live)
    await hook(tenant.sandbox, sandbox)
    const poor = await aTenant(world, { plan: 'free', tables: ['BAC-01'] })
    await expect(hook(poor, free)).rejects.toThrow()
    await setLimits(world.casino, poor.code, { idle_days: 0 })
    for (const each of [tenant, tenant.sandbox, poor]) {
      await aPlayer(each, { username: 'amy' })
      await dealExactly(world.casino, each.code, round)
      await kickPlayer(world.casino, each.code, 'amy')
    }
    await world.settle()
    const names = (receiver: Receiver) => receiver.got.map(({ body }) => body.event).toSorted()
    expect([names(live), names(sandbox), names(free)]).toEqual([['bet.settled', 'player.kicked'], ['bet.settled'], []])
  })

  test.each(book.events.filter(({ chosen }) => chosen))('selected: $event', async ({ event }) => {
    const world = await testWorld()
    const receiver = await aReceiver()
    const tenant = await aTenant(world, { tables: ['BAC-01'] })
    await hook(tenant, receiver, event)
    await setWebhook(world.casino, tenant.code, { billingContact: 'billing@example.com', alertDays: 365 })
    await aPlayer(tenant, { username: 'amy' })
    await topUp(world.casino, tenant.code, '6.5', 'first')
    await dealExactly(world.casino, tenant.code, {
      ...round,
      then: [{ correct: { cardInfo: 'KS4H7D2C----' } }, { void: true }],
    })
    await kickPlayer(world.casino, tenant.code, 'amy')
    await world.clock.advance((await world.clock.now()) + 12 * day)
    await topUp(world.casino, tenant.code, '1000', 'back')
    await sendTest(world.casino, tenant.code, 'hello')
    await world.settle()
    expect(new Set(receiver.got.map(({ body }) => body.event))).toEqual(new Set([event, 'test']))
  })
})
