import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { aHome, programs, run } from '../../support/program/cli.ts'
import { root } from '../../support/program/processes.ts'

vi.setConfig({ testTimeout: 120_000 })

const node = process.execPath
const exec = (args: readonly string[], script: string, options = {}) =>
  run(['serve', 'exec', ...args, '--', node, '-e', script], { watch: () => {}, ...options })

test('runs a command with the address, the ready file and a profile, and passes stdin and stdout through', async () => {
  const script = `
    const { readFileSync } = require('node:fs')
    const ready = JSON.parse(readFileSync(process.env.COUNTROOM_READY_FILE))
    fetch(process.env.COUNTROOM_BASE_URL + '/readyz').then(async (response) => {
      const { status } = await response.json()
      const { COUNTROOM_PROFILE, COUNTROOM_SECRET_OF_MINE } = process.env
      console.log(JSON.stringify([status, ready.baseUrl === process.env.COUNTROOM_BASE_URL, COUNTROOM_PROFILE, COUNTROOM_SECRET_OF_MINE ?? null, readFileSync(0, 'utf8')]))
    })`
  const { code, stdout, stderr } = await exec(['--seed', '7'], script, {
    input: 'told',
    env: { COUNTROOM_SECRET_OF_MINE: 'x' },
  })
  expect(JSON.parse(stdout)).toEqual(['ready', true, 'world', null, 'told'])
  expect(code).toBe(0)
  expect(stderr).toMatch(/pass +balances[\s\S]*pass +postings[\s\S]*pass +transfers[\s\S]*pass +deliveries/)
})

test('exits with the code of the command, or that of the signal that killed it', async () => {
  expect((await exec([], 'process.exit(3)')).code).toBe(3)
  expect((await exec([], "process.kill(process.pid, 'SIGKILL')")).code).toBe(137)
  expect((await run(['serve', 'exec', '--', '/nowhere/program'])).code).toBe(127)
  expect((await run(['serve', 'exec'])).code).toBe(2)
})

test("with --json stdout has the single object, and the command's output goes to stderr", async () => {
  const { code, stdout, stderr } = await run(
    ['serve', 'exec', '--json', '--', node, '-e', 'console.log("of the command"); process.exit(4)'],
    { watch: () => {} },
  )
  expect(code).toBe(4)
  expect(stderr).toContain('of the command')
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'error',
    data: { exitCode: 4, invariants: [{ name: 'balances', status: 'pass' }, {}, {}, {}] },
    error: { code: 'COMMAND_FAILED' },
  })
})

test('exits with 9 if the command left an unexplained balance', async () => {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    // The serving process may write at the same time.
    const db = new DatabaseSync(process.env.COUNTROOM_DB, { timeout: 120_000 })
    db.exec("update casino_players set balance = '12345' where username = 'amy' and tenant = 'DEMO'")`
  const { code, stdout } = await run(['serve', 'exec', '--json', '--', node, '-e', script], { watch: () => {} })
  expect(code).toBe(9)
  const { invariants } = JSON.parse(stdout).data
  expect(invariants[0]).toEqual({
    name: 'balances',
    status: 'fail',
    detail: 'DEMO amy has 12345, its movements give 10000',
  })
})

test('passes a signal on to the command', async () => {
  let isSent = false
  const { code, stdout } = await run(
    [
      'serve',
      'exec',
      '--',
      node,
      '-e',
      "process.on('SIGTERM', () => { console.log('stopped'); process.exit(0) }); console.log('running'); setInterval(() => {}, 1000)",
    ],
    {
      watch: (child, printed) => {
        if (isSent || !printed.includes('running')) return
        isSent = true
        child.kill('SIGTERM')
      },
    },
  )
  expect(stdout).toContain('stopped')
  expect(code).toBe(143)
})

describe('--faults', () => {
  test('reports every error of the file with its line, and starts nothing', async () => {
    const home = aHome()
    const file = home.write(
      'faults.yaml',
      '- kind: cut-after\n  servise: casino\n- kind: nothing\n- kind: refuse\n  endpoint: deposit\n- kind: late\n  for: soon\n  times: 0\n- just text\n',
    )
    const { code, stdout } = await run(['serve', 'exec', '--json', '--faults', file, '--', node, '-e', '0'], { home })
    expect(code).toBe(2)
    const { error } = JSON.parse(stdout)
    expect(error.code).toBe('INVALID_FILE')
    expect(error.details.faults.map(({ line }: { line: number }) => line)).toEqual([2, 3, 4, 7, 8, 9])
    expect(error.message).toMatch(/line 2: unknown key "servise"; did you mean "service"\?/)
    expect(error.message).toMatch(/line 4: "refuse" requires a code/)
  })

  test('apply to the command', async () => {
    const home = aHome()
    const file = home.write('faults.yaml', '- { kind: status, status: 503, service: gateway, until: 1h }\n')
    const { stdout } = await exec(
      ['--faults', file],
      "fetch(process.env.COUNTROOM_BASE_URL + '/api/v1/status').then(({ status }) => console.log(status))",
      { home },
    )
    expect(stdout.trim()).toBe('503')
  })
})

test('a small integrator’s back end passes its own test, also with duplicate callbacks and a lost response', async () => {
  const home = aHome()
  cpSync(join(root, 'fixtures/integrator'), home.folder, { recursive: true })
  const env = { PATH: process.env['PATH'] }
  const command = ['env', `COUNTROOM=${node} ${programs.countroom}`, node, '--test', 'checkout.test.mjs']
  const { code, stdout, stderr } = await run(
    ['serve', 'exec', '--seed', '7', '--faults', 'faults.yaml', '--', ...command],
    { home, env, watch: () => {} },
  )
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toMatch(/pass 2\n/)
  expect(stderr).toMatch(/pass +deliveries/)
})
