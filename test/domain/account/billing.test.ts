import { describe, expect, test } from 'vitest'
import {
  afterCharge,
  afterTime,
  afterTopup,
  countedStream,
  gbScale,
  graceMs,
  type Standing,
  streamFee,
  streamSources,
  tableFee,
} from '../../../src/domain/account/billing.ts'
import { accountStates, environments, isOver, plans } from '../../../src/domain/account/state.ts'
import { formatUsd, parseUsd, sum } from '../../../src/domain/money.ts'

const day = 86_400_000
const at = (text: string) => Date.parse(text)
const feesOf = (month: string, days: number, tables = 1) =>
  Array.from({ length: days }, (_, i) => tableFee(tables, at(`${month}-01`) + i * day))

describe('an account', () => {
  test('has the plans, states and environments of the document, in its order', () => {
    expect(plans).toEqual(['free', 'paid'])
    expect(accountStates).toEqual(['FREE', 'PAID', 'GRACE', 'DOWNGRADED', 'SUSPENDED', 'CLOSED'])
    expect(environments).toEqual(['live', 'sandbox'])
  })

  test('is closed for good once it is suspended or closed, and in no other state', () => {
    expect(accountStates.filter(isOver)).toEqual(['SUSPENDED', 'CLOSED'])
  })
})

describe('a table on the paid plan', () => {
  test.each([
    ['2026-02', 28, '3.571428', '3.571429'],
    ['2028-02', 29, '3.448275', '3.448276'],
    ['2026-04', 30, '3.333333', '3.333334'],
    ['2026-03', 31, '3.225806', '3.225807'],
  ])('costs USD 100 in %s, a %i-th part of it each day', (month, days, least, most) => {
    const fees = feesOf(month, days)
    expect(formatUsd(sum(fees))).toBe('100')
    expect([...new Set(fees.map(formatUsd))].sort()).toEqual([least, most])
    expect(formatUsd(sum(feesOf(month, days, 7)))).toBe('700')
  })

  test('is charged the amount due by the end of each day: the first day is truncated, and later days compensate', () => {
    expect(feesOf('2026-04', 3).map(formatUsd)).toEqual(['3.333333', '3.333333', '3.333334'])
    expect(feesOf('2026-03', 3).map(formatUsd)).toEqual(['3.225806', '3.225806', '3.225807'])
    expect(formatUsd(tableFee(3, at('2026-04-30')))).toBe('10.000002')
    expect(formatUsd(tableFee(0, at('2026-04-30')))).toBe('0')
  })
})

describe('streaming', () => {
  test('is charged by the gigabyte with 3 decimals, at 5 cents each', () => {
    expect(gbScale).toBe(3)
    expect([1000n, 1n, 0n, 12_345n].map((gb) => formatUsd(streamFee(gb)))).toEqual(['0.05', '0.00005', '0', '0.61725'])
  })

  test('is counted by the CDN before the clients before an estimate', () => {
    expect(streamSources).toEqual(['cdn', 'client', 'estimate'])
    const measured = (...sources: readonly (typeof streamSources)[number][]) =>
      countedStream(sources.map((source, i) => ({ source, i })))
    expect(measured('estimate', 'client', 'cdn')).toEqual({ source: 'cdn', i: 2 })
    expect(measured('estimate', 'client', 'client')).toEqual({ source: 'client', i: 1 })
    expect(measured('estimate')).toEqual({ source: 'estimate', i: 0 })
    expect(measured()).toBeUndefined()
  })
})

describe('the standing of an account', () => {
  const now = at('2026-03-10')
  const standing = (state: Standing['state'], credit: string, graceUntil: number | null = null): Standing => ({
    state,
    credit: parseUsd(credit),
    graceUntil,
  })

  test('grace lasts 7 days', () => {
    expect(graceMs).toBe(7 * day)
  })

  test.each([
    ['-0.000001', 'GRACE'],
    ['0', 'GRACE'],
    ['0.000001', 'PAID'],
  ])('a paid account with a credit of %s after a charge is %s', (credit, state) => {
    const graceUntil = state === 'GRACE' ? now + 7 * day : null
    expect(afterCharge(standing('PAID', credit), now)).toEqual(standing(state as Standing['state'], credit, graceUntil))
  })

  test.each(['FREE', 'GRACE', 'DOWNGRADED', 'SUSPENDED', 'CLOSED'] as const)(
    'a charge leaves an account that is %s unchanged',
    (state) => {
      const before = standing(state, '-5', state === 'GRACE' ? now + 1 : null)
      expect(afterCharge(before, now)).toEqual(before)
    },
  )

  test.each([
    [-1, 'GRACE'],
    [0, 'DOWNGRADED'],
    [1, 'DOWNGRADED'],
  ])('%i ms after its end grace has become %s', (late, state) => {
    const graceUntil = state === 'GRACE' ? now : null
    expect(afterTime(standing('GRACE', '-5', now), now + late)).toEqual(
      standing(state as Standing['state'], '-5', graceUntil),
    )
  })

  test('time changes nothing outside grace, nor grace without an end', () => {
    for (const before of [standing('GRACE', '-5'), standing('PAID', '5', now - 1), standing('FREE', '0', now - 1)])
      expect(afterTime(before, now)).toEqual(before)
  })

  test.each([
    ['GRACE', '0.000001', 'PAID'],
    ['DOWNGRADED', '0.000001', 'PAID'],
    ['GRACE', '0', 'GRACE'],
    ['DOWNGRADED', '-1', 'DOWNGRADED'],
    ['FREE', '10', 'FREE'],
    ['SUSPENDED', '10', 'SUSPENDED'],
    ['CLOSED', '10', 'CLOSED'],
  ] as const)('a top-up that leaves an account in %s with %s makes it %s', (state, credit, after) => {
    const until = state === 'GRACE' ? now + day : null
    expect(afterTopup(standing(state, credit, until))).toEqual(standing(after, credit, after === 'PAID' ? null : until))
  })
})
