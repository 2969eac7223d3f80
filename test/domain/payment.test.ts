import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coinOf, coins, fiats } from '../../src/domain/chains/coins.ts'
import { ratioOf } from '../../src/domain/money.ts'
import { isOpen, mayMove, paymentMoves, paymentStatuses, standing, stepsTo } from '../../src/domain/payment.ts'
import { amountText, askable, decimalTextOf, jsonNumber, positiveUnits } from '../../src/domain/payment-amounts.ts'
import { converted, dueFor, fixedRates, maximumIn, minimumIn } from '../../src/domain/payment-rates.ts'

const coin = (code: string) => {
  const found = coinOf(code)
  if (!found) throw new Error(`no coin ${code}`)
  return found
}

describe('amounts from clients', () => {
  test.each([
    [10, '10'],
    ['10.00000000', '10.00000000'],
    [1e-7, '0.0000001'],
    [1.5e-9, '0.0000000015'],
    [1e21, '1000000000000000000000'],
    ['1e3', '1000'],
    ['', undefined],
    ['-1', undefined],
    ['0x10', undefined],
    ['1,5', undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])('%j is read as %j', (sent, text) => {
    expect(decimalTextOf(sent)).toBe(text)
  })

  test('any number JavaScript prints is read as what it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-18, max: 1e20, noNaN: true }), (number) => {
        const text = decimalTextOf(number)
        expect(text).toMatch(/^[0-9]+([.][0-9]+)?$/)
        expect(jsonNumber(text ?? '')).toBe(number)
      }),
    )
  })

  test('zero, negative ones and those finer than the currency are none', () => {
    expect(positiveUnits(0, 'usd')).toBeUndefined()
    expect(positiveUnits(0.001, 'usd')).toBeUndefined()
    expect(positiveUnits('10.00000000', 'usd')).toBe(1000n)
    expect(positiveUnits('0.000000000000000001', 'eth')).toBe(1n)
  })

  test('what we ask for survives the way through a JSON number', () => {
    fc.assert(
      fc.property(fc.constantFrom(...coins), fc.bigInt({ min: 1n, max: 10n ** 14n }), (each, small) => {
        const units = askable(small * 10n ** BigInt(each.decimals - each.precision), each)
        expect(positiveUnits(jsonNumber(amountText(units, each.code)), each.code)).toBe(units)
      }),
    )
  })
})

describe('rates', () => {
  test('a hundred dollars are a thousandth of a bitcoin at a hundred thousand', () => {
    expect(amountText(dueFor(fixedRates, 10_000n, 'usd', coin('btc')) ?? 0n, 'btc')).toBe('0.001')
    expect(converted(fixedRates, 100_000n, 'btc', 'usd')).toBe(10_000n)
  })

  test('what is due is never worth less than its price, and one step less would be', () => {
    const steps = (each: (typeof coins)[number]) => 10n ** BigInt(each.decimals - each.precision)
    fc.assert(
      fc.property(
        fc.constantFrom(...coins),
        fc.constantFrom(...fiats),
        fc.bigInt({ min: 1n, max: 10n ** 10n }),
        (each, fiat, price) => {
          const due = dueFor(fixedRates, price, fiat, each) ?? 0n
          const usd = (text: string | undefined) => ratioOf(text ?? '0') ?? { numerator: 0n, denominator: 1n }
          const fiatRate = usd(fixedRates.usd[fiat])
          const coinRate = usd(fixedRates.usd[each.asset])
          const worth = (units: bigint) => units * coinRate.numerator * fiatRate.denominator * 100n
          const asked = price * fiatRate.numerator * coinRate.denominator * 10n ** BigInt(each.decimals)
          expect(worth(due)).toBeGreaterThanOrEqual(asked)
          expect(worth(due - steps(each))).toBeLessThan(asked)
        },
      ),
    )
  })

  test('every coin has a minimum below its maximum', () => {
    for (const each of coins) {
      const minimum = minimumIn(fixedRates, each) ?? 0n
      expect(minimum, each.code).toBeGreaterThan(0n)
      expect(minimum).toBeLessThan(maximumIn(fixedRates, each) ?? 0n)
    }
  })

  test('without a price there is no answer rather than a wrong one', () => {
    expect(dueFor({ asOf: 0, usd: { usd: '1' } }, 100n, 'usd', coin('btc'))).toBeUndefined()
    expect(dueFor({ asOf: 0, usd: { usd: '1', btc: '0' } }, 100n, 'usd', coin('btc'))).toBeUndefined()
  })
})

describe('the life of a payment', () => {
  const tolerance = { numerator: 1n, denominator: 100n }
  const none = { confirmed: 0n, unconfirmed: 0n, isSanctioned: false }

  test.each([
    ['nothing', none, 'waiting'],
    ['one unit not deep yet', { ...none, unconfirmed: 1n }, 'confirming'],
    ['one less than the tolerance lets pass', { ...none, confirmed: 989n }, 'partially_paid'],
    ['all but the tolerance', { ...none, confirmed: 990n }, 'confirmed'],
    ['five times as much', { ...none, confirmed: 5000n }, 'confirmed'],
    ['half, and half not deep yet', { ...none, confirmed: 500n, unconfirmed: 500n }, 'confirming'],
    ['all of it from a sanctioned sender', { ...none, confirmed: 1000n, isSanctioned: true }, 'failed'],
  ] as const)('of a thousand due, having received %s', (_title, received, status) => {
    expect(standing(1000n, tolerance, received)).toBe(status)
  })

  test('every status can be left for only those written down, and failed and refunded not at all', () => {
    for (const from of paymentStatuses)
      for (const to of paymentStatuses)
        expect(mayMove(from, to)).toBe((paymentMoves[from] as readonly string[]).includes(to))
    expect(paymentMoves.failed).toEqual([])
    expect(paymentMoves.refunded).toEqual([])
  })

  test('from any open status every standing is reached by allowed moves', () => {
    for (const from of paymentStatuses.filter(isOpen))
      for (const to of ['waiting', 'confirming', 'confirmed', 'partially_paid', 'failed'] as const) {
        if (from === to || (from === 'partially_paid' && to === 'waiting')) continue
        const steps = stepsTo(from, to)
        expect(steps.at(-1), `${from} to ${to}`).toBe(to)
        steps.reduce<(typeof paymentStatuses)[number]>((at, next) => {
          expect(mayMove(at, next)).toBe(true)
          return next
        }, from)
      }
  })
})
