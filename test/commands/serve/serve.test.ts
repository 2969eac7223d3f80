import { existsSync, readFileSync, statSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, test as base, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { signTenantRequest } from '../../../src/domain/signing.ts'
import { aHome, type Home, run, runJson } from '../../support/program/cli.ts'
import { type Served, served } from '../../support/program/processes.ts'

interface Fixtures {
  readonly home: Home
  readonly serve: (...args: string[]) => Promise<Served>
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
  home: async ({}, use) => use(aHome()),
  serve: async ({ home }, use) => {
    const worlds: Served[] = []
    await use(async (...args) => {
      const world = await served(home.folder, { ...process.env, ...home.env }, args)
      worlds.push(world)
      return world
    })
    for (const world of worlds) await world.kill()
  },
})

const readyOf = (world: Served) => JSON.parse(readFileSync(world.readyFile, 'utf8'))

/** A signed request from a different client implementation. */
async function signedGet(baseUrl: string, key: { apiKey: string; secret: string }, url: string, at = Date.now()) {
  const timestamp = String(Math.floor(at / 1000))
  const nonce = crypto.randomUUID().replaceAll('-', '')
  const signature = signTenantRequest(key.secret, { method: 'GET', url, timestamp, nonce, body: '' })
  const reply = await fetch(baseUrl + url, {
    headers: { 'x-api-key': key.apiKey, 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature },
  })
  return {
    status: reply.status,
    body: (await reply.json()) as { data?: Record<string, unknown>; error?: { code: string } },
  }
}

describe('a served demo world', () => {
  let clean = () => {}
  const home = aHome((end) => {
    clean = end
  })
  const db = join(home.folder, 'followed.db')
  let world: Served
  beforeAll(async () => {
    world = await served(home.folder, { ...process.env, ...home.env }, ['--db', db])
  })
  afterAll(async () => {
    await world.kill()
    clean()
  })

  test('has a ready file with mode 0600, addresses and keys', () => {
    expect(statSync(world.readyFile).mode & 0o777).toBe(0o600)
    const ready = readyOf(world)
    expect(ready).toMatchObject({
      event: 'ready',
      pid: expect.any(Number),
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      sandboxBaseUrl: `${ready.baseUrl}/sandbox`,
      casino: { companyCode: 'DEMO', timezone: 'Asia/Taipei' },
    })
    expect(ready.casino.live.apiKey).toMatch(/^ek_l_/)
    expect(ready.casino.sandbox.apiKey).toMatch(/^ek_s_/)
  })

  test('has four players with 10,000 each in both tenants, and every table enabled', async () => {
    const { casino } = readyOf(world)
    for (const key of [casino.live, casino.sandbox]) {
      for (const name of ['amy', 'bob', 'cho', 'dee']) {
        const { body } = await signedGet(world.baseUrl, key, `/api/tenant/v1/player?username=${name}`)
        expect(body.data).toMatchObject({ username: name, balance: '10000', currency: 'USD' })
      }
      const { body } = await signedGet(world.baseUrl, key, '/api/tenant/v1/tables')
      const tables = (body.data?.['tables'] ?? []) as { tableId: string; enabled: boolean }[]
      const ids = tables.filter((table) => table.enabled).map((table) => table.tableId)
      for (const id of ['BAC-01', 'DT-01', 'DT-02', 'HE-01', 'HE-02', 'HE-03', 'NN-01', 'NN-02'])
        expect(ids).toContain(id)
    }
  })

  test('is followed by the profile "local"', async () => {
    const { data } = await runJson(['profiles', 'show', 'local'], { home })
    expect(JSON.stringify(data)).toContain(db)
  })

  test('removes its ready file at the end', async () => {
    await world.stop()
    expect(existsSync(world.readyFile)).toBe(false)
  })
})

test('the data survives kill -9, and no second demo world is created', async ({ serve, home }) => {
  const db = join(home.folder, 'w.db')
  const first = await serve('--db', db)
  const keys = readyOf(first).casino
  await first.kill()
  const second = await serve('--db', db)
  expect(readyOf(second).casino).toEqual(keys)
  expect((await signedGet(second.baseUrl, keys.live, '/api/tenant/v1/account')).status).toBe(200)
})

test('the same seed and clock create the same keys, and another seed creates others', async ({ serve, home }) => {
  const at = ['--clock', '2026-03-01T00:00:00Z']
  const keys = []
  for (const [name, seed] of [
    ['a', '7'],
    ['b', '7'],
    ['c', '8'],
  ] as const) {
    const world = await serve('--db', join(home.folder, `${name}.db`), '--seed', seed, ...at)
    keys.push(readyOf(world).casino)
    await world.stop()
  }
  expect(keys[0]).toEqual(keys[1])
  expect(keys[0]).not.toEqual(keys[2])
})

test("a world with another clock accepts signatures by its clock and by the machine's", async ({ serve }) => {
  const world = await serve('--clock', '2027-05-05T05:05:05Z')
  const { live } = readyOf(world).casino
  const ask = (at: number) => signedGet(world.baseUrl, live, '/api/tenant/v1/account', at)
  expect((await ask(Date.now())).status).toBe(200)
  expect((await ask(Date.parse('2027-05-05T05:05:05Z'))).status).toBe(200)
  expect(await ask(Date.parse('2027-05-01T00:00:00Z'))).toMatchObject({
    status: 401,
    body: { error: { code: 'UNAUTHORIZED' } },
  })
})

test('--no-demo creates a world without tenants, and a ready file without keys', async ({ serve }) => {
  const world = await serve('--no-demo')
  expect(readyOf(world)).not.toHaveProperty('casino')
})

test('rates are limited by the plan, and unlimited with --no-rate-limit', async ({ serve, home }) => {
  const burst = async (world: Served) => {
    const { sandbox } = readyOf(world).casino
    const begun = performance.now()
    const requests = Array.from({ length: 200 }, () => signedGet(world.baseUrl, sandbox, '/api/tenant/v1/account'))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    const seconds = (performance.now() - begun) / 1000
    return { passed: statuses.filter((status) => status === 200).length, others: new Set(statuses), seconds }
  }
  const db = join(home.folder, 'w.db')
  const first = await serve('--db', db)
  const limited = await burst(first)
  await first.stop()
  expect([...limited.others].filter((status) => ![200, 429].includes(status))).toEqual([])
  // A sandbox: 40 at once, then 20 per second.
  expect(limited.passed).toBeGreaterThanOrEqual(40)
  expect(limited.passed).toBeLessThanOrEqual(Math.ceil(40 + 20 * limited.seconds))
  expect((await burst(await serve('--db', db, '--no-rate-limit'))).passed).toBe(200)
})

test('serve stops on a signal, with 130 or 143, also with a request that never ends', async ({ home }) => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    let open: Socket | undefined
    const { code: ended } = await run(['serve', '--port', '0', '--no-demo', '--json'], {
      home,
      watch: (child, printed) => {
        const url = /"baseUrl":"([^"]+)"/.exec(printed)?.[1]
        if (url === undefined || open !== undefined) return
        const { hostname, port } = new URL(url)
        // The first response shows that the connection is open; the second request lacks its last line.
        open = connect(Number(port), hostname)
        open
          .on('error', () => {})
          .once('data', () => {
            open?.write('GET /docs HTTP/1.1\r\nHost: x\r\n')
            child.kill(signal)
          })
        open.write('GET /docs HTTP/1.1\r\nHost: x\r\n\r\n')
      },
    })
    expect(ended).toBe(code)
  }
})

test('a port in use is invalid configuration, with the next step, and leaves no database', async ({ home }) => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  const address = other.address()
  const port = String(typeof address === 'object' && address ? address.port : 0)
  const db = join(home.folder, 'never.db')
  const { code, error } = await runJson(['serve', '--port', port, '--db', db], { home })
  expect(code).toBe(78)
  expect(error?.message).toContain('--port')
  expect(existsSync(db)).toBe(false)
})

test('a file that is no database, and a database of a newer program, are rejected unchanged', async ({ home }) => {
  const path = home.write('text.db', 'this is no database, and must stay as it is\n'.repeat(100))
  const { code } = await run(['serve', '--port', '0', '--db', path], { home })
  expect([7, 78]).toContain(code)
  expect(readFileSync(path, 'utf8')).toMatch(/^this is no database/)
})
