import { describe, expect, test, vi } from 'vitest'
import type { SessionRow } from '../../../../src/db/schema/casino.ts'
import type { Tx } from '../../../../src/db/store.ts'
import { topUp } from '../../../../src/services/casino/admin/index.ts'
import { saveStream } from '../../../../src/services/casino/queries/credit.ts'
import { saveDayBets } from '../../../../src/services/casino/queries/day-bets.ts'
import { insertLaunch, insertSession } from '../../../../src/services/casino/queries/sessions.ts'
import { saveTenant } from '../../../../src/services/casino/queries/tenants.ts'
import { casinoJobs } from '../../../../src/services/casino/server/periodic.ts'
import { allBets, aPlayer, aSlip, aTenant } from '../../../support/worlds/people.ts'
import { aClock, testWorld } from '../../../support/worlds/world.ts'

/** The periodic jobs of the casino, each run by hand at the times around its due time. */

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

async function aWorldWithJobs(at = '2026-03-10T12:00:00.000Z') {
  const time = aClock(at)
  const world = await testWorld({ time })
  const jobs = casinoJobs(world.casino)
  const job = (name: string) => {
    const match = jobs.find((each) => each.name === `casino: ${name}`)
    if (!match) throw new Error(`no job ${name}`)
    return {
      run: (limit = 100) => match.run(limit),
      nextRun: () => world.store.read(async (reader) => match.nextRun?.(reader)),
    }
  }
  const write = (work: (tx: Tx) => Promise<void>) => world.store.write(work)
  return { world, time, job, write, start: time.now() }
}

test('a session ends 12 hours after it was opened, or 60 minutes after its last activity (Limits)', async () => {
  const { world, time, job, write, start } = await aWorldWithJobs()
  const { run, nextRun } = job('end sessions')
  expect(await nextRun()).toBe(undefined)
  const session = (id: string, opened_at: number, seen_at: number): SessionRow => ({
    ...{ id, opened_at, seen_at, token_hash: id, tenant: 'T1', player_id: id, language: 'ENG', device: 'pc' },
    ...{ table_id: null, ended_at: null, end_reason: null },
  })
  await write((tx) => insertSession(tx, session('old', start - 12 * hour + 1, start)))
  await write((tx) => insertSession(tx, session('idle', start - 2 * hour, start - 60 * minute + 2)))
  const ended = () =>
    world.store.read(({ q }) =>
      q
        .selectFrom('casino_sessions')
        .select(['id', 'ended_at', 'end_reason'])
        .where('ended_at', 'is not', null)
        .execute(),
    )
  expect(await nextRun()).toBe(start + 1)
  expect([await run(), await ended()]).toEqual([0, []])
  time.add('1ms')
  const old = { id: 'old', ended_at: start + 1, end_reason: 'EXPIRED' }
  expect([await run(), await ended()]).toEqual([1, [old]])
  expect(await nextRun()).toBe(start + 2)
  time.add('1ms')
  const idle = { id: 'idle', ended_at: start + 2, end_reason: 'IDLE' }
  expect([await run(), await ended()]).toEqual([1, expect.arrayContaining([old, idle])])
  expect(await nextRun()).toBe(undefined)
})

test('a day is charged when it is over, up to the requested number at once', async () => {
  const { world, time, job } = await aWorldWithJobs()
  const { run, nextRun } = job('charge days')
  expect(await nextRun()).toBe(undefined)
  await aTenant(world)
  expect(await nextRun()).toBe(Date.parse('2026-03-11T00:00:00Z'))
  time.add('24h')
  // Each tenant has its sandbox.
  await aTenant(world)
  expect(await nextRun()).toBe(Date.parse('2026-03-11T00:00:00Z'))
  expect([await run(1), await run(), await run()]).toEqual([1, 1, 0])
  expect(await nextRun()).toBe(Date.parse('2026-03-12T00:00:00Z'))
  time.add('12h')
  time.add('-1ms')
  expect(await run()).toBe(0)
  time.add('1ms')
  expect(await run()).toBe(4)
  time.add('48h')
  expect([await run(3), await run(3), await run(3)]).toEqual([3, 3, 2])
})

test('each fee of a day is a separate entry with the balance after it, and a day without a cost has none', async () => {
  const { world, time, job, write } = await aWorldWithJobs()
  const tenant = await aTenant(world, { tables: ['BAC-01'] })
  const free = await aTenant(world)
  await topUp(world.casino, tenant.code, '10', 'first')
  await write((tx) => saveStream(tx, { tenant: tenant.code, day: '2026-03-10', source: 'cdn', gb: '1.000' }))
  time.add('36h')
  await job('charge days').run()
  const entries = await world.store.read(({ q }) =>
    q
      .selectFrom('casino_credit_entries')
      .select(['kind', 'amount_usd', 'balance_usd'])
      .where('kind', '!=', 'topup')
      .orderBy('id')
      .execute(),
  )
  expect(entries.map(({ kind, amount_usd, balance_usd }) => [kind, amount_usd, balance_usd])).toEqual([
    ['table_fee', '-3.225806', '6.774194'],
    ['stream_fee', '-0.05', '6.724194'],
    ['table_fee', '-3.225806', '3.498388'],
  ])
  // Without credit, grace begins with a charge: days without a cost do not begin it.
  expect(await free.client.account({})).toMatchObject({ state: 'PAID', balanceUsd: '0' })
})

test('grace ends at its time, except for an account that is suspended', async () => {
  const { world, time, job, write, start } = await aWorldWithJobs()
  const { run, nextRun } = job('end grace periods')
  const tenants = [await aTenant(world), await aTenant(world), await aTenant(world)]
  expect(await nextRun()).toBe(undefined)
  const [first, second, suspended] = tenants.map(({ code }) => code)
  const grace = (grace_until: number) => ({ state: 'GRACE', grace_until }) as const
  await write((tx) => saveTenant(tx, second ?? '', grace(start + 2)))
  await write((tx) => saveTenant(tx, first ?? '', grace(start + 1)))
  const before = { ...grace(start), state: 'SUSPENDED', state_before: 'GRACE' } as const
  await write((tx) => saveTenant(tx, suspended ?? '', before))
  const states = () =>
    world.store.read(({ q }) =>
      q
        .selectFrom('casino_tenants')
        .select(['state', 'state_before'])
        .where('environment', '=', 'live')
        .orderBy('code')
        .execute(),
    )
  const [inGrace, downgraded] = [
    { state: 'GRACE', state_before: null },
    { state: 'DOWNGRADED', state_before: null },
  ]
  const kept = { state: 'SUSPENDED', state_before: 'GRACE' }
  expect(await nextRun()).toBe(start + 1)
  expect([await run(), await states()]).toEqual([0, [inGrace, inGrace, kept]])
  time.add('1ms')
  expect([await run(), await states()]).toEqual([1, [downgraded, inGrace, kept]])
  expect(await nextRun()).toBe(start + 2)
  time.add('1ms')
  expect([await run(), await states()]).toEqual([1, [downgraded, downgraded, kept]])
  expect(await nextRun()).toBe(undefined)
})

test('partitions of records are kept from the oldest month of any plan to two months ahead', async () => {
  const { world, job } = await aWorldWithJobs()
  const keepMonths = vi.spyOn(world.casino.store, 'keepMonths')
  await job('partitions of records').run()
  // A tenant of the paid plan keeps 400 days, and its sandbox two months.
  await aTenant(world)
  await job('partitions of records').run()
  const months = ['202603', '202604', '202605']
  expect(keepMonths.mock.calls).toEqual([
    ['casino_bet_records', { before: undefined, months }],
    ['casino_bet_records', { before: '202502', months }],
  ])
})

describe('old rows are deleted:', () => {
  test('nonces once their timestamp is too old to be accepted', async () => {
    const { world, job, write, start } = await aWorldWithJobs()
    const nonce = (name: string, stamp: number) => ({ key_id: 'k', nonce: name, stamp, expires_at: start - 1 })
    await write(async ({ q }) => {
      const rows = [nonce('old', start - 300_001), nonce('valid', start - 300_000)]
      await q.insertInto('casino_nonces').values(rows).execute()
    })
    expect(await job('delete old nonces').run()).toBe(1)
    const left = await world.store.read(({ q }) => q.selectFrom('casino_nonces').select('nonce').execute())
    expect(left).toEqual([{ nonce: 'valid' }])
    const many = Array.from({ length: 5_001 }, (_, i) => nonce(`n${i}`, start - 300_001))
    await write(async ({ q }) => {
      await q.insertInto('casino_nonces').values(many).execute()
    })
    const { run } = job('delete old nonces')
    expect([await run(), await run()]).toEqual([5_000, 1])
  })

  test('links a day after they expired', async () => {
    const { job, write, start } = await aWorldWithJobs()
    const link = { tenant: 'T1', player_id: 'p', language: 'ENG', device: 'pc', table_id: null, variant: null } as const
    const rest = { lobby_url: null, created_at: 0, used_at: null }
    for (const expires_at of [start - day, start - day + 1])
      await write((tx) => insertLaunch(tx, { ...link, ...rest, token_hash: String(expires_at), expires_at }))
    expect(await job('delete old links').run()).toBe(1)
    expect(await job('delete old links').run()).toBe(0)
  })

  test('sessions 30 days after they ended', async () => {
    const { job, write, start } = await aWorldWithJobs()
    for (const ended_at of [start - 30 * day, start - 30 * day + 1])
      await write((tx) =>
        insertSession(tx, {
          ...{ id: String(ended_at), token_hash: String(ended_at), tenant: 'T1', player_id: 'p', language: 'ENG' },
          ...{ device: 'pc', table_id: null, opened_at: 0, seen_at: 0, ended_at, end_reason: 'IDLE' },
        }),
      )
    expect(await job('delete old sessions').run()).toBe(1)
    expect(await job('delete old sessions').run()).toBe(0)
  })

  test('the bets of a demo tenant’s days before yesterday', async () => {
    const { world, job, write } = await aWorldWithJobs()
    for (const each of ['2026-03-08', '2026-03-09', '2026-03-10'])
      await write((tx) => saveDayBets(tx, { tenant: 'T1', day: each, currency: 'USD', total: '1' }))
    expect(await job('delete old days of bets').run()).toBe(1)
    const left = await world.store.read(({ q }) =>
      q.selectFrom('casino_day_bets').select('day').orderBy('day').execute(),
    )
    expect(left.map((row) => row.day)).toEqual(['2026-03-09', '2026-03-10'])
  })

  test('bet records in whole months once the paid plan’s 400 days are over, up to the requested number at once', async () => {
    const { world, time, job } = await aWorldWithJobs('2026-01-31T23:00:00.000Z')
    const players = []
    for (const username of ['amy', 'bob'])
      players.push(await aPlayer(await aTenant(world, { tables: ['BAC-01'] }), { username }))
    const [amy, bob] = players
    if (!amy || !bob) throw new Error('two players')
    await aSlip(amy)
    await aSlip(bob)
    await aSlip(bob)
    time.add('1h')
    await aSlip(amy)
    const { run } = job('delete old records')
    time.add('400d')
    time.add('-1ms')
    expect(await run()).toBe(0)
    time.add('1ms')
    expect([await run(2), await run(2), await run(2)]).toEqual([2, 1, 0])
    expect((await allBets(amy.tenant, { from: '2026-01-01T00:00:00.000Z' })).items).toHaveLength(1)
  })
})
