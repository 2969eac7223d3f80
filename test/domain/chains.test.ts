import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressOfKey, depositAddress, isAddress, sameAddressForm } from '../../src/domain/chains/addresses.ts'
import { coinOf, coins, contractOf } from '../../src/domain/chains/coins.ts'
import {
  blockAt,
  confirmationsOf,
  confirmedAt,
  gatewayEnvironments,
  heightAt,
  networkCodes,
  networks,
} from '../../src/domain/chains/networks.ts'

/**
 * The seed of "abandon … about" without a passphrase: the wallets' own test mnemonic, whose addresses are published.
 */
const seed = Buffer.from(
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1' +
    '9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
  'hex',
)
const all = gatewayEnvironments.flatMap((environment) => networkCodes.map((network) => ({ environment, network })))

describe('deposit addresses', () => {
  test.each([
    ['production', 'eth', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    ['production', 'btc', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ['sandbox', 'btc', 'tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl'],
    ['production', 'trx', 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'],
    ['production', 'sol', 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'],
  ] as const)('of the published test seed on %s %s is %s', (environment, network, address) => {
    expect(depositAddress(seed, environment, network, 0)).toBe(address)
  })

  test.each(all)('on $network in $environment pass the check of their own network', ({ environment, network }) => {
    for (const index of [0, 1, 77]) {
      const address = depositAddress(seed, environment, network, index)
      expect(isAddress(environment, network, address)).toBe(true)
      expect(sameAddressForm(network, address)).toBe(address)
    }
  })

  test('are shared by no two networks and no two numbers', () => {
    const made = networkCodes.flatMap((network) =>
      [0, 1, 2].map((index) => depositAddress(seed, 'production', network, index)),
    )
    expect(new Set(made).size).toBe(made.length)
  })

  test('one wrong letter is detected if the network has a checksum', () => {
    const swap = (text: string, at: number) => {
      const char = text.charAt(at)
      return text.slice(0, at) + (char === 'q' ? 'p' : char === 'a' ? 'c' : 'a') + text.slice(at + 1)
    }
    for (const network of ['btc', 'trx'] as const) {
      const address = depositAddress(seed, 'production', network, 3)
      fc.assert(
        fc.property(fc.integer({ min: 4, max: address.length - 1 }), (at) => {
          fc.pre(swap(address, at) !== address)
          expect(isAddress('production', network, swap(address, at))).toBe(false)
        }),
      )
    }
  })
})

describe('addresses of a private key', () => {
  /** The key 1, whose public key is the curve's base point: BIP-173 and every explorer of keys print its addresses. */
  const one = Buffer.from('1'.padStart(64, '0'), 'hex')
  /** The first test of RFC 8032. */
  const rfc8032 = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')

  test.each([
    ['production', 'eth', one, '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'],
    ['sandbox', 'trx', one, 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC'],
    ['production', 'btc', one, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['sandbox', 'btc', one, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['production', 'sol', rfc8032, 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z'],
  ] as const)('on %s %s are the published ones', (environment, network, key, address) => {
    expect(addressOfKey(key, environment, network)).toBe(address)
    expect(isAddress(environment, network, address)).toBe(true)
  })
})

describe('addresses given by others', () => {
  test.each([
    // EIP-55's own example, then with one letter in the wrong case, then in one case only.
    ['production', 'eth', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', true],
    ['production', 'eth', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', false],
    ['production', 'base', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', true],
    ['production', 'eth', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', false],
    // BIP-173 and BIP-350.
    ['production', 'btc', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', true],
    ['production', 'btc', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', true],
    ['sandbox', 'btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', false],
    ['sandbox', 'btc', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', true],
    ['production', 'btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', false],
    ['production', 'btc', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', true],
    ['sandbox', 'btc', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', false],
    ['production', 'trx', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', true],
    ['production', 'trx', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', false],
    ['production', 'sol', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', true],
    ['production', 'sol', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', false],
    ['production', 'sol', '', false],
  ] as const)('%s %s %s is an address: %s', (environment, network, text, expected) => {
    expect(isAddress(environment, network, text)).toBe(expected)
  })
})

describe('coins', () => {
  test('every currency code of the document exists, in its lower case', () => {
    const document =
      'eth usdc bnbbsc usdtbsc maticmainnet usdcmatic avax usdcavax etharb usdcarb ethbase usdcbase ethop usdcop trx usdttrc20 sol usdcsol btc'
    expect(coins.map(({ code }) => code)).toEqual(document.split(' '))
    expect(coinOf('USDTTRC20')?.network).toBe('trx')
  })

  test('every contract is an address of its network', () => {
    for (const coin of coins)
      for (const environment of gatewayEnvironments) {
        const contract = contractOf(coin, environment)
        if (contract !== null) expect(isAddress(environment, coin.network, contract), coin.code).toBe(true)
      }
  })

  test('every network charges its fees in its own coin', () => {
    for (const code of networkCodes) {
      const native = coinOf(networks[code].nativeCoin)
      expect(native?.network).toBe(code)
      expect(native?.contract).toBeNull()
    }
  })
})

describe('the clock makes the blocks', () => {
  test.each(networkCodes.map((code) => [code]))('%s: a block exists from its time on', (code) => {
    const height = heightAt(code, Date.UTC(2026, 2, 1))
    expect(heightAt(code, blockAt(code, height))).toBe(height)
    expect(heightAt(code, blockAt(code, height) - 1)).toBe(height - 1)
  })

  test.each(networkCodes.map((code) => [code]))('%s: a block is confirmed exactly when it is deep enough', (code) => {
    const at = confirmedAt(code, 1000)
    expect(confirmationsOf(1000, heightAt(code, at))).toBe(networks[code].confirmations)
    expect(confirmationsOf(1000, heightAt(code, at - 1))).toBe(networks[code].confirmations - 1)
  })
})
