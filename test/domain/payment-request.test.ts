import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { depositAddress } from '../../src/domain/chains/addresses.ts'
import { coinOf, coins, contractOf } from '../../src/domain/chains/coins.ts'
import { explorerUrl } from '../../src/domain/chains/explorers.ts'
import { gatewayEnvironments, networkCodes, networks } from '../../src/domain/chains/networks.ts'
import { paymentRequest } from '../../src/domain/chains/payment-request.ts'
import { parseUnits } from '../../src/domain/money.ts'

/** Payment requests against the examples and grammars of their standards. */

const coinNamed = (code: string) => coinOf(code) ?? expect.unreachable(`there is no coin ${code}`)

/** Reads an EIP-681 request by its grammar: numbers may have decimals and an exponent, and must be whole. */
function readEip681(uri: string) {
  const parts =
    /^ethereum:(?:pay-)?(?<target>0x[0-9A-Fa-f]{40})(?:@(?<chain>[0-9]+))?(?:\/(?<call>[a-z]+))?\?(?<query>.+)$/.exec(
      uri,
    )
  const { target, chain, call, query = '' } = parts?.groups ?? {}
  const values = [...new URLSearchParams(query)].map(([key, value]) => {
    const number = /^([0-9]*)(?:[.]([0-9]+))?(?:[eE]([0-9]+))?$/.exec(value)
    if (!number) return [key, value.toLowerCase()]
    const [, whole = '', fraction = '', exponent = '0'] = number
    const zeros = Number(exponent) - fraction.length
    expect(zeros).toBeGreaterThanOrEqual(0)
    return [key, String(BigInt(`${whole}${fraction}${'0'.repeat(zeros)}`))]
  })
  return { target: target?.toLowerCase(), chain, call, ...Object.fromEntries(values) }
}

/** The examples as they are printed, without the labels and messages that a gateway leaves out. */
test.each([
  [
    'BIP-21',
    'btc',
    '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W',
    '20.3',
    'bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=20.3',
  ],
  ['BIP-21', 'btc', '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W', '50', 'bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=50'],
  [
    'Solana Pay',
    'sol',
    'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN',
    '1',
    'solana:mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN?amount=1',
  ],
  [
    'Solana Pay',
    'usdcsol',
    'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN',
    '0.01',
    'solana:mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN?amount=0.01&spl-token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  ],
])('%s: %s to %s, %s', (_standard, code, address, amount, uri) => {
  const coin = coinNamed(code)
  const units = parseUnits(amount, coin.decimals)
  expect(paymentRequest(coin, 'production', address, units)).toEqual({ qr: uri, link: uri })
})

describe('EIP-681', () => {
  test('a request for ether means the same as the example, on its chain', () => {
    const address = '0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359'
    const { link } = paymentRequest(coinNamed('eth'), 'production', address, parseUnits('2.014', 18))
    expect(link).toBe(`ethereum:${address}@1?value=2014000000000000000`)
    expect(readEip681(link ?? '')).toEqual({ ...readEip681(`ethereum:${address}?value=2.014e18`), chain: '1' })
  })

  test('a request for a token has the form of the example: the contract, its transfer, and whole units', () => {
    const example =
      'ethereum:0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7/transfer?address=0x8e23ee67d1332ad560396262c48ffbb01f93d052&uint256=1'
    const coin = coinNamed('usdc')
    const { link } = paymentRequest(coin, 'production', '0x8e23ee67d1332ad560396262c48ffbb01f93d052', 1n)
    const contract = contractOf(coin, 'production')?.toLowerCase()
    expect(readEip681(link ?? '')).toEqual({ ...readEip681(example), target: contract, chain: '1' })
  })

  // The registered IDs of each chain (EIP-155, chainlist).
  test.each([
    ['eth', 1, 11155111],
    ['bsc', 56, 97],
    ['matic', 137, 80002],
    ['avaxc', 43114, 43113],
    ['arbitrum', 42161, 421614],
    ['base', 8453, 84532],
    ['op', 10, 11155420],
  ] as const)('%s has the chain IDs %i and %i', (network, mainnet, testnet) => {
    const native = coinNamed(networks[network].nativeCoin)
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'
    expect(paymentRequest(native, 'production', address, 1n).link).toContain(`@${mainnet}?`)
    expect(paymentRequest(native, 'sandbox', address, 1n).link).toContain(`@${testnet}?`)
  })

  test('every coin of an EVM network has whole units without an exponent, whatever the amount', () => {
    const evm = coins.filter(({ network }) => networks[network].form === 'evm')
    expect(evm).toHaveLength(14)
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'
    fc.assert(
      fc.property(fc.constantFrom(...evm), fc.bigInt(1n, 10n ** 30n), (coin, units) => {
        const { link } = paymentRequest(coin, 'sandbox', address, units)
        expect(/[?&](?:value|uint256)=([0-9]+)$/.exec(link ?? '')?.[1]).toBe(String(units))
      }),
    )
  })
})

test('TRON: the QR code is the address, and only a request for the own coin has a link', () => {
  const address = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
  expect(paymentRequest(coinNamed('trx'), 'production', address, 5_000_000n)).toEqual({
    qr: address,
    link: `tron:${address}?amount=5`,
  })
  expect(paymentRequest(coinNamed('usdttrc20'), 'production', address, 5_000_000n)).toEqual({ qr: address, link: null })
})

test('every coin of every network has a request that names the address', () => {
  const seed = Buffer.alloc(64, 7)
  for (const environment of gatewayEnvironments)
    for (const coin of coins) {
      const address = depositAddress(seed, environment, coin.network, 1)
      expect(paymentRequest(coin, environment, address, 1n).qr).toContain(address)
    }
})

test('every network has an explorer in both environments, each of its own', () => {
  const urls = networkCodes.flatMap((network) => gatewayEnvironments.map((each) => explorerUrl(network, each, 'a/b')))
  expect(new Set(urls).size).toBe(20)
  for (const url of urls) expect(url).toMatch(/^https:\/\/[a-z.-]+\/\S*a%2Fb/)
})
