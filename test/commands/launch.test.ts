import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { saveWorld } from '../../src/world/clock.ts'
import { run, runJson } from '../support/program/cli.ts'
import { faultyProxy, localHome, remoteHome, served } from '../support/worlds/served.ts'

const words = (line: string) => line.split(' ')

test('the link is printed on stdout only, and works once', async () => {
  const world = await served()
  const home = await remoteHome(world)
  const { code, stdout, stderr } = await run(words('launch amy --verbose'), { home })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/Launch\?t=[A-Za-z0-9]{20,}\n$/)
  const token = new URL(stdout.trim()).searchParams.get('t') ?? ''
  expect(stderr).not.toContain(token)
  expect(stderr).toContain('Works once, within 60 seconds.')
  expect(await world.enter(stdout.trim())).toBe(200)
  expect(await world.enter(stdout.trim())).toBe(410)
})

test('with --json the link is in data', async () => {
  const home = await remoteHome(await served())
  const { data, stderr } = await runJson(
    words('launch AMY --table BAC-01 --lang eng --device mobile --variant nocomm'),
    { home },
  )
  expect(data).toMatchObject({
    username: 'amy',
    expiresIn: 60,
    table: 'BAC-01',
    created: false,
    opened: false,
    dryRun: false,
  })
  expect(stderr).not.toContain(String(data['url']))
})

test('a player who is online needs a confirmation: a launch ends the session', async () => {
  const world = await served()
  const home = await remoteHome(world)
  await world.enter(String((await runJson(words('launch amy'), { home })).data['url']))
  const { code, error } = await runJson(words('launch amy'), { home })
  expect([code, error.code]).toEqual([3, 'CONFIRMATION_NEEDED'])
  expect((await runJson(words('players show amy'), { home })).data['online']).toBe(true)
  expect((await run(words('launch amy --yes'), { home })).code).toBe(0)
  expect((await runJson(words('players show amy'), { home })).data['online']).toBe(false)
})

test('an unknown name needs --create, and then gets the currency and nickname of the flags', async () => {
  const home = await remoteHome(await served())
  const refused = await runJson(words('launch zoe'), { home })
  expect([refused.code, refused.error.code]).toEqual([5, 'PLAYER_NOT_FOUND'])
  expect((await run(words('launch zoe --currency EUR'), { home })).code).toBe(2)
  const made = await runJson(words('launch zoe --create --currency eur --nickname Zoe'), { home })
  expect(made.data).toMatchObject({ username: 'zoe', created: true })
  expect((await runJson(words('players show zoe'), { home })).data).toMatchObject({ currency: 'EUR', nickname: 'Zoe' })
})

test('a locked player is not launched; one who may not bet is, with a warning', async () => {
  const home = await remoteHome(await served())
  await run(words('players lock amy'), { home })
  const locked = await runJson(words('launch amy'), { home })
  expect([locked.code, locked.error.code]).toEqual([6, 'PLAYER_LOCKED'])
  expect((await run(words('launch amy --dry-run'), { home })).code).toBe(6)
  await run(words('players no-bet amy'), { home })
  const watching = await runJson(words('launch amy'), { home })
  expect([watching.code, watching.warnings]).toEqual([0, [expect.stringContaining('not bet')]])
})

test('a lost response is not retried, and the possible outcome is explained', async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  for (const treatment of ['drop-after', 'html-502-after', 'status-500'] as const) {
    proxy.treat(/player\/launch/, treatment)
    proxy.seen.length = 0
    const { code, error } = await runJson(words('launch amy'), { home })
    expect([treatment, code, error.category]).toEqual([treatment, 7, 'temporary'])
    expect(error.message).toContain('The launch may have ended the sessions')
    expect(proxy.seen.filter(({ path }) => path.endsWith('/launch'))).toHaveLength(1)
  }
})

test('invalid input is rejected before a question, or by the platform with its own message', async () => {
  const home = await localHome()
  for (const line of [
    'launch',
    'launch a/b',
    'launch amy --lang KLINGON',
    'launch amy --device watch',
    'launch amy --variant big',
    'launch amy --lobby-url ftp://x',
    'launch amy --limit-profile none',
    'launch amy --table=',
  ]) {
    expect([line, (await run(words(line), { home })).code]).toEqual([line, 2])
  }
  const table = await runJson(words('launch amy --table NOPE'), { home })
  expect([table.code, table.error.remoteCode]).toEqual([2, 'INVALID_PARAMETER'])
})

test('a dry run shows the request, and creates no player and no link', async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  const { data } = await runJson(
    words('launch zoe --create --currency eur --lang jpn --limit-profile default --dry-run'),
    { home },
  )
  expect(data).toMatchObject({
    url: null,
    created: true,
    dryRun: true,
    request: {
      method: 'POST',
      path: '/api/tenant/v1/player/launch',
      body: { username: 'zoe', currency: 'EUR', lang: 'JPN', limitProfileId: null },
    },
  })
  expect(proxy.seen.map(({ path }) => path)).toEqual(['/api/tenant/v1/player?username=zoe'])
})

test('a link into a local world that is not served is created, with a warning', async () => {
  const home = await localHome()
  const before = await home.open()
  await before.store.write((tx) => saveWorld(tx, { served_url: 'http://127.0.0.1:1' }))
  await before.close()
  const unserved = await runJson(words('launch amy'), { home })
  expect([unserved.code, unserved.warnings]).toEqual([0, [expect.stringContaining('countroom serve')]])
  const world = await home.open()
  await world.server.listen()
  const there = await runJson(words('launch amy'), { home })
  expect([there.code, there.warnings]).toEqual([0, []])
  expect((await fetch(String(there.data['url']))).status).toBe(200)
  await world.close()
})

test('--open passes the link to the browser as one argument, without a shell', async () => {
  const home = await remoteHome(await served())
  const opened = `${home.folder}/opened`
  const browser = home.write('bin/browser', `#!/bin/sh\necho "$#:$1" > '${opened}'\n`)
  chmodSync(browser, 0o755)
  const { data } = await runJson(words('launch amy --open'), { home, env: { BROWSER: browser } })
  expect(data['opened']).toBe(true)
  // The command watches its browser for 1.5 s, and the browser may start later.
  await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe(`1:${data['url']}\n`)
  const failed = async () => {
    const { code, data, warnings } = await runJson(words('launch amy --open'), {
      home,
      env: { BROWSER: `${home.folder}/nowhere` },
    })
    return [code, data['opened'], warnings]
  }
  await expect.poll(failed).toEqual([0, false, [expect.stringContaining('exited with 3')]])
})
