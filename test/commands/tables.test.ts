import { expect, test } from 'vitest'
import { createTenant, setTenantState } from '../../src/services/casino/admin/index.ts'
import { noTerminal, run, runJson, runOnTerminal } from '../support/program/cli.ts'
import { faultyProxy, localHome, remoteHome, served } from '../support/worlds/served.ts'

const words = (line: string) => line.split(' ')

test('tables are listed as the API returns them, and stored for completion', async () => {
  const home = await localHome()
  const { data } = await runJson(words('tables list'), { home })
  const tables = data['tables'] as { tableId: string; name: Record<string, string> }[]
  expect(tables.map(({ tableId }) => tableId)).toContain('BAC-01')
  expect(tables[0]).toMatchObject({ name: { ENG: 'Baccarat 1', CHT: '百家樂 1' }, enabled: true, status: 'open' })
  expect((await run(['__complete', 'fish', 'tables', 'disable', 'B'], { home })).stdout).toBe('BAC-01\n')
  expect((await run(['__complete', 'fish', 'launch', 'amy', '--lang', 'CH'], { home })).stdout).toBe('CHS\nCHT\n')
})

test('the table for people marks enabled ones and has the requested language', async () => {
  const home = await localHome()
  await run(words('tables disable BAC-01 --yes'), { home })
  const { stdout, stderr } = await run(words('tables list'), { home, env: { COLUMNS: '200' } })
  expect(stdout).toMatch(/^enabled +table +name +game +variants +status +bet \(s\) +from\n/)
  expect(stdout).toMatch(/^-- +BAC-01 +Baccarat 1 +baccarat/m)
  expect(stdout).toMatch(/^ok +DT-01 +Dragon Tiger 1 +dragontiger /m)
  expect(stderr).toMatch(/^Profile local: world\.db\n7 of 8 tables are enabled\.\n$/)
  expect((await run(words('tables list --lang cht --game baccarat'), { home })).stdout).toContain('百家樂 1')
  const csv = await run(words('tables list --disabled --csv --columns enabled,tableId,variants'), { home })
  expect(csv.stdout).toBe('enabled,tableId,variants\nfalse,BAC-01,"classic,nocomm"\n')
  const enabled = await run(words('tables list --enabled --game baccarat'), { home })
  expect([enabled.code, enabled.stdout]).toEqual([0, ''])
})

test('a table has whole rows in a pipe, or is as wide as COLUMNS', async () => {
  const home = await localHome()
  const widest = async (columns: string | undefined) => {
    const { stdout } = await run(words('tables list'), { home, env: { COLUMNS: columns } })
    return Math.max(...stdout.split('\n').map((line) => line.length))
  }
  const whole = await widest('200')
  expect(whole).toBeGreaterThan(80)
  expect(whole).toBeLessThanOrEqual(200)
  for (const unset of [undefined, '', '0', 'wide']) expect(await widest(unset)).toBe(whole)
  expect(await widest('60')).toBeLessThanOrEqual(60)
})

test('a table that players can see is disabled only after a confirmation', async () => {
  const home = await localHome()
  const refusal = await runJson(words('tables disable BAC-01'), { home })
  expect([refusal.code, refusal.error.code]).toEqual([3, 'CONFIRMATION_NEEDED'])
  const done = await runJson(words('tables disable BAC-01 --yes'), { home })
  expect(done.data).toMatchObject({
    tableId: 'BAC-01',
    enabled: false,
    changed: true,
    used: 7,
    quota: null,
    monthlyUsd: 700,
  })
  const again = await runJson(words('tables disable BAC-01'), { home })
  expect(again).toMatchObject({ code: 0, data: { changed: false, used: 7 } })
  const back = await run(words('tables enable BAC-01'), { home })
  expect(back.stdout).toBe(
    'BAC-01 (Baccarat 1) is now enabled.\n8 tables are enabled: USD 800 a month, billed per day. This table is billed from today.\n',
  )
  expect((await run(words('tables enable BAC-01'), { home })).stdout).toContain(
    'BAC-01 (Baccarat 1) is already enabled.\n',
  )
})

test.skipIf(noTerminal)('on a terminal there is a question', async () => {
  const home = await localHome()
  const question = 'Disable BAC-01 (Baccarat 1); players at the table lose access at once?'
  expect((await runOnTerminal(words('tables disable BAC-01'), [[question, 'n\r']], { home })).code).toBe(3)
  expect((await runOnTerminal(words('tables disable BAC-01'), [[question, 'y\r']], { home })).code).toBe(0)
})

test('an unknown table gets the nearest ones', async () => {
  const home = await localHome()
  const { code, error } = await runJson(words('tables enable BAC-1'), { home })
  expect([code, error.code, error.details['nearest']]).toEqual([5, 'NOT_FOUND', ['BAC-01']])
  expect((await run(words('tables disable SOMETHING'), { home })).stderr).toContain(
    'Table SOMETHING not found; available tables: BAC-01, DT-01, ',
  )
})

test('quota and account status refuse, also in a dry run', async () => {
  const world = await served()
  const { casino } = world.world
  const order = {
    code: 'SMALL',
    plan: 'free',
    timezone: 'UTC',
    currency: 'USD',
    currencies: [],
    languages: ['ENG'],
  } as const
  const { live } = await createTenant(casino, { ...order, currencies: [], languages: ['ENG'] })
  const home = await remoteHome(world)
  const keys = { baseUrl: world.url, casino: { companyCode: 'SMALL', timezone: 'UTC', live } }
  await run(words('profiles add small --environment live --from -'), { home, input: JSON.stringify(keys) })
  const small = (line: string) => runJson([...words(line), '--profile', 'small'], { home })
  expect((await small('tables enable BAC-01 --yes')).data).toMatchObject({ used: 1, quota: 2, monthlyUsd: null })
  expect((await small('tables enable DT-01 --dry-run')).data).toMatchObject({ used: 2, quota: 2, dryRun: true })
  await small('tables enable DT-01 --yes')
  for (const line of ['tables enable DT-02 --dry-run', 'tables enable DT-02 --yes']) {
    const { code, error } = await small(line)
    expect([line, code, error.code]).toEqual([line, 6, 'QUOTA_EXCEEDED'])
  }
  await setTenantState(casino, 'SMALL', 'SUSPENDED')
  const suspended = await small('tables list')
  expect([suspended.code, suspended.error.code]).toEqual([4, 'TENANT_SUSPENDED'])
})

test('a dry run shows the request and sends none that changes anything', async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  const { data } = await runJson(words('tables disable BAC-01 --dry-run'), { home })
  expect(data).toMatchObject({
    enabled: false,
    changed: true,
    used: 7,
    dryRun: true,
    request: { method: 'POST', path: '/api/tenant/v1/tables/disable', body: { tableId: 'BAC-01' } },
  })
  expect(proxy.seen.filter(({ path }) => /enable|disable/.test(path))).toEqual([])
})

test('a service that is down for a moment gets a retry; one that stays down exits with 7', async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  proxy.treat(/tables/, 'drop-before', 'html-502-before')
  const { code, stderr } = await run(words('tables list'), { home })
  expect([code, stderr.match(/attempt \d/g)]).toEqual([0, ['attempt 2', 'attempt 3']])
  proxy.treat(/tables/, ...Array(5).fill('html-502-before'))
  const away = await runJson(words('tables list'), { home })
  expect([away.code, away.error.code, away.error.retryable]).toEqual([7, 'REMOTE_UNAVAILABLE', true])
})
