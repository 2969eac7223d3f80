import { afterAll, beforeAll, expect, test } from 'vitest'
import { aHome, aHomeFor, type Home, run, runJson } from '../../support/program/cli.ts'
import { type Served, served, workbench } from '../../support/program/processes.ts'

const { folder, env, done } = workbench('requests')
const home: Home = aHomeFor(folder, env)
let world: Served
/** All requests of the casino before the first test. */
let first: Listed[]

beforeAll(async () => {
  world = await served(folder, { ...env, ...home.env })
  await run(['profiles', 'add', 'box', '--environment', 'sandbox', '--from', world.readyFile], { home })
  await run(['wallet', 'deposit', 'amy', '5', 'USD', '--txn', 'in-1', '--profile', 'box'], { home })
  await run(['players', 'show', 'nobody', '--profile', 'box'], { home })
  first = await list('--service', 'casino')
})
afterAll(async () => {
  await world.stop()
  done()
})

interface Listed {
  id: string
  service: string
  status: number
  path: string
  code: string | null
}
const list = async (...args: string[]) =>
  (await runJson(['sim', 'requests', 'list', ...args], { home })).data['requests'] as Listed[]

test('lists the requests of the served world, newest first, with filters', async () => {
  expect(first.map(({ status, code, path }) => [status, code, path.split('?')[0]])).toEqual([
    [404, 'PLAYER_NOT_FOUND', '/api/tenant/v1/player'],
    [200, null, '/api/tenant/v1/wallet/deposit'],
    [200, null, '/api/tenant/v1/player'],
  ])
  expect(await list('--status', '4xx')).toMatchObject([{ status: 404 }])
  expect(await list('--status', '200', '--path', '/wallet/')).toMatchObject([{ path: '/api/tenant/v1/wallet/deposit' }])
  expect(await list('--service', 'gateway')).toEqual([])
  expect(await list('--since', '1h', '--limit', '1')).toHaveLength(1)
  expect(await list('--since', '2999-01-01T00:00:00Z')).toEqual([])
  expect((await run(['sim', 'requests', 'list', '--status', '4x'], { home })).code).toBe(2)
})

test('shows one by its id or the end of it, also through a remote profile of the ready file', async () => {
  const [deposit] = await list('--path', 'deposit')
  const id = deposit?.id ?? ''
  const shown = await runJson(['sim', 'requests', 'show', id], { home })
  expect(shown.data).toMatchObject({
    id,
    endpoint: 'deposit',
    environment: 'sandbox',
    outcome: { kind: 'handled' },
    signature: { verdict: 'accepted', lines: [{ name: 'method', value: 'POST' }, {}, {}, {}, {}] },
    copies: { command: 'countroom wallet deposit amy 5 USD --txn in-1 --profile local.demo-sbx' },
  })
  const byEnd = await run(['sim', 'requests', 'show', id.slice(-8), '--profile', 'box'], { home })
  expect(byEnd.code).toBe(0)
  expect(byEnd.stdout).toContain('openssl dgst -sha256 -hmac "$SECRET"')
  expect((await runJson(['sim', 'requests', 'show', 'nothing-here'], { home })).code).toBe(5)
})

test('follows new requests as they end', async () => {
  const following = run(['sim', 'requests', 'list', '--follow', '--count', '1', '--path', '/tables', '--json'], {
    home,
    watch: () => {},
  })
  // The stream opens at an unknown time, so requests are sent until one is seen.
  let isOver = false
  const ended = following.finally(() => {
    isOver = true
  })
  while (!isOver) await run(['tables', 'list', '--profile', 'box'], { home })
  const { code, stdout } = await ended
  expect(code).toBe(0)
  const [request, last] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(request).toMatchObject({ service: 'casino', path: '/api/tenant/v1/tables', status: 200 })
  expect(last).toMatchObject({ status: 'ok', data: { followed: 1 } })
})

test('reports why there are none for a world that is not served, and for a remote profile without a desk', async () => {
  const other = aHome()
  await run(['profiles', 'add', 'far', '--environment', 'sandbox', '--from', '-'], {
    home: other,
    input: JSON.stringify({ chat: { baseUrl: 'https://chat.example', apiKey: 'k' } }),
  })
  expect(await runJson(['sim', 'requests', 'list', '--profile', 'far'], { home: other })).toMatchObject({
    code: 2,
    error: { message: expect.stringContaining('has no desk section') },
  })
})
