import { describe, expect, test } from 'vitest'
import {
  dayMs,
  daysInMonth,
  isDay,
  momentIn,
  monthsBefore,
  startOfMonth,
  startOfUtcDay,
  utcDayOf,
} from '../../../src/domain/time/calendar.ts'

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

test('a day of the calendar has 86,400 seconds', () => {
  expect(dayMs).toBe(86_400_000)
})

describe('a time in ISO 8601', () => {
  test.each([
    ['2026-03-10T12:00Z', '2026-03-10T12:00:00.000Z'],
    ['2026-03-10T12:00:01Z', '2026-03-10T12:00:01.000Z'],
    ['2026-03-10T12:00:01.5Z', '2026-03-10T12:00:01.500Z'],
    ['2026-03-10T12:00:01.123456789Z', '2026-03-10T12:00:01.123Z'],
    ['2026-03-10T00:30:00+08:00', '2026-03-09T16:30:00.000Z'],
    ['2026-12-31T23:59:59.999-05:30', '2027-01-01T05:29:59.999Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(iso(momentIn(text))).toBe(expected)
  })

  test.each([
    ['2026-02-29T00:00:00Z', 'the year has no such day'],
    ['2026-02-30T00:00:00Z', 'no year has such a day'],
    ['2026-03-10T24:00:00Z', 'the hours end at 23'],
    ['2026-03-10T12:60:00Z', 'the minutes end at 59'],
    ['2026-03-10T12:00:00', 'it has no zone'],
    ['2026-03-10T12:00:00.Z', 'a point without decimals'],
    ['2026-03-10T12:00:00.1234567890Z', 'ten decimals'],
    ['2026-03-10 12:00:00Z', 'no T'],
    ['2026-03-10T12Z', 'no minutes'],
    ['2026-03-10', 'no time'],
    ['x2026-03-10T12:00Z', 'something before it'],
    ['2026-03-10T12:00Zx', 'something after it'],
    ['0000-01-01T00:00:00+00:01', 'its zone carries it before the year 0'],
    ['9999-12-31T23:59:59-00:01', 'its zone carries it beyond the year 9999'],
  ])('%s is none: %s', (text) => {
    expect(momentIn(text)).toBeUndefined()
  })
})

describe('days in UTC', () => {
  test.each([
    ['2026-03-10T00:00:00.000Z', '2026-03-10'],
    ['2026-03-10T23:59:59.999Z', '2026-03-10'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31'],
  ])('%s is in %s', (moment, day) => {
    expect(utcDayOf(Date.parse(moment))).toBe(day)
    expect(iso(startOfUtcDay(Date.parse(moment)))).toBe(`${day}T00:00:00.000Z`)
    expect(isDay(day)).toBe(true)
  })
})

describe('months in UTC', () => {
  test.each([
    ['2026-03-31T23:59:59.999Z', 0, '2026-03-01'],
    ['2026-03-01T00:00:00.000Z', 0, '2026-03-01'],
    ['2026-12-31T23:59:59.999Z', 1, '2027-01-01'],
    ['2026-01-01T00:00:00.000Z', -1, '2025-12-01'],
    ['2026-01-15T12:00:00.000Z', -13, '2024-12-01'],
    ['2026-01-15T12:00:00.000Z', 14, '2027-03-01'],
  ])('from %s, month %i begins on %s', (moment, offset, day) => {
    expect(iso(startOfMonth(Date.parse(moment), offset))).toBe(`${day}T00:00:00.000Z`)
    if (offset === 0) expect(iso(startOfMonth(Date.parse(moment)))).toBe(`${day}T00:00:00.000Z`)
  })

  test.each([
    ['2026-01-31', 31],
    ['2026-02-01', 28],
    ['2028-02-29', 29],
    ['2100-02-10', 28],
    ['2026-04-30', 30],
    ['2026-12-31', 31],
  ])('the month of %s has %i days', (day, days) => {
    expect(daysInMonth(Date.parse(`${day}T23:59:59.999Z`))).toBe(days)
    expect(daysInMonth(Date.parse(day))).toBe(days)
  })

  test.each([
    ['2026-05-31T12:34:56.789Z', 1, '2026-04-30T12:34:56.789Z'],
    ['2026-03-31T00:00:00.000Z', 1, '2026-02-28T00:00:00.000Z'],
    ['2028-03-29T23:59:59.999Z', 1, '2028-02-29T23:59:59.999Z'],
    ['2026-03-28T00:00:00.001Z', 1, '2026-02-28T00:00:00.001Z'],
    ['2026-07-01T06:00:00.000Z', 3, '2026-04-01T06:00:00.000Z'],
    ['2026-01-15T06:00:00.000Z', 3, '2025-10-15T06:00:00.000Z'],
    ['2026-01-15T06:00:00.000Z', 0, '2026-01-15T06:00:00.000Z'],
  ])('%s, %i months earlier, is %s', (moment, months, expected) => {
    expect(iso(monthsBefore(Date.parse(moment), months))).toBe(expected)
  })
})
