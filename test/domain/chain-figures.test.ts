import { base58, bech32, bech32m } from '@scure/base'
import { describe, expect, test } from 'vitest'
import {
  addressPattern,
  depositAddress,
  isAddress,
  isAddressSomewhere,
  oneSpelling,
  sameAddressForm,
} from '../../src/domain/chains/addresses.ts'
import { coinOf, coins, contractOf, fiatDecimalsOf, fiatScale, fiats, isFiat } from '../../src/domain/chains/coins.ts'
import {
  blockAt,
  confirmationsOf,
  confirmedAt,
  gatewayEnvironments,
  genesisAt,
  heightAt,
  type NetworkCode,
  networkCodes,
  networks,
} from '../../src/domain/chains/networks.ts'

describe('the networks of the document', () => {
  // 2-payment-gateway-api, "What the service does". Block times are those of the chains; depths and fees are our
  // decisions.
  test.each([
    ['eth', 'Ethereum', 'eth', 12, 12, '0.0004'],
    ['bsc', 'BNB Smart Chain', 'bnbbsc', 3, 15, '0.0003'],
    ['matic', 'Polygon PoS', 'maticmainnet', 2, 64, '0.01'],
    ['avaxc', 'Avalanche C-Chain', 'avax', 2, 12, '0.001'],
    ['arbitrum', 'Arbitrum One', 'etharb', 1, 20, '0.00002'],
    ['base', 'Base', 'ethbase', 2, 20, '0.00002'],
    ['op', 'OP Mainnet', 'ethop', 2, 20, '0.00002'],
    ['trx', 'TRON', 'trx', 3, 19, '7'],
    ['sol', 'Solana', 'sol', 1, 32, '0.00001'],
    ['btc', 'Bitcoin', 'btc', 600, 2, '0.00002'],
  ] as const)('%s: %s', (code, name, nativeCoin, blockSeconds, confirmations, transferFee) => {
    const blockMs = blockSeconds * 1000
    expect(networks[code]).toMatchObject({ name, nativeCoin, blockMs, confirmations, transferFee })
    expect(blockAt(code, 5) - blockAt(code, 4)).toBe(blockMs)
    expect(confirmedAt(code, 100) - blockAt(code, 100)).toBe((confirmations - 1) * blockMs)
    expect(coinOf(nativeCoin)?.contract).toBeNull()
  })

  test('are ten, in its order, and their blocks begin with the year 2020', () => {
    expect(networkCodes.join(' ')).toBe('eth bsc matic avaxc arbitrum base op trx sol btc')
    expect(new Date(genesisAt).toISOString()).toBe('2020-01-01T00:00:00.000Z')
    expect(blockAt('btc', 0)).toBe(genesisAt)
  })

  test.each([
    [-1, 0],
    [0, 0],
    [599_999, 0],
    [600_000, 1],
    [1_199_999, 1],
  ])('%i ms after the beginning the newest block of Bitcoin is %i', (after, height) => {
    expect(heightAt('btc', genesisAt + after)).toBe(height)
  })

  test.each([
    [10, 9, 0],
    [10, 8, 0],
    [10, 10, 1],
    [10, 11, 2],
  ])('block %i is confirmed %#: at height %i, %i times', (block, height, count) => {
    expect(confirmationsOf(block, height)).toBe(count)
  })
})

describe('the currencies of the document', () => {
  // Decimals are those of the chains and the contracts; amounts have at most 8, tokens 6.
  test.each([
    ['eth', 18, 8, 'eth'],
    ['usdc', 6, 6, 'usdc'],
    ['bnbbsc', 18, 8, 'bnb'],
    ['usdtbsc', 18, 6, 'usdt'],
    ['maticmainnet', 18, 8, 'matic'],
    ['usdcmatic', 6, 6, 'usdc'],
    ['avax', 18, 8, 'avax'],
    ['usdcavax', 6, 6, 'usdc'],
    ['etharb', 18, 8, 'eth'],
    ['usdcarb', 6, 6, 'usdc'],
    ['ethbase', 18, 8, 'eth'],
    ['usdcbase', 6, 6, 'usdc'],
    ['ethop', 18, 8, 'eth'],
    ['usdcop', 6, 6, 'usdc'],
    ['trx', 6, 6, 'trx'],
    ['usdttrc20', 6, 6, 'usdt'],
    ['sol', 9, 8, 'sol'],
    ['usdcsol', 6, 6, 'usdc'],
    ['btc', 8, 8, 'btc'],
  ])('%s has %i decimals, and amounts of it %i', (code, decimals, precision, asset) => {
    expect(coinOf(code.toUpperCase())).toMatchObject({ code, decimals, precision, asset })
  })

  test('are nineteen, and the contracts of tokens are addresses of their networks', () => {
    expect(coins).toHaveLength(19)
    for (const coin of coins)
      for (const environment of gatewayEnvironments) {
        const contract = contractOf(coin, environment)
        if (contract !== null) expect(isAddress(environment, coin.network, contract), coin.code).toBe(true)
        expect(contract === null).toBe(networks[coin.network].nativeCoin === coin.code)
      }
  })

  // ISO 4217, minor units.
  test.each([
    ['usd', 2],
    ['eur', 2],
    ['gbp', 2],
    ['jpy', 0],
    ['twd', 2],
    ['thb', 2],
    ['krw', 0],
    ['vnd', 0],
    ['php', 2],
    ['myr', 2],
    ['xyz', 2],
  ])('%s has %i decimals', (code, decimals) => {
    expect(fiatDecimalsOf(code.toUpperCase())).toBe(decimals)
    expect(isFiat(code)).toBe(code !== 'xyz')
    expect(fiatScale).toBe(2)
  })

  test('a coin is no fiat currency, and the other way round', () => {
    for (const coin of coins) expect(isFiat(coin.code)).toBe(false)
    for (const fiat of fiats) expect(coinOf(fiat)).toBeUndefined()
  })
})

// BIP-173 and BIP-350: version 0 has a bech32 checksum and 20 or 32 bytes; 1 to 16 have a bech32m one and 2 to 40.
describe('an address of Bitcoin by its witness program', () => {
  const made = (version: number, bytes: number, form = version === 0 ? bech32 : bech32m, prefix = 'bc') =>
    form.encode(prefix, [version, ...form.toWords(new Uint8Array(bytes).fill(7))], false)
  test.each([
    [0, 20, true],
    [0, 32, true],
    [0, 19, false],
    [0, 21, false],
    [0, 31, false],
    [0, 33, false],
    [1, 32, true],
    [1, 20, true],
    [1, 1, false],
    [1, 2, true],
    [1, 3, true],
    [1, 40, true],
    [1, 41, false],
    [2, 39, true],
    [16, 2, true],
    [16, 40, true],
    [17, 32, false],
  ])('of version %i with %i bytes: %s', (version, bytes, expected) => {
    expect(isAddress('production', 'btc', made(version, bytes))).toBe(expected)
  })

  test('needs the checksum of its version and the prefix of its environment', () => {
    expect(isAddress('production', 'btc', made(0, 20, bech32m))).toBe(false)
    expect(isAddress('production', 'btc', made(1, 32, bech32))).toBe(false)
    expect(isAddress('sandbox', 'btc', made(1, 32))).toBe(false)
    expect(isAddress('sandbox', 'btc', made(1, 32, bech32m, 'tb'))).toBe(true)
    expect(isAddress('production', 'btc', bech32m.encode('bc', [], false))).toBe(false)
    expect(isAddress('production', 'btc', bech32m.encode('bc', [1], false))).toBe(false)
  })

  test('or of a script hash belongs to its environment', () => {
    // BIP-13's example of a pay-to-script-hash address, and a testnet one.
    expect(isAddress('production', 'btc', '3P14159f73E4gFr7JterCCQh9QjiTjiZrG')).toBe(true)
    expect(isAddress('sandbox', 'btc', '3P14159f73E4gFr7JterCCQh9QjiTjiZrG')).toBe(false)
    expect(isAddress('sandbox', 'btc', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc')).toBe(true)
    expect(isAddress('production', 'btc', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc')).toBe(false)
    expect(isAddress('production', 'btc', '3P14159f73E4gFr7JterCCQh9QjiTjiZrH')).toBe(false)
  })
})

test('an address of Solana is a point that a key can own: not every 32 bytes are', () => {
  const points = Array.from({ length: 40 }, (_, i) =>
    isAddress('production', 'sol', base58.encode(new Uint8Array(32).fill(i + 1))),
  )
  // About half of all numbers are no y-coordinate of the curve.
  expect(new Set(points)).toEqual(new Set([true, false]))
  expect(isAddress('production', 'sol', base58.encode(new Uint8Array(31).fill(1)))).toBe(false)
  expect(isAddress('production', 'sol', base58.encode(new Uint8Array(33).fill(1)))).toBe(false)
})

describe('one spelling of an address', () => {
  const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
  const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  const legacy = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
  test.each([
    ['eth', evm.toLowerCase(), evm],
    ['base', `0x${evm.slice(2).toUpperCase()}`, evm],
    // The other addresses of EIP-55.
    ['eth', '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
    ['eth', '0xdbf03b407c01e7cd3cbea99509d93f8dddc8c6fb', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'],
    ['eth', '0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb', '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'],
    ['btc', segwit.toUpperCase(), segwit],
    ['btc', legacy, legacy],
    ['trx', tron, tron],
    ['trx', 'BC1QX', 'BC1QX'],
  ] as const)('on %s of %s is %s', (network, text, expected) => {
    expect(sameAddressForm(network, text)).toBe(expected)
  })

  test.each([
    [evm.toLowerCase(), evm],
    [segwit.toUpperCase(), segwit],
    [tron, tron],
    [legacy, legacy],
    ['0xABC', '0xABC'],
  ])('on an unknown network, of %s is %s', (text, expected) => {
    expect(oneSpelling(text)).toBe(expected)
  })

  test('an address of any network in either environment is recognized', () => {
    for (const text of [evm, tron, segwit, legacy, 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn']) {
      expect(isAddressSomewhere(text), text).toBe(true)
    }
    for (const text of ['', 'amy', tron.slice(1), `${evm}0`]) expect(isAddressSomewhere(text), text).toBe(false)
  })
})

test('the pattern of a network accepts its own addresses, of its own environment', () => {
  const seed = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
  const pattern = (environment: 'production' | 'sandbox', network: NetworkCode) =>
    new RegExp(addressPattern(environment, network))
  for (const environment of gatewayEnvironments)
    for (const network of networkCodes)
      expect(depositAddress(seed, environment, network, 5)).toMatch(pattern(environment, network))
  const [main, test] = gatewayEnvironments.map((environment) => depositAddress(seed, environment, 'btc', 0))
  expect(test).not.toMatch(pattern('production', 'btc'))
  expect(main).not.toMatch(pattern('sandbox', 'btc'))
})
