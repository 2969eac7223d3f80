import { expect, test } from 'vitest'
import { aHome, noTerminal, run, runJson, runOnTerminal } from '../support/program/cli.ts'
import { faultyProxy, localHome, remoteHome, served } from '../support/worlds/served.ts'

const words = (line: string) => line.split(' ')

/** A served world, and a player of its sandbox who is in the lobby. */
async function withOnline(user = 'amy') {
  const world = await served()
  const home = await remoteHome(world)
  const { data } = await runJson(['launch', user], { home })
  expect(await world.enter(String(data['url']))).toBe(200)
  return { world, home }
}

test('a player is shown, and remembered for completion', async () => {
  const home = await localHome()
  const { data } = await runJson(words('players show AMY'), { home })
  expect(data).toMatchObject({ username: 'amy', status: 'active', balance: '10000', currency: 'USD', online: false })
  const text = await run(words('players show amy'), { home })
  expect(text.stdout).toMatch(/^username +amy\nnickname\nstatus +active\nbalance +10000\n/)
  expect((await run(['__complete', 'fish', 'players', 'lock', 'a'], { home })).stdout).toBe('amy\n')
  expect((await run(['__complete', 'fish', 'wallet', 'deposit', ''], { home })).stdout).toContain('amy\n')
})

test('an unknown name exits with 5, with similar names', async () => {
  const home = await localHome()
  await run(words('players show amy'), { home })
  for (const line of [
    'players show am',
    'players lock am',
    'players kick am',
    'players update am --nickname x',
    'wallet balance am',
  ]) {
    const { code, error } = await runJson(words(line), { home })
    expect([line, code, error.code]).toEqual([line, 5, 'PLAYER_NOT_FOUND'])
    expect(error.details).toMatchObject({ nearest: ['amy'] })
  }
  expect((await run(words('players show a/b'), { home })).code).toBe(2)
})

test('lock, unlock and no-bet print the status before and after', async () => {
  const home = await localHome()
  const step = async (command: string) => (await runJson(['players', command, 'amy'], { home })).data['changes']
  expect(await step('lock')).toEqual([{ field: 'status', before: 'active', after: 'locked' }])
  expect(await step('lock')).toEqual([])
  expect(await step('no-bet')).toEqual([{ field: 'status', before: 'locked', after: 'no_bet' }])
  const text = await run(words('players unlock AMY'), { home })
  expect(text.stdout).toBe('amy\nstatus  no_bet -> active\n')
  expect((await run(words('players unlock amy'), { home })).stdout).toBe('amy is already in this state.\n')
  expect((await runJson(words('players show amy'), { home })).data['status']).toBe('active')
})

test('lock, no-bet and kick need a confirmation for a player who is online', async () => {
  const { home } = await withOnline()
  for (const command of ['lock', 'no-bet', 'kick']) {
    const { code, error } = await runJson(['players', command, 'amy'], { home })
    expect([command, code, error.code]).toEqual([command, 3, 'CONFIRMATION_NEEDED'])
    expect(error.message).toContain('--yes')
  }
  expect((await runJson(words('players show amy'), { home })).data).toMatchObject({ status: 'active', online: true })
  const locked = await runJson(words('players lock amy --yes'), { home })
  expect(locked.data['changes']).toEqual([
    { field: 'status', before: 'active', after: 'locked' },
    { field: 'online', before: 'yes', after: 'no' },
  ])
})

test('a kick ends the sessions, and a player without one is no error', async () => {
  const { home } = await withOnline()
  const kicked = await runJson(words('players kick amy --yes'), { home })
  expect(kicked.data).toMatchObject({ changes: [{ field: 'online', before: 'yes', after: 'no' }] })
  expect((await runJson(words('players show amy'), { home })).data['online']).toBe(false)
  const idle = await run(words('players kick amy'), { home })
  expect(idle).toMatchObject({ code: 0, stdout: 'amy has no session.\n' })
})

test.skipIf(noTerminal)('on a terminal Enter answers no', async () => {
  const { home } = await withOnline()
  const refused = await runOnTerminal(words('players kick amy'), [['End the sessions of amy?', '\r']], { home })
  expect(refused.code).toBe(3)
  const done = await runOnTerminal(words('players kick amy'), [['End the sessions of amy?', 'y\r']], {
    home,
    env: { LANG: 'C.UTF-8' },
  })
  expect([done.code, done.screen]).toEqual([0, expect.stringContaining('yes → no')])
})

test('update changes only the given fields', async () => {
  const home = await localHome()
  const named = await runJson(['players', 'update', 'amy', '--nickname', 'Lucky Amy', '--status', 'no_bet'], { home })
  expect(named.data).toMatchObject({
    player: { nickname: 'Lucky Amy', status: 'no_bet' },
    changes: [
      { field: 'status', before: 'active', after: 'no_bet' },
      { field: 'nickname', before: null, after: 'Lucky Amy' },
    ],
  })
  const cleared = await runJson(words('players update amy --clear-nickname'), { home })
  expect(cleared.data).toMatchObject({ player: { nickname: null, status: 'no_bet' } })
  const limits = await runJson(words('players update amy --limit-profile 1'), { home })
  expect(limits.data['changes']).toEqual([{ field: 'limitProfileId', before: 'unknown', after: '1' }])
  expect((await run(words('players update amy --limit-profile default'), { home })).code).toBe(0)
  const none = await runJson(words('players update amy --limit-profile 99999'), { home })
  expect([none.code, none.error.remoteCode]).toEqual([2, 'INVALID_PARAMETER'])
})

test('a password comes from a file or stdin, is validated, and is never printed', async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  const file = home.write('password', 'hunter2hunter2\n')
  const fromFile = await run([...words('players update amy --verbose --password-file'), file], { home })
  expect(fromFile.code).toBe(0)
  expect(JSON.parse(proxy.seen.at(-1)?.body ?? '')).toEqual({ username: 'amy', password: 'hunter2hunter2' })
  const input = 'hunter3hunter3\r\n'
  const fromStdin = await run(words('players update amy --password-file -'), { home, input })
  expect(fromStdin.stdout).toBe('amy\npassword  unknown -> set\n')
  expect(JSON.parse(proxy.seen.at(-1)?.body ?? '').password).toBe('hunter3hunter3')
  const dry = await runJson(words('players update amy --password-file - --dry-run'), { home, input })
  expect(dry.data['request']).toMatchObject({ body: { username: 'amy', password: '***' } })
  for (const { stdout, stderr } of [fromFile, fromStdin, dry]) expect(stdout + stderr).not.toContain('hunter')
  for (const bad of ['short', 'x'.repeat(65)]) {
    const { code, stdout, stderr } = await run(words('players update amy --password-file - --json'), {
      home,
      input: bad,
    })
    expect([code, (stdout + stderr).includes(bad)]).toEqual([2, false])
  }
})

test('invalid input is rejected before a question', async () => {
  const home = aHome()
  const cases = [
    'players update amy',
    'players update amy --status gone',
    'players update amy --nickname a --clear-nickname',
    'players update amy --limit-profile -1',
    'players update amy --limit-profile 1.5',
    'players update a/b --status active',
    'players lock',
  ]
  for (const line of cases) expect([line, (await run(words(line), { home })).code]).toEqual([line, 2])
})

test('a dry run shows the request and its effect, and sends nothing', async () => {
  const { home } = await withOnline()
  const dry = await runJson(words('players lock amy --dry-run'), { home })
  expect(dry.data).toMatchObject({
    dryRun: true,
    request: { method: 'POST', path: '/api/tenant/v1/player/update', body: { username: 'amy', status: 'locked' } },
    changes: [
      { field: 'status', before: 'active', after: 'locked' },
      { field: 'online', before: 'yes', after: 'no' },
    ],
  })
  const text = await run(words('players kick amy --dry-run'), { home })
  expect(text.stdout).toBe('POST /api/tenant/v1/player/logout\n{\n  "username": "amy"\n}\n')
  expect(text.stderr).toContain('online  yes -> no')
  expect((await runJson(words('players show amy'), { home })).data).toMatchObject({ status: 'active', online: true })
})
