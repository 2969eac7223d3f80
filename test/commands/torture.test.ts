import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listening } from '../support/http/listening.ts'
import { type Home, run, runJson } from '../support/program/cli.ts'
import { root } from '../support/program/processes.ts'
import { servedBeside } from '../support/worlds/served.ts'

// Each run of the handler takes two processes: curl is ten times cheaper than Node.
const hasCurl = spawnSync('curl', ['--version']).status === 0

/** The back end of fixtures/integrator next to a world, and the IPNs of one payment in the book. */
async function aBackEnd(options: { readonly isCareless?: boolean } = {}) {
  const { home, ...ready } = await servedBeside()
  const { startBackEnd } = await import(join(root, 'fixtures/integrator/server.mjs'))
  const backEnd = await startBackEnd(ready, options)
  onTestFinished(() => backEnd.close())
  const listener = await listening('ipn', home)
  const { payment_id: id } = await backEnd.checkout('order-1', 'amy', '25', `${listener.url}/ipn`)
  await run(['sim', 'chain', 'deposit', String(id), '--confirm'], { home })
  await expect.poll(async () => statuses(await listener.waitForLines(1))).toContain('finished')
  await listener.stop()
  const fetching = (path: string) =>
    hasCurl
      ? `curl -s '${backEnd.url}${path}' && echo`
      : `${process.execPath} -e "fetch('${backEnd.url}${path}').then((r) => r.text()).then(console.log)"`
  const parts = { to: `${backEnd.url}/ipn`, reset: fetching('/reset'), probe: fetching('/credits') }
  const flags = Object.entries(parts).flatMap(([name, value]) => [`--${name}`, value])
  const words = ['ipn', 'torture', ...flags, '--rounds', '7']
  return { ...parts, torture: (...args: string[]) => runJson([...words, ...args], { home }), home }
}

const statuses = (lines: readonly Record<string, unknown>[]) => lines.map((line) => line['status'] ?? line['event'])

test('ipn torture lets a correct back end pass, and judges none whose commands fail', async () => {
  const { torture, to, reset, home } = await aBackEnd()
  const { code, data } = await torture('--seed', '7')
  expect(code).toBe(0)
  expect(data).toMatchObject({ status: 'passed', seed: '7', sequence: [], refused: [] })
  expect(data['runs']).toBeGreaterThanOrEqual(9)
  const failing = ['ipn', 'torture', '--to', to, '--reset', reset, '--probe', 'exit 3']
  expect(await runJson(failing, { home })).toMatchObject({ code: 1, error: { code: 'COMMAND_FAILED' } })
  expect(await torture('nobody-knows')).toMatchObject({ code: 5 })
  expect(await torture('--rounds', '0')).toMatchObject({ code: 2 })
})

test('ipn torture finds a back end that credits twice', async () => {
  const { torture } = await aBackEnd({ isCareless: true })
  const { code, data, error } = await torture('--seed', '7')
  expect({ code, error }).toMatchObject({ code: 9, error: { code: 'DIFFERENCES' } })
  expect(data).toMatchObject({ status: 'broken', expected: '{"order-1":25}\n', actual: '{"order-1":50}\n' })
  expect(data['sequence']).toMatchObject([{ how: 'send' }, { how: 'send' }])
  const [first, second] = data['sequence'] as { ids: string[] }[]
  expect(first?.ids).toEqual(second?.ids)
})

/** Database of a handler: what it has done, which the probe prints, and its own notes. */
interface Store {
  done: Record<string, number>
  notes: string[]
}

type Handler = (store: () => Store, save: (store: Store) => void, key: string, response: ServerResponse) => unknown

const count = ({ done, notes }: Store, key: string, note = key): Store => ({
  done: { ...done, [key]: (done[key] ?? 0) + 1 },
  notes: [note, ...notes],
})

/**
 * A query during which another request or the end of a connection arrives. It takes steps, because a machine that is too busy to run
 * this process may have delivered neither when a single timer of 150 ms ends.
 */
async function longQuery(): Promise<void> {
  for (let step = 0; step < 15; step++) await pause(10)
}

/** Handlers of callbacks, correct and with one mistake each. */
const handlers = {
  correct: (store, save, key) => void (store().notes.includes(key) || save(count(store(), key))),
  order: (_, save, key) => save({ done: { [key]: 1 }, notes: [] }),
  twice: (store, save, key) => save(count(store(), key)),
  late: (store, save, key) => void (store().notes[0] === key || save(count(store(), key))),
  async parallel(store, save, key) {
    if (store().notes.includes(key)) return
    await longQuery()
    save(count(store(), key))
  },
  async lost(store, save, key, response) {
    if (store().notes.includes(key)) return
    save(count(store(), key, ''))
    response.once('finish', () => save({ ...store(), notes: [key, ...store().notes] }))
    await longQuery()
  },
} satisfies Record<string, Handler>

/** Serves the handlers, each at a path of its own, on one store in a file. */
async function theHandlers(home: Home) {
  const file = join(home.folder, 'handler.json')
  const store = (): Store => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { done: {}, notes: [] })
  const save = (changed: Store) => {
    writeFileSync(file, JSON.stringify(changed))
    writeFileSync(`${file}.done`, JSON.stringify(Object.entries(changed.done).sort()))
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, payment_id: payment, payment_status: status } = JSON.parse(Buffer.concat(chunks).toString())
    const handle: Handler = handlers[(request.url ?? '').slice(1) as keyof typeof handlers]
    await handle(store, save, id ?? `${payment}/${status}`, response)
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, reset: `rm -f ${file} ${file}.done`, probe: `cat ${file}.done 2>/dev/null || echo nothing` }
}

const recorded = {
  async ipn(home: Home) {
    const listener = await listening('ipn', home)
    const order = ['payments', 'create', '25', 'usd', 'usdttrc20', '--callback', `${listener.url}/ipn`]
    const { data } = await runJson(order, { home })
    await run(['sim', 'chain', 'deposit', String(data['payment_id']), '--confirm'], { home })
    await expect.poll(async () => statuses(await listener.waitForLines(1))).toContain('finished')
    await listener.stop()
  },
  async webhooks(home: Home) {
    const set = (url: string) => run(['console', 'webhooks', 'set', 'DEMO', '--url', url, '--events', 'all'], { home })
    await set('http://127.0.0.1:9/hook')
    await run(['console', 'webhooks', 'enable', 'DEMO'], { home })
    const listener = await listening('webhooks', home)
    await set(`${listener.url}/hook`)
    for (const _ of [1, 2, 3]) await run(['console', 'webhooks', 'test', 'DEMO'], { home })
    await listener.waitForLines(4)
    await listener.stop()
  },
}

test.each(['ipn', 'webhooks'] as const)(
  '%s torture finds each mistake of a handler by the shortest sequence, and none in a correct one',
  async (topic) => {
    const { home } = await servedBeside()
    await recorded[topic](home)
    const { url, reset, probe } = await theHandlers(home)
    const verdictOn = (name: string) => {
      const flags = ['--to', `${url}/${name}`, '--reset', reset, '--probe', probe, '--seed', '7', '--rounds', '7']
      return runJson([topic, 'torture', ...flags], { home })
    }
    const found: Record<string, unknown> = {}
    for (const name of Object.keys(handlers)) {
      const { code, data } = await verdictOn(name)
      found[name] = [code, data['status'], (data['sequence'] as { how: string }[]).map(({ how }) => how).join()]
    }
    expect(found).toEqual({
      correct: [0, 'passed', ''],
      order: [9, 'broken', 'send,send'],
      twice: [9, 'broken', 'send,send'],
      late: [9, 'broken', 'send,send,send'],
      parallel: [9, 'broken', 'together'],
      lost: [9, 'broken', 'lost'],
    })
    // The same seed finds the same.
    expect((await verdictOn('twice')).data).toEqual((await verdictOn('twice')).data)
  },
)
