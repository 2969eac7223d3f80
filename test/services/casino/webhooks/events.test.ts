import { describe, expect, test } from 'vitest'
import { readAccount } from '../../../../src/services/casino/account/read.ts'
import { createTenant, setTenantState, topUp } from '../../../../src/services/casino/admin/index.ts'
import { kickPlayer } from '../../../../src/services/casino/admin/kick.ts'
import {
  disableWebhook,
  enableWebhook,
  eventsFrom,
  readWebhook,
  sendTest,
  setWebhook,
} from '../../../../src/services/casino/admin/webhook-settings.ts'
import { readBets } from '../../../../src/services/casino/bets/read.ts'
import { launch } from '../../../../src/services/casino/players/launches.ts'
import { logout, updatePlayer } from '../../../../src/services/casino/players/players.ts'
import { openLaunchLink } from '../../../../src/services/casino/players/sessions.ts'
import { saveTenant } from '../../../../src/services/casino/queries/tenants.ts'
import { dealExactly, type ExactRound } from '../../../../src/services/casino/simulator/index.ts'
import type { World } from '../../../../src/world/world.ts'
import { aReceiver, type Envelope, type Receiver } from '../../../support/http/receiver.ts'
import { asCaller, aWebhook, aWorld, monday } from '../../../support/worlds/webhook-world.ts'

const day = 86_400_000

/** Webhooks that a receiver got, by the name of the event. */
const webhooksOf = (receiver: Receiver, event: string): Envelope[] =>
  receiver.got.filter((got) => got.body.event === event).map((got) => got.body)

const round: ExactRound = {
  tableId: 'BAC-01',
  variant: 'nocomm',
  cardInfo: 'QD3D4C3SAH--',
  slips: [
    { username: 'amy', bets: { B: '100', S6: '10', BP: '5' } },
    { username: 'bob', bets: { P: '50' } },
  ],
}

async function tellingWorld(options: { code?: string; events?: string } = {}) {
  const receiver = await aReceiver()
  const world = await aWorld()
  await aWebhook(world, receiver.url, options)
  return { world, receiver }
}

/** Sets a tenant's bill to the state that a test needs. */
const set = (world: World, change: Parameters<typeof saveTenant>[2], code = 'DEMO') =>
  world.store.write((tx) => saveTenant(tx, code, change))

describe('a round', () => {
  test('is sent once per revision, with all slips of that revision exactly as GET /bets gives them', async () => {
    const { world, receiver } = await tellingWorld()
    const { roundId, revisions } = await dealExactly(world.casino, 'DEMO', {
      ...round,
      then: [{ correct: { cardInfo: '5H4S3C5D----' } }, { void: true }],
    })
    await world.settle()
    expect(receiver.got.length).toBe(3)
    const { items } = (await readBets(world.casino, await asCaller(world), { limit: 1000 })).read()
    const expected = { 'bet.settled': 'settled', 'round.corrected': 'recalculated', 'round.voided': 'void' }
    for (const [i, [event, status]] of Object.entries(expected).entries()) {
      const [message, ...more] = webhooksOf(receiver, event)
      expect(more).toEqual([])
      expect(Object.keys(message?.data)).toEqual(['round', 'bets'])
      expect(message?.data.bets).toEqual(items.filter((item) => item.rev === i + 1))
      expect(message?.data.bets.map((bet: { status: string }) => bet.status)).toEqual([status, status])
      const { tableId, shoe, round: number, code, cardInfo, rev } = revisions[i]?.round ?? {}
      expect(message?.data.round).toEqual({
        roundId,
        tableId,
        shoe,
        round: number,
        rev,
        resultCode: code,
        cardInfo,
        settledAt: '2026-03-02T12:00:00.000Z',
      })
      expect(rev).toBe(i + 1)
      expect(typeof message?.data.round.shoe).toBe('string')
    }
  })

  test('voided without a result has neither code nor cards', async () => {
    const { world, receiver } = await tellingWorld()
    const { cardInfo: _none, ...noResult } = round
    await dealExactly(world.casino, 'DEMO', { ...noResult, void: true })
    await world.settle()
    const [message] = webhooksOf(receiver, 'round.voided')
    expect(receiver.got.length).toBe(1)
    expect(message?.data.round).toMatchObject({ rev: 1, resultCode: null, cardInfo: null })
    expect(message?.data.bets).toMatchObject([
      { status: 'void', result: { code: '', cardInfo: '' } },
      { status: 'void', result: { code: '', cardInfo: '' } },
    ])
  })

  test("of Hold'em has an empty shoe, and the hand in its slips", async () => {
    const { world, receiver } = await tellingWorld()
    await dealExactly(world.casino, 'DEMO', {
      tableId: 'HE-01',
      variant: 'casino',
      cardInfo: '2C 7D 9H JS KD||QC QD',
      slips: [{ username: 'amy', bets: { ANTE: '10', CALL: '20' }, hole: 'AS AD' }],
    })
    await world.settle()
    const { data } = receiver.got[0]?.body ?? { data: {} }
    expect(data.round.shoe).toBe('')
    expect(data.bets).toMatchObject([{ hand: { handId: data.round.roundId }, onsite: false, rake: '0' }])
  })

  test('without bets sends nothing, and neither does a rejected correction', async () => {
    const { world, receiver } = await tellingWorld()
    await dealExactly(world.casino, 'DEMO', { ...round, slips: [] })
    const { revisions } = await dealExactly(world.casino, 'DEMO', {
      ...round,
      then: [{ void: true }, { correct: { cardInfo: '5H4S3C5D----' } }],
    })
    await world.settle()
    expect(revisions.map((revision) => revision.disputed)).toEqual([undefined, undefined, expect.any(String)])
    expect(receiver.got.map((got) => got.body.event).sort()).toEqual(['bet.settled', 'round.voided'])
  })

  test('is sent to the sandbox at its own URL with its own secret, under its own company code, on any plan', async () => {
    const { world, receiver } = await tellingWorld()
    const sandbox = await aReceiver()
    const secret = await aWebhook(world, sandbox.url, { code: 'DEMO-SBX' })
    expect(secret).not.toBe((await readWebhook(world.casino, 'DEMO')).hook.secret)
    await dealExactly(world.casino, 'DEMO-SBX', round)
    await updatePlayer(world.casino, await asCaller(world, 'DEMO-SBX'), { username: 'amy', status: 'locked' })
    await world.settle()
    expect(receiver.got.length).toBe(0)
    // A sandbox has only round events.
    expect(sandbox.got.map((got) => [got.body.event, got.body.companyCode])).toEqual([['bet.settled', 'DEMO-SBX']])
  })

  test('whose transaction is rolled back sends nothing', async () => {
    const { world, receiver } = await tellingWorld()
    const tooMuch = { ...round, then: [{ correct: { cardInfo: 'nonsense' } }] }
    await expect(dealExactly(world.casino, 'DEMO', tooMuch)).rejects.toThrow()
    await world.settle()
    expect(receiver.got.length).toBe(0)
  })
})

describe('a kick', () => {
  test('is sent with its reason, with or without a session', async () => {
    const { world, receiver } = await tellingWorld()
    const caller = await asCaller(world)
    await logout(world.casino, caller, 'AMY')
    await updatePlayer(world.casino, caller, { username: 'bob', status: 'locked' })
    await updatePlayer(world.casino, caller, { username: 'cho', status: 'no_bet' })
    await kickPlayer(world.casino, 'DEMO', 'dee')
    await world.settle()
    const at = '2026-03-02T12:00:00.000Z'
    expect(webhooksOf(receiver, 'player.kicked').map((message) => message.data)).toEqual(
      expect.arrayContaining([
        { username: 'amy', reason: 'logged_out', at },
        { username: 'bob', reason: 'locked', at },
        { username: 'dee', reason: 'kicked', at },
      ]),
    )
    expect(receiver.got.length).toBe(3)
  })

  test('is not sent when a new launch replaces a session, nor when one times out', async () => {
    const { world, receiver } = await tellingWorld()
    const caller = await asCaller(world)
    const { url } = await launch(world.casino, caller, { username: 'amy' })
    await openLaunchLink(world.casino, new URL(url).searchParams.get('t') ?? '')
    await launch(world.casino, caller, { username: 'amy' })
    await world.clock.advance(monday + 2 * 3_600_000)
    expect(receiver.got.length).toBe(0)
  })
})

describe('the account', () => {
  test('events for grace, downgrade and restoration are sent in order, with cents', async () => {
    const { world, receiver } = await tellingWorld({ events: 'account.grace,account.downgraded,account.restored' })
    await set(world, { credit_usd: '1.005' })
    await world.clock.advance(monday + 10 * day)
    const [grace] = webhooksOf(receiver, 'account.grace')
    // Eight tables at USD 100 a month: the day's charge is 8 times 100/31.
    expect(grace?.data).toEqual({
      from: 'PAID',
      to: 'GRACE',
      balanceUsd: '-24.80',
      graceUntil: '2026-03-10T00:00:00.000Z',
      actor: 'system',
    })
    const [downgraded] = webhooksOf(receiver, 'account.downgraded')
    expect(downgraded?.data).toEqual({
      from: 'GRACE',
      to: 'DOWNGRADED',
      balanceUsd: expect.stringMatching(/^-\d+\.\d\d$/),
      graceUntil: null,
      actor: 'system',
    })
    await topUp(world.casino, 'DEMO', '1000', 'wire-1')
    await world.settle()
    expect(webhooksOf(receiver, 'account.restored')[0]?.data).toEqual({
      from: 'DOWNGRADED',
      to: 'PAID',
      balanceUsd: expect.stringMatching(/^\d+\.\d\d$/),
      graceUntil: null,
      actor: 'system',
    })
    expect(receiver.got.length).toBe(3)
  })

  test('a top-up is sent once per reference, in cents rounded half up', async () => {
    const { world, receiver } = await tellingWorld()
    await set(world, { credit_usd: '0' })
    await topUp(world.casino, 'DEMO', '12.345', 'wire-1')
    await topUp(world.casino, 'DEMO', '12.345', 'wire-1')
    await world.settle()
    expect(receiver.got.map((got) => [got.body.event, got.body.data])).toEqual([
      ['account.topup', { amountUsd: '12.35', balanceUsd: '12.35', ref: 'wire-1' }],
    ])
  })

  test('a low balance is sent after the charge that made it low, with the figures of GET /account', async () => {
    const { world, receiver } = await tellingWorld({ events: 'account.low_balance' })
    await set(world, { credit_usd: '230' })
    await setWebhook(world.casino, 'DEMO', { billingContact: 'billing@example.com', alertDays: 7 })
    const caller = await asCaller(world)
    const low: unknown[] = []
    for (let days = 1; days <= 7; days++) {
      await world.clock.advance(Date.UTC(2026, 2, 2 + days, 1))
      const { balanceUsd, avgDailyUsd7d, daysLeft } = await readAccount(world.casino, caller)
      const cents = (text: string) => Number(text).toFixed(2)
      if (daysLeft !== null && daysLeft < 7)
        low.push({ balanceUsd: cents(balanceUsd), avgDailyUsd: cents(avgDailyUsd7d), daysLeft })
    }
    expect(low.length).toBeGreaterThan(1)
    expect(low.length).toBeLessThan(7)
    expect(receiver.got.map((got) => got.body.data)).toEqual(low)
    expect(Object.keys(receiver.got[0]?.body.data)).toEqual(['balanceUsd', 'avgDailyUsd', 'daysLeft'])
  })

  test('a low balance is sent at most once a day, for any number of charged days, and not without a billing contact', async () => {
    const { world, receiver } = await tellingWorld({ events: 'account.low_balance' })
    await set(world, { credit_usd: '300' })
    await world.clock.advance(monday + 3 * day)
    expect(receiver.got.length).toBe(0)
    await setWebhook(world.casino, 'DEMO', { billingContact: 'billing@example.com', alertDays: 365 })
    // The machine slept for four days: all are charged at once.
    await world.clock.set(monday + 7 * day)
    await world.settle()
    expect(receiver.got.length).toBe(1)
    await world.settle()
    expect(receiver.got.length).toBe(1)
    await setWebhook(world.casino, 'DEMO', { billingContact: '' })
    await world.clock.advance(monday + 9 * day)
    expect(receiver.got.length).toBe(1)
  })
})

describe('receivers', () => {
  test('only selected events are sent, and a test needs no selection', async () => {
    const { world, receiver } = await tellingWorld({ events: 'round.voided' })
    await dealExactly(world.casino, 'DEMO', round)
    await logout(world.casino, await asCaller(world), 'amy')
    await sendTest(world.casino, 'DEMO', 'are you there?')
    await world.settle()
    expect(receiver.got.map((got) => [got.body.event, got.body.data])).toEqual([
      ['test', { message: 'are you there?' }],
    ])
  })

  test('the free plan has no webhooks: none can be enabled, and nothing is sent after a downgrade', async () => {
    const { world, receiver } = await tellingWorld()
    await createTenant(world.casino, { code: 'POOR', plan: 'free', timezone: 'UTC', currency: 'USD', currencies: [] })
    await setWebhook(world.casino, 'POOR', { url: receiver.url, events: eventsFrom('all') })
    await expect(enableWebhook(world.casino, 'POOR')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await readWebhook(world.casino, 'POOR')).hook).toMatchObject({ enabled: 0, secret: null })

    await set(world, { state: 'DOWNGRADED', credit_usd: '-50' })
    await dealExactly(world.casino, 'DEMO', round)
    await logout(world.casino, await asCaller(world), 'amy')
    await topUp(world.casino, 'DEMO', '10', 'too little')
    await world.settle()
    expect(receiver.got.length).toBe(0)
    await expect(sendTest(world.casino, 'DEMO', 'x')).rejects.toMatchObject({ code: 'CONFLICT' })
    await topUp(world.casino, 'DEMO', '100', 'enough')
    await world.settle()
    expect(receiver.got.map((got) => got.body.event).sort()).toEqual(['account.restored', 'account.topup'])
  })

  test.each(['SUSPENDED', 'CLOSED', 'DISABLED'] as const)('a tenant that is %s gets no new events', async (state) => {
    const { world, receiver } = await tellingWorld()
    await setTenantState(world.casino, 'DEMO', state)
    await kickPlayer(world.casino, 'DEMO', 'amy')
    await world.settle()
    expect(receiver.got.length).toBe(0)
  })

  test('a secret is created at the first enabling and is kept', async () => {
    const { world } = await tellingWorld()
    const { hook } = await readWebhook(world.casino, 'DEMO')
    await disableWebhook(world.casino, 'DEMO')
    await expect(sendTest(world.casino, 'DEMO', 'x')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await enableWebhook(world.casino, 'DEMO')).toMatchObject({ isFirst: false, hook: { secret: hook.secret } })
  })

  test('invalid settings are rejected', async () => {
    const world = await aWorld()
    await expect(enableWebhook(world.casino, 'DEMO')).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(readWebhook(world.casino, 'NOBODY')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(setWebhook(world.casino, 'DEMO', { billingContact: 'no address' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    })
    expect(() => eventsFrom('bet.settled,bet.placed')).toThrow(/Unknown event "bet.placed"/)
    expect(() => eventsFrom('test')).toThrow(/Unknown event "test"/)
    expect(eventsFrom('all').length).toBe(9)
    expect(eventsFrom('round.voided, bet.settled')).toEqual(['bet.settled', 'round.voided'])
  })
})
