import { beforeEach, expect, test } from 'vitest'
import { dealExactly } from '../../src/services/casino/simulator/index.ts'
import { standIn } from '../support/http/stand-in.ts'
import { aHome, run, runJson } from '../support/program/cli.ts'
import { clearOfMidnight } from '../support/worlds/days.ts'
import { faultyProxy, localHome, remoteHome, served } from '../support/worlds/served.ts'

const words = (line: string) => line.split(' ')
const bet = (username: string, amount: string) => ({
  tableId: 'DT-01',
  cardInfo: 'QD3D',
  slips: [{ username, bets: { D: amount } }],
})
beforeEach(() => clearOfMidnight('Asia/Taipei'))

const taipei = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 10)

test("a day is counted in the tenant's zone and by the world's clock, with its totals", async () => {
  const home = await localHome()
  const world = await home.open()
  // 23:30 of the 9th in UTC is the morning of the 10th in Taipei.
  await world.clock.set(Date.parse('2031-03-09T23:30:00Z'))
  await dealExactly(world.casino, 'DEMO', bet('amy', '100'))
  await dealExactly(world.casino, 'DEMO', { ...bet('bob', '50.5'), cardInfo: '3DQD' })
  await world.close()
  const { data } = await runJson(words('summary show today'), { home })
  expect(data).toMatchObject({ date: '2031-03-10', timezone: 'Asia/Taipei', complete: true })
  expect(data['players']).toMatchObject([
    { username: 'amy', slips: 1, stake: '100', winLoss: '100', currency: null },
    { username: 'bob', slips: 1, stake: '50.5', winLoss: '-50.5', currency: null },
  ])
  expect(data['totals']).toEqual([
    {
      currency: null,
      players: 2,
      slips: 2,
      stake: '150.5',
      validStake: '150.5',
      rolling: '50.5',
      payout: '200',
      winLoss: '49.5',
      rake: '0',
    },
  ])
  expect((await runJson(words('summary show 2031-03-10'), { home })).data).toEqual(data)
  const empty = await run(words('summary show'), { home })
  expect(empty).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'Profile local: world.db\nNo settled bets on 2031-03-09 (Asia/Taipei).\n',
  })
})

test('a day that has not begun is refused: its figures would look like those of a day without bets', async () => {
  const home = await localHome()
  const world = await home.open()
  await world.clock.set(Date.parse('2031-03-09T23:30:00Z'))
  await world.close()
  expect(await runJson(words('summary show 2031-03-10'), { home })).toMatchObject({ code: 0 })
  expect(await runJson(words('summary show 2031-03-11'), { home })).toMatchObject({
    code: 2,
    error: { message: "2031-03-11 has not begun: by the platform's clock today is 2031-03-10 (Asia/Taipei)" },
  })
})

test("a word for a day uses the platform's time, with a warning if this machine's differs", async () => {
  const place = await served()
  const proxy = await faultyProxy(place.url)
  const home = await remoteHome(place, { at: proxy.url })
  expect((await runJson(words('summary show yesterday'), { home })).warnings).toEqual([])
  proxy.ahead(3 * 86_400)
  const here = taipei(Date.now() - 86_400_000)
  const there = taipei(Date.now() + 2 * 86_400_000)
  const { data, warnings } = await runJson(words('summary show yesterday'), { home })
  expect(data['date']).toBe(there)
  expect(warnings).toEqual([
    expect.stringMatching(
      new RegExp(
        `^The platform's clock is at .* UTC, this machine's at .* UTC\\. At the platform "yesterday" is ${there}\\.`,
      ),
    ),
  ])
  expect((await runJson(words(`summary show ${here}`), { home })).warnings).toEqual([])
  const synced = await runJson(words('bets sync --out bets'), { home })
  expect(synced.warnings).toContainEqual(
    expect.stringMatching(/The platform's clock is at .* this machine's at .* UTC|doctor/),
  )
  // The book uses the profile's zone from its next use on.
  await run(words('profiles set remote --timezone Europe/Malta'), { home })
  await run(words('bets sync --out bets'), { home })
  expect((await runJson(words('bets status'), { home })).data['owner']).toMatchObject({ timezone: 'Europe/Malta' })
  await run(words('profiles set remote --timezone Asia/Taipei'), { home })
  const daily = await runJson(words('reconcile daily'), { home })
  expect(daily.warnings).toContainEqual(expect.stringContaining(`"yesterday" is ${there}`))
})

test('people see a total below the players; programs that read CSV see players only', async () => {
  const home = await localHome()
  const world = await home.open()
  await dealExactly(world.casino, 'DEMO', bet('amy', '100'))
  const now = await world.clock.now()
  await world.close()
  const day = taipei(now)
  const text = await run(['summary', 'show', day], { home })
  expect(text.stdout).toBe(
    'username  slips  stake  valid stake  rolling  payout  win/loss  rake\n' +
      'amy           1    100          100        0     200       100     0\n' +
      'TOTAL         1    100          100        0     200       100     0\n',
  )
  const csv = await run(['summary', 'show', day, '--csv', '--columns', 'username,winLoss'], { home })
  expect(csv.stdout).toBe('username,winLoss\namy,100\n')
})

test('--by-currency totals each currency by itself', async () => {
  const home = await localHome()
  await run(words('wallet deposit zoe 500 EUR --create'), { home })
  const world = await home.open()
  for (const [user, amount] of [
    ['amy', '100'],
    ['bob', '1'],
    ['zoe', '10'],
  ] as const) {
    await dealExactly(world.casino, 'DEMO', bet(user, amount))
  }
  await world.close()
  const { data } = await runJson(words('summary show today --by-currency'), { home })
  expect(data['totals']).toMatchObject([
    { currency: 'EUR', players: 1, winLoss: '10' },
    { currency: 'USD', players: 2, winLoss: '101' },
  ])
})

test('a list of 1,000 players may be incomplete, which is a warning', async () => {
  const player = (i: number) => ({
    username: `p${i}`,
    slips: 1,
    stake: '1',
    validStake: '1',
    rolling: '0',
    payout: '2',
    winLoss: '1',
    rake: '0',
  })
  const listOf = (count: number) => ({
    date: '2026-03-01',
    timezone: 'UTC',
    players: Array.from({ length: count }, (_, i) => player(i)),
  })
  const full = await standIn({ '/bets/summary': () => ({ data: listOf(1000) }) })
  const cut = await runJson(words('summary show 2026-03-01'), { home: full })
  expect([cut.code, cut.data['complete'], cut.warnings]).toEqual([0, false, [expect.stringContaining('1000 players')]])
  const short = await standIn({ '/bets/summary': () => ({ data: listOf(999) }) })
  expect((await runJson(words('summary show 2026-03-01'), { home: short })).data['complete']).toBe(true)
})

test('an invalid day is rejected before any request', async () => {
  const home = aHome()
  for (const day of ['2026-02-30', '2026-2-1', 'tomorrow', '20260201', '']) {
    const { code, error } = await runJson(['summary', 'show', day], { home })
    expect([day, code, error.code, error.remoteCode]).toEqual([day, 2, 'INVALID_PARAMETER', null])
  }
})
