import { describe, expect, test } from 'vitest'
import { callbackUrl, isPublicAddress } from '../../src/outbox/callback-url.ts'

const refused = (text: string, allowsLoopback: boolean) => () => callbackUrl(text, allowsLoopback)

describe('a callback URL', () => {
  test.each(['https://ops.example.com/', 'https://ops.example.com:8443/a/b?c=d', 'https://8.8.8.8/hook'])(
    '%s is accepted anywhere',
    (text) => {
      expect(callbackUrl(text, false)).toBe(text)
      expect(callbackUrl(text, true)).toBe(text)
    },
  )

  test.each(['http://127.0.0.1:3000/hook', 'http://localhost:3000/hook'])(
    '%s is accepted by a world on loopback only',
    (text) => {
      expect(callbackUrl(text, true)).toBe(text)
      expect(refused(text, false)).toThrow(/must start with https/)
    },
  )

  test.each([
    'http://ops.example.com/',
    'http://10.0.0.1/',
    'http://127.0.0.2:3000/',
    'http://[::1]:3000/',
    'https://127.0.0.1/',
    'https://10.1.2.3/',
    'https://192.168.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://user:pass@ops.example.com/',
    'https://ops.example.com/#part',
    'ftp://ops.example.com/',
    'ops.example.com',
    '',
    `https://ops.example.com/${'a'.repeat(2048)}`,
  ])('%s is refused', (text) => {
    expect(refused(text, true)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETER' }))
  })
})

test.each([
  ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '127.0.0.1', '0.0.0.0', '100.64.0.1', '169.254.169.254', '224.0.0.1'],
  ...[
    '255.255.255.255',
    '198.18.0.1',
    '192.0.2.1',
    '240.0.0.1',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fec0::1',
    'ff02::1',
  ],
  // Addresses that contain another address.
  ...['::ffff:8.8.8.8', '::ffff:10.0.0.1', '::7f00:1', '64:ff9b::a00:1', '2002:a00:1::', '2001::1', '2001:db8::1'],
  'not an address',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450::1'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)
