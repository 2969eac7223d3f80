import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDay } from '../../../src/domain/time/calendar.ts'
import { dayAfter, dayEnd, dayOf, dayStart, daysApart, daysBetween, isZone } from '../../../src/domain/time/day.ts'

const hours = (day: string, zone: string) => (dayEnd(day, zone) - dayStart(day, zone)) / 3_600_000
const startText = (day: string, zone: string) => new Date(dayStart(day, zone)).toISOString()

describe('days of the calendar', () => {
  test.each([
    ['2026-02-28', true],
    ['2026-02-29', false],
    ['2028-02-29', true],
    ['2100-02-29', false],
    ['2026-04-31', false],
    ['2026-13-01', false],
    ['2026-00-10', false],
    ['2026-01-00', false],
    ['2026-1-1', false],
    ['20260101', false],
    ['2026-01-01T00:00:00Z', false],
    ['', false],
    ['0001-01-01', true],
    ['9999-12-31', true],
  ])('the day "%s" exists: %s', (text, expected) => {
    expect(isDay(text)).toBe(expected)
  })

  test('days are counted across months and years', () => {
    expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01')
    expect(dayAfter('2028-03-01', -1)).toBe('2028-02-29')
    expect(daysApart('2026-01-01', '2027-01-01')).toBe(365)
    expect(daysBetween('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
    expect(daysBetween('2026-02-27', '2026-02-27')).toEqual(['2026-02-27'])
    expect(daysBetween('2026-02-27', '2026-02-26')).toEqual([])
  })

  test('zones are those of the IANA list', () => {
    for (const zone of ['UTC', 'Asia/Taipei', 'America/New_York', 'Asia/Kathmandu']) expect(isZone(zone)).toBe(true)
    for (const zone of ['', 'Asia/Nowhere', 'Taipei']) expect(isZone(zone)).toBe(false)
    expect(() => dayOf(0, 'Asia/Nowhere')).toThrow(/not a time zone/)
  })
})

describe('days of a tenant', () => {
  test.each([
    ['2026-03-28', 'Europe/Berlin', 24, '2026-03-27T23:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', 23, '2026-03-28T23:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', 25, '2026-10-24T22:00:00.000Z'],
    ['2026-03-08', 'America/New_York', 23, '2026-03-08T05:00:00.000Z'],
    ['2026-11-01', 'America/New_York', 25, '2026-11-01T04:00:00.000Z'],
    ['2026-03-29', 'Asia/Taipei', 24, '2026-03-28T16:00:00.000Z'],
    ['2026-03-29', 'Asia/Kathmandu', 24, '2026-03-28T18:15:00.000Z'],
    ['2026-04-05', 'Australia/Lord_Howe', 24.5, '2026-04-04T13:00:00.000Z'],
    ['2026-06-15', 'UTC', 24, '2026-06-15T00:00:00.000Z'],
    // Midnight is missing: clocks go from 24:00 to 01:00.
    ['2026-09-06', 'America/Santiago', 23, '2026-09-06T04:00:00.000Z'],
    // Midnight occurs twice: the day begins with the first.
    ['2026-11-01', 'America/Havana', 25, '2026-11-01T04:00:00.000Z'],
    ['2026-10-25', 'Atlantic/Azores', 25, '2026-10-25T00:00:00.000Z'],
  ])('%s in %s has %s hours and begins at %s', (day, zone, length, start) => {
    expect([hours(day, zone), startText(day, zone)]).toEqual([length, start])
  })

  test('Samoa skipped 2011-12-30: that day has no instant', () => {
    expect(hours('2011-12-30', 'Pacific/Apia')).toBe(0)
    expect(dayOf(dayStart('2011-12-30', 'Pacific/Apia'), 'Pacific/Apia')).toBe('2011-12-31')
    expect(dayOf(dayStart('2011-12-30', 'Pacific/Apia') - 1, 'Pacific/Apia')).toBe('2011-12-29')
  })

  test('the last day of the calendar ends', () => {
    expect(hours('9999-12-31', 'Asia/Taipei')).toBe(24)
  })

  test('every instant is in exactly the day whose start and end enclose it', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Taipei',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'America/Havana',
    ]
    const moment = fc.integer({ min: Date.UTC(2012, 0, 1), max: Date.UTC(2037, 0, 1) })
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, (zone, at) => {
        const day = dayOf(at, zone)
        expect(dayStart(day, zone)).toBeLessThanOrEqual(at)
        expect(dayEnd(day, zone)).toBeGreaterThan(at)
      }),
    )
  })

  test('days are consecutive without a gap or an overlap through two years', () => {
    for (const zone of ['Europe/Berlin', 'America/Santiago', 'America/Havana', 'Africa/Cairo']) {
      for (const day of daysBetween('2025-03-01', '2026-12-31')) {
        const start = dayStart(day, zone)
        expect([zone, dayOf(start, zone), dayOf(start - 1, zone)]).toEqual([zone, day, dayAfter(day, -1)])
      }
    }
  })
})
