import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aHome, envelopeOf, type Home, run, runJson } from '../../support/program/cli.ts'
import { served } from '../../support/program/processes.ts'
import { onPostgres } from '../../support/worlds/world.ts'

/** Returns all files below a folder whose name or text contains a word. */
function tracesOf(word: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const isHit = path.includes(word) || (entry.isFile() && readFileSync(path).includes(word))
    return isHit ? [path] : []
  })
}

/** Serves a world without demo data until it has printed its address, or has exited; returns its output. */
async function servedOnce(home: Home, args: readonly string[], env: Record<string, string> = {}) {
  let isStopped = false
  const result = await run(['serve', '--port', '0', '--no-demo', ...args], {
    home,
    env,
    watch: (child, printed) => {
      if (isStopped || !/Database {4}|"event":"ready"/.test(printed)) return
      isStopped = true
      child.kill('SIGINT')
    },
  })
  return { ...result, printed: result.stdout + result.stderr }
}

async function aServer(home: Home, ...args: string[]) {
  const world = await served(home.folder, { ...process.env, ...home.env }, args)
  onTestFinished(() => world.kill())
  return { ...world, ready: JSON.parse(readFileSync(world.readyFile, 'utf8')) }
}

describe('a database with an unknown scheme', () => {
  const typos = [
    'postgre://user:hush-hush@db.example/world',
    'mysql://user:hush-hush@db.example/world',
    'postgres//user:hush-hush@db.example/world',
    'postgres:/user:hush-hush@db.example/world',
    'postgres:user:hush-hush@db.example/world',
    '"postgres://user:hush-hush@db.example/world"',
    ' postgres://user:hush-hush@db.example/world',
    'postgre:user:hush-hush@db.example',
    'user:hush-hush@db.example:5432/world',
  ]

  test.each(typos)('%s is refused as a flag, is not printed and creates no file', async (typo) => {
    const home = aHome()
    for (const words of [
      ['serve', '--port', '0', '--db', typo],
      ['bets', 'status', '--book', typo],
    ]) {
      const result = await run([...words, '--json'], { home })
      const { error } = envelopeOf(result)
      expect([words[0], result.code, error.message]).toEqual([
        words[0],
        2,
        expect.stringMatching(/unknown scheme|must be|no complete address/),
      ])
      expect(result.stdout + result.stderr).not.toContain('hush-hush')
    }
    expect(tracesOf('hush-hush', home.folder)).toEqual([])
    expect(existsSync(join(home.folder, 'postgre:'))).toBe(false)
  })

  test('from the environment, a settings file or a profile is invalid configuration', async () => {
    const [typo = ''] = typos
    const home = aHome()
    const results = [
      await runJson(['players', 'show', 'amy'], { home, env: { COUNTROOM_DB: typo } }),
      await runJson(['bets', 'status'], { home, env: { COUNTROOM_BOOK: typo } }),
    ]
    home.write('config/countroom/config.json', JSON.stringify({ db: typo }))
    results.push(await runJson(['players', 'show', 'amy'], { home }))
    home.write('config/countroom/config.json', '{}')
    home.write('config/countroom/profiles/odd.json', JSON.stringify({ kind: 'local', db: typo }))
    results.push(await runJson(['players', 'show', 'amy', '--profile', 'odd'], { home }))
    for (const { code, error, stdout, stderr } of results) {
      expect([code, error.code, error.message]).toEqual([78, 'BAD_CONFIGURATION', expect.stringContaining('postgre:')])
      expect(stdout + stderr).not.toContain('hush-hush')
    }
  })

  test('a file with a colon in its name can still be named', async () => {
    const home = aHome()
    const { code } = await servedOnce(home, ['--db', './odd:name.db'])
    expect([code, existsSync(join(home.folder, 'odd:name.db'))]).toEqual([130, true])
  })
})

describe('the password of a database', () => {
  test('is printed by no command and no log, and is in the ready file', async () => {
    const database = await onPostgres.database()
    const url = new URL(String(database.url))
    const { password } = url
    const home = aHome()
    const env = { COUNTROOM_LOG_LEVEL: 'debug' }
    for (const json of [[], ['--json']]) {
      const result = await servedOnce(home, ['--db', url.href, ...json], env)
      expect([result.code, result.printed]).toEqual([130, expect.stringContaining('***@')])
      expect(result.printed).not.toContain(password)
    }
    const world = await aServer(home, '--db', url.href)
    expect(world.ready.db).toBe(url.href)
    for (const words of [
      ['doctor'],
      ['doctor', '--json'],
      ['config', 'show', '--db', url.href, '--json'],
      ['profiles', 'list', '--json'],
      ['profiles', 'show', 'local', '--json'],
      ['players', 'show', 'nobody', '--verbose'],
      ['launch', 'amy', '--verbose'],
    ]) {
      const { stdout, stderr } = await run(words, { home, env })
      expect([words, (stdout + stderr).includes(password)]).toEqual([words, false])
    }
    const away = url.href.replace(url.host, '127.0.0.1:1')
    const failure = await run(['serve', '--port', '0', '--db', away, '--json'], { home, env })
    expect([failure.code, (failure.stdout + failure.stderr).includes(password)]).toEqual([7, false])
  })
})

test.each([
  ['--profile', 'players show amy'],
  ['--timeout', 'players show amy'],
  ['--db', 'serve --port 0'],
  ['--book', 'bets status'],
])('an empty %s is refused as usage', async (flag, words) => {
  for (const value of ['', ' ']) {
    const { code, stderr } = await run([...words.split(' '), flag, value], { home: aHome() })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${flag} is empty`)])
  }
})

describe('a world with a seed', () => {
  const warning = /can be computed by anyone/

  test.each([
    [['--seed', '7'], false],
    [['--seed', '7', '--host', '0.0.0.0'], true],
    [['--seed', '7', '--host', '::'], true],
    [['--seed', '7', '--public-url', 'https://play.example'], true],
    [['--seed', '7', '--public-url', 'http://localhost:9999'], false],
    [['--host', '0.0.0.0'], false],
  ])('served with %j warns: %s', async (args, isWarned) => {
    const { code, stderr } = await servedOnce(aHome(), args)
    expect([code, warning.test(stderr)]).toEqual([130, isWarned])
  })

  test('warns as well when it is served again without naming the seed', async () => {
    const home = aHome()
    await servedOnce(home, ['--seed', '7'])
    expect((await servedOnce(home, [])).stderr).not.toMatch(warning)
    expect((await servedOnce(home, ['--host', '0.0.0.0'])).stderr).toMatch(warning)
  })
})

test.each([
  ['a text', (home: Home) => home.write('notes.db', 'this is no database\n'.repeat(100)), 'is not an SQLite database'],
  ['a short text', (home: Home) => home.write('notes.db', 'x'), 'is not an SQLite database'],
  ['a folder', (home: Home) => dirname(home.write('folder/file', 'x')), 'is a folder'],
])('serving %s exits with 78 and a message that names it, and leaves it unchanged', async (_what, make, sentence) => {
  const home = aHome()
  const path = make(home)
  const isFile = statSync(path).isFile()
  const before = isFile ? readFileSync(path, 'utf8') : ''
  const { code, error } = await runJson(['serve', '--port', '0', '--db', path], { home })
  expect([code, error.message]).toEqual([78, expect.stringContaining(sentence)])
  expect(error.message).toContain(path)
  if (isFile) expect(readFileSync(path, 'utf8')).toBe(before)
})

describe('--public-url', () => {
  test.each([
    ['play.example', /scheme/],
    ['ftp://play.example', /http or https/],
    ['https://', /http or https/],
    ['https://user:hush-hush@play.example', /user name or password/],
    ['https://play.example/?a=1', /query/],
    ['https://play.example/#x', /fragment/],
    ['http://0.0.0.0:8787', /wildcard/],
    ['http://[::]:8787', /wildcard/],
    ['https://play.example/a b', /path/],
    ['https://play.example/play', /begins with \/play/],
    ['', /is empty/],
  ])('%j is refused with a message, as usage or as invalid configuration', async (value, sentence) => {
    const home = aHome()
    const flagged = await run(['serve', '--port', '0', '--public-url', value], { home })
    expect([flagged.code, flagged.stderr]).toEqual([2, expect.stringMatching(sentence)])
    expect(flagged.stderr).not.toContain('hush-hush')
    if (value === '') return
    const set = await run(['serve', '--port', '0'], { home, env: { COUNTROOM_PUBLIC_URL: value } })
    expect([set.code, set.stderr]).toEqual([78, expect.stringMatching(sentence)])
  })

  test('is the base of URLs from commands, while the ready file has the address for this machine', async () => {
    const home = aHome()
    const base = 'https://play.example:8443/live'
    const { ready } = await aServer(home, '--host', '0.0.0.0', '--public-url', `${base}/`)
    expect(ready.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(ready.publicUrl).toBe(base)
    const launched = await runJson(['launch', 'amy'], { home })
    expect([launched.code, launched.warnings, launched.data['url']]).toEqual([
      0,
      [],
      expect.stringMatching(/^https:\/\/play\.example:8443\/live\/Launch\?t=/),
    ])
    const widget = await run(['console', 'chat', 'widget', 'show', 'DEMO', '--json'], { home })
    expect(widget.stdout).toContain(`${base}/widget.js`)
    const paid = await runJson(['payments', 'create', '20', 'usd', 'usdttrc20'], { home })
    expect(JSON.stringify(paid.data)).toContain(`${base}/`)
  })

  test('comes from the environment or the settings too, and the flag wins', async () => {
    const home = aHome()
    const publicUrlOf = async (args: string[], env: Record<string, string>) => {
      const { stdout } = await servedOnce(home, ['--json', ...args], env)
      return JSON.parse(stdout.split('\n')[0] ?? '').publicUrl
    }
    expect(await publicUrlOf([], { COUNTROOM_PUBLIC_URL: 'https://env.example/' })).toBe('https://env.example')
    expect(
      await publicUrlOf(['--public-url', 'https://flag.example'], { COUNTROOM_PUBLIC_URL: 'https://env.example' }),
    ).toBe('https://flag.example')
  })

  test('another process on the same database with another public URL gets a warning', async () => {
    const home = aHome()
    const database = await onPostgres.database()
    await aServer(home, '--db', String(database.url), '--public-url', 'https://one.example')
    const { stderr } = await servedOnce(home, ['--db', String(database.url), '--public-url', 'https://two.example'])
    expect(stderr).toContain('https://one.example')
    const same = await servedOnce(home, ['--db', String(database.url), '--public-url', 'https://two.example'])
    expect(same.stderr).not.toContain('needs the same --public-url')
  })
})
