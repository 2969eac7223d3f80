import { describe, expect, test } from 'vitest'
import { tableFee } from '../../../src/domain/account/billing.ts'
import { demoDayLimit } from '../../../src/domain/account/plan-limits.ts'
import { formatAmount, formatUsd, parseAmount } from '../../../src/domain/money.ts'
import { setTenantState, topUp } from '../../../src/services/casino/admin/index.ts'
import { open } from '../../support/browser/browser.ts'
import { sendRaw } from '../../support/http/raw.ts'
import { anOpenRound, aPlayer, aTenant, refuses } from '../../support/worlds/people.ts'
import { aClock, testWorld } from '../../support/worlds/world.ts'
import { ask, verdictOf } from './casino.ts'
import * as book from './limits.ts'

describe('players', () => {
  test.each([
    { seconds: book.launchUrl.seconds - 1, status: 200 },
    { seconds: book.launchUrl.seconds + 1, status: book.launchUrl.expiredStatus },
  ])('a launch URL after $seconds seconds: $status', async ({ seconds, status }) => {
    const world = await testWorld()
    const tenant = await aTenant(world, { tables: ['BAC-01'] })
    const { url } = await tenant.client.launch({ body: { username: 'amy' } })
    world.clock.add(`${seconds}s`)
    expect((await open(world, url)).status).toBe(status)
    expect((await open(world, url)).status).toBe(book.launchUrl.expiredStatus)
  })

  test('a session ends after 12 hours, and after 60 minutes without activity', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world, { tables: ['BAC-01'] })
    const enter = async (username: string) => open(world, (await tenant.client.launch({ body: { username } })).url)
    const idle = await enter('amy')
    world.clock.add(`${book.session.idleMinutes}m`)
    world.clock.add('-1s')
    expect((await idle.reload()).status).toBe(200)
    world.clock.add(`${book.session.idleMinutes * 60 + 1}s`)
    expect((await idle.reload()).status).toBe(401)
    const busy = await enter('bob')
    for (let minutes = 30; minutes < book.session.hours * 60; minutes += 30) {
      world.clock.add('30m')
      expect((await busy.reload()).status, `${minutes} minutes`).toBe(200)
    }
    world.clock.add('30m')
    world.clock.add('1s')
    expect((await busy.reload()).status).toBe(401)
  })

  test.each([
    { plan: 'free', most: book.demo.players },
    { plan: 'sandbox', most: book.sandbox.players },
  ])('$plan: $most player accounts', async ({ plan, most }) => {
    const world = await testWorld()
    const live = await aTenant(world, { plan: plan === 'free' ? 'free' : 'paid' })
    const tenant = plan === 'free' ? live : live.sandbox
    for (let i = 0; i < most; i++) await aPlayer(tenant, { balance: '0' })
    expect(verdictOf(await ask(tenant, 'POST /player/launch', { username: 'more' }))).toBe('PLAYER_LIMIT')
    const order = { username: 'more', txnId: 't', amount: '1', currency: 'USD' }
    expect(verdictOf(await ask(tenant, 'POST /wallet/deposit', order))).toBe('PLAYER_LIMIT')
    expect(verdictOf(await ask(tenant, 'POST /player/launch', { username: 'player-2' }))).toBe('ok')
  })

  test.each([
    { plan: 'free', most: book.demo.online },
    { plan: 'sandbox', most: book.sandbox.online },
  ])('$plan: $most players online at once', async ({ plan, most }) => {
    const world = await testWorld()
    const live = await aTenant(world, { plan: plan === 'free' ? 'free' : 'paid' })
    const tenant = plan === 'free' ? live : live.sandbox
    const statuses = []
    for (let i = 0; i <= most; i++) {
      const { url } = await tenant.client.launch({ body: { username: `p-${i}` } })
      statuses.push((await open(world, url)).status === 200)
    }
    expect(statuses).toEqual([...Array(most).fill(true), false])
  })
})

describe('tables', () => {
  const all = ['BAC-01', 'DT-01', 'HE-01']
  test.each([
    { plan: 'free', quota: book.demo.tables },
    { plan: 'sandbox', quota: book.sandbox.tables },
    { plan: 'paid', quota: book.paid.tablesQuota },
  ])('$plan: a quota of $quota', async ({ plan, quota }) => {
    const live = await aTenant(await testWorld(), { plan: plan === 'free' ? 'free' : 'paid' })
    const tenant = plan === 'sandbox' ? live.sandbox : live
    const verdicts = []
    for (const tableId of all) verdicts.push(verdictOf(await ask(tenant, 'POST /tables/enable', { tableId })))
    expect(verdicts).toEqual(['ok', 'ok', quota === null ? 'ok' : 'QUOTA_EXCEEDED'])
    const answer = await ask(tenant, 'POST /tables/enable', { tableId: 'BAC-01' })
    expect(answer.body.data).toEqual({ tableId: 'BAC-01', enabled: true, used: quota ?? 3, quota })
  })

  test.each(book.monthLengths)('a table of $month costs USD 100 over $days days', async ({ month, days }) => {
    const start = Date.parse(`${month}-01T00:00:00.000Z`)
    // A day's fee is truncated or rounded to the millionth.
    const fee = Number(formatUsd(tableFee(1, start)))
    expect(Math.abs(fee - book.tableMonthUsd / days)).toBeLessThan(0.000_001)
    const world = await testWorld({ time: aClock(`${month}-01T00:00:00.000Z`) })
    const tenant = await aTenant(world, { tables: ['BAC-01'] })
    await topUp(world.casino, tenant.code, '1000', 'first')
    await world.clock.advance(start + days * 86_400_000)
    const spent = 1000 - Number((await tenant.client.account({})).balanceUsd)
    expect(Math.abs(spent - book.tableMonthUsd)).toBeLessThan(0.000_1)
    const whole = Array.from({ length: days }, (_, day) => tableFee(1, start + day * 86_400_000))
    expect(formatUsd(whole.reduce((sum, each) => sum + each, 0n))).toBe(String(book.tableMonthUsd))
  })
})

describe('bets of a UTC day on the free plan', () => {
  test.each(Object.entries(book.dailyBets))('%s %s', async (currency, most) => {
    expect(formatAmount(demoDayLimit(currency))).toBe(most)
    const world = await testWorld()
    const tenant = await aTenant(world, { plan: 'free', currency, currencies: [], tables: ['BAC-01'] })
    const [one, two, three] = ['amy', 'bob', 'cho']
    for (const username of [one, two, three]) await aPlayer(tenant, { username, balance: '100000000' })
    const bet = async (username: string, amount: string) =>
      refusedWith(anOpenRound(tenant, 'BAC-01', [{ username, bets: { B: amount } }]))
    expect(await bet(one, formatAmount(parseAmount(most) - 1n))).toBe('ok')
    expect(await bet(two, '0.0001')).toBe('ok')
    expect(await bet(three, '0.0001')).not.toBe('ok')
    await world.clock.advance(Date.parse('2026-03-10T23:59:59.000Z'))
    expect(await bet(three, '0.0001')).not.toBe('ok')
    await world.clock.advance(Date.parse('2026-03-11T00:00:00.000Z'))
    expect(await bet(three, '0.0001')).toBe('ok')
  })

  const refusedWith = (promise: Promise<unknown>) =>
    promise.then(
      () => 'ok',
      (error: { code?: string; message: string }) => error.code ?? error.message,
    )
})

test('a suspended or closed account enables no table', async () => {
  // Every endpoint refuses such a tenant before the table is looked up.
  const world = await testWorld()
  const tenant = await aTenant(world)
  for (const state of ['SUSPENDED', 'CLOSED'] as const) {
    await setTenantState(world.casino, tenant.code, state)
    await refuses('TENANT_SUSPENDED', tenant.client.enableTable({ body: { tableId: 'BAC-01' } }))
    await setTenantState(world.casino, tenant.code, 'ENABLED')
  }
  expect((await sendRaw(world, tenant.key)).status).toBe(200)
})
