import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aHome, run, runJson } from '../support/program/cli.ts'

interface Setting {
  name: string
  value: unknown
  source: string
  where: string | null
}
const settingOf = (data: Record<string, unknown>, name: string) =>
  (data['settings'] as Setting[]).find((setting) => setting.name === name)

describe('config show', () => {
  test('the nearest source wins: flag, variable, project file, user file, default', async () => {
    const home = aHome()
    const ask = async (args: string[] = [], env = {}) =>
      settingOf(
        (await runJson(['config', 'show', ...args], { home, env, cwd: join(home.folder, 'deep/below') })).data,
        'profile',
      )
    mkdirSync(join(home.folder, 'deep/below'), { recursive: true })
    expect(await ask()).toMatchObject({ value: 'local', source: 'default', where: null })
    const user = home.write('config/countroom/config.json', '{"profile":"byuser"}')
    expect(await ask()).toMatchObject({ value: 'byuser', source: 'user file', where: user })
    const project = home.write('countroom.json', '{"profile":"byproject"}')
    expect(await ask()).toMatchObject({ value: 'byproject', source: 'project file', where: project })
    expect(await ask([], { COUNTROOM_PROFILE: 'byenv' })).toMatchObject({
      value: 'byenv',
      source: 'environment',
      where: 'COUNTROOM_PROFILE',
    })
    expect(await ask(['--profile', 'local'], { COUNTROOM_PROFILE: 'byenv' })).toMatchObject({
      value: 'local',
      source: 'flag',
      where: '--profile',
    })
    expect(await ask([], { COUNTROOM_PROFILE: '' })).toMatchObject({ source: 'project file' })
  })

  test('the retry limits are a duration and a number, from the flag before the environment before the file', async () => {
    const home = aHome()
    for (const [name, value, code] of [
      ['timeout', '2s', 0],
      ['timeout', 'soon', 2],
      ['timeout', '0s', 2],
      ['attempts', '3', 0],
      ['attempts', '0', 2],
      ['attempts', 'many', 2],
      ['approvalDays', '14', 0],
      ['approvalDays', '0', 2],
      ['approvalDays', 'never', 2],
    ] as const)
      expect((await runJson(['config', 'set', name, value], { home })).code, `${name} ${value}`).toBe(code)
    const env = { COUNTROOM_TIMEOUT: '300ms' }
    const shown = async (flags: readonly string[], more: Record<string, string> = {}) =>
      settingOf((await runJson(['config', 'show', ...flags], { home, env: more })).data, 'timeout')
    expect(await shown([])).toMatchObject({ value: '2s', source: 'user file' })
    expect(await shown([], env)).toMatchObject({ value: '300ms', source: 'environment' })
    expect(await shown(['--timeout', '1m30s'], env)).toMatchObject({ value: '1m30s', source: 'flag' })
    expect((await runJson(['config', 'show', '--timeout', 'x'], { home })).code).toBe(2)
    expect((await runJson(['config', 'show'], { home, env: { COUNTROOM_ATTEMPTS: 'x' } })).code).toBe(78)
  })

  test('the password of a database address is never shown', async () => {
    const env = {
      COUNTROOM_DB: 'postgres://count:p@ss/wort@db.example/x',
      COUNTROOM_BOOK: 'postgres://db/x?user=a&password=wort2',
    }
    const { data, stdout } = await runJson(['config', 'show'], { env })
    expect(settingOf(data, 'db')?.value).toBe('postgres://count:***@db.example/x')
    expect(stdout).not.toContain('wort')
    expect((await run(['profiles', 'list'], { env })).stdout).not.toContain('wort')
  })

  test('an unknown key is refused with the nearest known one', async () => {
    const home = aHome()
    const file = home.write('config/countroom/config.json', '{"profil":"x"}')
    const { code, stderr } = await run(['config', 'show'], { home })
    expect([code, stderr]).toEqual([
      78,
      `Error: ${file} has an unknown key "profil"; did you mean "profile"? (BAD_CONFIGURATION)\n`,
    ])
  })
})

describe('config set and unset', () => {
  test('a value is set, found and removed, and the others are unchanged', async () => {
    const home = aHome()
    const file = home.write('config/countroom/config.json', '{"book":"b.db"}')
    expect((await runJson(['config', 'set', 'requireProfile', 'true'], { home })).data).toMatchObject({
      changed: true,
      file,
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ book: 'b.db', requireProfile: true })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await runJson(['config', 'unset', 'requireProfile'], { home })).data['changed']).toBe(true)
    expect((await runJson(['config', 'unset', 'requireProfile'], { home })).data['changed']).toBe(false)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ book: 'b.db' })
  })

  test('an invalid value is refused and changes nothing, as does a dry run', async () => {
    const home = aHome()
    expect((await runJson(['config', 'set', 'logLevel', 'shout'], { home })).code).toBe(2)
    expect((await runJson(['config', 'set', 'logLevel', 'warn', '--dry-run'], { home })).data['changed']).toBe(false)
    expect((await runJson(['config', 'set', 'logLevel', 'shout', '--dry-run'], { home })).code).toBe(2)
    expect(settingOf((await runJson(['config', 'show'], { home })).data, 'logLevel')?.source).toBe('default')
  })

  test('the password of a database address is stored and not shown', async () => {
    const { data, stdout } = await runJson(['config', 'set', 'db', 'postgres://u:wort@h/x'])
    expect(data['value']).toBe('postgres://u:***@h/x')
    expect(stdout).not.toContain('wort')
  })
})

describe('minimal machines', () => {
  test.each([
    [
      'an empty environment',
      {
        HOME: undefined,
        XDG_CONFIG_HOME: undefined,
        XDG_STATE_HOME: undefined,
        XDG_CACHE_HOME: undefined,
        XDG_DATA_HOME: undefined,
        PATH: undefined,
      },
    ],
    ['a missing home', { HOME: '/nonexistent', XDG_CONFIG_HOME: undefined, XDG_CACHE_HOME: undefined }],
    ['relative folders, which must be ignored', { XDG_CONFIG_HOME: 'here', XDG_DATA_HOME: '.' }],
    ['a POSIX locale and a far time zone', { LC_ALL: 'POSIX', TZ: 'Pacific/Kiritimati' }],
    ['a test runner’s own variables', { NODE_ENV: 'test' }],
    ['a developer’s own variables', { NODE_ENV: 'development' }],
  ])('the program works with %s', async (_name, env) => {
    for (const args of [['--version'], ['help'], ['config', 'show'], ['profiles', 'list', '--json']]) {
      const { code, stderr } = await run(args, { env })
      expect([code, stderr], args.join(' ')).toEqual([0, ''])
    }
  })

  test('on a read-only file system reading works, and writing exits with the next step', async () => {
    const home = aHome()
    // A folder below a file is impossible even for root, whom no mode prevents.
    const nowhere = join(home.write('file', ''), 'below')
    const env = { XDG_CONFIG_HOME: nowhere, XDG_CACHE_HOME: nowhere, XDG_STATE_HOME: nowhere, XDG_DATA_HOME: nowhere }
    expect((await run(['profiles', 'list'], { env })).code).toBe(0)
    const { code, stderr } = await run(['config', 'set', 'logLevel', 'warn'], { env })
    expect(code).toBe(78)
    expect(stderr).toMatch(/Cannot write .*: part of the path is not a folder \(ENOTDIR\); set XDG_CONFIG_HOME/)
  })
})
