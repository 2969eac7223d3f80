import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aHome, envelopeOf, type Home, noTerminal, run, runJson, runOnTerminal } from '../../support/program/cli.ts'

const secrets = [
  'liveSecret',
  'boxSecret',
  'gwKeyLive',
  'gwKeyBox',
  'payoutBox',
  'ipnBox',
  'pwBox',
  'TOTPBOX',
  'chatKey',
  'agentKey77',
  'freeKey',
]

const gateway = (kind: string) => ({
  apiKey: `gwKey${kind}`,
  payoutApiKey: `payout${kind}`,
  ipnSecret: `ipn${kind}`,
  email: 'desk@house.example',
  password: `pw${kind}`,
  totpSecret: `TOTP${kind.toUpperCase()}`,
  whitelisted: { usdttrc20: 'TAddress' },
})

const ready = {
  event: 'ready',
  pid: 4711,
  baseUrl: 'http://127.0.0.1:8787',
  sandboxBaseUrl: 'http://127.0.0.1:8787/sandbox',
  db: '/somewhere/world.db',
  casino: {
    companyCode: 'DEMO',
    timezone: 'Asia/Taipei',
    live: { apiKey: 'ek_l_aaaaaaaaaaaa', secret: 'liveSecret' },
    sandbox: { apiKey: 'ek_s_bbbbbbbbbbbb', secret: 'boxSecret' },
  },
  gateway: { production: gateway('Live'), sandbox: gateway('Box') },
  chat: { apiKey: 'chatKey', tenantKey: 'public-key', agentToken: 'agentKey77', freePlanApiKey: 'freeKey' },
}

const add = (home: Home, name: string, document: unknown, ...flags: string[]) =>
  runJson(['profiles', 'add', name, '--from', '-', ...flags], { home, input: JSON.stringify(document) })
const kept = (home: Home, name: string) =>
  JSON.parse(readFileSync(join(home.config, 'profiles', `${name}.json`), 'utf8'))

describe('add', () => {
  test('a ready file becomes a sandbox profile, each service with its own address and keys', async () => {
    const home = aHome()
    const path = home.write('ready.json', JSON.stringify(ready))
    const { code, data, stdout, stderr } = await runJson(['profiles', 'add', 'staging', '--from', path], { home })
    expect(code).toBe(0)
    expect(data).toMatchObject({
      name: 'staging',
      kind: 'remote',
      environment: 'sandbox',
      services: ['casino', 'gateway', 'chat'],
      live: false,
    })
    expect(kept(home, 'staging')).toEqual({
      kind: 'remote',
      environment: 'sandbox',
      casino: {
        baseUrl: 'http://127.0.0.1:8787',
        companyCode: 'DEMO',
        timezone: 'Asia/Taipei',
        apiKey: 'ek_s_bbbbbbbbbbbb',
        secret: 'boxSecret',
      },
      gateway: { baseUrl: 'http://127.0.0.1:8787/sandbox', ...gateway('Box') },
      chat: { baseUrl: 'http://127.0.0.1:8787', ...ready.chat },
    })
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret)
  })

  test('the time zone is set separately, validated, and has a dry run', async () => {
    const home = aHome()
    await add(home, 'staging', ready)
    const before = kept(home, 'staging')
    const set = (...args: string[]) => runJson(['profiles', 'set', ...args], { home })
    const zone = '--timezone'
    const wrong = await set('staging', zone, 'Asia/Taipeh')
    expect([wrong.code, wrong.error.code, wrong.error.details['nearest']]).toEqual([
      2,
      'INVALID_PARAMETER',
      'Asia/Taipei',
    ])
    expect((await set('staging', zone, '+08:00')).code).toBe(2)
    expect((await set('nobody', zone, 'UTC')).code).toBe(5)
    expect((await set('local', zone, 'UTC')).code).toBe(6)
    expect((await set('staging', zone, 'europe/malta', '--dry-run')).data).toMatchObject({ changed: false, file: null })
    expect(kept(home, 'staging')).toEqual(before)
    const done = await set('staging', zone, 'europe/malta')
    expect(done.data).toMatchObject({ timezone: 'Europe/Malta', before: 'Asia/Taipei', changed: true, dryRun: false })
    expect(kept(home, 'staging')).toEqual({ ...before, casino: { ...before.casino, timezone: 'Europe/Malta' } })
    expect(statSync(join(home.config, 'profiles/staging.json')).mode & 0o777).toBe(0o600)
    expect((await set('staging', zone, 'Europe/Malta')).data).toMatchObject({ changed: false })
    const misplaced = { ...ready, casino: { ...ready.casino, timezone: 'Taipei' } }
    expect((await add(home, 'other', misplaced)).error.code).toBe('INVALID_PROFILE')
  })

  test('--environment live uses the live keys and the production address', async () => {
    const home = aHome()
    expect((await add(home, 'house', ready, '--environment', 'live')).data).toMatchObject({ live: true })
    expect(kept(home, 'house')).toMatchObject({
      environment: 'live',
      casino: { apiKey: 'ek_l_aaaaaaaaaaaa' },
      gateway: { baseUrl: 'http://127.0.0.1:8787', apiKey: 'gwKeyLive' },
    })
  })

  test('any of the sections is sufficient, also with its own address and inside the output of a command', async () => {
    const home = aHome()
    const casino = { ...ready.casino, baseUrl: 'https://casino.example/' }
    expect((await add(home, 'one', { casino })).data).toMatchObject({
      services: ['casino'],
      target: 'https://casino.example',
    })
    const output = {
      schemaVersion: 1,
      command: 'console tenants create',
      data: { baseUrl: ready.baseUrl, casino: ready.casino },
    }
    expect((await add(home, 'two', output)).data).toMatchObject({ services: ['casino'] })
  })

  test('the file and its folder are private to the user, with any umask, and no temporary file is left', async () => {
    const home = aHome()
    await add(home, 'staging', ready)
    const folder = join(home.config, 'profiles')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'staging.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['staging.json'])
  })

  test.each([
    ['no sections', {}, 'none of the sections'],
    ['a list', [], 'not a JSON object'],
    [
      'keys of the other environment only',
      { baseUrl: 'https://a.example', casino: { ...ready.casino, sandbox: undefined } },
      'it has live keys: --environment live',
    ],
    [
      'live keys in the section of sandbox keys',
      { ...ready, casino: { ...ready.casino, sandbox: ready.casino.live } },
      'its casino key is a live one',
    ],
    ['plain http to another machine', { ...ready, baseUrl: 'http://casino.example' }, 'must use https'],
    [
      'plain http to another machine with a similar name',
      { ...ready, baseUrl: 'http://127.0.0.1.example' },
      'must use https',
    ],
    ['an address with a password', { ...ready, baseUrl: 'https://u:boxSecret@casino.example' }, 'URL without user'],
    ['no address', { ...ready, baseUrl: undefined }, 'no base URL for casino'],
    [
      'a secret that is not a text',
      { ...ready, casino: { ...ready.casino, sandbox: { apiKey: 'ek_s_x', secret: 7 } } },
      '"secret" has an invalid form',
    ],
  ])('%s is rejected and nothing is stored', async (_name, document, message) => {
    const home = aHome()
    const { code, error, stdout, stderr } = await add(home, 'staging', document)
    expect([code, error.code]).toEqual([2, 'INVALID_PROFILE'])
    expect(error.message).toContain(message)
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret)
    expect((await runJson(['profiles', 'list'], { home })).data['profiles']).toHaveLength(1)
  })

  test('text that is not JSON is rejected without being quoted', async () => {
    const { code, stdout, stderr } = await run(['profiles', 'add', 'x', '--from', '-'], {
      input: '{"secret": "boxSecret',
    })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe('Error: stdin is not valid JSON (INVALID_FILE)\n')
  })

  test('an existing name is rejected, unless --force; --dry-run stores nothing', async () => {
    const home = aHome()
    expect((await add(home, 'staging', ready, '--dry-run')).data['file']).toBeNull()
    expect((await add(home, 'staging', ready)).code).toBe(0)
    expect((await add(home, 'staging', ready)).error).toMatchObject({ code: 'PROFILE_EXISTS', category: 'conflict' })
    expect((await add(home, 'staging', ready, '--force')).code).toBe(0)
    expect((await add(home, '../escape', ready)).error.code).toBe('INVALID_PROFILE_NAME')
  })

  test('without a terminal and --from there is no question, and the flag is named', async () => {
    const { code, error } = await runJson(['profiles', 'add', 'staging'])
    expect(code).toBe(3)
    expect(error.details).toEqual({ flag: '--from ready.json' })
  })

  test.skipIf(noTerminal)(`on a terminal the command asks, and typed keys are hidden${noTerminal ?? ''}`, async () => {
    const home = aHome()
    const { code, screen } = await runOnTerminal(
      ['profiles', 'add', 'staging'],
      [
        ['Add the casino platform?', 'y\r'],
        ['Base URL:', 'https://casino.example\r'],
        ['Company code:', 'DEMO\r'],
        ['Time zone:', '\r'],
        ['API key:', 'ek_s_typed\r'],
        ['Secret:', 'typedSecret\r'],
        ['Add the payment gateway?', '\r'],
        ['Add the customer chat?', '\r'],
      ],
      { home },
    )
    expect(code, screen).toBe(0)
    expect(screen).not.toContain('typedSecret')
    expect(kept(home, 'staging').casino).toEqual({
      baseUrl: 'https://casino.example',
      companyCode: 'DEMO',
      timezone: 'Asia/Taipei',
      apiKey: 'ek_s_typed',
      secret: 'typedSecret',
    })
  })
})

describe('list, show, use, remove', () => {
  const houses = async () => {
    const home = aHome()
    await add(home, 'staging', ready)
    await add(home, 'house', ready, '--environment', 'live')
    return home
  }

  test('the local profile always exists and is used by default', async () => {
    const { data } = await runJson(['profiles', 'list'])
    expect(data['profiles']).toMatchObject([
      { name: 'local', kind: 'local', inUse: true, live: false, services: ['casino', 'gateway', 'chat'] },
    ])
  })

  test('the list breaks no address on a narrow screen', async () => {
    const home = await houses()
    const { data } = await runJson(['profiles', 'list'], { home })
    const { stdout } = await run(['profiles', 'list'], { home, env: { COLUMNS: '120' } })
    for (const { target } of data['profiles'] as { target: string }[]) expect(stdout).toContain(target)
  })

  test('show masks every secret, in text and JSON', async () => {
    const home = await houses()
    const { data, stdout } = await runJson(['profiles', 'show', 'staging'], { home })
    const people = await run(['profiles', 'show', 'staging', '--verbose'], { home })
    expect(data['profile']).toMatchObject({
      casino: { companyCode: 'DEMO', apiKey: '***', secret: '***' },
      gateway: { email: 'desk@house.example' },
    })
    expect(people.stdout).toMatch(/casino\.companyCode +DEMO\n/)
    for (const secret of [...secrets, 'ek_s_b']) expect(stdout + people.stdout + people.stderr).not.toContain(secret)
  })

  test('use makes a sandbox profile the default; a live one is rejected', async () => {
    const home = await houses()
    expect((await runJson(['profiles', 'use', 'staging'], { home })).code).toBe(0)
    expect((await runJson(['profiles', 'show'], { home })).data['name']).toBe('staging')
    const refused = await runJson(['profiles', 'use', 'house'], { home })
    expect(refused).toMatchObject({ code: 6, error: { code: 'CONFLICT' } })
    expect((await runJson(['config', 'set', 'profile', 'house'], { home })).code).toBe(6)
    expect((await runJson(['profiles', 'show'], { home })).data['name']).toBe('staging')
  })

  test('a live profile named by a settings file is not used; named by flag or variable it is', async () => {
    const home = await houses()
    home.write('countroom.json', '{"profile":"house"}')
    const serve = (args: string[], env = {}) => run(['serve', ...args], { home, env, program: 'fixture' })
    const refused = await serve([])
    expect(refused.code).toBe(78)
    expect(refused.stderr).toContain('name it with --profile house')
    expect((await serve(['--profile', 'house'])).stderr).toContain('Profile house, LIVE')
    expect((await serve([], { COUNTROOM_PROFILE: 'house' })).stderr).toContain('Profile house, LIVE')
  })

  test('with requireProfile every run must name its profile, also the local one', async () => {
    const serve = (args: string[], env = {}) =>
      run(['serve', ...args], { env: { COUNTROOM_REQUIRE_PROFILE: '1', ...env }, program: 'fixture' })
    expect((await serve([])).stderr).toContain('Every run must name its profile')
    expect((await serve(['--profile', 'local'])).stderr).toMatch(/^Profile local: .*world\.db\n/)
  })

  test('remove deletes a profile, and the default returns to local', async () => {
    const home = await houses()
    await run(['profiles', 'use', 'staging'], { home })
    expect((await runJson(['profiles', 'remove', 'staging', '--dry-run'], { home })).data['changed']).toBe(false)
    const removed = await runJson(['profiles', 'remove', 'staging'], { home })
    expect(removed).toMatchObject({
      code: 0,
      warnings: ['"staging" was the default profile. The default is now "local"'],
    })
    expect((await runJson(['profiles', 'show'], { home })).data['name']).toBe('local')
    expect((await runJson(['profiles', 'remove', 'staging'], { home })).code).toBe(5)
    expect((await runJson(['profiles', 'remove', 'local'], { home })).code).toBe(6)
  })

  test('a file or folder that others can read is rejected with the command that fixes it, and list works without it', async () => {
    const home = await houses()
    const file = join(home.config, 'profiles', 'staging.json')
    chmodSync(file, 0o640)
    const refused = await runJson(['profiles', 'show', 'staging'], { home })
    expect(refused.code).toBe(78)
    expect(refused.error.message).toContain('chmod 600')
    const { data, warnings } = await runJson(['profiles', 'list'], { home })
    expect((data['profiles'] as { name: string }[]).map(({ name }) => name)).toEqual(['house', 'local'])
    expect(warnings[0]).toContain('can be read by others')
    chmodSync(file, 0o600)
    chmodSync(join(home.config, 'profiles'), 0o777)
    expect((await runJson(['profiles', 'show', 'staging'], { home })).error.message).toContain('chmod 700')
  })

  test('an unknown name gets the nearest one', async () => {
    const home = await houses()
    const { stderr, code } = await run(['profiles', 'show', 'stagin'], { home })
    expect([code, stderr]).toEqual([
      5,
      'Error: Profile "stagin" does not exist; did you mean "staging"? (PROFILE_NOT_FOUND)\n',
    ])
    expect(
      envelopeOf(await run(['profiles', 'list', '--json', '--profile', 'huose'], { home })).error.details,
    ).toMatchObject({ nearest: 'house' })
  })
})
