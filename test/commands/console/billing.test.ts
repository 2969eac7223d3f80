import { describe, expect, test } from 'vitest'
import { run, runJson } from '../../support/program/cli.ts'
import { localHome } from '../../support/worlds/served.ts'

const words = (line: string) => line.split(' ')

test('a year of the demo world, advanced by command, adds up to the millionth in every statement', async () => {
  const home = await localHome()
  const done = async (line: string) => {
    const result = await runJson(words(line), { home })
    expect([line, result.code]).toEqual([line, 0])
    return result.data
  }
  await done('sim stream 123.456 --source cdn')
  await done('console clock advance 40d')
  await done('tables disable BAC-01 --yes')
  await done('sim stream 7.5 --source client')
  await done('console topup DEMO 123.000001 --ref r-1')
  // Each day is processed separately. In two parts, so that neither comes near the time limit of a run.
  for (const days of [165, 160]) expect((await done(`console clock advance ${days}d`))['steps']).toBe(days)
  const bill = await done('reconcile billing')
  expect(bill).toMatchObject({ verdict: 'balanced', findings: [], reasons: [] })
  const months = bill['months'] as { chargesUsd: string; daysInMonth: number; days: number; streamFeeUsd: string }[]
  expect(months.length).toBeGreaterThanOrEqual(11)
  expect(months.filter(({ streamFeeUsd }) => streamFeeUsd !== '0').length).toBeGreaterThanOrEqual(1)
  // Seven tables, a whole month: 100 USD each.
  expect(months.at(-1)).toMatchObject({ chargesUsd: '-700' })
  const { statements } = (await done('statements list')) as { statements: unknown[] }
  expect(statements.length).toBe(months.length)
})

describe('bet limits', () => {
  test('are created, listed next to the templates, assigned to a player, and applied', async () => {
    const home = await localHome()
    const make = 'console bet-limits create DEMO --game baccarat --currency usd --min 5 --max 20 --name low'
    const rehearsed = await runJson(words(`${make} --dry-run`), { home })
    const made = await runJson(words(make), { home })
    expect(made.data).toEqual({ ...rehearsed.data, owner: 'DEMO', currency: 'USD', min: '5', max: '20' })
    const id = made.data['limitProfileId']
    const { data } = await runJson(words('console bet-limits list DEMO'), { home })
    const limits = data['betLimits'] as { limitProfileId: number; owner: string | null }[]
    expect(limits.filter(({ owner }) => owner === 'DEMO').map(({ limitProfileId }) => limitProfileId)).toEqual([id])
    expect(limits.some(({ owner }) => owner === null)).toBe(true)
    expect((await run(words(`players update amy --limit-profile ${id}`), { home })).code).toBe(0)
    const round = (bet: string) =>
      runJson(words('sim deal -'), {
        home,
        input: JSON.stringify({
          tableId: 'BAC-01',
          variant: 'classic',
          cardInfo: 'QD3D4C3SAH--',
          slips: [{ username: 'amy', bets: { B: bet } }],
        }),
      })
    expect((await round('20.5')).error.code).toBe('BET_REFUSED')
    expect((await round('20')).code).toBe(0)
  })

  test('that are invalid are refused', async () => {
    const home = await localHome()
    const base = 'console bet-limits create DEMO --game baccarat --currency USD'
    expect((await runJson(words(`${base} --min 9 --max 5`), { home })).error.code).toBe('INVALID_AMOUNT')
    expect((await runJson(words(`${base} --min 1 --max 5`.replace('USD', 'U')), { home })).error.code).toBe(
      'INVALID_CURRENCY',
    )
    expect((await runJson(words('console bet-limits list NOBODY'), { home })).code).toBe(5)
  })
})

test('a tenant moves to another plan, down to its quota of tables and up again, and a sandbox does not', async () => {
  const home = await localHome()
  const put = (plan: string) => runJson(words(`console tenants plan DEMO ${plan}`), { home })
  const account = async () => (await runJson(words('account show'), { home })).data
  expect((await put('free')).data).toEqual({ companyCode: 'DEMO', plan: 'free', state: 'FREE' })
  expect(await account()).toMatchObject({ plan: 'free', tablesUsed: 2, tablesQuota: 2 })
  expect((await put('paid')).data).toMatchObject({ plan: 'paid', state: 'PAID' })
  expect(await account()).toMatchObject({ plan: 'paid', tablesUsed: 2, tablesQuota: null })
  expect((await runJson(words('console tenants plan DEMO-SBX paid'), { home })).code).toBe(6)
  expect((await runJson(words('console tenants plan DEMO gold'), { home })).code).toBe(2)
})

test('the daily limit of a demo plan is disabled and enabled', async () => {
  const home = await localHome()
  const set = async (flags: string) => (await runJson(words(`console limits set DEMO-SBX ${flags}`), { home })).data
  expect(await set('--day-bets')).toMatchObject({ dayBetsLimited: true })
  expect(await set('--no-day-bets')).toMatchObject({ dayBetsLimited: false })
  expect(await set('--viewers 4 --view-minutes 45')).toMatchObject({ viewers: 4, viewMinutes: 45 })
  expect(await set('--view-minutes 0')).toMatchObject({ viewers: 4, viewMinutes: null })
  expect(await set('--plan')).toMatchObject({ dayBetsLimited: true, tables: 2, viewers: 3, viewMinutes: 30 })
})
