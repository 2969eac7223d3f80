import { describe, expect, test } from 'vitest'
import { needsSecondPerson, partName, partUnits, type RefundPart } from '../../../src/domain/payments/refund.ts'
import { approvalLimits } from '../../../src/domain/wallet/approval.ts'

const base = { received: 130n, due: 100n, refunded: 0n, step: 1n }
const amount = (units: bigint): RefundPart => ({ kind: 'amount', units, text: String(units) })
const percent = (numerator: bigint, denominator: bigint): RefundPart => ({
  kind: 'percent',
  share: { numerator, denominator },
  text: '',
})

describe('the units of a refund', () => {
  test.each([
    ['the rest of all', { kind: 'rest' }, {}, 130n],
    ['the rest of a part', { kind: 'rest' }, { refunded: 40n }, 90n],
    ['the rest of nothing', { kind: 'rest' }, { refunded: 130n }, 'nothing-left'],
    ['the last unit', { kind: 'rest' }, { refunded: 129n }, 1n],
    ['one unit', amount(1n), {}, 1n],
    ['the overpaid part', { kind: 'overpaid' }, {}, 30n],
    ['the overpaid part of more than is left', { kind: 'overpaid' }, { refunded: 101n }, 'above-rest'],
    ['the overpaid part of an exact payment', { kind: 'overpaid' }, { due: 130n }, 'not-overpaid'],
    ['the overpaid part of an underpaid payment', { kind: 'overpaid' }, { due: 131n }, 'not-overpaid'],
    ['an amount up to all', amount(130n), {}, 130n],
    ['an amount above all', amount(131n), {}, 'above-received'],
    ['an amount up to the rest', amount(90n), { refunded: 40n }, 90n],
    ['an amount above the rest', amount(91n), { refunded: 40n }, 'above-rest'],
    ['a third', percent(1n, 3n), {}, 43n],
    ['a third to the step', percent(1n, 3n), { step: 10n }, 40n],
    ['all as a percentage, whatever the step', percent(100n, 100n), { step: 100n }, 130n],
    ['less than a unit', percent(1n, 1000n), {}, 'zero'],
  ] as const)('of %s', (_, part, change, expected) => {
    expect(partUnits(part as RefundPart, { ...base, ...change })).toBe(expected)
  })
})

test('the same part has one name, and a key distinguishes further ones', () => {
  expect(partName({ kind: 'rest' }, undefined)).toBe('rest')
  expect(partName(amount(40n), undefined)).toBe('amount 40')
  expect(partName(amount(40n), 'parcel-2')).toBe('amount 40 parcel-2')
  expect(partName({ kind: 'overpaid' }, 'again')).toBe('overpaid')
})

describe('a second person', () => {
  const value = { coin: 'btc', units: 100_000n, scale: 8, usd: 100_00n, usdScale: 2 }
  const needs = (limits: string, over = {}) =>
    needsSecondPerson(approvalLimits(limits) ?? undefined, { ...value, ...over })

  test.each([
    ['without limits', '', {}, false],
    ['at the limit of the coin', '0.001:btc', {}, false],
    ['above the limit of the coin', '0.0009:btc', {}, true],
    ['by the coin, at any amount in dollars', '0.001:btc,1:usd', {}, false],
    ['at the limit in dollars', '100:USD', {}, false],
    ['above the limit in dollars', '99.9999:USD', {}, true],
    ['without a price', '1000:USD', { usd: null }, true],
    ['without a limit that applies', '1000:EUR', {}, true],
  ])('%s', (_, limits, over, expected) => {
    expect(needs(limits, over)).toBe(expected)
  })
})
