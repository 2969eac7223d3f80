import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noTerminal, run, runJson, runOnTerminal, runSpawned } from '../support/program/cli.ts'
import { commands } from '../support/program/command-line.ts'
import { localHome, remoteHome, served, servedBeside } from '../support/worlds/served.ts'

/** The target that a run names, and the confirmation of changes on a live one. */

const words = (line: string) => line.split(' ')

describe('the first line of a run on stderr', () => {
  test('is its profile with environment and database, and where a process serves it', async () => {
    const { home, world, baseUrl: url } = await servedBeside()
    const lines = async (line: string) => (await run(words(line), { home })).stderr.split('\n')
    expect((await lines('players show amy'))[0]).toBe(`Profile local: world.db, served at ${url}`)
    expect((await lines('coins list'))[0]).toBe(`Profile local: world.db, served at ${url}`)
    expect((await lines('rooms list'))[0]).toBe(`Profile local: world.db, served at ${url}`)
    expect((await lines('console tenants list'))[0]).toBe(`Profile local: world.db, served at ${url}`)
    expect((await lines('console topup DEMO 5 --ref r --dry-run')).slice(0, 2)).toEqual([
      `Profile local: world.db, served at ${url}`,
      'Dry run: everything is validated, nothing is changed.',
    ])
    await world.close()
    expect((await lines('players show amy'))[0]).toBe('Profile local: world.db')
  })

  test('has the tenant and the environment that a local profile names', async () => {
    const home = await localHome()
    const profile = { kind: 'local', db: home.db, tenant: 'demo', environment: 'sandbox' }
    home.write('config/countroom/profiles/box.json', JSON.stringify(profile))
    const { stderr } = await run(words('players show amy --profile box'), { home })
    expect(stderr).toBe('Profile box, sandbox, tenant DEMO: world.db\n')
  })

  test('names a remote profile with its address, and LIVE', async () => {
    const world = await served()
    for (const [environment, name] of [
      ['sandbox', 'sandbox'],
      ['live', 'LIVE'],
    ] as const) {
      const home = await remoteHome(world, { environment })
      const { stderr } = await run(words('players show amy'), { home })
      expect(stderr).toBe(`Profile remote, ${name}: ${world.url}\n`)
    }
  })

  test('comes also before an error', async () => {
    const home = await localHome()
    const { code, stderr } = await run(words('players show nobody'), { home })
    expect([code, stderr.split('\n')[0]]).toEqual([5, 'Profile local: world.db'])
    const lost = await run(words('players show amy'), { home, env: { COUNTROOM_DB: 'postgres://127.0.0.1:1/x' } })
    expect(lost.stderr.split('\n')[0]).toBe('Profile local: postgres://127.0.0.1:1/x')
  })

  test('is omitted with --quiet, and for a program that only reads', async () => {
    const home = await localHome()
    expect((await run(words('players show amy --quiet'), { home })).stderr).toBe('')
    expect((await run(words('players show amy --json'), { home })).stderr).toBe('')
    expect((await run(words('players lock amy --json'), { home })).stderr).toBe('Profile local: world.db\n')
  })

  test.skipIf(noTerminal !== undefined)('is there for a person at a terminal also with --json', async () => {
    const home = await localHome()
    const { screen } = await runOnTerminal(words('players show amy --json'), [], { home })
    expect(screen).toMatch(/^Profile local: world\.db\r?\n/)
  })
})

describe('the profile local', () => {
  test('is moved by serve, which reports it once, and config show agrees with the list of profiles', async () => {
    const home = await localHome()
    const [first, other] = [join(home.folder, 'first.db'), join(home.folder, 'other.db')] as const
    const start = async (db: string) => {
      const result = await runSpawned(['serve', '--db', db, '--port', '0', '--no-demo'], {
        home,
        watch: (process, printed) => void (printed.includes('Try  ') && process.kill('SIGTERM')),
      })
      return result.stderr.split('\n').filter((line) => line.startsWith('Profile'))
    }
    expect(await start(first)).toEqual(['Profile     local now uses this database'])
    expect(await start(other)).toEqual([`Profile     local now uses this database; before: ${first}`])
    expect(await start(other)).toEqual([])
    // Without the database that the home of these tests names in each run.
    const env = { COUNTROOM_DB: undefined }
    const profiles = (await runJson(words('profiles list'), { home, env })).data['profiles'] as object[]
    expect(profiles).toMatchObject([{ name: 'local', target: other }])
    const shown = (await runJson(words('config show'), { home, env })).data['settings'] as { name: string }[]
    expect(shown.find(({ name }) => name === 'db')).toMatchObject({ value: other, source: 'profile', where: 'local' })
    const given = (await runJson(words('config show'), { home })).data['settings'] as object[]
    expect(given).toContainEqual(expect.objectContaining({ name: 'db', value: home.db, source: 'environment' }))
  })

  test('of a new tenant is saved on request, under a free name, and a table that is not enabled names its command', async () => {
    const home = await localHome()
    const create = words('console tenants create ACME --plan paid')
    for (const name of ['local', 'Acme'])
      expect((await run([...create, '--save-profile', name], { home })).code, name).not.toBe(0)
    expect((await runJson([...create, '--dry-run', '--save-profile', 'acme'], { home })).data['profile']).toBeNull()
    const made = await runJson([...create, '--save-profile', 'acme'], { home })
    expect([made.code, made.data['profile']]).toEqual([0, 'acme'])
    expect((await runJson(words('account show --profile acme'), { home })).data).toMatchObject({
      plan: 'paid',
      tablesUsed: 0,
    })

    const input = JSON.stringify({
      tableId: 'BAC-01',
      cardInfo: 'QD3D4C3SAH--',
      slips: [{ username: 'zoe', bets: { B: '10' } }],
    })
    await run(words('wallet deposit zoe 100 USD --create --profile acme'), { home })
    const closed = await runJson(words('sim deal - --tenant ACME'), { home, input })
    expect(closed.error.details['next']).toEqual(['countroom tables enable BAC-01 --profile acme'])
    expect(closed.error.message).toContain('To enable it: countroom tables enable BAC-01 --profile acme')
    expect((await run(words('tables enable BAC-01 --profile acme'), { home })).code).toBe(0)
    expect((await runJson(words('sim deal - --tenant ACME'), { home, input })).error?.code).not.toBe('BET_REFUSED')
    await run(words('tables disable DT-01 --yes'), { home })
    const own = await runJson(words('sim play --tables DT-01'), { home })
    expect(own.error.details['next']).toEqual(['countroom tables enable DT-01'])
  })

  test('of each tenant of the local world needs no file, and a merchant of the chat has one too', async () => {
    const home = await localHome()
    const sandbox = await runJson(words('wallet deposit amy 7 USD --profile local.demo-sbx'), { home })
    expect([sandbox.code, sandbox.error]).toEqual([0, null])
    const balance = async (profile: string) =>
      (await runJson(words(`wallet balance amy --profile ${profile}`), { home })).data['balance']
    expect([await balance('local'), await balance('local.demo'), await balance('local.demo-sbx')]).toEqual([
      '10000',
      '10000',
      '10007',
    ])
    await run(words('console tenants create ACME --plan paid'), { home })
    expect((await runJson(words('account show --profile local.acme'), { home })).data).toMatchObject({ plan: 'paid' })
    const { code, error } = await runJson(words('account show --profile local.nope'), { home })
    expect([code, error.message]).toEqual([
      78,
      'The world has no tenant NOPE. To list the tenants: countroom console tenants list',
    ])
    const upper = await runJson(words('account show --profile local.ACME'), { home })
    expect([upper.code, upper.error.code]).toEqual([2, 'INVALID_PROFILE_NAME'])
    expect(upper.error.message).toContain('by its code in lower case: local.acme')
    const stranger = await runJson(words('players show amy --profile local.acme'), { home })
    expect(stranger.error.message).toBe('Player amy not found')
    const typed = await run(words('__complete bash account show --profile local.ac'), { home })
    expect(typed.stdout).toContain('local.acme')
    expect((await run(words('sim play --tables DT-01 --tenant ACME'), { home })).stderr).toContain(
      'countroom tables enable DT-01 --profile local.acme',
    )
    await run(words('console chat tenants create SHOP'), { home })
    await run(words('console chat tenants create OTHER'), { home })
    const room = await runJson(words('rooms open zoe --profile local.shop'), { home })
    expect([room.code, room.data['roomId']]).toEqual([0, expect.any(String)])
  })

  test('that cannot be saved fails the run, which still prints the secrets of the tenant', async () => {
    const home = await localHome()
    rmSync(join(home.config, 'profiles'), { recursive: true, force: true })
    home.write('config/countroom/profiles', 'a file')
    const { code, data, error } = await runJson(words('console tenants create ACME --save-profile acme'), { home })
    expect([code === 0, error.message, data['profile']]).toEqual([
      false,
      expect.stringContaining('Tenant ACME was created, but its profile was not saved'),
      null,
    ])
    expect((data['live'] as { secret: string }).secret.length).toBeGreaterThan(20)
  })
})

describe('a change on a live profile', () => {
  const edits = [
    'players unlock amy',
    'players update amy --nickname Ace',
    'players lock amy',
    'players no-bet amy',
    'tables enable BAC-01',
  ]

  test('is confirmed, like money: without a terminal it ends with the command that confirms it', async () => {
    const world = await served()
    const home = await remoteHome(world, { environment: 'live' })
    await run(words('tables disable BAC-01 --yes'), { home })
    await run(words('players lock amy --yes'), { home })
    expect((await runJson(words('players unlock amy'), { home })).error).toMatchObject({
      code: 'CONFIRMATION_NEEDED',
      message: expect.stringMatching(/on a live profile\. Run: countroom players unlock .*amy.* --yes$/),
    })
    expect((await runJson(words('players show amy'), { home })).data['status']).toBe('locked')
    expect((await run(words('players unlock amy --yes'), { home })).code).toBe(0)
    for (const edit of edits.slice(1)) expect((await run(words(edit), { home })).code, edit).toBe(3)
    for (const edit of edits.slice(1)) expect((await run(words(`${edit} --dry-run`), { home })).code, edit).toBe(0)
    expect((await runJson(words('players show amy'), { home })).data).toMatchObject({
      status: 'active',
      nickname: null,
    })
    // In a sandbox nothing is asked.
    const box = await remoteHome(world)
    for (const edit of edits) expect((await run(words(edit), { home: box })).code, edit).toBe(0)
  })

  /** Commands that change a remote platform, or that only a person at a terminal runs, without `--yes`. */
  const unasked: Readonly<Record<string, string>> = {
    'ipn:heal': 'sends to your own receiver',
    'ipn:replay': 'sends to your own receiver',
    'ipn:torture': 'sends to your own receiver',
    'webhooks:replay': 'sends to your own receiver',
    'webhooks:torture': 'sends to your own receiver',
    'rooms:desk': 'each action is confirmed in the screen',
    'tickets:triage': 'each action is confirmed in the screen',
    'rooms:read': 'changes only the counter of unread messages',
    'rooms:assign': 'can be taken back',
    'rooms:close': 'can be taken back',
    'rooms:open': 'changes no room that exists',
    'rooms:say': 'is for tests, as a customer',
    'tickets:create': 'changes no ticket that exists',
    'tickets:undo': 'changes nothing without --apply',
    'wallet:plan': 'sends nothing',
  }

  test('can be confirmed by every command that makes one', () => {
    const without = commands.filter(
      ({ id, writes, flags }) => writes && !/^(console|sim):/.test(id) && !('yes' in flags),
    )
    expect(without.map(({ id }) => id).sort()).toEqual(Object.keys(unasked).sort())
  })
})
