import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareUnits,
  cutUnits,
  formatAmount,
  formatFixed,
  formatUnits,
  formatUsd,
  formatUsdCents,
  isAmount,
  isPositiveAmount,
  isUsdAmount,
  isWithinAmount,
  maxAmount,
  parseAmount,
  parseUnits,
  parseUsd,
  ratioOf,
  rescale,
  sum,
  times,
  unitsOf,
} from '../../src/domain/money.ts'

const units = fc.bigInt({ min: -maxAmount, max: maxAmount })
const scale = fc.integer({ min: 0, max: 18 })

describe('text to units', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['-0.0000', 0n],
    ['1', 10_000n],
    ['0.0001', 1n],
    ['-0.0001', -1n],
    ['33.3333', 333_333n],
    ['0095.5', 955_000n],
    ['999999999999999.9999', maxAmount],
    ['-999999999999999.9999', -maxAmount],
  ])('%s is %s units', (text, expected) => {
    expect(parseAmount(text)).toBe(expected)
    expect(isAmount(text)).toBe(true)
  })

  test.each([
    '',
    '.',
    '.5',
    '5.',
    '+5',
    '1e3',
    '1,5',
    ' 1',
    '1 ',
    '0x10',
    '--1',
    '٣',
    'NaN',
    'Infinity',
    '1.00001',
    '1\n',
  ])('"%s" is no amount', (text) => {
    expect(unitsOf(text, 4)).toBeNull()
    expect(isAmount(text)).toBe(false)
    expect(() => parseAmount(text)).toThrow(/is not a decimal/)
  })

  test('a sixteenth digit before the point exceeds an amount, although it is a number', () => {
    expect(isAmount('1000000000000000')).toBe(false)
    expect(unitsOf('1000000000000000', 4)).toBe(maxAmount + 1n)
    expect(isWithinAmount(maxAmount)).toBe(true)
    expect(isWithinAmount(maxAmount + 1n)).toBe(false)
    expect(isWithinAmount(-maxAmount - 1n)).toBe(false)
  })

  test.each([
    ['1', true],
    ['0.0001', true],
    ['007', true],
    ['0', false],
    ['0.0000', false],
    ['-1', false],
    ['1.00000', false],
    ['1e2', false],
    ['1000000000000000', false],
    ['1\n', false],
  ])('whether "%s" is a positive amount: %s', (text, expected) => {
    expect(isPositiveAmount(text)).toBe(expected)
  })

  test('US dollars have twelve digits and six decimals', () => {
    expect(parseUsd('0.000001')).toBe(1n)
    expect(isUsdAmount('999999999999.999999')).toBe(true)
    expect(isUsdAmount('1000000000000')).toBe(false)
    expect(isUsdAmount('1.0000001')).toBe(false)
    expect(formatUsd(-1_500_000n)).toBe('-1.5')
  })

  test('a coin of eighteen decimals keeps the last one', () => {
    expect(parseUnits('1.000000000000000001', 18)).toBe(10n ** 18n + 1n)
    expect(formatUnits(10n ** 18n + 1n, 18)).toBe('1.000000000000000001')
  })

  test('truncation drops decimals, and makes no number of an invalid text', () => {
    expect(cutUnits('31.666635', 4)).toBe(316_666n)
    expect(cutUnits('-31.666635', 4)).toBe(-316_666n)
    expect(cutUnits('0.00009', 4)).toBe(0n)
    expect(cutUnits('9.99', 0)).toBe(9n)
    expect(cutUnits('9', 4)).toBe(90_000n)
    expect(cutUnits('1.0000x', 4)).toBeNull()
    expect(cutUnits('1.', 4)).toBeNull()
  })
})

describe('units to text', () => {
  test.each([
    [0n, '0'],
    [950_000n, '95'],
    [5_000n, '0.5'],
    [-400_000n, '-40'],
    [-1n, '-0.0001'],
    [100n, '0.01'],
    [10_000_000n, '1000'],
  ])('%s units are %s', (value, text) => {
    expect(formatAmount(value)).toBe(text)
  })

  test('an amount beyond its range is a bug', () => {
    expect(() => formatAmount(maxAmount + 1n)).toThrow(/exceed the range/)
    expect(() => formatUsd(10n ** 18n)).toThrow(/exceed the range/)
  })

  test('cents are rounded half away from zero and always two', () => {
    expect(formatUsdCents(0n)).toBe('0.00')
    expect(formatUsdCents(1_005_000n)).toBe('1.01')
    expect(formatUsdCents(-1_005_000n)).toBe('-1.01')
    expect(formatUsdCents(1_004_999n)).toBe('1.00')
    expect(formatUsdCents(-1n)).toBe('0.00')
    expect(formatUsdCents(-100_000_000n)).toBe('-100.00')
    expect(formatFixed(1_500n, 3, 0)).toBe('2')
    expect(formatFixed(1_234n, 3, 3)).toBe('1.234')
  })

  test('units that are written and read again are the same, at every scale', () => {
    fc.assert(fc.property(units, scale, (value, at) => parseUnits(formatUnits(value, at), at) === value))
  })

  test('a written amount is short: no zeros at the end, no sign on zero, and the form of an amount', () => {
    fc.assert(
      fc.property(units, (value) => {
        const text = formatAmount(value)
        return isAmount(text) && !/[.][0-9]*0$/.test(text) && text !== '-0'
      }),
    )
  })
})

describe('arithmetic', () => {
  const ratio = fc.record({
    numerator: fc.bigInt({ min: -1000n, max: 1000n }),
    denominator: fc.bigInt({ min: 1n, max: 1000n }),
  })

  test('a commission is truncated and not rounded', () => {
    expect(times(parseAmount('33.3333'), { numerator: 95n, denominator: 100n })).toBe(parseAmount('31.6666'))
  })

  test('truncation goes toward zero and by less than one unit', () => {
    const size = (value: bigint) => (value < 0n ? -value : value)
    fc.assert(
      fc.property(units, ratio, (value, by) => {
        const exact = value * by.numerator
        const cut = times(value, by) * by.denominator
        expect(size(cut) <= size(exact)).toBe(true)
        expect(size(exact) - size(cut) < by.denominator).toBe(true)
        expect(cut === 0n || cut < 0n === exact < 0n).toBe(true)
      }),
    )
  })

  test('truncated text is never a larger amount', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 8 }), (value, to) => {
        const cut = cutUnits(formatUnits(value, 8), to)
        expect(cut).toBe(rescale(value, 8, to))
      }),
    )
  })

  test('a ratio is read exactly', () => {
    expect(ratioOf('0.05')).toEqual({ numerator: 5n, denominator: 100n })
    expect(ratioOf('3')).toEqual({ numerator: 3n, denominator: 1n })
    expect(ratioOf('5%')).toBeNull()
    expect(() => times(1n, { numerator: 1n, denominator: 0n })).toThrow(/above zero/)
  })

  test('converting to a finer scale and back loses nothing', () => {
    fc.assert(fc.property(units, (value) => rescale(rescale(value, 4, 18), 18, 4) === value))
    expect(rescale(-19n, 1, 0)).toBe(-1n)
  })

  test('sums and order', () => {
    expect(sum([])).toBe(0n)
    expect(sum([1n, -3n])).toBe(-2n)
    expect([3n, -1n, 2n].sort(compareUnits)).toEqual([-1n, 2n, 3n])
    expect(compareUnits(2n, 2n)).toBe(0)
  })
})
