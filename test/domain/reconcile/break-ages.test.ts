import { expect, test } from 'vitest'
import { type AgedBreak, ageBuckets, byAge } from '../../../src/domain/reconcile/break-ages.ts'

const now = Date.parse('2026-03-31T12:00:00.000Z')
const opened = (at: string, over: Partial<AgedBreak> = {}): AgedBreak => ({
  ...{ openedAt: Date.parse(at), currency: 'USD', amount: '1', isSnoozed: false },
  ...over,
})
const counts = (breaks: readonly AgedBreak[], zone = 'UTC') => byAge(breaks, { now, zone }).map(({ breaks }) => breaks)

test('the brackets are consecutive without a gap', () => {
  expect(ageBuckets.map(({ from, to }) => [from, to])).toEqual([
    [0, 1],
    [2, 3],
    [4, 7],
    [8, 30],
    [31, null],
  ])
})

test.each([
  ['2026-03-31T00:00:00.000Z', 0],
  ['2026-03-30T00:00:00.000Z', 0],
  ['2026-03-29T23:59:59.999Z', 1],
  ['2026-03-28T00:00:00.000Z', 1],
  ['2026-03-27T23:59:59.999Z', 2],
  ['2026-03-24T00:00:00.000Z', 2],
  ['2026-03-23T23:59:59.999Z', 3],
  ['2026-03-01T00:00:00.000Z', 3],
  ['2026-02-28T23:59:59.999Z', 4],
  // Opened after now, by a clock that was set back.
  ['2026-04-02T00:00:00.000Z', 0],
])('a break opened at %s is in bracket %i', (at, bucket) => {
  expect(counts([opened(at)]).indexOf(1)).toBe(bucket)
})

test('days are those of the tenant, also over a change of clocks', () => {
  // 01:30 on the 30th in Berlin, two hours after midnight of the 29th in UTC.
  expect(counts([opened('2026-03-29T23:30:00.000Z')], 'Europe/Berlin')).toEqual([1, 0, 0, 0, 0])
  expect(counts([opened('2026-03-29T23:30:00.000Z')])).toEqual([0, 1, 0, 0, 0])
})

test('amounts are summed by currency with and without signs, and breaks without one are counted', () => {
  const [first] = byAge(
    [
      opened('2026-03-31T00:00:00.000Z', { amount: '-2.50' }),
      opened('2026-03-31T00:00:00.000Z', { amount: '0.0001', isSnoozed: true }),
      opened('2026-03-31T00:00:00.000Z', { amount: '3', currency: 'EUR' }),
      opened('2026-03-31T00:00:00.000Z', { amount: null }),
      opened('2026-03-31T00:00:00.000Z', { currency: null }),
      opened('2026-03-31T00:00:00.000Z', { amount: 'n/a' }),
    ],
    { now, zone: 'UTC' },
  )
  expect(first).toEqual({
    ...{ bucket: '0-1 days', fromDays: 0, toDays: 1, breaks: 6, snoozed: 1, withoutAmount: 3 },
    amounts: [
      { currency: 'EUR', breaks: 1, gross: '3', net: '3' },
      { currency: 'USD', breaks: 2, gross: '2.5001', net: '-2.4999' },
    ],
  })
})

test('amounts have up to 18 decimals; one with more is counted as unknown', () => {
  const smallest = '0.000000000000000001'
  const [first] = byAge(
    [smallest, `-${smallest}`, `${smallest}1`].map((amount) => opened('2026-03-31T00:00:00.000Z', { amount })),
    { now, zone: 'UTC' },
  )
  expect(first).toMatchObject({
    withoutAmount: 1,
    amounts: [{ breaks: 2, gross: '0.000000000000000002', net: '0' }],
  })
})
