import { chmodSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { realSleep } from '../../../src/http/client/sleep.ts'
import { lockBook } from '../../../src/operator/book/lock.ts'
import { diskFinding, nodeCheck } from '../../../src/operator/doctor.ts'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { standIn } from '../../support/http/stand-in.ts'
import { aHome, type Home, noTerminal, run, runJson, runOnTerminal } from '../../support/program/cli.ts'
import { localHome, remoteHome, served } from '../../support/worlds/served.ts'

interface Check {
  id: string
  status: string
  message: string
  fix: string | null
  code: string | null
}

async function examined(home: Home, args: readonly string[] = []) {
  const begun = performance.now()
  const result = await runJson(['doctor', ...args], { home })
  const seconds = (performance.now() - begun) / 1000
  const checks = result.data['checks'] as Check[]
  const of = (id: string) => checks.find((check) => check.id === id)
  return { ...result, seconds, checks, of, counts: result.data['counts'] as Record<string, number> }
}

const account = {
  plan: 'free',
  state: 'FREE',
  balanceUsd: '0',
  tablesUsed: 0,
  tablesQuota: 2,
  streamGbMonth: '0.000',
  avgDailyUsd7d: '0',
  daysLeft: null,
  graceUntil: null,
}
const dateAfter = (seconds: number) => ({ date: new Date(Date.now() + seconds * 1000).toUTCString() })

/** Expects a stated difference of clocks. The header has whole seconds, and the response may be read as late as the run ends. */
function expectSeconds(check: Check | undefined, { least, most }: { least: number; most: number }): void {
  const stated = Number(/ (\d+) s /.exec(check?.message ?? '')?.[1])
  expect(stated).toBeGreaterThanOrEqual(Math.floor(least) - 1)
  expect(stated).toBeLessThanOrEqual(Math.ceil(most) + 1)
}

test('a healthy local world passes every check', async () => {
  const home = await localHome()
  const world = await home.open()
  await ensureDemoWorld(world)
  await world.close()
  await run(['wallet', 'deposit', 'amy', '5', 'USD'], { home })
  const { code, counts, checks } = await examined(home)
  expect([code, counts['fail'], counts['warn']]).toEqual([0, 0, 0])
  expect(checks.map(({ id }) => id)).toEqual([
    'node',
    'folders',
    'disk',
    'settings',
    'profile',
    'world',
    'book',
    'transfers',
    'lock',
    'casino.reach',
    'casino.clock',
    'casino.time',
    'casino.signature',
    'casino.rate',
    'casino.account',
    'gateway.reach',
    'gateway.time',
    'gateway.key',
    'chat.reach',
    'chat.time',
    'chat.key',
  ])
  const text = await run(['doctor'], { home })
  expect(text.stdout).toMatch(/^ok {2}Node +\d+\.\d+/)
  expect(text.stderr).toBe('Profile local: world.db\n21 passed.\n')
})

test('services of a local world without a merchant are skipped, which is no failure', async () => {
  const { code, of, counts } = await examined(await localHome())
  expect([code, counts['fail'], counts['skip']]).toEqual([0, 0, 2])
  expect(of('gateway.reach')).toMatchObject({ status: 'skip', message: expect.stringContaining('no demo merchant') })
  expect(of('chat.reach')).toMatchObject({ status: 'skip', message: expect.stringContaining('no chat tenant') })
})

test('a missing local world is one failure, not one per service', async () => {
  const home = aHome()
  const { checks } = await examined({ ...home, env: { ...home.env, COUNTROOM_DB: join(home.folder, 'none.db') } })
  expect(checks.filter(({ status }) => status === 'fail').map(({ id }) => id)).toEqual(['casino.reach'])
})

test('a served world passes too, at its address', async () => {
  const home = await remoteHome(await served())
  const { code, of } = await examined(home)
  expect(code).toBe(0)
  expect(of('casino.address')).toMatchObject({ status: 'pass', message: expect.stringContaining('this machine only') })
  expect(of('casino.rate')?.message).toContain('20 requests per second')
  expect(of('book')?.message).toContain('none yet')
})

test('an unreachable address exits with 7, and the checks that could not run are marked as skipped', async () => {
  const world = await served()
  const home = await remoteHome(world)
  await world.world.server.close()
  const { code, of, error, status, data } = await examined(home)
  expect([code, status, error.code]).toEqual([7, 'error', 'REMOTE_UNREACHABLE'])
  expect(error.details).toMatchObject({ check: 'casino.reach', failed: ['casino.reach'] })
  expect(of('casino.signature')).toMatchObject({ status: 'skip' })
  expect(data['counts']).toMatchObject({ fail: 1, skip: 5 })
  const text = await run(['doctor'], { home })
  expect([text.code, text.stdout]).toEqual([
    7,
    expect.stringMatching(/^NO {2}Casino +.*Cannot reach[\s\S]*-> Check the URL/m),
  ])
})

test('a wrong secret is distinguished from a wrong clock', async () => {
  const world = await served()
  const home = await remoteHome(world)
  const { write } = home
  write(
    'wrong.json',
    JSON.stringify({
      baseUrl: world.url,
      casino: { companyCode: 'DEMO', timezone: 'UTC', sandbox: { apiKey: 'ek_s_nobody000', secret: 'wrong' } },
    }),
  )
  await run(['profiles', 'add', 'wrong', '--from', join(home.folder, 'wrong.json')], { home })
  const wrong = await examined(home, ['--profile', 'wrong'])
  expect([wrong.code, wrong.error.code]).toEqual([4, 'UNAUTHORIZED'])
  expect(wrong.of('casino.clock')?.status).toBe('pass')
  expect(wrong.of('casino.signature')).toMatchObject({ status: 'fail', fix: expect.stringContaining('secret') })

  const late = await standIn({
    '/account': () => ({
      status: 401,
      error: { code: 'UNAUTHORIZED', message: 'timestamp outside the window' },
      headers: dateAfter(4_000),
    }),
  })
  const clock = await examined(late)
  expect([clock.code, clock.error.details['check']]).toEqual([4, 'casino.clock'])
  expect(clock.of('casino.clock')).toMatchObject({
    status: 'fail',
    message: expect.stringMatching(/^this machine is \d+ s behind/),
  })
  expectSeconds(clock.of('casino.clock'), { least: 4_000 - clock.seconds, most: 4_000 })
  expect(clock.of('casino.signature')).toMatchObject({
    status: 'fail',
    fix: expect.stringContaining('Set the clock first'),
  })
})

test('a drifting clock is a warning before signatures fail', async () => {
  const home = await standIn({ '/account': () => ({ data: account, headers: dateAfter(-120) }) })
  const { code, of, seconds } = await examined(home)
  expect(code).toBe(0)
  expect(of('casino.clock')).toMatchObject({ status: 'warn', message: expect.stringMatching(/ \d+ s ahead/) })
  expectSeconds(of('casino.clock'), { least: 120, most: 120 + seconds })
})

test.each([
  [
    { status: 403, error: { code: 'IP_NOT_ALLOWED', message: 'not on the allowlist' } },
    4,
    'casino.signature',
    'allowlist',
  ],
  [
    { status: 403, error: { code: 'TENANT_SUSPENDED', message: 'suspended' } },
    4,
    'casino.signature',
    'Contact the platform',
  ],
  [{ status: 502, text: '<html>' }, 7, 'casino.reach', 'try again'],
  [{ status: 404, text: '<html>' }, 1, 'casino.reach', 'URL of the casino'],
] as const)('%o', async (response, exit, id, fix) => {
  const home = await standIn({ '/account': () => response })
  const { code, of, error } = await examined(home)
  expect([code, error.details['check']]).toEqual([exit, id])
  expect(of(id)?.fix).toContain(fix)
})

test('an empty rate bucket and an account in grace are warnings, not failures', async () => {
  const limited = await standIn({
    '/account': () => ({ status: 429, error: { code: 'RATE_LIMITED', message: 'slow down' } }),
  })
  const rate = await examined(limited)
  expect([rate.code, rate.of('casino.rate')?.status, rate.of('casino.signature')?.status]).toEqual([0, 'warn', 'pass'])
  const grace = await standIn({
    '/account': () => ({ data: { ...account, state: 'GRACE', graceUntil: '2026-03-01T12:00:00.000Z' } }),
  })
  expect((await examined(grace)).of('casino.account')).toMatchObject({
    status: 'warn',
    message: 'in the grace period until 2026-03-01 12:00 UTC',
  })
})

test('gateway and chat keys are checked with a request', async () => {
  const keyed = (header: string, key: string) => (request: { headers: Readonly<Record<string, unknown>> }) =>
    request.headers[header] === key ? { data: {} } : { status: 401, text: 'no' }
  const well = await standIn(
    {
      '/account': () => ({ data: account }),
      '/currencies': keyed('x-api-key', 'gateway-key'),
      '/tickets': keyed('x-chat-apikey', 'chat-key'),
    },
    { services: ['gateway', 'chat'] },
  )
  const good = await examined(well)
  expect([good.code, good.of('gateway.key')?.status, good.of('chat.key')?.status]).toEqual([0, 'pass', 'pass'])
  const ill = await standIn(
    {
      '/account': () => ({ data: account }),
      '/currencies': () => ({ status: 401, text: 'no' }),
      '/tickets': () => ({ status: 403, text: 'below Pro' }),
    },
    { services: ['gateway', 'chat'] },
  )
  const bad = await examined(ill)
  expect([bad.code, bad.of('gateway.key')?.code, bad.of('chat.key')?.status]).toEqual([4, 'INVALID_API_KEY', 'pass'])
})

test('a damaged, foreign or newer database is found, and the other checks still run', async () => {
  const home = await localHome()
  await run(['wallet', 'deposit', 'amy', '5', 'USD'], { home })
  const book = join(home.folder, 'book.db')
  await run(['wallet', 'deposit', 'amy', '5', 'USD', '--book', book], { home })
  truncateSync(book, 9000)
  const damaged = await examined(home, ['--book', book])
  expect([damaged.code, damaged.of('book')?.status]).toEqual([7, 'fail'])
  expect(damaged.of('casino.signature')?.status).toBe('pass')
  const foreign = await examined(home, ['--book', home.db])
  expect([foreign.code, foreign.of('book')?.code]).toEqual([78, 'STORE_FOREIGN'])
  const text = home.write('notes.txt', 'words '.repeat(2000))
  expect((await examined(home, ['--book', text])).of('book')).toMatchObject({
    status: 'fail',
    code: 'STORE_FOREIGN',
  })
})

test('an invalid profile is a finding, and the machine is still checked', async () => {
  const home = aHome()
  home.write('config/countroom/profiles/house.json', '{"kind":"remote","environment":"sandbox"}')
  home.write('config/countroom/config.json', '{"profile":"house"}')
  const { code, of, data } = await examined(home)
  expect([code, of('profile')?.code, data['profile']]).toEqual([78, 'BAD_CONFIGURATION', null])
  expect(of('node')?.status).toBe('pass')
  const none = await examined(aHome())
  expect([none.code, none.of('casino.reach')?.status]).toEqual([78, 'fail'])
})

test('disabled certificate checks are a failure', async () => {
  const home = aHome()
  const keys = {
    baseUrl: 'https://127.0.0.1:9',
    casino: { companyCode: 'X', timezone: 'UTC', sandbox: { apiKey: 'ek_s_x0000', secret: 'secret' } },
  }
  await run(['profiles', 'add', 'remote', '--from', '-'], { home, input: JSON.stringify(keys) })
  const remote = { ...home, env: { ...home.env, COUNTROOM_PROFILE: 'remote', NODE_TLS_REJECT_UNAUTHORIZED: '0' } }
  const { code, of } = await examined(remote)
  expect([code, of('casino.address')?.code]).toEqual([78, 'REMOTE_INSECURE'])
})

test.skipIf(process.getuid?.() === 0)(
  'an unwritable folder is found (skipped for root, who can write everywhere)',
  async () => {
    const home = aHome()
    mkdirSync(join(home.folder, 'state'))
    chmodSync(join(home.folder, 'state'), 0o500)
    expect((await examined(home)).of('folders')).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('XDG_STATE_HOME'),
    })
  },
)

test('a job that never ended is reported until a later run finishes', async () => {
  const home = await localHome()
  const book = join(home.folder, 'book.db')
  await run(['wallet', 'deposit', 'amy', '5', 'USD', '--book', book], { home })
  const { openBook } = await import('../../../src/operator/book/book.ts')
  const opened = await openBook(book)
  onTestFinished(() => opened.close())
  const aRun = (id: string, started_at: number, ended_at: number | null) =>
    opened.store.write(({ q }) =>
      q
        .insertInto('book_runs')
        .values({ id, job: 'bets sync', started_at, ended_at, exit: null, summary: '{}' })
        .execute(),
    )
  await aRun('r1', 0, null)
  expect((await examined(home, ['--book', book])).of('lock')).toMatchObject({
    status: 'warn',
    message: expect.stringContaining('interrupted: bets sync, since 1970'),
  })
  // The same run while another process holds the job's lock: it is running.
  const me = { pid: 4711, host: 'desk', command: 'bets sync' }
  const lock = await lockBook(opened, { url: book, job: 'bets sync', me, waitMs: 0, sleep: realSleep })
  expect((await examined(home, ['--book', book])).of('lock')).toMatchObject({
    status: 'pass',
    message: 'running: bets sync in process 4711 on desk, since 1970-01-01 00:00:00 UTC',
  })
  await lock.release()
  await aRun('r2', 1000, 2000)
  expect((await examined(home, ['--book', book])).of('lock')?.status).toBe('pass')
})

test('no secret is printed', async () => {
  const world = await served()
  const home = await remoteHome(world, { environment: 'live' })
  const text = await run(['doctor', '--verbose'], { home })
  const keys = await world.world.store.read(({ q }) => q.selectFrom('casino_keys').selectAll().execute())
  for (const { key_id, secret } of keys) {
    expect(text.stdout + text.stderr).not.toContain(secret)
    expect(text.stdout + text.stderr).not.toContain(key_id)
  }
})

test('the limits of Node version and disk space', () => {
  expect(nodeCheck('22.11.9').status).toBe('fail')
  expect(nodeCheck('22.12.0').status).toBe('pass')
  expect(nodeCheck('24.1.0').status).toBe('pass')
  const gb = 1024 ** 3
  expect([2 * gb, gb / 2, gb / 20].map((free) => diskFinding(free, '/x').status)).toEqual(['pass', 'warn', 'fail'])
})

test('doctor changes nothing and creates no folder', async () => {
  const home = aHome()
  writeFileSync(join(home.folder, 'keep'), '')
  await run(['doctor'], { home })
  const { existsSync } = await import('node:fs')
  for (const name of ['config', 'state', 'data']) expect(existsSync(join(home.folder, name))).toBe(false)
})

test.skipIf(noTerminal)(
  `on a terminal each service is a step of a list on stderr, and a redirected result is nothing but the result${noTerminal ?? ''}`,
  async () => {
    const home = await localHome()
    const { code, screen } = await runOnTerminal(['doctor', '--json'], [], {
      home,
      redirect: `>'${home.folder}/out.json'`,
    })
    expect(code, screen).toBe(0)
    for (const title of ['Machine, settings and profile', 'Databases', 'Casino', 'Gateway', 'Chat'])
      expect(screen).toContain(title)
    const { data } = JSON.parse(readFileSync(join(home.folder, 'out.json'), 'utf8'))
    expect(data.checks.length).toBeGreaterThan(5)
    const tested = await runOnTerminal(['profiles', 'test'], [], { home, columns: 200 })
    expect(tested.code, tested.screen).toBe(0)
    expect(tested.screen).toMatch(/✔\S* Casino\r\n/)
  },
)
