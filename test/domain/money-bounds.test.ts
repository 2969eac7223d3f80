import { describe, expect, test } from 'vitest'
import { closingOf, daysOfPeriod, periodAfter, wholeOf } from '../../src/domain/account/statement-check.ts'
import {
  compareUnits,
  cutUnits,
  formatAmount,
  formatUsd,
  isWithinAmount,
  larger,
  maxAmount,
  maxUsd,
  rescale,
  smaller,
} from '../../src/domain/money.ts'
import { type Account, moved } from '../../src/domain/payments/ledger.ts'

// 1-tenant-api, "Shared types": 15 digits and 4 decimals, and for US dollars 12 and 6.
describe('the range of amounts', () => {
  test('ends where the pattern of the document ends', () => {
    expect(formatAmount(maxAmount)).toBe('999999999999999.9999')
    expect(formatAmount(-maxAmount)).toBe('-999999999999999.9999')
    expect(() => formatAmount(maxAmount + 1n)).toThrow(/range/)
    expect(() => formatAmount(-maxAmount - 1n)).toThrow(/range/)
    expect([maxAmount, maxAmount + 1n, -maxAmount, -maxAmount - 1n].map(isWithinAmount)).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(formatUsd(maxUsd)).toBe('999999999999.999999')
    expect(formatUsd(-maxUsd)).toBe('-999999999999.999999')
    expect(() => formatUsd(maxUsd + 1n)).toThrow(/range/)
    expect(() => formatUsd(-maxUsd - 1n)).toThrow(/range/)
  })

  test.each([
    ['1', 2, 100n],
    ['12345', 2, 1_234_500n],
    ['1.5', 2, 150n],
    ['1.25', 2, 125n],
    ['1.259', 2, 125n],
    ['0.009', 2, 0n],
    ['12.9', 0, 12n],
    ['.5', 2, null],
    ['.567', 2, null],
    ['1.', 2, null],
    ['x', 2, null],
  ])('%s cut to %i decimals is %s', (text, scale, units) => {
    expect(cutUnits(text, scale)).toBe(units)
  })
})

describe('comparing', () => {
  test.each([
    [1n, 2n, -1, 1n, 2n],
    [2n, 1n, 1, 1n, 2n],
    [-1n, 1n, -1, -1n, 1n],
    [5n, 5n, 0, 5n, 5n],
  ])('%s and %s', (a, b, sign, least, most) => {
    expect(Math.sign(compareUnits(a, b))).toBe(sign)
    expect([smaller(a, b), larger(a, b)]).toEqual([least, most])
  })

  test.each([
    [5n, 2, 4, 500n],
    [500n, 4, 2, 5n],
    [599n, 4, 2, 5n],
    [-599n, 4, 2, -5n],
    [7n, 3, 3, 7n],
  ])('%s at %i decimals is at %i: %s', (units, from, to, expected) => {
    expect(rescale(units, from, to)).toBe(expected)
  })
})

describe('a move of the ledger', () => {
  const from: Account = { kind: 'available', owner: 'm', currency: 'btc' }
  const to: Account = { kind: 'held', owner: 'm', currency: 'btc' }
  test('takes from one account and gives the same to the other, stays in its currency, and for zero is nothing', () => {
    expect(moved(from, to, 1n)).toEqual([
      { ...from, units: -1n },
      { ...to, units: 1n },
    ])
    expect(moved(from, to, 0n)).toEqual([])
    expect(() => moved(from, to, -1n)).toThrow(/must not be negative/)
    expect(() => moved(from, { ...to, currency: 'eth' }, 1n)).toThrow(/currency/)
  })
})

describe('statements', () => {
  test.each([
    ['2026-01', 1, '2026-02'],
    ['2026-12', 1, '2027-01'],
    ['2026-01', -1, '2025-12'],
    ['2026-06', -18, '2024-12'],
    ['0000-01', 11, '0000-12'],
    ['0099-12', 1, '0100-01'],
  ])('the month %s, %i later, is %s', (period, count, expected) => {
    expect(periodAfter(period, count)).toBe(expected)
  })

  test('months have the days of the calendar', () => {
    expect(daysOfPeriod('2100-02')).toEqual({ first: '2100-02-01', last: '2100-02-28', count: 28 })
    expect(daysOfPeriod('2026-01')).toEqual({ first: '2026-01-01', last: '2026-01-31', count: 31 })
  })

  test('together open with the first and close with the last', () => {
    const one = { period: '2026-01', opening: 1n, charges: -10n, payments: 20n, closing: 11n }
    const two = { period: '2026-02', opening: 11n, charges: -5n, payments: 2n, closing: 8n }
    expect(wholeOf([one, two])).toEqual({ opening: 1n, charges: -15n, payments: 22n, closing: 8n })
    expect(closingOf(one)).toBe(11n)
  })
})
