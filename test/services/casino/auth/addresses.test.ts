import { describe, expect, test } from 'vitest'
import { readAllowlist, setAllowlist } from '../../../../src/services/casino/admin/index.ts'
import { parseReply, sendRaw } from '../../../support/http/raw.ts'
import { aTenant, refuses } from '../../../support/worlds/people.ts'
import { testWorld } from '../../../support/worlds/world.ts'

const refused = { status: 403, code: 'IP_NOT_ALLOWED' }

describe('an allowlist', () => {
  test('accepts only its own addresses, and an empty one accepts all', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    const from = async (address: string) => parseReply(await sendRaw(world, tenant.key, { address }))
    expect(await from('203.0.113.7')).toEqual({ status: 200 })
    await setAllowlist(world.casino, tenant.code, ['203.0.113.7', '2001:db8::/32', '10.1.0.0/16'])
    for (const address of ['203.0.113.7', '10.1.255.255', '2001:db8::1', '2001:db8:ffff::1', '::ffff:10.1.2.3'])
      expect(await from(address)).toEqual({ status: 200 })
    for (const address of ['203.0.113.8', '10.2.0.0', '2001:db9::1', '::1', '127.0.0.1'])
      expect(await from(address)).toMatchObject(refused)
    await setAllowlist(world.casino, tenant.code, [])
    expect(await from('203.0.113.8')).toEqual({ status: 200 })
  })

  test("is one environment's: the sandbox has its own", async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    await setAllowlist(world.casino, tenant.code, ['10.0.0.1'])
    expect(parseReply(await sendRaw(world, tenant.sandbox.key, { address: '10.0.0.2' }))).toEqual({ status: 200 })
    expect(parseReply(await sendRaw(world, tenant.key, { address: '10.0.0.2' }))).toMatchObject(refused)
  })

  test('is not revealed to a caller without a valid signature', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    await setAllowlist(world.casino, tenant.code, ['10.0.0.1'])
    const reply = await sendRaw(world, tenant.key, { address: '10.0.0.2', secret: 'wrong' })
    expect(parseReply(reply)).toMatchObject({ status: 401 })
  })

  test('has at most 100 entries; a repeated one counts once', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    const entries = Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`)
    await refuses('INVALID_PARAMETER', setAllowlist(world.casino, tenant.code, entries))
    expect(await readAllowlist(world.casino, tenant.code)).toMatchObject({ allowlist: [] })
    await setAllowlist(world.casino, tenant.code, [...entries.slice(0, 100), '10.0.0.1'])
    expect((await readAllowlist(world.casino, tenant.code)).allowlist).toHaveLength(100)
    expect(parseReply(await sendRaw(world, tenant.key, { address: '10.0.0.99' }))).toEqual({ status: 200 })
  })

  test('is replaced completely or not at all', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    await setAllowlist(world.casino, tenant.code, ['10.0.0.1'])
    await refuses('INVALID_PARAMETER', setAllowlist(world.casino, tenant.code, ['10.0.0.2', 'example.com']))
    expect((await readAllowlist(world.casino, tenant.code)).allowlist).toEqual(['10.0.0.1'])
  })
})
