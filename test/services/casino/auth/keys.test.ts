import { describe, expect, test } from 'vitest'
import {
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
  setTenantState,
} from '../../../../src/services/casino/admin/index.ts'
import { parseReply, prefix, sendRaw } from '../../../support/http/raw.ts'
import { aTenant, clientOf, refuses } from '../../../support/worlds/people.ts'
import { testWorld } from '../../../support/worlds/world.ts'

const invalidCredentials = { status: 401, code: 'UNAUTHORIZED', message: 'invalid credentials' }

describe('a key', () => {
  test('that was rotated works for 24 more hours together with its successor, and not a moment longer', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    const successor = await rotateKey(world.casino, tenant.key.apiKey)
    const [old, young] = [tenant.client, clientOf(world, successor)]
    await old.tables({})
    await young.tables({})
    world.clock.add('24h')
    world.clock.add('-1ms')
    await old.tables({})
    world.clock.add('1ms')
    await refuses('UNAUTHORIZED', old.tables({}))
    await young.tables({})
  })

  test('is rotated once only; its successor can be rotated in turn', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    const second = await rotateKey(world.casino, tenant.key.apiKey)
    await refuses('CONFLICT', rotateKey(world.casino, tenant.key.apiKey))
    const third = await rotateKey(world.casino, second.apiKey)
    await clientOf(world, third).tables({})
  })

  test('that was revoked ends at once, a rotated one too', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    await rotateKey(world.casino, tenant.key.apiKey)
    await revokeKey(world.casino, tenant.key.apiKey)
    expect(parseReply(await sendRaw(world, tenant.key))).toEqual(invalidCredentials)
    await refuses('NOT_FOUND', revokeKey(world.casino, tenant.key.apiKey))
    await refuses('NOT_FOUND', rotateKey(world.casino, tenant.key.apiKey))
  })

  test('is refused with the same message if it is unknown, revoked or retired', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    const revoked = await createKey(world.casino, tenant.code)
    await revokeKey(world.casino, revoked.apiKey)
    const retired = await createKey(world.casino, tenant.code)
    await rotateKey(world.casino, retired.apiKey)
    world.clock.add('25h')
    const unknown = { apiKey: 'ek_l_nobodyHasThisKey', secret: 'any' }
    for (const key of [revoked, retired, unknown])
      expect(parseReply(await sendRaw(world, key))).toEqual(invalidCredentials)
  })

  test('opens its own environment only', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    await tenant.client.deposit({ body: { username: 'amy', txnId: 'a', amount: '5', currency: 'USD' } })
    await refuses('PLAYER_NOT_FOUND', tenant.sandbox.client.player({ query: { username: 'amy' } }))
  })
})

describe('ten keys', () => {
  test('are the limit of an environment; the other environment has ten of its own', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    for (let i = 1; i < 10; i++) await createKey(world.casino, tenant.code)
    await refuses('QUOTA_EXCEEDED', createKey(world.casino, tenant.code))
    await createKey(world.casino, tenant.sandbox.code)
    expect(await listKeys(world.casino, tenant.code)).toHaveLength(10)
  })

  test('all work, and share one tenant', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    const keys = [tenant.key]
    for (let i = 1; i < 10; i++) keys.push(await createKey(world.casino, tenant.code))
    await tenant.client.launch({ body: { username: 'amy' } })
    for (const key of keys)
      expect(await clientOf(world, key).player({ query: { username: 'amy' } })).toMatchObject({ username: 'amy' })
  })

  test('leave room for an eleventh once one is revoked, and can each be rotated', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    for (let i = 1; i < 10; i++) await createKey(world.casino, tenant.code)
    const successor = await rotateKey(world.casino, tenant.key.apiKey)
    await refuses('QUOTA_EXCEEDED', createKey(world.casino, tenant.code))
    await revokeKey(world.casino, successor.apiKey)
    await createKey(world.casino, tenant.code)
  })
})

describe('a suspended or closed tenant', () => {
  const endpoints: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['POST', '/player/launch', { username: 'amy' }],
    ['POST', '/player/logout', { username: 'amy' }],
    ['GET', '/player?username=amy'],
    ['POST', '/player/update', { username: 'amy' }],
    ['POST', '/wallet/deposit', { username: 'amy', txnId: 'x', amount: '1', currency: 'USD' }],
    ['POST', '/wallet/withdraw', { username: 'amy', txnId: 'y', amount: '1', currency: 'USD' }],
    ['GET', '/wallet/transfer?txnId=x'],
    ['GET', '/wallet/balance?username=amy'],
    ['GET', '/bets'],
    ['GET', '/bets/summary?date=2026-03-10'],
    ['GET', `/rounds/${'0'.repeat(26)}`],
    ['GET', '/tables'],
    ['POST', '/tables/enable', { tableId: 'BAC-01' }],
    ['POST', '/tables/disable', { tableId: 'BAC-01' }],
    ['GET', '/account'],
    ['GET', '/account/usage?from=2026-03-10&to=2026-03-10'],
    ['GET', '/account/statements'],
    ['GET', '/no/such/path'],
  ]

  test.each(['SUSPENDED', 'CLOSED', 'DISABLED'] as const)(
    '%s gets TENANT_SUSPENDED on every endpoint',
    async (state) => {
      const world = await testWorld()
      const tenant = await aTenant(world)
      await tenant.client.deposit({ body: { username: 'amy', txnId: 'a', amount: '5', currency: 'USD' } })
      await setTenantState(world.casino, tenant.code, state)
      for (const [method, path, body] of endpoints) {
        const request = { method, url: `${prefix}${path}`, ...(body ? { body: JSON.stringify(body) } : {}) }
        expect(parseReply(await sendRaw(world, tenant.key, request))).toMatchObject({
          status: 403,
          code: 'TENANT_SUSPENDED',
        })
      }
      await setTenantState(world.casino, tenant.code, 'ENABLED')
      expect(await tenant.client.balance({ query: { username: 'amy' } })).toEqual({ balance: '5', currency: 'USD' })
    },
  )

  test('is refused as such only with a valid signature', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    await setTenantState(world.casino, tenant.code, 'CLOSED')
    expect(parseReply(await sendRaw(world, tenant.key, { secret: 'wrong' }))).toEqual(invalidCredentials)
  })

  test('leaves its sandbox open, where only tables cannot be enabled any more', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    await setTenantState(world.casino, tenant.code, 'SUSPENDED')
    const { client } = tenant.sandbox
    await client.deposit({ body: { username: 'amy', txnId: 'a', amount: '5', currency: 'USD' } })
    await refuses('ACCOUNT_LOCKED', client.enableTable({ body: { tableId: 'BAC-01' } }))
    await setTenantState(world.casino, tenant.code, 'ENABLED')
    await client.enableTable({ body: { tableId: 'BAC-01' } })
    await setTenantState(world.casino, tenant.code, 'CLOSED')
    await refuses('ACCOUNT_LOCKED', client.enableTable({ body: { tableId: 'BAC-01' } }))
    await client.disableTable({ body: { tableId: 'BAC-01' } })
  })

  test('may be only the sandbox', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    await setTenantState(world.casino, tenant.sandbox.code, 'SUSPENDED')
    await refuses('TENANT_SUSPENDED', tenant.sandbox.client.tables({}))
    await tenant.client.tables({})
  })
})
