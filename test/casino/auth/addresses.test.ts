import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAllowed, isRange } from '../../../src/casino/addresses.ts'
import { readAllowlist, setAllowlist } from '../../../src/casino/console.ts'
import { aTenant, refuses } from '../../support/people.ts'
import { sendRaw, toldBy } from '../../support/raw.ts'
import { testWorld } from '../../support/world.ts'

const refused = { status: 403, code: 'IP_NOT_ALLOWED' }

describe('an allowlist', () => {
  test('lets in only the addresses on it, and an empty one all', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    const from = async (address: string) => toldBy(await sendRaw(world, tenant.key, { address }))
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
    expect(toldBy(await sendRaw(world, tenant.sandbox.key, { address: '10.0.0.2' }))).toEqual({ status: 200 })
    expect(toldBy(await sendRaw(world, tenant.key, { address: '10.0.0.2' }))).toMatchObject(refused)
  })

  test('is not told to whoever cannot sign', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    await setAllowlist(world.casino, tenant.code, ['10.0.0.1'])
    const reply = await sendRaw(world, tenant.key, { address: '10.0.0.2', secret: 'wrong' })
    expect(toldBy(reply)).toMatchObject({ status: 401 })
  })

  test('has at most 100 entries; a repeated one counts once', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    const entries = Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`)
    await refuses('INVALID_PARAMETER', setAllowlist(world.casino, tenant.code, entries))
    expect(await readAllowlist(world.casino, tenant.code)).toMatchObject({ allowlist: [] })
    await setAllowlist(world.casino, tenant.code, [...entries.slice(0, 100), '10.0.0.1'])
    expect((await readAllowlist(world.casino, tenant.code)).allowlist).toHaveLength(100)
    expect(toldBy(await sendRaw(world, tenant.key, { address: '10.0.0.99' }))).toEqual({ status: 200 })
  })

  test('is replaced as a whole or not at all', async () => {
    const world = await testWorld()
    const tenant = await aTenant(world)
    await setAllowlist(world.casino, tenant.code, ['10.0.0.1'])
    await refuses('INVALID_PARAMETER', setAllowlist(world.casino, tenant.code, ['10.0.0.2', 'example.com']))
    expect((await readAllowlist(world.casino, tenant.code)).allowlist).toEqual(['10.0.0.1'])
  })
})

test.each([
  ['10.0.0.1', true],
  ['10.0.0.0/8', true],
  ['10.0.0.1/32', true],
  ['0.0.0.0/0', true],
  ['::1', true],
  ['2001:db8::/32', true],
  ['::/0', true],
  ['::ffff:10.0.0.1', true],
  ['10.0.0', false],
  ['10.0.0.256', false],
  ['010.0.0.1', false],
  ['10.0.0.1/33', false],
  ['10.0.0.1/-1', false],
  ['10.0.0.1/', false],
  ['2001:db8::/129', false],
  ['2001:db8', false],
  [':::', false],
  ['1', false],
  ['0x7f000001', false],
  ['10.0.0.1 ', false],
  ['fe80::1%eth0', false],
  ['localhost', false],
  ['*', false],
  ['', false],
])('%j may stand on an allowlist: %s', (entry, isFine) => {
  expect(isRange(entry)).toBe(isFine)
})

test.each([
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '::ffff:10.1.2.3', true],
  ['::ffff:10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '::ffff:10.1.0.0/112', true],
  ['10.2.0.0', '::ffff:10.1.0.0/112', false],
  ['::1', '0:0:0:0:0:0:0:1', true],
  ['2001:DB8::A', '2001:db8::a', true],
  ['10.0.0.1', '::/0', false],
  ['::1', '0.0.0.0/0', false],
  ['10.0.0.129', '10.0.0.128/25', true],
  ['10.0.0.127', '10.0.0.128/25', false],
  ['10.0.0.1', '10.0.0.77/24', true],
  ['', '0.0.0.0/0', false],
  ['unknown', '::/0', false],
])('%s is let in by %s: %s', (address, entry, isIn) => {
  expect(isAllowed(address, [entry])).toBe(isIn)
  expect(isAllowed(address, ['192.0.2.1', entry])).toBe(isIn)
})

test('an IPv4 range holds exactly the addresses whose first bits it shares', () => {
  const address = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  const dotted = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.')
  fc.assert(
    fc.property(address, address, fc.integer({ min: 0, max: 32 }), (base, asked, bits) => {
      const isIn = bits === 0 || base >>> (32 - bits) === asked >>> (32 - bits)
      expect(isAllowed(dotted(asked), [`${dotted(base)}/${bits}`])).toBe(isIn)
    }),
  )
})
