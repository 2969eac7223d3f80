import { expect, test } from 'vitest'
import { standIn } from '../support/http/stand-in.ts'
import { aHome, run, runJson } from '../support/program/cli.ts'
import { localHome, remoteHome, served } from '../support/worlds/served.ts'

const words = (line: string) => line.split(' ')

const anAccount = {
  plan: 'paid',
  state: 'PAID',
  balanceUsd: '1200.5',
  tablesUsed: 8,
  tablesQuota: null,
  streamGbMonth: '1.250',
  avgDailyUsd7d: '26.666672',
  daysLeft: 45,
  graceUntil: null,
}

test('the account is shown as the API returns it, and in words', async () => {
  const home = await localHome()
  const { data, warnings } = await runJson(words('account show'), { home })
  expect(data).toMatchObject({ plan: 'paid', state: 'PAID', balanceUsd: '10000', tablesUsed: 8, tablesQuota: null })
  expect(warnings).toEqual([])
  const sandbox = await remoteHome(await served())
  const { stdout } = await run(words('account show'), { home: sandbox })
  expect(stdout).toMatch(/^plan +free\nstate +FREE \(demo plan\)\n/)
  expect(stdout).toContain('8 enabled of 100')
})

test.each([
  [
    { state: 'GRACE', graceUntil: '2026-03-08T00:00:00.000Z', balanceUsd: '-5', daysLeft: 0 },
    'Top up before 2026-03-08 00:00 UTC; after that the limits of the demo plan apply',
  ],
  [{ daysLeft: 3 }, 'The credit lasts 3 more days'],
])('an account near its limit gets a warning: %o', async (parts, warning) => {
  const home = await standIn({ '/account': () => ({ data: { ...anAccount, ...parts } }) })
  const { code, warnings } = await runJson(words('account show'), { home })
  expect([code, warnings]).toEqual([0, [expect.stringContaining(warning)]])
})

test('usage defaults to this month, with sums to a millionth', async () => {
  const home = await localHome(Date.parse('2026-03-10T12:00:00Z'))
  const world = await home.open()
  await world.clock.advance((await world.clock.now()) + 3 * 86_400_000)
  const today = '2026-03-13'
  await world.close()
  const { data } = await runJson(words('account usage'), { home })
  expect(data).toMatchObject({ from: `${today.slice(0, 8)}01`, to: today })
  const span = await runJson(words('account usage --from yesterday --to today'), { home })
  const days = span.data['days'] as { day: string; tableDays: number; tableFeeUsd: string }[]
  expect(days.map(({ tableDays }) => tableDays)).toEqual([8, 8])
  const cents = (text: string) => BigInt(text.replace('.', ''))
  expect(span.data['totals']).toMatchObject({ tableDays: 16, streamFeeUsd: '0' })
  const { feeUsd } = span.data['totals'] as { feeUsd: string }
  expect(Number(feeUsd)).toBeCloseTo(
    days.reduce((total, { tableFeeUsd }) => total + Number(tableFeeUsd), 0),
    6,
  )
  expect(cents(feeUsd)).toBeGreaterThan(0n)
  const text = await run(words('account usage --from yesterday'), { home })
  expect(text.stdout).toMatch(/^day +table-days +tables USD +streamed GB +streams USD +source\n/)
  expect(text.stdout).toMatch(/\nTOTAL +16 +\S+ +0\.000 /)
  const csv = await run(words('account usage --from yesterday --csv --columns day,tableDays'), { home })
  expect(csv.stdout).toMatch(/^day,tableDays\n[-\d]+,8\n[-\d]+,8\n$/)
})

test('an impossible range is rejected before any request', async () => {
  const home = await localHome()
  for (const flags of ['--from 2026-02-30', '--to soon', '--from 2026-03-02 --to 2026-03-01']) {
    const { code, error } = await runJson(words(`account usage ${flags}`), { home })
    expect([flags, code, error.code]).toEqual([flags, 2, 'INVALID_PARAMETER'])
  }
})

test('rejected keys exit in class 4, with and without --json', async () => {
  const home = await standIn({
    '/account': () => ({ status: 401, error: { code: 'UNAUTHORIZED', message: 'invalid credentials' } }),
  })
  const json = await runJson(words('account show'), { home })
  expect([json.code, json.error.remoteCode, json.error.retryable]).toEqual([4, 'UNAUTHORIZED', false])
  expect((await run(words('account show'), { home })).code).toBe(4)
})

test('a response that is not JSON is temporary: class 7, and its text is not shown', async () => {
  const home = await standIn({ '/account': () => ({ text: '<html>secret page</html>' }) })
  const { code, stdout, stderr } = await run(words('account show --verbose'), { home })
  expect([code, stdout]).toEqual([7, ''])
  expect(stderr).not.toContain('secret page')
})

test('a missing world is reported', async () => {
  const { code, stderr } = await run(words('account show'), { home: aHome() })
  expect([code, stderr]).toEqual([78, expect.stringContaining('countroom serve')])
})
