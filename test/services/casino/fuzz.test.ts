import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/http/contract/contract.ts'
import { casino } from '../../../src/services/casino/api/contract.ts'
import { anyUrlEnd } from '../../support/any-text.ts'
import { prefix, sendRaw } from '../../support/http/raw.ts'
import { auditBalances } from '../../support/program/audit.ts'
import { aPlayer, aSlip, aTenant, type TestTenant } from '../../support/worlds/people.ts'
import { type TestWorld, testWorld } from '../../support/worlds/world.ts'

/** Everything in the world except the nonce that every request leaves. */
async function contents(world: TestWorld): Promise<string> {
  const tables = [
    'casino_tenants',
    'casino_players',
    'casino_launches',
    'casino_sessions',
    'casino_transfers',
    'casino_table_spans',
    'casino_slips',
    'casino_bet_records',
    'casino_credit_entries',
    'casino_usage_days',
  ] as const
  return world.store.read(async ({ q }) => {
    const all: unknown[] = []
    for (const table of tables) all.push(await q.selectFrom(table).selectAll().execute())
    return JSON.stringify(all)
  })
}

async function aLivedInWorld(): Promise<{ world: TestWorld; tenant: TestTenant }> {
  const world = await testWorld()
  const tenant = await aTenant(world, { tables: ['BAC-01'] })
  await aSlip(await aPlayer(tenant, { username: 'amy' }))
  await aPlayer(tenant, { username: 'bob', currency: 'TWD' })
  return { world, tenant }
}

/** Values close to the expected ones, and values far from them. */
const near = fc.constantFrom<unknown>(
  'amy',
  'AMY',
  'bob',
  'new-player',
  'first-amy',
  't-1',
  '1',
  '0.0001',
  '999999999999999.9999',
  '0',
  '-1',
  '1e3',
  'USD',
  'twd',
  'JPY',
  'BAC-01',
  'NO-01',
  'classic',
  'mobile',
  'ENG',
  'active',
  'locked',
  'https://example.com',
  '2026-03-10',
  '2026-02-30',
  '202603.0',
  '202603.99999999999999999999',
  '999912.0',
  '2026-03-10T00:00:00.000Z',
  '275760-09-13T00:00:00.001Z',
  null,
  true,
  0,
  1,
  -1,
  1.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  [],
  {},
  '',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  "'; drop table casino_players; --",
  'ﷺ'.repeat(40),
)
const anything = fc.oneof({ weight: 3, arbitrary: near }, fc.jsonValue({ maxDepth: 3 }), fc.string())

const fieldsOf = (schema: Endpoint['body']) => Object.keys(schema?.properties ?? {})

/** Valid values of each field. */
const good: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  username: fc.constantFrom('amy', 'AMY', 'bob', 'new-1', 'new-2'),
  txnId: fc.constantFrom('t-1', 't-2', 't-3', 'first-amy'),
  amount: fc.constantFrom('1', '0.0001', '25.5', '999999999999999.9999'),
  currency: fc.constantFrom('USD', 'twd'),
  tableId: fc.constantFrom('BAC-01', 'DT-01'),
  table: fc.constant('BAC-01'),
  lang: fc.constantFrom('ENG', 'cht'),
  status: fc.constantFrom('active', 'locked', 'no_bet'),
  nickname: fc.constantFrom('N', null),
  limitProfileId: fc.constantFrom(1, null),
  lobbyUrl: fc.constant('https://example.com'),
  variant: fc.constantFrom('classic', 'nocomm'),
  cursor: fc.constantFrom('202603.0', '202603.1'),
  limit: fc.constantFrom(1, 1000),
  from: fc.constantFrom('2026-03-10T00:00:00.000Z', '2026-03-10'),
  to: fc.constant('2026-03-10'),
  date: fc.constant('2026-03-10'),
}

/** An object with some known fields of an endpoint, mostly valid, and some unknown ones. */
function someOf(names: readonly string[]) {
  const fieldOf = (name: string) => fc.oneof({ weight: 6, arbitrary: good[name] ?? near }, anything)
  const known = Object.fromEntries(names.map((name) => [name, fieldOf(name)]))
  return fc.tuple(
    fc.oneof({ weight: 2, arbitrary: fc.record(known) }, fc.record(known, { requiredKeys: [] })),
    fc.dictionary(fc.string(), anything, { maxKeys: 2 }),
  )
}

async function judged(
  world: TestWorld,
  tenant: TestTenant,
  endpoint: Endpoint,
  request: Parameters<typeof sendRaw>[2],
) {
  const before = await contents(world)
  const reply = await sendRaw(world, tenant.key, request)
  const body = JSON.parse(reply.body)
  expect(reply.status).toBeLessThan(500)
  if (body.ok === true) {
    expect(Object.keys(body)).toEqual(['ok', 'data'])
    expect(reply.status).toBe(200)
    return
  }
  expect(body).toEqual({ ok: false, error: { code: expect.any(String), message: expect.any(String) } })
  expect([...endpoint.refusals, ...casino.common]).toContain(body.error.code)
  expect(reply.status).toBe(casino.problems[body.error.code as keyof typeof casino.problems])
  expect(await contents(world)).toBe(before)
}

const endpoints = Object.entries(casino.endpoints) as [string, Endpoint][]

describe('every request gets a response in the format of the API, never a 5xx, and a refusal changes nothing:', () => {
  test.each(endpoints.filter(([, endpoint]) => endpoint.body))('the body of %s', async (_, endpoint) => {
    const { world, tenant } = await aLivedInWorld()
    const url = `${prefix}${endpoint.path}`
    await fc.assert(
      fc.asyncProperty(someOf(fieldsOf(endpoint.body)), async ([known, unknown]) => {
        const body = JSON.stringify({ ...unknown, ...known })
        await judged(world, tenant, endpoint, { method: endpoint.method, url, body })
      }),
      { numRuns: 150 },
    )
    expect(await auditBalances(world.store)).toEqual([])
  })

  test.each(endpoints.filter(([, endpoint]) => endpoint.query))('the query of %s', async (_, endpoint) => {
    const { world, tenant } = await aLivedInWorld()
    await fc.assert(
      fc.asyncProperty(someOf(fieldsOf(endpoint.query)), async ([known, unknown]) => {
        const query = new URLSearchParams()
        for (const [name, value] of Object.entries({ ...unknown, ...known }))
          query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
        const url = `${prefix}${endpoint.path}?${query}`
        await judged(world, tenant, endpoint, { method: endpoint.method, url })
      }),
      { numRuns: 150 },
    )
  })

  test.each(endpoints)('any text if %s is', async (_, endpoint) => {
    const { world, tenant } = await aLivedInWorld()
    const path = `${prefix}${endpoint.path.replace(':roundId', '0'.repeat(26))}`
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
    )
    await fc.assert(
      fc.asyncProperty(bytes, anyUrlEnd, async (body, end) => {
        await judged(world, tenant, endpoint, {
          method: endpoint.method,
          url: `${path}${end}`,
          ...(endpoint.body ? { body } : {}),
        })
      }),
      { numRuns: 60 },
    )
  })
})

test('a refusal reveals no internals', async () => {
  const { world, tenant } = await aLivedInWorld()
  const reply = await sendRaw(world, tenant.key, { url: `${prefix}/player?username=%00` })
  expect(reply.body).not.toMatch(/sqlite|select|kysely|node_modules|\.ts/i)
})
