import fc from 'fast-check'
import { expect, test } from 'vitest'
import { includesEveryAddress, isAllowed, isRange } from '../../../src/http/server/ip-allowlist.ts'
import { isProxyRange } from '../../../src/http/server/trusted-proxies.ts'

test.each([
  ['10.0.0.1', true],
  ['10.0.0.0/8', true],
  ['10.0.0.1/32', true],
  ['10.1.2.3/8', true],
  ['0.0.0.0', true],
  ['0.0.0.0/0', true],
  ['255.255.255.255', true],
  ['::', true],
  ['::1', true],
  ['2001:db8::/32', true],
  ['2001:DB8::A/128', true],
  ['2001:0db8:0:0:0:0:0:1', true],
  ['::/0', true],
  ['::ffff:10.0.0.1', true],
  ['::FFFF:10.0.0.1', true],
  ['::ffff:10.0.0.0/104', true],
  ['::ffff:0a00:0001', true],
  ['64:ff9b::10.0.0.1', true],
  ['10.0.0', false],
  ['10.0.0.256', false],
  ['10.0.0.1.1', false],
  ['010.0.0.1', false],
  ['10.00.0.1', false],
  ['10.0.0.01', false],
  ['::ffff:010.0.0.1', false],
  ['10.0.0.1/33', false],
  ['10.0.0.1/08', false],
  ['10.0.0.1/+8', false],
  ['10.0.0.1/-1', false],
  ['10.0.0.1/8/8', false],
  ['10.0.0.1/', false],
  ['/8', false],
  ['2001:db8::/129', false],
  ['2001:db8::/064', false],
  ['2001:db8', false],
  ['2001:db8::1::2', false],
  ['12345::', false],
  [':::', false],
  [':', false],
  ['1', false],
  ['0x7f000001', false],
  ['0x7f.0.0.1', false],
  ['10.0.0.1 ', false],
  [' 10.0.0.1', false],
  ['10.0.0.1\n', false],
  ['１０.0.0.1', false],
  ['fe80::1%eth0', false],
  ['fe80::%eth0/64', false],
  ['[::1]', false],
  ['10.0.0.1:80', false],
  ['localhost', false],
  ['*', false],
  ['', false],
])('%j may be on an allowlist: %s', (entry, isFine) => {
  expect(isRange(entry)).toBe(isFine)
})

test.each([
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '::ffff:10.1.2.3', true],
  ['::ffff:10.1.2.3', '10.1.2.3', true],
  ['::FFFF:0A01:0203', '10.1.2.3', true],
  ['::ffff:10.1.2.3', '10.0.0.0/8', true],
  ['10.1.2.3', '::ffff:10.0.0.0/104', true],
  ['::ffff:10.1.2.3', '::ffff:10.0.0.0/104', true],
  ['11.0.0.0', '::ffff:10.0.0.0/104', false],
  ['10.1.2.3', '::ffff:10.1.0.0/112', true],
  ['10.2.0.0', '::ffff:10.1.0.0/112', false],
  ['10.1.2.3', '::ffff:0:0/96', true],
  ['::1', '::ffff:0:0/96', false],
  ['::1', '0:0:0:0:0:0:0:1', true],
  ['2001:DB8::A', '2001:db8::a', true],
  ['2001:db8::a', '2001:DB8::/32', true],
  ['fe80::1%eth0', 'fe80::1', true],
  ['fe80::1%eth0', 'fe80::/10', true],
  ['10.0.0.1', '::/0', false],
  ['::1', '0.0.0.0/0', false],
  ['10.0.0.1', '0.0.0.0/0', true],
  ['2001:db8::1', '::/0', true],
  ['10.0.0.129', '10.0.0.128/25', true],
  ['10.0.0.127', '10.0.0.128/25', false],
  ['10.0.0.1', '10.0.0.77/24', true],
  ['2001:db8::1', '2001:db8::ffff/64', true],
  // An octal reading would be 8.1.1.1.
  ['8.1.1.1', '010.1.1.1', false],
  ['010.1.1.1', '8.1.1.1', false],
  ['010.1.1.1', '10.1.1.1', false],
  ['10.1.1.1', '010.1.1.1', false],
  ['', '0.0.0.0/0', false],
  ['1', '0.0.0.0/0', false],
  ['unknown', '::/0', false],
])('%s is allowed by %s: %s', (address, entry, isIn) => {
  expect(isAllowed(address, [entry])).toBe(isIn)
  expect(isAllowed(address, ['192.0.2.1', entry])).toBe(isIn)
})

test('an IPv4 range contains exactly the addresses with its prefix, in plain and in mapped form', () => {
  const address = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  const dotted = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.')
  fc.assert(
    fc.property(address, address, fc.integer({ min: 0, max: 32 }), (base, candidate, bits) => {
      const isIn = bits === 0 || base >>> (32 - bits) === candidate >>> (32 - bits)
      for (const form of [dotted(candidate), `::ffff:${dotted(candidate)}`])
        for (const range of [`${dotted(base)}/${bits}`, `::ffff:${dotted(base)}/${bits + 96}`])
          expect(isAllowed(form, [range])).toBe(isIn)
    }),
  )
})

test.each([
  ['127.0.0.1', true],
  ['10.0.0.0/8', true],
  ['::1', true],
  ['::ffff:10.0.0.0/104', true],
  ['loopback', true],
  ['linklocal', true],
  ['uniquelocal', true],
  ['010.0.0.1', false],
  ['10.0.0.0/08', false],
  ['fe80::1%eth0', false],
  ['0.0.0.0/0', false],
  ['1.2.3.4/0', false],
  ['::/0', false],
  ['::ffff:0:0/96', false],
  ['::/8', false],
  ['proxy.example', false],
  ['', false],
])('%j may be trusted as a proxy: %s', (range, isFine) => {
  expect(isProxyRange(range)).toBe(isFine)
})

test.each([
  ['0.0.0.0/1', false],
  ['0.0.0.0/0', true],
  ['::/0', true],
  ['::/96', false],
  ['::/80', true],
  ['::ffff:0:0/96', true],
  ['::ffff:0:0/97', false],
  ['2000::/3', false],
  ['junk', false],
])('%s contains every address of a family: %s', (range, isEverybody) => {
  expect(includesEveryAddress(range)).toBe(isEverybody)
})
