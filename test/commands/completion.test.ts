import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { completeLines, rememberNames, shells } from '../../src/cli/framework/completion.ts'
import { scripts } from '../../src/cli/framework/completion-scripts.ts'
import { loadProgram } from '../../src/cli/framework/manifest.ts'
import { createChatTenant } from '../../src/services/chat/admin.ts'
import { ensureChatDemo } from '../../src/services/chat/server/demo-data.ts'
import { ensureGatewayDemo } from '../../src/services/gateway/admin/demo-data.ts'
import { createMerchant } from '../../src/services/gateway/admin/platform.ts'
import { merchantsOf } from '../../src/services/gateway/queries/merchants.ts'
import { insertPayout } from '../../src/services/gateway/queries/payouts.ts'
import { serverTimeoutMs } from '../../src/world/clients/offered-names.ts'
import { pathsOf } from '../../src/world/config/paths.ts'
import { postgres } from '../support/databases/engines.ts'
import { holdTimersOf } from '../support/held-timers.ts'
import { aHome, type Home, noTerminal, programs, root, run, runJson, runProcess } from '../support/program/cli.ts'
import { programWith } from '../support/program/command-line.ts'
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
  function offered(home: Home & { path: string }, words: string[], rest: string[] = []): string[] {
    // Between two words Bash has no empty one: the current word is the later one.
    const typed = rest.length > 0 && words.at(-1) === '' ? words.slice(0, -1) : words
    const script = `
      source '${home.write('completion.bash', scripts.bash)}'
      COMP_WORDS=(${[...typed, ...rest].map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      COMP_LINE='${[...words, ...rest].join(' ')}'; COMP_POINT=${words.join(' ').length}
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

  test('names of the profile named after the cursor, newest first', async () => {
    const home = installed()
    const file = home.write('pay.csv', 'username,amount,currency\namy,5,USD\n')
    const { db } = await localHome()
    for (const id of ['batch-1', 'batch-2', 'a-batch'])
      expect(
        (await run(['wallet', 'plan', file, '--id', id, '--again'], { home, env: { COUNTROOM_DB: db } })).code,
      ).toBe(0)
    home.write('config/countroom/profiles/shop.json', JSON.stringify({ kind: 'local', db }))
    expect(offered(home, ['countroom', 'wallet', 'approve', '']), 'the profile local has another book').toEqual([])
    const book = readdirSync(join(home.folder, 'state/countroom/books'))[0] ?? ''
    copyFileSync(
      join(home.folder, 'state/countroom/books', book),
      join(home.folder, 'state/countroom/books', book.replace('local', 'shop')),
    )
    expect(offered(home, ['countroom', 'wallet', 'approve', ''], ['--profile', 'shop'])).toEqual([
      'a-batch',
      'batch-2',
      'batch-1',
    ])
    expect(offered(home, ['countroom', 'wallet', 'approve', '--profile', '=', 'shop', 'batch-'])).toEqual([
      'batch-2',
      'batch-1',
    ])
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
  const program = programWith([])
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
    expect(offered('countroom prof')).toMatch(/^profiles\tManage profiles/)
    expect(offered('countroom profiles add x --environment ')).toBe('live\nsandbox')
    expect(offered('countroom profiles add x --from key')).toBe('keys.json')
  },
)

test.skipIf(!hasShell('fish') || noTerminal)(
  'fish offers names of the profile after the cursor, also for an empty word (skipped without fish or script(1))',
  async () => {
    const home = installed()
    rememberNames(pathsOf(home.env), 'tickets', ['12', '11'], 'house')
    home.write('config/countroom/profiles/house.json', 'unreadable')
    const start = home.write(
      'start.fish',
      `${scripts.fish}
      function fish_prompt; echo -n 'Ready> '; end
      function print_candidates; set -l found (__countroom_complete); echo "[$found]"; kill -9 $fish_pid; end
      bind \\cx print_candidates`,
    )
    for (const [before, after] of [
      ['countroom tickets show ', ' --profile house'],
      ['countroom tickets show 1', ' --profile house'],
      ['countroom tickets show ', '--profile house'],
    ] as const) {
      const keys = `${before}${after}${'\u0002'.repeat(after.length)}\u0018`
      let isTyped = false
      const { stdout } = await runProcess(['script', '-qec', `fish -i --no-config -C 'source ${start}'`, '/dev/null'], {
        home,
        env: { PATH: home.path, TERM: 'xterm', SHELL: '/bin/sh' },
        watch: (child, printed) => {
          if (!isTyped && printed.includes('Ready> ')) child.stdin?.write(keys)
          isTyped ||= printed.includes('Ready> ')
        },
      })
      expect(stdout).toContain('[12 11]')
    }
  },
)

test('fish and zsh get the description of each word', async () => {
  expect((await run(['__complete', 'fish', 'profiles', 'us'])).stdout).toBe('use\tSet the default profile\n')
  expect((await run(['__complete', 'zsh', 'profiles', 'us'])).stdout).toBe('use:Set the default profile\n')
})

/** Adds a payout of the demo merchant, which local profiles act for, and a newer one of another merchant. */
async function addPayouts(home: Awaited<ReturnType<typeof localHome>>): Promise<void> {
  const { gateway, store, close } = await home.open()
  await ensureGatewayDemo(gateway)
  const environment = 'production'
  await createMerchant(gateway, { environment, name: 'Other', email: 'o@x.example', password: 'a long password' })
  const merchants = await store.read((reader) => merchantsOf(reader, environment))
  await store.write(async (tx) => {
    for (const [i, { id: merchant }] of merchants.entries())
      await insertPayout(tx, {
        ...{ id: String(i + 2), batch: '1', environment, merchant, status: 'waiting', currency: 'btc' },
        ...{ amount: '5', fee: '0', address: 'a', fiat_amount: null, fiat_currency: null, description: null },
        ...{ external_id: null, ipn_callback_url: null, hash: null, error: null, execute_at: null, due_at: null },
        ...{ purpose: null, sent_at: null, created_at: tx.now, requested_at: null, updated_at: tx.now },
      })
  })
  await close()
}

describe('names of the profile that the line names', () => {
  /** The candidates of `fish`, each with its description, with the words after the cursor. */
  async function offered(home: Home, words: readonly string[], rest: readonly string[] = []) {
    const env = { COUNTROOM_COMPLETE_REST: rest.join('\n') }
    const { code, stdout, stderr } = await run(['__complete', 'fish', ...words], { home, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout.split('\n').filter((line) => line !== '')
  }

  test('are the transfers, batches, tickets, statuses and payouts of its book and local world, newest first', async () => {
    const home = await localHome()
    const world = await home.open()
    await ensureChatDemo(world.chat)
    await world.close()
    for (const txn of ['first', 'second'])
      expect((await run(['wallet', 'deposit', 'amy', '5', 'USD', '--txn', txn], { home })).code).toBe(0)
    const file = home.write('pay.csv', 'username,amount,currency\namy,5,USD\n')
    expect((await run(['wallet', 'plan', file, '--id', 'july'], { home })).code).toBe(0)
    expect(await offered(home, ['wallet', 'transfer', ''])).toEqual([
      'second\tdeposit of 5 USD, amy, done',
      'first\tdeposit of 5 USD, amy, done',
    ])
    expect(await offered(home, ['wallet', 'deposit', 'amy', '5', 'USD', '--txn=f'])).toEqual([
      '--txn=first\tdeposit of 5 USD, amy, done',
    ])
    expect(await offered(home, ['wallet', 'approve', 'j'])).toEqual(['july\tpay.csv, rows: 1'])
    for (const title of ['Where is my money?', 'A second one'])
      expect((await run(['tickets', 'create', title, '--account', 'amy'], { home })).code).toBe(0)
    expect(await offered(home, ['tickets', 'show', ''])).toEqual([
      '2\topen: A second one',
      '1\topen: Where is my money?',
    ])
    expect(await offered(home, ['tickets', 'status', '1', 'w'])).toEqual(['waiting_customer'])
    expect(await offered(home, ['tickets', 'list', '--status', 'op'])).toEqual(['open'])
    expect(await offered(home, ['payouts', 'show', ''])).toEqual([])
    await addPayouts(home)
    expect(await offered(home, ['payouts', 'show', ''])).toEqual(['2\t5 btc, waiting'])
    // Another profile has another book, named before or after the cursor.
    home.write('config/countroom/profiles/empty.json', JSON.stringify({ kind: 'local', db: '/nowhere/world.db' }))
    expect(await offered(home, ['wallet', 'transfer', '--profile', 'empty', ''])).toEqual([])
    expect(await offered(home, ['wallet', 'transfer', ''], ['--profile', '=', 'empty'])).toEqual([])
    expect(await offered(home, ['wallet', 'transfer', ''], ['--profile', 'local'])).toHaveLength(2)
    expect(await offered(home, ['tickets', 'show', '--profile=unknown', ''])).toEqual([])
  })

  test('are those of a book on PostgreSQL, if it responds in time', async () => {
    const home = await localHome()
    const { url } = await postgres.database()
    const plan = ['wallet', 'plan', '-', '--id', 'batch-1', '--book', url]
    expect((await run(plan, { home, input: 'username,amount,currency\namy,5,USD\n' })).code).toBe(0)
    holdTimersOf(serverTimeoutMs)
    const line = { shell: 'fish', words: ['wallet', 'approve', '--book', url, ''], rest: [] }
    expect(await completeLines(await loadProgram(root, false), line, home.env)).toBe('batch-1\tstdin, rows: 1\n')
  })

  test('are those of the only merchant of the chat, whatever its name', async () => {
    const home = await localHome()
    const world = await home.open()
    await createChatTenant(world.chat, { code: 'SHOP', plan: 'pro' })
    await world.close()
    expect((await run(['tickets', 'create', 'Help', '--account', 'amy'], { home })).code).toBe(0)
    expect(await offered(home, ['tickets', 'show', ''])).toEqual(['1\topen: Help'])
  })

  test('are none if the server of the book does not respond in time', async () => {
    const connections: Socket[] = []
    const silent = createServer((socket) => void connections.push(socket)).listen(0, '127.0.0.1')
    onTestFinished(() => {
      for (const socket of connections) socket.destroy()
      silent.close()
    })
    await once(silent, 'listening')
    const limits = holdTimersOf(serverTimeoutMs)
    const url = `postgres://countroom@127.0.0.1:${(silent.address() as AddressInfo).port}/none`
    const line = { shell: 'fish', words: ['wallet', 'approve', '--book', url, ''], rest: [] }
    const lines = completeLines(await loadProgram(root, false), line, aHome().env)
    await expect.poll(() => [connections.length, limits.length]).toEqual([1, 1])
    limits[0]?.()
    expect(await lines).toBe('')
  })

  test('are none if the book cannot be read, without an error', async () => {
    const home = aHome()
    const at = (book: string) => offered(home, ['wallet', 'transfer', '--book', book, ''])
    expect(await at(home.write('damaged.db', 'not a database'))).toEqual([])
    expect(await at(home.folder)).toEqual([])
    expect(await at('postgres://countroom@127.0.0.1:1/none')).toEqual([])
  })

  test('are those that earlier runs saw at a remote platform', async () => {
    const home = aHome()
    rememberNames(pathsOf(home.env), 'tickets', ['12', '11'], 'house')
    home.write('config/countroom/profiles/house.json', 'unreadable')
    expect(await offered(home, ['tickets', 'show', '--profile', 'house', ''])).toEqual(['12', '11'])
    expect(await offered(home, ['tickets', 'show', '--profile', 'local', ''])).toEqual([])
  })
})
