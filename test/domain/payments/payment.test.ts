import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coinOf, coins, fiats } from '../../../src/domain/chains/coins.ts'
import { ratioOf } from '../../../src/domain/money.ts'
import {
  amountText,
  decimalTextOf,
  jsonNumber,
  positiveUnits,
  roundedUp,
} from '../../../src/domain/payments/amounts.ts'
import {
  amountDue,
  covers,
  type Deposit,
  evaluateDeposits,
  receivedIn,
  restDue,
  worthIn,
} from '../../../src/domain/payments/deposits.ts'
import {
  isOpen,
  isPaymentTransition,
  paymentStatuses,
  paymentTransitions,
  stepsTo,
} from '../../../src/domain/payments/payment.ts'
import { converted, dueFor, fixedRates, maximumIn, minimumIn } from '../../../src/domain/payments/rates.ts'

const coin = (code: string) => {
  const match = coinOf(code)
  if (!match) throw new Error(`no coin ${code}`)
  return match
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

  test('any number JavaScript prints is read exactly', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-18, max: 1e20, noNaN: true }), (number) => {
        const text = decimalTextOf(number)
        expect(text).toMatch(/^[0-9]+([.][0-9]+)?$/)
        expect(jsonNumber(text ?? '')).toBe(number)
      }),
    )
  })

  test('zero, negative ones and those finer than the currency are invalid', () => {
    expect(positiveUnits(0, 'usd')).toBeUndefined()
    expect(positiveUnits(0.001, 'usd')).toBeUndefined()
    expect(positiveUnits('10.00000000', 'usd')).toBe(1000n)
    expect(positiveUnits('0.000000000000000001', 'eth')).toBe(1n)
  })

  test('requested amounts are unchanged by a JSON number', () => {
    fc.assert(
      fc.property(fc.constantFrom(...coins), fc.bigInt({ min: 1n, max: 10n ** 14n }), (each, small) => {
        const units = roundedUp(small * 10n ** BigInt(each.decimals - each.precision), each)
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

  test('the amount due is never worth less than its price, and one step less would be', () => {
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
          const priceWorth = price * fiatRate.numerator * coinRate.denominator * 10n ** BigInt(each.decimals)
          expect(worth(due)).toBeGreaterThanOrEqual(priceWorth)
          expect(worth(due - steps(each))).toBeLessThan(priceWorth)
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

  test('without a price there is no amount instead of a wrong one', () => {
    expect(dueFor({ asOf: 0, usd: { usd: '1' } }, 100n, 'usd', coin('btc'))).toBeUndefined()
    expect(dueFor({ asOf: 0, usd: { usd: '1', btc: '0' } }, 100n, 'usd', coin('btc'))).toBeUndefined()
  })
})

describe('the life of a payment', () => {
  const tolerance = { numerator: 1n, denominator: 100n }
  const piece = (units: bigint, state: Deposit['state'] = 'confirmed', whole = 1000n): Deposit => ({
    id: `${units}-${state}`,
    units,
    whole,
    state,
  })
  const judged = (...deposits: Deposit[]) => {
    const { status, counted, apart } = evaluateDeposits(deposits, tolerance)
    return [status, counted.map(({ units }) => units), apart.map(({ units }) => units)]
  }

  test.each([
    ['nothing', [], ['waiting', [], []]],
    ['one unit not deep yet', [piece(1n, 'seen')], ['confirming', [1n], []]],
    ['one less than the tolerance lets pass', [piece(989n)], ['partially_paid', [989n], []]],
    ['all but the tolerance', [piece(990n)], ['confirmed', [990n], []]],
    ['one more than that', [piece(991n)], ['confirmed', [991n], []]],
    ['five times as much', [piece(5000n)], ['confirmed', [5000n], []]],
    ['half, and half not deep yet', [piece(500n), piece(501n, 'seen')], ['confirming', [500n, 501n], []]],
    ['all of it from a sanctioned sender', [piece(1000n, 'tainted')], ['failed', [1000n], []]],
    ['a sanctioned one, then all of it', [piece(1n, 'tainted'), piece(1000n, 'seen')], ['failed', [1n], [1000n]]],
    ['half, then a sanctioned one', [piece(500n), piece(1n, 'tainted')], ['partially_paid', [500n], [1n]]],
    ['all of it, and more after it', [piece(1000n), piece(1n, 'seen')], ['confirmed', [1000n], [1n]]],
    [
      'all of it not deep yet, and all of it again',
      [piece(1000n, 'seen'), piece(999n, 'seen')],
      ['confirming', [1000n], []],
    ],
    ['the second before the first', [piece(1000n, 'seen'), piece(999n)], ['confirmed', [999n], [1000n]]],
    ['half at twice the price', [piece(1000n, 'confirmed', 2000n), piece(495n)], ['confirmed', [1000n, 495n], []]],
    ['a sanctioned one not deep yet, as any other', [piece(1000n, 'seen')], ['confirming', [1000n], []]],
  ] as const)('of a thousand due, having received %s', (_title, deposits, result) => {
    expect(judged(...deposits)).toEqual(result)
  })

  test('half paid at one price leaves the other half to pay at another', () => {
    const btc = coinOf('btc')
    if (!btc) throw new Error('no btc')
    expect(amountDue(2000n, [piece(500n)], btc)).toBe(1500n)
    expect(amountDue(500n, [piece(500n)], btc)).toBe(750n)
    expect(amountDue(1000n, [piece(300n), piece(1n)], btc)).toBe(1000n)
    expect(amountDue(7n, [piece(1n, 'confirmed', 3n)], btc)).toBe(6n)
    expect(worthIn(100n, false, [piece(500n), piece(500n, 'seen'), piece(500n, 'confirmed', 2000n)])).toBe(75n)
  })

  test('paying the stated rest always covers the price, at any earlier rates', () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 12n })
    const parts = fc.array(fc.record({ units, whole: units }), { maxLength: 6 })
    const exact = { numerator: 0n, denominator: 1n }
    fc.assert(
      fc.property(parts, units, fc.constantFrom(...coins), (given, whole, coin) => {
        const deposits = given.map((each) => ({ ...each, id: '', state: 'confirmed' as const }))
        const due = amountDue(whole, deposits, coin)
        const rest = restDue(due, receivedIn(deposits), coin)
        if (rest === 0n) return covers(deposits, exact)
        return covers([...deposits, { id: '', units: rest, whole, state: 'confirmed' }], exact)
      }),
      { seed: 20260301, numRuns: 500 },
    )
  })

  test('every status can change only to the listed ones, and failed and refunded to none', () => {
    for (const from of paymentStatuses)
      for (const to of paymentStatuses)
        expect(isPaymentTransition(from, to)).toBe((paymentTransitions[from] as readonly string[]).includes(to))
    expect(paymentTransitions.failed).toEqual([])
    expect(paymentTransitions.refunded).toEqual([])
  })

  test('from any open status every standing is reached by allowed moves', () => {
    for (const from of paymentStatuses.filter(isOpen))
      for (const to of ['waiting', 'confirming', 'confirmed', 'partially_paid', 'failed'] as const) {
        if (from === to || (from === 'partially_paid' && to === 'waiting')) continue
        const steps = stepsTo(from, to)
        expect(steps.at(-1), `${from} to ${to}`).toBe(to)
        steps.reduce<(typeof paymentStatuses)[number]>((at, next) => {
          expect(isPaymentTransition(at, next)).toBe(true)
          return next
        }, from)
      }
  })
})
