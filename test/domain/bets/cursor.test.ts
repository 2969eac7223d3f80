import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareCursors,
  cursorOf,
  formatCursor,
  monthAfter,
  monthOf,
  monthStart,
  monthsBetween,
  nextMonth,
} from '../../../src/domain/bets/cursor.ts'

const month = fc
  .record({ year: fc.integer({ min: 1, max: 9998 }), month: fc.integer({ min: 1, max: 12 }) })
  .map((at) => `${String(at.year).padStart(4, '0')}${String(at.month).padStart(2, '0')}`)
const cursor = fc.record({ month, seq: fc.bigInt({ min: 0n, max: 10n ** 40n }) })

describe('cursors', () => {
  test('a cursor is a month, a dot and a sequence', () => {
    expect(cursorOf('202611.42')).toEqual({ month: '202611', seq: 42n })
    expect(cursorOf('202601.0')).toEqual({ month: '202601', seq: 0n })
    expect(cursorOf('202612.007')).toEqual({ month: '202612', seq: 7n })
  })

  test.each([
    '',
    '202611',
    '202611.',
    '.1',
    '202613.1',
    '202600.1',
    '20261.1',
    '202611.-1',
    '202611.1.1',
    '202611.1e3',
    ' 202611.1',
    '202611.1\n',
  ])('"%s" is no cursor', (text) => {
    expect(cursorOf(text)).toBeNull()
  })

  // 1-tenant-api, Shared types: `^[0-9]{6}[.][0-9]+$`, so any number of digits.
  test('a sequence has any number of digits, and keeps all of them', () => {
    for (const digits of ['999999999999999', '9007199254740993', '12345678901234567', '9'.repeat(400)]) {
      const read = cursorOf(`202611.${digits}`)
      expect(read).toEqual({ month: '202611', seq: BigInt(digits) })
      expect(formatCursor(read ?? { month: '', seq: 0n })).toBe(`202611.${digits}`)
    }
    const [one, next] = ['202611.9007199254740992', '202611.9007199254740993'].map((text) => cursorOf(text))
    expect(compareCursors(one ?? { month: '', seq: 0n }, next ?? { month: '', seq: 0n })).toBeLessThan(0)
  })

  test('a cursor that is written and read again is the same', () => {
    fc.assert(
      fc.property(cursor, (at) => {
        expect(cursorOf(formatCursor(at))).toEqual(at)
      }),
    )
  })

  test('cursors are ordered by month, then by sequence', () => {
    const sorted = ['202512.9', '202601.10', '202601.9', '202512.10'].map(
      (text) => cursorOf(text) ?? { month: '', seq: 0n },
    )
    expect(sorted.sort(compareCursors).map(formatCursor)).toEqual(['202512.9', '202512.10', '202601.9', '202601.10'])
    fc.assert(
      fc.property(cursor, cursor, cursor, (a, b, c) => {
        expect(Math.sign(compareCursors(a, b))).toBe(-Math.sign(compareCursors(b, a)) || 0)
        expect(compareCursors(a, b) === 0).toBe(formatCursor(a) === formatCursor(b))
        if (compareCursors(a, b) < 0 && compareCursors(b, c) < 0) expect(compareCursors(a, c)).toBeLessThan(0)
      }),
    )
  })
})

describe('months', () => {
  test('a year ends with its twelfth month', () => {
    expect(nextMonth('202611')).toBe('202612')
    expect(nextMonth('202612')).toBe('202701')
    expect(monthAfter('202601', -1)).toBe('202512')
    expect(monthAfter('202603', -15)).toBe('202412')
  })

  test('a month begins and ends at UTC midnight', () => {
    expect(monthStart('202602')).toBe(Date.UTC(2026, 1, 1))
    expect(monthOf(Date.UTC(2026, 1, 1))).toBe('202602')
    expect(monthOf(Date.UTC(2026, 1, 1) - 1)).toBe('202601')
    expect(monthOf(monthStart('002603'))).toBe('002603')
  })

  test('counting months and adding them agree, and text order is time order', () => {
    fc.assert(
      fc.property(month, fc.integer({ min: -12, max: 12 }), (from, count) => {
        fc.pre(Number(from.slice(0, 4)) > 1)
        const to = monthAfter(from, count)
        expect(monthsBetween(from, to)).toBe(count)
        expect(monthStart(to) > monthStart(from)).toBe(to > from)
        expect(monthOf(monthStart(to))).toBe(to)
      }),
    )
  })

  test('a text that is no month is a bug', () => {
    expect(() => nextMonth('202613')).toThrow(/is not a month/)
  })
})

describe('the order of cursors', () => {
  test.each([
    ['202603.5', '202603.5', 0],
    ['202603.5', '202603.6', -1],
    ['202603.6', '202603.5', 1],
    ['202602.9', '202603.5', -1],
    ['202603.5', '202602.9', 1],
    ['202512.9', '202601.0', -1],
  ])('%s and %s: %i', (a, b, sign) => {
    const [one, two] = [cursorOf(a), cursorOf(b)]
    if (!one || !two) throw new Error('both are cursors')
    expect(Math.sign(compareCursors(one, two))).toBe(sign)
  })
})

test('months have years of four digits: from 0000 to 9999', () => {
  expect(monthAfter('000101', -1)).toBe('000012')
  expect(monthAfter('000101', -12)).toBe('000001')
  expect(() => monthAfter('000101', -13)).toThrow(/four digits/)
  expect(nextMonth('999911')).toBe('999912')
  expect(() => nextMonth('999912')).toThrow(/four digits/)
  expect(monthOf(Date.UTC(9999, 11, 31))).toBe('999912')
  expect(() => monthOf(Date.UTC(10_000, 0, 1))).toThrow(/four digits/)
  expect(() => monthStart('202613')).toThrow(/not a month/)
})
