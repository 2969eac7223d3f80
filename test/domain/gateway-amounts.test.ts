import { describe, expect, test } from 'vitest'
import { coinOf } from '../../src/domain/chains/coins.ts'
import {
  amountText,
  decimalTextOf,
  incrementOf,
  isCurrency,
  positiveUnits,
  precisionOf,
  priceUnits,
  roundedUp,
  scaleOf,
  truncated,
} from '../../src/domain/payments/amounts.ts'
import { amountDue, coverage, type Deposit, receivedIn, restDue, worthIn } from '../../src/domain/payments/deposits.ts'
import {
  converted,
  dueFor,
  fixedRates,
  maximumIn,
  minimumIn,
  rateAssets,
  transferFeeIn,
} from '../../src/domain/payments/rates.ts'

const coin = (code: string) => {
  const match = coinOf(code)
  if (!match) throw new Error(`no coin ${code}`)
  return match
}

describe('the steps of a currency', () => {
  test.each([
    ['usd', 2, 2, 1n],
    ['jpy', 2, 0, 100n],
    ['btc', 8, 8, 1n],
    ['eth', 18, 8, 1n],
    ['usdttrc20', 6, 6, 1n],
    ['usdtbsc', 18, 6, 1n],
  ])('%s: scale %i, precision %i', (code, scale, precision, step) => {
    expect([scaleOf(code), precisionOf(code), incrementOf(code)]).toEqual([scale, precision, step])
  })

  test.each([
    ['jpy', 12_345n, 12_300n],
    ['jpy', 12_300n, 12_300n],
    ['jpy', 99n, 0n],
    ['usd', 12_345n, 12_345n],
  ])('%s counts %s as %s', (code, units, cut) => {
    expect(truncated(units, code)).toBe(cut)
  })

  test('is a currency: a coin or a fiat currency', () => {
    expect(['btc', 'BTC', 'usd', 'USD', 'doge', ''].map(isCurrency)).toEqual([true, true, true, true, false, false])
  })
})

describe('numbers as clients print them', () => {
  test.each([
    ['1e0', '1'],
    ['1.5e0', '1.5'],
    ['1.25e1', '12.5'],
    ['1.25e2', '125'],
    ['1.25e3', '1250'],
    ['1e-1', '0.1'],
    ['1.5e-1', '0.15'],
    ['1.5e-2', '0.015'],
    ['9.75E+1', '97.5'],
    [' 12 ', '12'],
  ])('%s is %s', (sent, text) => {
    expect(decimalTextOf(sent)).toBe(text)
  })

  test.each([
    ['5', 'jpy', 500n],
    ['5.5', 'jpy', undefined],
    ['0.00000001', 'btc', 1n],
    ['0.000000001', 'btc', undefined],
    ['10.50', 'usd', 1050n],
    ['10.', 'usd', undefined],
  ])('%s of %s: %s units', (sent, code, units) => {
    expect(positiveUnits(sent, code)).toBe(units)
  })

  // A price is rounded half up to its currency's precision.
  test.each([
    [30.000000000000004, 'usd', 3000n],
    ['0.004', 'usd', undefined],
    ['0.005', 'usd', 1n],
    ['0.0149999999999999999999999999', 'usd', 1n],
    ['0.015', 'usd', 2n],
    ['0.4', 'jpy', undefined],
    ['0.5', 'jpy', 100n],
    ['99.5', 'jpy', 10_000n],
    ['99.49', 'jpy', 9_900n],
    ['0', 'usd', undefined],
    ['ten', 'usd', undefined],
    ['1e-20', 'usd', undefined],
    ['1.23456789', 'btc', 123_456_789n],
    ['1.234567894', 'btc', 123_456_789n],
    ['1.234567895', 'btc', 123_456_790n],
  ])('a price of %s %s: %s units', (sent, code, units) => {
    expect(priceUnits(sent, code)).toBe(units)
  })

  test('amounts to pay are rounded up to the precision of the coin', () => {
    const step = 10n ** 10n
    expect([0n, 1n, step - 1n, step, step + 1n].map((units) => roundedUp(units, coin('eth')))).toEqual([
      0n,
      step,
      step,
      step,
      2n * step,
    ])
    expect(amountText(1050n, 'usd')).toBe('10.5')
  })
})

describe('rates without another source', () => {
  test('are round figures of the beginning of 2026', () => {
    expect(new Date(fixedRates.asOf).toISOString()).toBe('2026-01-01T00:00:00.000Z')
    expect(rateAssets(fixedRates).map((asset) => `${asset} ${fixedRates.usd[asset]}`)).toEqual([
      ...['usd 1', 'eur 1.1', 'gbp 1.3', 'jpy 0.0065', 'twd 0.031', 'thb 0.03', 'krw 0.0007', 'vnd 0.00004'],
      ...['php 0.017', 'myr 0.24', 'btc 100000', 'eth 4000', 'bnb 800', 'sol 200', 'avax 25', 'matic 0.25'],
      ...['trx 0.3', 'usdt 1', 'usdc 1'],
    ])
  })

  test.each([
    ['usd', 10_000n, 'btc', '0.001'],
    ['eur', 10_000n, 'usdttrc20', '110'],
    ['jpy', 100_000n, 'usdc', '6.5'],
    ['btc', 1n, 'btc', '0.00000001'],
    // 100 / 3 trx rounded up to six decimals.
    ['usd', 1_000n, 'trx', '33.333334'],
    ['usd', 1n, 'eth', '0.0000025'],
  ])('%s: %s units are due as %s %s', (from, units, code, due) => {
    expect(amountText(dueFor(fixedRates, units, from, coin(code)) ?? 0n, code)).toBe(due)
  })

  test.each([
    [1_000_000n, 'trx', 'usd', 30n],
    [3_333_334n, 'trx', 'usd', 100n],
    [3_333_333n, 'trx', 'usd', 99n],
    [7n, 'usd', 'usd', 7n],
    [1n, 'jpy', 'usd', 0n],
  ])('%s units of %s are worth, cut, in %s: %s', (units, from, to, worth) => {
    expect(converted(fixedRates, units, from, to)).toBe(worth)
  })

  // 1 USD, or four times the fee of a transfer on the network, whichever is more; at most 1,000,000 USD.
  test.each([
    ['btc', '0.00008', '10'],
    ['eth', '0.0016', '250'],
    ['usdc', '6.4', '1000000'],
    ['usdttrc20', '8.4', '1000000'],
    ['trx', '28', '3333333.333334'],
    ['sol', '0.005', '5000'],
    ['bnbbsc', '0.00125', '1250'],
    ['maticmainnet', '4', '4000000'],
    ['usdcsol', '1', '1000000'],
  ])('of %s at least %s and at most %s', (code, least, most) => {
    expect(amountText(minimumIn(fixedRates, coin(code)) ?? 0n, code)).toBe(least)
    expect(amountText(maximumIn(fixedRates, coin(code)) ?? 0n, code)).toBe(most)
  })

  test.each([
    ['btc', '0.00002'],
    ['usdttrc20', '2.1'],
    ['usdc', '1.6'],
    ['usdcsol', '0.002'],
  ])('a transfer of %s costs %s of it', (code, fee) => {
    expect(amountText(transferFeeIn(fixedRates, coin(code)) ?? 0n, code)).toBe(fee)
  })

  test('there is no minimum without a price of the coin, nor without one of its network', () => {
    const without = (asset: string) => {
      const { [asset]: _, ...usd } = fixedRates.usd
      return { ...fixedRates, usd }
    }
    expect(minimumIn(without('usdc'), coin('usdc'))).toBeUndefined()
    expect(minimumIn(without('eth'), coin('usdc'))).toBeUndefined()
    expect(maximumIn(without('usdc'), coin('usdc'))).toBeUndefined()
    const worthless = { asOf: 0, usd: { usd: '0', btc: '1' } }
    expect(dueFor(worthless, 1n, 'usd', coin('btc'))).toBeUndefined()
    expect(dueFor({ asOf: 0, usd: { usd: '1', btc: '0' } }, 1n, 'usd', coin('btc'))).toBeUndefined()
  })
})

// docs/gateway.md, "The money of a payment".
describe('deposits', () => {
  const deposit = (units: bigint, whole: bigint, state: Deposit['state'] = 'confirmed'): Deposit => ({
    id: `${units}`,
    units,
    whole,
    state,
  })

  test('cover their share of the price, each at its own rate', () => {
    expect(coverage([])).toEqual({ numerator: 0n, denominator: 1n })
    expect(coverage([deposit(250n, 1000n)])).toEqual({ numerator: 250n, denominator: 1000n })
    const { numerator, denominator } = coverage([deposit(250n, 1000n), deposit(1n, 4n), deposit(250n, 1000n)])
    expect(numerator * 4n).toBe(denominator * 3n)
  })

  test.each([
    [[deposit(1000n, 1000n)], 1000n, 1000n],
    [[deposit(1200n, 1000n)], 2000n, 1200n],
    [[deposit(1000n, 1000n)], 2000n, 1000n],
    [[deposit(999n, 1000n)], 2000n, 1001n],
    [[], 2000n, 2000n],
  ])('the amount due after deposit %#', (deposits, whole, due) => {
    expect(amountDue(whole, deposits, coin('btc'))).toBe(due)
  })

  test.each([
    [1000n, 999n, 1n],
    [1000n, 1000n, 0n],
    [1000n, 1001n, 0n],
    [1000n, 400n, 600n],
  ])('of %s due and %s paid there remain %s', (due, paid, rest) => {
    expect(restDue(due, paid, coin('btc'))).toBe(rest)
  })

  test('count as received once they are confirmed, tainted ones too', () => {
    expect(receivedIn([deposit(1n, 9n), deposit(10n, 9n, 'seen'), deposit(100n, 9n, 'tainted')])).toBe(101n)
  })

  test.each([
    [10_000n, false, 500n, 1n, 5_000n],
    // Half a unit is rounded up, less is not.
    [1n, false, 500n, 1n, 1n],
    [1n, false, 499n, 1n, 0n],
    [3n, false, 500n, 1n, 2n],
    // A yen is counted in hundredths: 5,050 of them are half a yen above 50.
    [10_000n, false, 505n, 100n, 5_100n],
    [10_000n, false, 504n, 100n, 5_000n],
    // With the fee added, 1,000 units pay 1,000 / 0.995 of the price.
    [19_900n, true, 1000n, 1n, 20_000n],
    [19_900n, true, 500n, 1n, 10_000n],
  ])(
    'of a price of %s, fee on top %s, %s of 1000 units are worth, in steps of %s: %s',
    (price, isOnTop, units, step, worth) => {
      expect(worthIn(price, isOnTop, [deposit(units, 1000n), deposit(7n, 1000n, 'seen')], step)).toBe(worth)
    },
  )
})
