import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rememberNames, scripts, shells } from '../../src/cli/framework/completion.ts'
import { pathsOf } from '../../src/world/config/paths.ts'
import { aHome, type Home, programs, run, runJson } from '../support/program/cli.ts'
import { localHome } from '../support/worlds/served.ts'

const hasShell = (name: string) => spawnSync(name, ['--version']).status === 0

/** A home with `countroom` on its PATH, as after an installation. */
function installed(): Home & { path: string } {
  const home = aHome()
  const bin = join(home.folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'countroom'), `#!/bin/sh\nexec '${process.execPath}' '${programs.countroom}' "$@"\n`)
  chmodSync(join(bin, 'countroom'), 0o755)
  return { ...home, path: `${bin}:${process.env['PATH']}` }
}

test.each(shells)('only the script for %s is printed', async (shell) => {
  expect(await run(['completion', shell])).toEqual({ code: 0, stdout: scripts[shell], stderr: '' })
  expect((await runJson(['completion', shell])).data['script']).toBe(scripts[shell])
})

test('an unknown shell is rejected', async () => {
  expect((await run(['completion', 'tcsh'])).code).toBe(2)
})

describe.skipIf(!hasShell('bash'))('bash', () => {
  /** Returns Bash's completions at the end of a line, requested as the Tab key does. */
  function offered(home: Home & { path: string }, words: string[]): string[] {
    const script = `
      source '${home.write('completion.bash', scripts.bash)}'
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
      COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}
      _countroom; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], {
      encoding: 'utf8',
      env: { ...home.env, PATH: home.path },
    })
    expect(stderr).toBe('')
    return stdout.split('\n').filter((line) => line !== '')
  }

  test('commands, topics, flags and their values', () => {
    const home = installed()
    expect(offered(home, ['countroom', 'prof'])).toEqual(['profiles'])
    expect(offered(home, ['countroom', 'profiles', ''])).toEqual([
      'add',
      'list',
      'remove',
      'set',
      'show',
      'test',
      'use',
    ])
    expect(offered(home, ['countroom', 'profiles', 'set', 'x', '--timezone', 'Asia/Taip'])).toEqual(['Asia/Taipei'])
    expect(offered(home, ['countroom', 'profiles', 'add', 'x', '--f'])).toEqual(['--force', '--from'])
    expect(offered(home, ['countroom', 'profiles', 'add', 'x', '--environment', ''])).toEqual(['live', 'sandbox'])
    expect(offered(home, ['countroom', 'profiles', 'add', 'x', '--environment', '=', 's'])).toEqual(['sandbox'])
    expect(offered(home, ['countroom', 'completion', 'z'])).toEqual(['zsh'])
    expect(offered(home, ['countroom', 'help', 'exit'])).toEqual(['exit-codes'])
    expect(offered(home, ['countroom', 'config', 'set', 'log'])).toEqual(['logLevel'])
  })

  test('profiles by name, without opening one', () => {
    const home = installed()
    home.write('config/countroom/profiles/staging.json', 'not even JSON', 0o666)
    expect(offered(home, ['countroom', 'profiles', 'use', ''])).toEqual(['local', 'staging'])
    expect(offered(home, ['countroom', 'config', 'show', '--profile', 'st'])).toEqual(['staging'])
  })

  test('broken settings do not prevent a completion', () => {
    const home = installed()
    home.write('config/countroom/config.json', '{')
    expect(offered(home, ['countroom', 'profiles', 'l'])).toEqual(['list'])
  })
})

test('names seen by earlier runs complete arguments of their kind, newest first, and unreadable ones are ignored', async () => {
  const home = aHome()
  const paths = pathsOf(home.env)
  rememberNames(paths, 'users', ['amy', 'bob'])
  rememberNames(paths, 'users', ['cho', 'amy'])
  const { completionsFor } = await import('../../src/cli/framework/completion.ts')
  const program = { root: '', version: '', commands: [], topics: {} }
  expect(completionsFor('users', program, paths)).toEqual(['cho', 'amy', 'bob'])
  home.write('cache/countroom/names/users.json', '{broken')
  expect(completionsFor('users', program, paths)).toEqual([])
  rememberNames(pathsOf({ XDG_CACHE_HOME: home.write('file', '') }), 'users', ['amy'])
})

test('tenants that were created, listed or changed complete the arguments that name one', async () => {
  const home = await localHome()
  const offered = async (...words: string[]) =>
    (await run(['__complete', 'bash', ...words], { home })).stdout.split('\n').filter((line) => line !== '')
  expect(await offered('console', 'topup', '')).toEqual([])
  await run(['console', 'tenants', 'suspend', 'DEMO-SBX'], { home })
  expect(await offered('console', 'topup', '')).toEqual(['DEMO-SBX'])
  await run(['console', 'tenants', 'list'], { home })
  expect(await offered('console', 'topup', '')).toEqual(['DEMO', 'DEMO-SBX'])
  expect(await offered('sim', 'play', '--tenant', 'DEMO-')).toEqual(['DEMO-SBX'])
})

test('the events of a webhook complete, one after another', async () => {
  const home = aHome()
  const offered = async (typed: string) =>
    (await run(['__complete', 'bash', 'console', 'webhooks', 'set', 'DEMO', '--events', typed], { home })).stdout
      .split('\n')
      .filter((line) => line !== '')
  expect(await offered('')).toEqual(expect.arrayContaining(['all', 'bet.settled', 'account.low_balance']))
  expect(await offered('round.')).toEqual(['round.corrected', 'round.voided'])
  expect(await offered('bet.settled,round.')).toEqual(['bet.settled,round.corrected', 'bet.settled,round.voided'])
  expect(await offered('round.voided,round.')).toEqual(['round.voided,round.corrected'])
  expect(await offered('bet.settled,al')).toEqual([])
})

describe.each([
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
] as const)('%s', (shell, check) => {
  test.skipIf(!hasShell(shell))(`reads its script (skipped if ${shell} is not installed)`, () => {
    const home = aHome()
    expect(spawnSync(shell, [...check, home.write('script', scripts[shell])], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
  })
})

test.skipIf(!hasShell('fish'))(
  'fish offers words with their descriptions, and files if there are none (skipped if fish is not installed)',
  () => {
    const home = installed()
    home.write('keys.json', '{}')
    const offered = (line: string) =>
      spawnSync('fish', ['-c', `countroom completion fish | source; complete -C '${line}'`], {
        encoding: 'utf8',
        cwd: home.folder,
        env: { ...home.env, PATH: home.path },
      }).stdout.trimEnd()
    expect(offered('countroom prof')).toMatch(/^profiles\tTargets/)
    expect(offered('countroom profiles add x --environment ')).toBe('live\nsandbox')
    expect(offered('countroom profiles add x --from key')).toBe('keys.json')
  },
)

test('fish and zsh get the description of each word', async () => {
  expect((await run(['__complete', 'fish', 'profiles', 'us'])).stdout).toBe('use\tSet the default profile\n')
  expect((await run(['__complete', 'zsh', 'profiles', 'us'])).stdout).toBe('use:Set the default profile\n')
})
