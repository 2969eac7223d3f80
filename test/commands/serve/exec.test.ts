import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aHome, programs, run } from '../../support/program/cli.ts'
import { root } from '../../support/program/processes.ts'

const node = process.execPath
const exec = (args: readonly string[], script: string, options = {}) =>
  run(['serve', 'exec', ...args, '--', node, '-e', script], { watch: () => {}, ...options })

/** Meets each fault of a response once, then creates payments until four callbacks have arrived. */
const integrator = `
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { once } from 'node:events'
const { COUNTROOM_BASE_URL: base, COUNTROOM_READY_FILE: file } = process.env
const { apiKey } = JSON.parse(readFileSync(file)).gateway.production
const answers = []
while (answers.at(-1) !== 200 || answers.length < 10) {
  const isHanging = answers.length === 2
  try {
    const response = await fetch(base + '/api/v1/status', isHanging ? { signal: AbortSignal.timeout(300) } : {})
    const text = await response.text()
    answers.push(response.ok && !text.startsWith('{') ? 'unreadable' : response.status)
  } catch {
    answers.push('lost')
  }
}
const received = []
const server = createServer(async (request, response) => {
  received.push(JSON.parse(Buffer.concat(await request.toArray())).order_id)
  response.end()
  server.emit('received')
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const ipn_callback_url = 'http://127.0.0.1:' + server.address().port
const created = []
for (let order = 0; order < 5; order++) {
  const body = { price_amount: 20, price_currency: 'usd', pay_currency: 'eth', order_id: String(order), ipn_callback_url }
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  created.push((await fetch(base + '/api/v1/payment', { method: 'POST', headers, body: JSON.stringify(body) })).status)
}
while (received.length < 4) await once(server, 'received')
server.close()
console.log(JSON.stringify({ answers, created, received }))
`

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

test('exits with 9 and names each error if the command left a balance, a posting or a transfer wrong', async () => {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    // The serving process may write at the same time.
    const db = new DatabaseSync(process.env.COUNTROOM_DB, { timeout: 120_000 })
    db.exec("begin immediate")
    db.exec("update casino_players set balance = '12345' where username = 'amy' and tenant = 'DEMO'")
    db.exec("update gateway_entries set units = units + 1 where rowid = (select min(rowid) from gateway_entries)")
    // A key of the database refuses a transfer that is done twice: this database has lost it.
    db.exec("create table copies as select * from casino_transfers")
    db.exec("drop table casino_transfers")
    db.exec("alter table copies rename to casino_transfers")
    db.exec("insert into casino_transfers select * from casino_transfers limit 1")
    db.exec("commit")`
  const { code, stdout } = await run(['serve', 'exec', '--json', '--', node, '-e', script], { watch: () => {} })
  expect(code).toBe(9)
  const { data, error } = JSON.parse(stdout)
  const text = (pattern: RegExp) => expect.stringMatching(pattern)
  expect(data.invariants).toEqual([
    { name: 'balances', status: 'fail', detail: text(/^DEMO amy has 12345, its movements give \d+/) },
    { name: 'postings', status: 'fail', detail: text(/^posting \S+ \(.+\) sums to 1 units of \S+$/) },
    { name: 'transfers', status: 'fail', detail: text(/^\S+ \S+ was done 2 times$/) },
    { name: 'deliveries', status: 'pass', detail: text(/acknowledged or still due$/) },
  ])
  expect(error).toMatchObject({ code: 'DIFFERENCES', message: text(/balances: .*; postings: .*; transfers: /) })
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

  test('of every kind apply to the command, and the checks count what was lost', async () => {
    const home = aHome()
    const responses = [
      ...[
        '{ kind: late, for: 10ms',
        '{ kind: slow, for: 10ms',
        '{ kind: hang',
        '{ kind: cut-before',
        '{ kind: cut-after',
      ],
      ...['{ kind: status, status: 503', '{ kind: half', '{ kind: garbage', '{ kind: html, status: 504'],
    ].map((fault) => `- ${fault}, endpoint: status, times: 1 }`)
    const others = [
      '- { kind: refuse, service: gateway, code: POOL_EXHAUSTED, times: 1 }',
      ...['lose', 'double', 'delay, for: 10ms', 'reorder, for: 1s'].map((kind) => `- { kind: ${kind}, times: 1 }`),
    ]
    const file = home.write('faults.yaml', [...responses, ...others].join('\n'))
    home.write('integrator.mjs', integrator)
    const { stdout, stderr, code } = await run(
      ['serve', 'exec', '--faults', file, '--', node, join(home.folder, 'integrator.mjs')],
      { home, watch: () => {} },
    )
    expect(code, stdout + stderr).toBe(0)
    const { answers, created, received } = JSON.parse(stdout)
    expect(answers).toEqual([200, 200, 'lost', 'lost', 'lost', 503, 'lost', 'unreadable', 504, 200])
    expect(created).toEqual([503, 201, 201, 201, 201])
    // The first callback is lost, the second is sent twice, the others are held for a time.
    expect(received.sort()).toEqual(['2', '2', '3', '4'])
    expect(stderr).toMatch(/pass +deliveries .*; of these an injected fault lost 1\n/)
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
