import { describe, expect, onTestFinished, test } from 'vitest'
import { dayOf } from '../../../src/domain/time/day.ts'
import { dealExactly } from '../../../src/services/casino/simulator/exact.ts'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { readyDocument } from '../../../src/world/ready-file.ts'
import { openWorld, type World } from '../../../src/world/world.ts'
import { aReceiver } from '../../support/http/receiver.ts'
import { aHome, type Home, run, runJson } from '../../support/program/cli.ts'

/** A world whose clock is far from this machine's, served over HTTP, and a home whose remote profile reaches it. */
async function aMovedWorld(startAt: number): Promise<{ world: World; home: Home }> {
  const world = await openWorld({ db: ':memory:', startAt, rateLimits: false })
  onTestFinished(() => world.close())
  await ensureDemoWorld(world)
  const { url } = await world.server.listen()
  const home = aHome()
  const file = home.write('ready.json', JSON.stringify(await readyDocument(world, url, ':memory:')))
  const added = await run(['profiles', 'add', 'moved', '--from', file, '--environment', 'live'], { home })
  if (added.code !== 0) throw new Error(added.stderr)
  return { world, home: { ...home, env: { ...home.env, COUNTROOM_PROFILE: 'moved' } } }
}

const words = (line: string) => line.split(' ')
const day = 86_400_000
const taipei = (at: number) => dayOf(at, 'Asia/Taipei')
const bet = (amount: string) => ({
  tableId: 'BAC-01',
  variant: 'classic' as const,
  cardInfo: 'QD3D4C3SAH--',
  slips: [{ username: 'amy', bets: { B: amount } }],
})

describe.each([
  ['ahead of', 40 * day],
  ['behind', -40 * day],
])('on a platform whose clock is far %s this machine’s', (_, ahead) => {
  // Noon, so that no day ends while the test runs.
  const noon = Math.floor((Date.now() + ahead) / day) * day + day / 6

  test('"yesterday", "today" and every age use the platform’s time', async () => {
    const { world, home } = await aMovedWorld(noon - day)
    await dealExactly(world.casino, 'DEMO', bet('100'))
    await world.clock.set(noon)
    await dealExactly(world.casino, 'DEMO', bet('7'))
    const [yesterday, today] = [taipei(noon - day), taipei(noon)]

    const summary = await runJson(words('summary show yesterday'), { home })
    expect(summary.data).toMatchObject({ date: yesterday, players: [{ username: 'amy', stake: '100' }] })
    expect(summary.warnings).toEqual([expect.stringContaining(`"yesterday" is ${yesterday}`)])
    expect((await runJson(words('summary show today'), { home })).data['players']).toMatchObject([{ stake: '7' }])

    const out = `${home.folder}/bets`
    expect((await runJson(['bets', 'sync', '--out', out], { home })).code).toBe(0)
    const status = await runJson(words('bets status'), { home })
    expect(status.data['lagMs']).toBeLessThan(600_000)

    const daily = await runJson(words('reconcile daily'), { home })
    expect(daily.data).toMatchObject({ date: yesterday, verdict: 'balanced' })
    expect(daily.code).toBe(0)
    const early = await runJson(words('reconcile daily today'), { home })
    expect([early.code, early.data['date']]).toEqual([11, today])

    const restated = await runJson(words('reconcile restated --days 3'), { home })
    expect([restated.code, restated.data['days']]).toEqual([0, 1])

    const usage = await runJson(words('account usage'), { home })
    const days = usage.data['days'] as { day: string }[]
    expect(days.at(-1)?.day).toBe(dayOf(noon, 'UTC'))
  })

  test('a lost callback is found by its age there', async () => {
    const { world, home } = await aMovedWorld(noon)
    const shop = await aReceiver()
    const create = words('payments create 100 usd usdttrc20 --order o-1 --yes')
    const made = await runJson(create, { home })
    expect(made.code).toBe(0)
    const young = await runJson(words('ipn heal --dry-run'), { home })
    expect(young.data).toMatchObject({ checked: 1, recent: 1, callbacks: [] })
    await world.clock.set(noon + 600_000)
    const healed = await runJson(['ipn', 'heal', '--to', shop.url], { home })
    expect(healed).toMatchObject({ code: 0, data: { checked: 1, recent: 0, nextRunAt: null, healed: 1, delivered: 1 } })
  })

  test('doctor reports the difference, and the signatures are valid', async () => {
    const { home } = await aMovedWorld(noon)
    const { code, data } = await runJson(words('doctor'), { home })
    const checks = data['checks'] as { id: string; status: string; message: string }[]
    const of = (id: string) => checks.find((check) => check.id === id)
    expect(code).toBe(0)
    expect(of('casino.clock')).toMatchObject({ status: 'pass' })
    for (const service of ['casino', 'gateway', 'chat'])
      expect(of(`${service}.time`)).toMatchObject({
        status: 'warn',
        message: expect.stringMatching(ahead > 0 ? /(39|40) d \d+ h ahead of/ : /(39|40) d \d+ h behind/),
      })
    expect(of('casino.time')?.message).toContain(new Date(noon).toISOString().slice(0, 10))
  })
})
