import { describe, expect, test } from 'vitest'
import { setAllowlist, setTenantState } from '../../../src/services/casino/admin/index.ts'
import { casino } from '../../../src/services/casino/api/contract.ts'
import { anOpenRound, aPlayer, aTenant } from '../../support/worlds/people.ts'
import { testWorld } from '../../support/worlds/world.ts'
import { shared } from '../shared.ts'
import { type Answer, ask } from './casino.ts'
import * as book from './errors.ts'

const httpOf = (code: string) => book.errors.find((each) => each.code === code)?.http

const common = new Set<string>(book.errors.filter(({ any }) => any).map(({ code }) => code))
const named = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace(/:(\w+)/, '{$1}')}`

/** Checks that a failure's body has only these keys, and the status of its code. */
function expectRefusal({ status, body }: Answer, codes: string, names = '') {
  expect(Object.keys(body)).toEqual(['ok', 'error'])
  expect(body).toEqual({ ok: false, error: { code: expect.any(String), message: expect.stringContaining(names) } })
  expect(codes.split('|')).toContain(body.error.code)
  expect(body.error.message).not.toBe('')
  expect(status).toBe(httpOf(body.error.code))
}

describe('the contract', () => {
  test('has the codes of the table with their statuses, and no others', () => {
    expect(casino.problems).toEqual(Object.fromEntries(book.errors.map(({ code, http }) => [code, http])))
  })

  test('has the common codes of the table', () => {
    expect([...casino.common].toSorted()).toEqual([...common].toSorted())
  })

  test.each(book.endpoints)('$method $path ends with the codes of the table', ({ method, path, errors }) => {
    const endpoint = Object.values(casino.endpoints).find((each) => named(each) === `${method} ${path}`)
    const own = (codes: readonly string[] = ['no such endpoint']) =>
      codes.filter((code) => !common.has(code)).toSorted()
    expect(own(endpoint?.refusals)).toEqual(own(errors))
  })

  test('has the endpoints of the table, and no others', () => {
    expect(Object.values(casino.endpoints).map(named).toSorted()).toEqual(book.endpoints.map(named).toSorted())
  })
})

const tenant = shared(async (world) => {
  const made = await aTenant(world, { code: 'BOOK', tables: ['BAC-01'] })
  await aPlayer(made, { username: 'amy', balance: '100' })
  await aPlayer(made, { username: 'lou', balance: '100' })
  await made.client.updatePlayer({ body: { username: 'lou', status: 'locked' } })
  return made
})

describe('bad input', () => {
  test.each(book.refusals)('$endpoint with $sent is $code', async ({ endpoint, sent, code, ...rest }) => {
    const before = await ask(tenant(), 'GET /wallet/balance', { username: 'amy' })
    expectRefusal(await ask(tenant(), endpoint, sent), code, 'names' in rest ? rest.names : '')
    expect(await ask(tenant(), 'GET /wallet/balance', { username: 'amy' })).toEqual(before)
    expectRefusal(await ask(tenant(), 'GET /player', { username: 'new' }), 'PLAYER_NOT_FOUND')
  })

  test.each(book.notObjects)('a body of %j is no JSON object', async (body) => {
    for (const { method, path } of book.endpoints)
      if (method === 'POST') expectRefusal(await ask(tenant(), `POST ${path}`, {}, { body }), 'INVALID_JSON')
  })

  test('every code of the endpoints except those of the plan is provoked', () => {
    const sent = new Set<string>(book.refusals.flatMap(({ code }) => code.split('|')))
    const all = new Set<string>(book.endpoints.flatMap(({ errors }) => [...errors]))
    // limits.test.ts and the tests below provoke these.
    expect([...all].filter((code) => !sent.has(code)).toSorted()).toEqual([
      'ACCOUNT_LOCKED',
      'PLAYER_LIMIT',
      'QUOTA_EXCEEDED',
    ])
  })
})

describe('common codes are returned by every endpoint', () => {
  const endpoints = book.endpoints.map(({ method, path }) => `${method} ${path.replace('{roundId}', '0'.repeat(26))}`)

  test.each(endpoints)('UNAUTHORIZED: %s', async (endpoint) => {
    expectRefusal(
      await ask(tenant(), endpoint, {}, { secret: 'wrong' }),
      'UNAUTHORIZED',
      book.unauthorizedMessages.credentials,
    )
  })

  test('IP_NOT_ALLOWED', async () => {
    const other = await aTenant(tenant().world)
    await setAllowlist(tenant().world.casino, other.code, ['203.0.113.7'])
    for (const endpoint of endpoints) {
      expectRefusal(await ask(other, endpoint, {}, { address: '203.0.113.8' }), 'IP_NOT_ALLOWED')
      expect((await ask(other, endpoint, {}, { address: '203.0.113.7' })).body.error?.code).not.toBe('IP_NOT_ALLOWED')
    }
  })

  test.each(['SUSPENDED', 'CLOSED', 'DISABLED'] as const)('TENANT_SUSPENDED: a tenant that is %s', async (state) => {
    const other = await aTenant(tenant().world)
    await setTenantState(tenant().world.casino, other.code, state)
    for (const endpoint of endpoints) expectRefusal(await ask(other, endpoint), 'TENANT_SUSPENDED')
  })

  test('PAYLOAD_TOO_LARGE', async () => {
    const body = JSON.stringify({ username: 'amy', more: 'x'.repeat(65_536) })
    for (const endpoint of endpoints.filter((each) => each.startsWith('POST')))
      expectRefusal(await ask(tenant(), endpoint, {}, { body }), 'PAYLOAD_TOO_LARGE')
  })

  test('RATE_LIMITED', async () => {
    const world = await testWorld({ rateLimits: true })
    const other = await aTenant(world, { plan: 'free' })
    const answers = []
    for (let i = 0; i < 11; i++) answers.push(await ask(other, 'GET /tables'))
    for (const endpoint of endpoints) expectRefusal(await ask(other, endpoint), 'RATE_LIMITED')
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429])
  })
})

test('a round that is not settled is ROUND_NOT_FOUND', async () => {
  const roundId = await anOpenRound(tenant(), 'BAC-01', [{ username: 'amy', bets: { B: '1' } }])
  expectRefusal(await ask(tenant(), `GET /rounds/${roundId}`), 'ROUND_NOT_FOUND')
})
